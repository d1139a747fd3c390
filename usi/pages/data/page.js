"use strict";
// A board is 81 cells from 9a to 1i, as an SFEN has them: "" or a piece as SFEN writes it, "+" before it if promoted.
const KANJI = {P: "歩", L: "香", N: "桂", S: "銀", B: "角", R: "飛", G: "金", K: "玉", "+P": "と", "+L": "杏", "+N": "圭",
               "+S": "全", "+B": "馬", "+R": "龍"};
const HAND = "RBGSNLP";
const START_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const ARROW_GAP = 16;           // from the centre of a piece, so that its letter stays free

function parseSfen(sfen) {
  const [rows, turn, hands] = sfen.split(" ");
  const cells = [];
  for (const [token] of rows.matchAll(/\+?[A-Za-z]|[1-9]/g))
    if (/[1-9]/.test(token)) cells.push(...Array(Number(token)).fill(""));
    else cells.push(token);
  const hand = {};
  if (hands !== "-")
    for (const [, count, piece] of hands.matchAll(/(\d*)([A-Za-z])/g)) hand[piece] = Number(count || 1);
  return {cells, hand, turn: turn === "b" ? 0 : 1};
}

function squareIndex(name) {
  return (name.charCodeAt(1) - 97) * 9 + 9 - Number(name[0]);
}

function play(position, move) {
  const cells = [...position.cells], hand = {...position.hand}, black = position.turn === 0;
  const own = piece => black ? piece.toUpperCase() : piece.toLowerCase();
  const to = squareIndex(move.slice(2, 4));
  if (move[1] === "*") {
    const piece = own(move[0]);
    hand[piece] -= 1;
    cells[to] = piece;
  } else {
    const from = squareIndex(move.slice(0, 2));
    if (cells[to]) {
      const taken = own(cells[to].replace("+", ""));
      hand[taken] = (hand[taken] || 0) + 1;
    }
    cells[to] = (move[4] === "+" ? "+" : "") + cells[from];
    cells[from] = "";
  }
  return {cells, hand, turn: 1 - position.turn};
}

function formatSfen(position) {
  let rows = "";
  for (let rank = 0; rank < 9; rank++)
    rows += (rank ? "/" : "") + position.cells.slice(9 * rank, 9 * rank + 9).map(cell => cell || " ").join("")
      .replace(/ +/g, blanks => blanks.length);
  let hands = "";
  for (const piece of HAND + HAND.toLowerCase())
    if (position.hand[piece]) hands += (position.hand[piece] > 1 ? position.hand[piece] : "") + piece;
  return rows + " " + "bw"[position.turn] + " " + (hands || "-");
}

function svg(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  return element;
}

function element(tag, className = "", text = "") {
  return Object.assign(document.createElement(tag), {className, textContent: text});
}

const CELL = 40, TALL = 44, LEFT = 8, TOP = 60;

