// The rules of moves, and the names of moves, for positions as page.js has them. Tests hold both against the engine's.
const PLAIN = [[0, -1], [0, 1], [-1, 0], [1, 0]], DIAGONAL = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
const GOLD = [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [0, 1]];
// Steps [to the right, down] as Black sees them, by piece; a slide goes on until it meets something.
const STEPS = {P: [[0, -1]], N: [[-1, -2], [1, -2]], S: [[0, -1], ...DIAGONAL], G: GOLD, K: [...PLAIN, ...DIAGONAL],
               "+P": GOLD, "+L": GOLD, "+N": GOLD, "+S": GOLD, "+B": PLAIN, "+R": DIAGONAL};
const SLIDES = {L: [[0, -1]], B: DIAGONAL, R: PLAIN, "+B": DIAGONAL, "+R": PLAIN};

const sideOf = token => token === token.toUpperCase() ? 0 : 1;
const kindOf = token => token.toUpperCase();
const ownToken = (letter, side) => side ? letter.toLowerCase() : letter;
const squareName = index => (9 - index % 9) + "abcdefghi"[Math.floor(index / 9)];
// How many ranks lie between a square and the far edge, as its side sees it.
const ranksAhead = (index, side) => side ? 8 - Math.floor(index / 9) : Math.floor(index / 9);

// The squares that the piece on `from` can go to, its own king's safety left aside.
function reach(cells, from) {
  const side = sideOf(cells[from]), kind = kindOf(cells[from]), found = [];
  const walk = ([right, down], most) => {
    let file = from % 9, rank = Math.floor(from / 9);
    for (let step = 0; step < most; step++) {
      file += side ? -right : right;
      rank += side ? -down : down;
      if (file < 0 || file > 8 || rank < 0 || rank > 8) return;
      const to = 9 * rank + file;
      if (!cells[to] || sideOf(cells[to]) !== side) found.push(to);
      if (cells[to]) return;
    }
  };
  for (const step of STEPS[kind] || []) walk(step, 1);
  for (const slide of SLIDES[kind] || []) walk(slide, 8);
  return found;
}

function inCheck(position, side) {
  const king = position.cells.indexOf(ownToken("K", side));
  return king >= 0 && position.cells.some((token, from) => token && sideOf(token) !== side
                                                           && reach(position.cells, from).includes(king));
}

// Ranks ahead that a piece needs so that it can move again.
const NEEDED = {P: 1, L: 1, N: 2};

const canPromote = (token, from, to) => "PLNSBR".includes(kindOf(token))
  && Math.min(ranksAhead(from, sideOf(token)), ranksAhead(to, sideOf(token))) < 3;

// The legal moves of a position, in USI.
function legalMoves(position) {
  const {cells, turn} = position, found = [];
  cells.forEach((token, from) => {
    if (!token || sideOf(token) !== turn) return;
    for (const to of reach(cells, from)) {
      const move = squareName(from) + squareName(to);
      if (canPromote(token, from, to)) found.push(move + "+");
      if (ranksAhead(to, turn) >= (NEEDED[kindOf(token)] || 0)) found.push(move);
    }
  });
  for (const letter of HAND) {
    const token = ownToken(letter, turn);
    if (!position.hand[token]) continue;
    cells.forEach((taken, to) => {
      const hasPawn = () => cells.some((each, index) => each === token && index % 9 === to % 9);
      if (!taken && ranksAhead(to, turn) >= (NEEDED[letter] || 0) && !(letter === "P" && hasPawn()))
        found.push(letter + "*" + squareName(to));
    });
  }
  return found.filter(move => {
    const after = play(position, move);
    if (inCheck(after, turn)) return false;
    // A pawn that is dropped must not mate.
    return !(move.startsWith("P*") && inCheck(after, 1 - turn) && !legalMoves(after).length);
  });
}

const FILES_JA = "１２３４５６７８９", RANKS_JA = "一二三四五六七八九";
const MOVE_NAMES = {...KANJI, "+L": "成香", "+N": "成桂", "+S": "成銀", "+R": "龍"};

// A move as KIF has it: 同 where the move before, in USI, went to the same square; and 不成, which KIF leaves out.
function japaneseMove(position, move, previous) {
  const to = move.slice(2, 4), digit = name => name.charCodeAt(1) - 96;
  const place = previous && previous.slice(2, 4) === to ? "同　" : FILES_JA[to[0] - 1] + RANKS_JA[digit(to) - 1];
  const piece = move[1] === "*" ? move[0] : kindOf(position.cells[squareIndex(move)]);
  const stays = () => canPromote(position.cells[squareIndex(move)], squareIndex(move), squareIndex(to)) ? "不成" : "";
  const rest = move[1] === "*" ? "打" : (move[4] === "+" ? "成" : stays()) + "(" + move[0] + digit(move) + ")";
  return "▲△"[position.turn] + place + MOVE_NAMES[piece] + rest;
}

// A move in Western notation, with its first square only where another piece of its kind could go to the same one; = is
// for a promotion that was left out.
function westernMove(position, move) {
  if (move[1] === "*") return move;
  const {cells} = position, from = squareIndex(move), to = squareIndex(move.slice(2)), token = cells[from];
  const isRival = (each, index) => each === token && index !== from && reach(cells, index).includes(to);
  return kindOf(token) + (cells.some(isRival) ? move.slice(0, 2) : "") + (cells[to] ? "x" : "-") + move.slice(2, 4)
    + (move[4] === "+" ? "+" : canPromote(token, from, to) ? "=" : "");
}

// The names of the moves of a line, in Japanese ("ja") or for readers of English ("en").
function lineNames(position, moves, language, previous) {
  return moves.map(move => {
    const name = language === "ja" ? japaneseMove(position, move, previous) : westernMove(position, move);
    position = play(position, move);
    previous = move;
    return name;
  });
}
