// "Find the better move": one side's mistakes, one after another. The reader moves, and the analysis judges.

const GOOD_ENOUGH = .05;        // a move that loses less is not marked either

function wireExercise(view) {
  for (const button of view.at("exercises").children)
    button.onclick = () => beginExercise(view, Number(button.dataset.side));
  view.at("solution").onclick = () => showSolution(view);
  view.at("nextTask").onclick = () => nextTask(view);
  view.at("endTask").onclick = () => endExercise(view);
}

// The moves of a side that can be mended: the numbers of their nodes.
function mistakesOf(game, side) {
  return game.nodes.flatMap((node, number) => {
    const before = game.nodes[number - 1];
    return node.mark && before && before.position.turn === side && before.lines.length ? [number] : [];
  });
}

function fillExercise(view) {
  const {game, words} = view;
  view.at("exercises").hidden = !game.has_lines || Boolean(view.task);
  for (const button of view.at("exercises").children) {
    const side = Number(button.dataset.side), count = mistakesOf(game, side).length;
    button.disabled = !count;
    button.textContent = count ? `${words.find(view.sides[side])} (${count})` : words.none(view.sides[side]);
  }
  if (view.task) tellTask(view);
}

function beginExercise(view, side) {
  view.task = {mistakes: mistakesOf(view.game, side), number: 0, found: 0, tries: 0, isOver: false};
  view.flipped = side === 1;
  openTask(view);
}

function openTask(view) {
  const {task} = view;
  Object.assign(task, {tries: 0, isOver: false});
  view.at("exercises").hidden = true;
  view.at("tasks").hidden = false;
  document.body.classList.add("task");
  view.go(task.mistakes[task.number] - 1);
  tellTask(view);
}

function tellTask(view, ...said) {
  const {task, words, game} = view, number = task.mistakes[task.number], node = game.nodes[number];
  view.tell(words.task(task.number + 1, task.mistakes.length, node.ply, view.moveName(number), percent(node.lost_expected)),
            ...said);
}

function judgeTry(view, own) {
  const {task, words, game} = view, number = task.mistakes[task.number], before = game.nodes[number - 1];
  const isBest = own.move === before.lines[0].pv[0], isMate = own.isMate || (before.mate_by_checks || [])[0] === own.move;
  const isTried = own.node === before, isPlayed = isTried && own.move === game.nodes[number].move;
  const isGood = isTried && !isPlayed && (isBest || isMate || (own.known && own.lost !== null && own.lost < GOOD_ENOUGH));
  if (!isTried) {         // played somewhere else
    view.go(number - 1);
    return;
  }
  const value = own.lost === null ? "" : `${words.loses} ${percent(own.lost)}. `;
  if (isGood && !task.isOver) task.found += 1;
  const verdict = isBest ? words.right : isMate ? words.mateFound : isGood ? `${words.good} ${value}`
    : (isPlayed ? words.played + " " + value : own.known ? value : words.unknown + " ") + words.again;
  view.variation = null;
  if (isGood) finish(view, verdict);
  else {
    view.picked = null;
    view.show();
    tellTask(view, element("p", "verdict wrong", verdict));
  }
}

function finish(view, verdict) {
  const {task, words, game} = view, from = task.mistakes[task.number] - 1, node = game.nodes[from];
  task.isOver = true;
  view.picked = null;
  view.show();
  tellTask(view, element("p", "verdict", verdict), view.lineOf(words.best, from, [], node.lines[0].pv));
  view.at("nextTask").focus();
}

function showSolution(view) {
  finish(view, "");
}

function nextTask(view) {
  const {task} = view;
  task.number += 1;
  if (task.number < task.mistakes.length) openTask(view);
  else endExercise(view);
}

function endExercise(view) {
  const {task, words, game} = view, text = words.found(task.found, task.mistakes.length);
  view.task = null;
  view.at("tasks").hidden = true;
  document.body.classList.remove("task");
  fillExercise(view);
  view.go(Math.min(view.index, game.nodes.length - 1));
  view.tell(text);
}