// Draws a position into an <svg class="board">: hands, pieces, the square moved to, and arrows {move, side, kind} for
// moves in USI, `kind` being "best", "other" or "reply". Seen by Black, or by White if `flipped`; pieces have Western
// letters if `western`. Returns what gives the centre of a square.
function drawBoard(target, position, {last, arrows, flipped, western, ranks = "abcdefghi"}) {
  const width = 2 * LEFT + 9 * CELL + 12, bottom = TOP + 9 * TALL;
  target.setAttribute("viewBox", `0 0 ${width} ${bottom + 52}`);
  target.replaceChildren(svg("rect", {class: "field", x: LEFT, y: TOP, width: 9 * CELL, height: 9 * TALL}));
  const place = index => {
    const seen = flipped ? 80 - index : index;
    return [LEFT + (seen % 9 + .5) * CELL, TOP + (Math.floor(seen / 9) + .5) * TALL];
  };
  if (last) {
    const [x, y] = place(squareIndex(last.slice(2, 4)));
    target.append(svg("rect", {class: "last", x: x - CELL / 2, y: y - TALL / 2, width: CELL, height: TALL}));
  }
  for (let i = 0; i < 9; i++) {
    const x = LEFT + i * CELL, y = TOP + i * TALL;
    if (i) target.append(svg("path", {class: "grid", d: `M${x} ${TOP}V${bottom}M${LEFT} ${y}H${LEFT + 9 * CELL}`}));
    target.append(svg("text", {class: "coordinate", x: x + CELL / 2, y: TOP - 3}, flipped ? i + 1 : 9 - i));
    target.append(svg("text", {class: "coordinate", x: LEFT + 9 * CELL + 8, y: y + TALL / 2 + 4},
                      ranks[flipped ? 8 - i : i]));
  }
  const draw = (token, x, y, scale = 1) => {
    const down = (token === token.toUpperCase()) === Boolean(flipped);
    const kind = "piece" + (token[0] === "+" ? " promoted" : "") + (western ? " western" : "");
    const group = svg("g", {class: kind, "data-piece": token,
                            transform: `translate(${x} ${y}) scale(${scale})` + (down ? " rotate(180)" : "")});
    const name = token.toUpperCase();
    group.append(svg("path", {d: "M0 -19L11 -14L15 18H-15L-11 -14Z"}),
                 svg("text", {y: 10}, western ? name : KANJI[name]));
    target.append(group);
    return group;
  };
  position.cells.forEach((token, index) => {
    if (token) draw(token, ...place(index)).setAttribute("data-square", index);
  });
  for (const side of [0, 1]) {
    const below = (side === 0) !== Boolean(flipped), y = below ? bottom + 28 : 24;
    let x = LEFT + 18;
    for (const letter of HAND) {
      const token = side ? letter.toLowerCase() : letter, count = position.hand[token];
      if (!count) continue;
      draw(token, x, y, .9).setAttribute("data-hand", side);
      if (count > 1) target.append(svg("text", {class: "count", x: x + 15, y: y + 14}, count));
      x += count > 1 ? 50 : 38;
    }
  }
  for (const {move, side, kind: strength} of arrows || []) {
    const kind = "arrow " + strength, [x, y] = place(squareIndex(move.slice(2, 4)));
    if (move[1] === "*") {
      draw(side ? move[0].toLowerCase() : move[0], x, y, .75).classList.add("dropped");
      target.append(svg("circle", {class: kind + " ring", cx: x, cy: y, r: 18, "data-move": move}));
      continue;
    }
    const [fromX, fromY] = place(squareIndex(move.slice(0, 2)));
    const length = Math.hypot(x - fromX, y - fromY), dx = (x - fromX) / length, dy = (y - fromY) / length;
    const gap = position.cells[squareIndex(move.slice(2, 4))] ? ARROW_GAP : 0;
    const tipX = x - gap * dx, tipY = y - gap * dy, neckX = tipX - 10 * dx, neckY = tipY - 10 * dy;
    target.append(svg("path", {class: kind, "data-move": move, "stroke-linejoin": "round",
      d: `M${fromX + ARROW_GAP * dx} ${fromY + ARROW_GAP * dy}L${neckX} ${neckY}`
         + `M${tipX} ${tipY}L${neckX - 5 * dy} ${neckY + 5 * dx}L${neckX + 5 * dy} ${neckY - 5 * dx}Z`}));
  }
  return place;
}

// The square of such a board that a click met, or null.
function squareAt(target, event, flipped) {
  const box = target.getBoundingClientRect(), scale = target.viewBox.baseVal.width / box.width;
  const file = Math.floor(((event.clientX - box.left) * scale - LEFT) / CELL);
  const rank = Math.floor(((event.clientY - box.top) * scale - TOP) / TALL);
  if (file < 0 || file > 8 || rank < 0 || rank > 8) return null;
  return flipped ? 80 - 9 * rank - file : 9 * rank + file;
}
