// The report of a match: Elo over the games, and each game with what its players thought.

// A score of a player's, from Black's side, as a node has it.
function scoreOf(forBlack, {scores, slope}) {
  const size = Math.abs(forBlack), isMate = size >= scores.mateInMaxPly, sign = Math.sign(forBlack);
  return {centipawns: isMate ? null : forBlack, mate: isMate ? sign * (scores.mate - size) : null,
          expected: isMate ? (sign + 1) / 2 : 1 / (1 + Math.exp(-forBlack / slope)),
          special: size === scores.superior ? "superior" : null};
}

// The nodes of a game. A move is marked where its player's own view fell until its next answer: it may have been the
// mistake, or the player had overlooked something before.
function nodesOf(game, data) {
  const nothing = {centipawns: null, mate: null, expected: null, special: null};
  const answers = game.thoughts.map(([ms, score, depth, nodes], number) => {
    const side = (game.first + number) % 2, forBlack = side ? -score : score;
    const known = score === null ? nothing : scoreOf(forBlack, data);
    return {...known, side, forBlack, thought: {ms, depth, nodes}};
  });
  const clip = score => Math.max(-data.scores.decided, Math.min(data.scores.decided, score));
  answers.forEach((answer, number) => {
    const later = answers[number + 2], sign = answer.side ? -1 : 1;
    if (!later || answer.expected === null || later.expected === null) return;
    answer.lost_expected = Math.max(0, sign * (answer.expected - later.expected));
    answer.lost_centipawns = Math.max(0, sign * (clip(answer.forBlack) - clip(later.forBlack)));
    const mark = data.marks.find(([, least]) => answer.lost_expected >= least);
    answer.mark = mark && mark[0];
  });
  const plies = [...Array(game.moves.length + 1).keys()];
  return plies.map(ply => ({...nothing, ...answers[ply - game.book - 1], lines: []}));
}

// What each side saw, for the graph.
function curvesOf(nodes, names) {
  return [0, 1].map(side => ({side, name: "☗☖"[side] + " " + names[side], points: nodes.flatMap((node, number) =>
    node.side === side && node.expected !== null ? [[number, node.expected]] : [])}));
}

const COLOURS = ["var(--black)", "var(--white)", "#15803d", "#a855f7", "#a16207", "#0e7490", "#db2777", "#64748b"];

// Draws curves {name, points: [[games, Elo, error]]} with axes, as wide as there is room.
function drawElo(target, curves) {
  const points = curves.flatMap(curve => curve.points), limit = 2000;
  target.replaceChildren();
  target.setAttribute("viewBox", `0 0 ${target.clientWidth} ${target.clientHeight}`);
  if (!points.length) { target.append(svg("text", {x: 20, y: 30}, "nothing to draw")); return; }
  const cut = y => Math.max(-limit, Math.min(limit, y)), last = Math.max(...points.map(point => point[0]));
  const low = Math.min(0, ...points.map(([, y, error]) => cut(y - error)));
  const high = Math.max(0, ...points.map(([, y, error]) => cut(y + error)));
  const width = graphWidth(target), bottom = target.clientHeight - GRAPH.bottom;
  const x = value => GRAPH.left + width * value / last;
  const y = value => bottom - (bottom - GRAPH.top) * (cut(value) - low) / (high - low || 1);
  const path = list => list.map(([px, py]) => x(px).toFixed(1) + "," + y(py).toFixed(1)).join(" ");
  for (const value of new Set([low, 0, high])) {
    const kind = value ? "rule" : "axis";
    target.append(svg("line", {class: kind, x1: GRAPH.left, x2: x(last), y1: y(value), y2: y(value)}));
    target.append(svg("text", {x: GRAPH.left - 6, y: y(value) + 4, "text-anchor": "end"}, Math.round(value)));
  }
  target.append(svg("text", {x: x(last), y: bottom + 16, "text-anchor": "end"}, last));
  const columns = Math.max(1, Math.floor(width / 170));
  curves.forEach((curve, number) => {
    const colour = COLOURS[number % COLOURS.length];
    const band = [...curve.points.map(([px, py, error]) => [px, py + error]),
                  ...[...curve.points].reverse().map(([px, py, error]) => [px, py - error])];
    target.append(svg("polygon", {points: path(band), style: "fill:" + colour, opacity: .12}));
    target.append(svg("polyline", {class: "curve", points: path(curve.points), style: "stroke:" + colour}));
    target.append(svg("text", {x: GRAPH.left + 6 + 170 * (number % columns), y: 14 + 15 * Math.floor(number / columns),
                               style: "fill:" + colour}, curve.name));
  });
}

function startReport() {
  const data = JSON.parse(document.getElementById("data").textContent), at = id => document.getElementById(id);
  new ResizeObserver(() => drawElo(at("elo"), data.curves)).observe(at("elo"));
  at("games").hidden = at("language").hidden = at("pieces").hidden = !data.games.length;
  if (!data.games.length) return;
  const view = new GameView(), list = at("list");
  const open = number => {
    const game = data.games[number], nodes = nodesOf(game, data);
    view.load({...game, nodes, curves: curvesOf(nodes, game.names), has_lines: false}, game.book);
  };
  list.append(...data.games.map((game, number) => Object.assign(element("option", "", game.line), {value: number})));
  list.onchange = () => open(Number(list.value));
  list.selectedIndex = 0;
  open(0);
  const name = () => { at("language").textContent = view.words.other; };
  at("language").onclick = () => {
    view.setLanguage(view.language === "ja" ? "en" : "ja");
    name();
  };
  name();
}

if (typeof document !== "undefined") startReport();
