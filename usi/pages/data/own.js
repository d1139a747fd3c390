// The reader's own moves, and what the analysis knows of them.

// What the analysis knows of positions that its lines pass, whatever the moves that led there.
class Knowledge {
  constructor(nodes) {
    this.known = new Map();
    for (const node of nodes) this.add(node.position, node, node.lines.length ? node.lines[0].pv : []);
    for (const node of nodes)
      for (const line of node.lines) {
        let position = node.position;
        line.pv.forEach((move, number) => {
          position = play(position, move);
          this.add(position, line, line.pv.slice(number + 1));
        });
      }
  }

  add(position, score, pv) {
    const key = formatSfen(position);
    if (score.expected !== null && !this.known.has(key)) this.known.set(key, {score, pv});
  }

  // {score, pv} of a position, or undefined; of the one after `move` from a node first as its own lines have it.
  find(position, node, move) {
    const line = node && node.lines.find(each => each.pv[0] === move);
    return line ? {score: line, pv: line.pv.slice(1)} : this.known.get(formatSfen(position));
  }
}

// Plays a move of the reader's on the board, and says what the analysis knows of it.
function playOwn(view, move) {
  const {variation, game, knowledge} = view, from = variation ? variation.from : view.index;
  const before = variation ? variation.pv.slice(0, variation.length) : [];
  const node = before.length ? null : game.nodes[from];       // of the game, where the reader leaves it
  const {position} = view.shown(), after = play(position, move), known = knowledge.find(after, node, move);
  const parent = knowledge.find(position), sign = position.turn ? -1 : 1;
  const next = node && game.nodes[from + 1], verdict = next && next.move === move ? next.lost_expected : undefined;
  const lost = verdict ?? (known && parent ? Math.max(0, sign * (parent.score.expected - known.score.expected)) : null);
  const isMate = inCheck(after, after.turn) && !legalMoves(after).length;
  const own = {from, line: [...before, move], move, node, known, parent, lost, isMate,
               beyond: known ? null : lostBeyond(node, sign)};
  if (!view.task) view.takeOwn(own);
  else if (known || isMate) judgeTry(view, own);
  else view.judge(own, judged => judgeTry(view, judged));
}

// What a move of a node loses at least if it is none of its lines, of which there are several: no better one was found.
function lostBeyond(node, sign) {
  if (!node || node.lines.length < 2) return null;
  return Math.max(0, sign * (node.lines[0].expected - node.lines[node.lines.length - 1].expected));
}

// What is to be said of a move whose value is not known.
function unknownText(view, {node, beyond}) {
  const {words, game} = view;
  if (beyond !== null) return words.beyond(node.lines.length, percent(beyond));
  return game.has_lines ? words.unknown : words.noLines;
}

function tellOwn(view, own) {
  const {from, line, move, node, known, parent, lost, isMate} = own;
  const {words, game} = view, next = game.nodes[from + 1], said = [], isBest = parent && parent.pv[0] === move;
  if (node && next && next.move === move) said.push(words.inGame);
  if (isMate) said.push(words.mated);
  else if (!known) said.push(unknownText(view, own));
  else {
    if (isBest) said.push(words.firstChoice);
    said.push(scoreWithChances(known.score, words, view.sides) + words.stop);
    if (lost) said.push(words.loses + " " + percent(lost) + words.stop);
  }
  const lines = [view.lineOf(words.yourLine(line.length), from, [], line)];
  if (known && known.pv.length) lines.push(view.lineOf(words.answer, from, line, known.pv));
  if (parent && parent.pv.length && !isBest)
    lines.push(view.lineOf(words.bestHere, from, line.slice(0, -1), parent.pv));
  view.tell(said.join(" "), ...lines);
}
