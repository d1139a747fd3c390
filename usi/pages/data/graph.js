// The graph of a game: Black's chances over the plies, or what each side thought of them, and the marked moves.

const GRAPH = {left: 46, right: 12, top: 20, bottom: 22};      // around the curve, in pixels
const PLY_STEPS = [5, 10, 20, 50, 100, 200, 500], PLY_PIXELS = 42;

const graphWidth = graph => graph.clientWidth - GRAPH.left - GRAPH.right;
// Where a node is in the graph.
const graphX = (view, number) => GRAPH.left + (view.last ? graphWidth(view.at("graph")) * number / view.last : 0);

// The number of the node that a click on the graph meets.
function nodeAt(view, event) {
  const graph = view.at("graph"), inside = event.clientX - graph.getBoundingClientRect().left - GRAPH.left;
  return Math.round(inside / graphWidth(graph) * view.last);
}

// A pixel of the picture is one of the screen, so that its letters stay as they are on every screen.
function drawGraph(view) {
  const {game, last, words} = view, graph = view.at("graph"), {nodes} = game;
  graph.setAttribute("viewBox", `0 0 ${graph.clientWidth} ${graph.clientHeight}`);
  const bottom = graph.clientHeight - GRAPH.bottom, right = graph.clientWidth - GRAPH.right;
  const x = number => graphX(view, number), y = expected => bottom - (bottom - GRAPH.top) * expected;
  graph.replaceChildren();
  for (const value of [0, .25, .5, .75, 1]) {
    const kind = value === .5 ? "axis" : "rule";
    graph.append(svg("line", {class: kind, x1: GRAPH.left, x2: right, y1: y(value), y2: y(value)}));
    graph.append(svg("text", {x: GRAPH.left - 6, y: y(value) + 4, "text-anchor": "end"}, 100 * value + " %"));
  }
  for (const curve of game.curves || [{side: 0, points: nodes.map((node, number) => [number, node.expected])}]) {
    const known = curve.points.filter(([, expected]) => expected !== null);
    const points = known.map(([number, expected]) => x(number).toFixed(1) + "," + y(expected).toFixed(1));
    graph.append(svg("polyline", {class: "curve side" + curve.side, points: points.join(" ")}));
  }
  const step = PLY_STEPS.find(plies => graphWidth(graph) * plies / (last || 1) >= PLY_PIXELS) || last;
  for (let ply = Math.ceil(nodes[0].ply / step) * step; ply <= nodes[last].ply; ply += step)
    graph.append(svg("text", {x: x(ply - nodes[0].ply), y: bottom + 16, "text-anchor": "middle"}, ply));
  graph.append(svg("text", {x: GRAPH.left + 4, y: GRAPH.top - 5}, words.chances(view.sides[0])));
  nodes.forEach((node, number) => {
    if (node.mark && node.expected !== null)
      graph.append(svg("circle", {class: MARK_CLASSES[node.mark], cx: x(number), cy: y(node.expected), r: 4.5}));
  });
  graph.append(svg("line", {id: "here", y1: GRAPH.top, y2: bottom, x1: x(view.index), x2: x(view.index)}));
}
