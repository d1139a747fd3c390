// "Find the better move": one side's mistakes, one after another. The reader moves, and the analysis judges.

function wireExercise(view) {
  for (const button of view.at("exercises").children)
    button.onclick = () => beginExercise(view, Number(button.dataset.side));
  view.at("solution").onclick = () => finish(view, "", view.game.nodes[view.task.mistakes[view.task.number] - 1].lines[0].pv);
  view.at("nextTask").onclick = () => view.nextTask();
  view.at("endTask").onclick = () => view.endTask();
}

// The moves of a side that can be mended: the numbers of their nodes.
function mistakesOf(game, side) {
  return game.nodes.flatMap((node, number) => {
    const before = game.nodes[number - 1];
    return node.mark && before && before.position.turn === side && before.lines.length ? [number] : [];
  });
}

function fillExercise(view) {
  const {game, words} = view, known = game.nodes.map(node => node.expected !== null), isWhole = known.every(Boolean);
  view.at("exercises").hidden = !game.has_lines || !known.some(Boolean) || Boolean(view.task);
  for (const button of view.at("exercises").children) {
    const side = Number(button.dataset.side), count = mistakesOf(game, side).length;
    button.disabled = !count;
    button.textContent = count || !isWhole ? `${words.find(view.sides[side])} (${count})` : words.none(view.sides[side]);
  }
  if (view.task) tellTask(view);
}

function beginExercise(view, side) {
  view.task = {mistakes: mistakesOf(view.game, side), number: 0, found: 0, isOver: false, isFound: false};
  view.flipped = side === 1;
  openTask(view);
}

function openTask(view) {
  const {task} = view;
  task.isOver = task.isFound = false;
  view.at("exercises").hidden = true;
  view.at("tasks").hidden = false;
  document.body.classList.add("task");
  view.go(task.mistakes[task.number] - 1);
  tellTask(view);
  view.at("seen").scrollIntoView({block: "nearest"});
}

function tellTask(view, ...said) {
  const {task, words, game} = view, number = task.mistakes[task.number], node = game.nodes[number];
  const lost = percent(node.lost_expected);
  const at = task.at || task.number + 1, count = task.count || task.mistakes.length;     // in this game, or in all
  view.tell(words.task(at, count, node.ply, view.moveName(number), lost), ...said);
}

function judgeTry(view, own) {
  const {task, words, game} = view, number = task.mistakes[task.number], before = game.nodes[number - 1];
  if (own.node !== before) {          // played somewhere else
    view.go(number - 1);
    return;
  }
  const isBest = own.move === before.lines[0].pv[0], isPlayed = own.move === game.nodes[number].move;
  const isMate = own.isMate || (before.mate_by_checks || [])[0] === own.move;
  const isGood = isBest || isMate || (!isPlayed && own.lost !== null && own.lost < game.good_below);
  const value = own.lost === null ? "" : `${words.loses} ${percent(own.lost)}${words.stop} `;
  const verdict = isBest ? words.right : isMate ? words.mateFound : isGood ? `${words.good} ${value}`
    : (isPlayed ? words.played + " " : own.known ? "" : unknownText(view, own) + " ") + value + words.again;
  if (isGood && !task.isOver) {
    task.found += 1;
    task.isFound = true;
  }
  view.variation = null;
  view.show();
  const lines = [before.lines[0].pv, before.mate_by_checks || [], own.line];
  if (isGood) finish(view, verdict, lines.find(line => line[0] === own.move));
  else {
    const [name] = lineNames(before.position, [own.move], view.language, before.move);
    tellTask(view, element("p", "verdict wrong", name + words.colon + verdict));
  }
}

// The task is over: the board shows the first move of `line`, and the best line is told.
function finish(view, verdict, line) {
  const {task, words, game} = view, from = task.mistakes[task.number] - 1;
  if (!task.isOver) view.onTaskOver(task.isFound);
  task.isOver = true;
  const {pv} = game.nodes[from].lines[0];
  tellTask(view, element("p", "verdict", verdict), view.lineOf(words.best(pv.length), from, [], pv));
  view.enter(from, line, 1);
  view.at("nextTask").focus();
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
