// A game on a board, with all that is known of it (data/game.html has its parts): moves, scores, lines, variations, and
// the reader's own moves.
//
// A game is what game_data in usi/pages.py says; has_lines, if the engine's lines are known; and nodes, one for the position
// `sfen` and one after each move. A node has the score from Black's side: centipawns, mate, expected (null where nothing is
// known) and special; mark, lost_expected and lost_centipawns of its move; lines, each a score with its pv; and where there
// is such a thing, missed_mate, mate_by_checks, comment, and thought {ms, depth, nodes}. Here it gets its ply, move, position
// and castles. There may be curves for the graph: side, name, and points [node, expected]. Moves are in USI.

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

class GameView {
  constructor() {
    this.language = readersLanguage();
    this.flipped = false;
    this.task = null;           // the exercise under way (exercise.js)
    const press = (id, action) => { this.at(id).onclick = action; };
    press("first", () => this.go(0));
    press("back", () => this.step(-1));
    press("next", () => this.step(1));
    press("end", () => this.go(this.last));
    press("flip", () => this.flip());
    press("lastMistake", () => this.toMistake(-1));
    press("nextMistake", () => this.toMistake(1));
    press("leave", () => this.go(this.index));
    press("play", () => this.at("legal").value && this.playOwn(this.at("legal").value));
    this.at("board").onclick = event => this.clickBoard(event);
    this.at("graph").onclick = event => {
      const share = (event.clientX - this.at("graph").getBoundingClientRect().left - GRAPH.left) / this.graphWidth();
      this.go(Math.round(share * this.last));
    };
    const keys = {ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0),
                  End: () => this.go(this.last), f: () => this.flip(), n: () => this.toMistake(1),
                  p: () => this.toMistake(-1), Escape: () => this.task ? endExercise(this) : this.go(this.index)};
    document.addEventListener("keydown", event => {
      const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (event.ctrlKey || event.altKey || event.metaKey || !action || event.target.closest("select, input")) return;
      event.preventDefault();
      action();
    });
    new ResizeObserver(() => this.game && this.drawGraph()).observe(this.at("graph"));
    wireExercise(this);
  }

  at(id) { return document.getElementById(id); }
  get words() { return WORDS[this.language]; }
  get last() { return this.game.nodes.length - 1; }
  get sides() { return this.language === "ja" ? this.game.titles : this.words.sides; }

  load(game, index = 0) {
    this.game = game;
    let position = parseSfen(game.sfen), castles = [null, null];
    game.nodes.forEach((node, number) => {
      if (number) position = play(position, game.moves[number - 1]);
      for (const [when, side, name] of game.castles)
        if (when === number) castles = castles.map((each, index) => index !== side ? each : name === null ? null : game.formations[name]);
      Object.assign(node, {position, castles, ply: game.ply + number, move: number ? game.moves[number - 1] : null});
    });
    this.knowledge = new Knowledge(game.nodes);
    this.index = index;
    this.task = this.variation = this.picked = null;
    this.fillTexts();
  }

  setLanguage(language) {
    this.language = language;
    this.fillTexts();
  }

  playerName(side) { return "☗☖"[side] + " " + (this.game.names[side] || this.sides[side]); }

  // The move that led to a node, by name.
  moveName(number) {
    const before = this.game.nodes[number - 1];
    return before ? lineNames(before.position, [this.game.nodes[number].move], this.language, before.move)[0] : this.words.start;
  }

  // -- What stands still while one looks through a game

  fillTexts() {
    const {words, game} = this;
    document.documentElement.lang = this.language;
    for (const id of ["first", "back", "next", "end", "flip", "lastMistake", "nextMistake"]) {
      this.at(id).title = words[id];
      this.at(id).setAttribute("aria-label", words[id]);
    }
    for (const id of ["leave", "play", "promote", "stay", "solution", "nextTask", "endTask"]) this.at(id).textContent = words[id];
    this.at("legal").setAttribute("aria-label", words.choose);
    this.at("moves").setAttribute("aria-label", words.moves);
    this.at("bar").setAttribute("aria-label", words.chances(this.sides[0]));
    this.at("graph").setAttribute("aria-label", words.chances(this.sides[0]));
    const opening = game.opening.map(([side, name]) => (side === null ? "" : this.sides[side] + " ") + name[this.language]);
    this.at("result").textContent = [endText(game.end, words, this.sides), opening.join(" – ")].filter(Boolean).join(" · ");
    this.at("moves").replaceChildren(...game.nodes.map((node, number) => this.moveButton(node, number)));
    this.at("legend").replaceChildren(...(game.curves || []).map(({side, name}) => element("span", "side" + side, name)));
    this.at("told").replaceChildren();
    this.drawGraph();
    fillExercise(this);
    this.go(this.index);
  }

  moveButton(node, number) {
    const button = document.createElement("button"), parts = [["name", (number ? node.ply + ". " : "") + this.moveName(number)]];
    if (this.game.variations.some(each => each.ply === node.ply)) parts.push(["branch", "⑂"]);
    if (node.mark) parts.push(["mark", node.mark]);
    parts.push(["value", shortScore(node, this.words)]);
    for (const [kind, text] of parts) button.append(element("span", kind, text), " ");
    button.className = MARK_CLASSES[node.mark] || "";
    button.onclick = () => this.go(number);
    return button;
  }

  graphWidth() { return this.at("graph").clientWidth - GRAPH.left - GRAPH.right; }

  drawGraph() {
    const {game, last} = this, graph = this.at("graph"), width = this.graphWidth();
    graph.setAttribute("viewBox", `0 0 ${graph.clientWidth} ${graph.clientHeight}`);
    const bottom = graph.clientHeight - GRAPH.bottom, height = bottom - GRAPH.top;
    this.graphX = number => GRAPH.left + width * (last ? number / last : 0);
    const x = this.graphX, y = expected => bottom - height * expected;
    graph.replaceChildren();
    for (const value of [0, .25, .5, .75, 1]) {
      graph.append(svg("line", {class: value === .5 ? "axis" : "rule", x1: GRAPH.left, x2: x(last || 1), y1: y(value), y2: y(value)}));
      graph.append(svg("text", {x: GRAPH.left - 6, y: y(value) + 4, "text-anchor": "end"}, 100 * value + " %"));
    }
    for (const curve of game.curves || [{points: game.nodes.map((node, number) => [number, node.expected])}]) {
      const points = curve.points.filter(([, value]) => value !== null).map(([number, value]) => x(number).toFixed(1) + "," + y(value).toFixed(1));
      graph.append(svg("polyline", {class: "curve side" + (curve.side || 0), points: points.join(" ")}));
    }
    const first = game.nodes[0].ply, every = [5, 10, 20, 50, 100, 200].find(step => width * step / (last || 1) >= 42) || 500;
    for (let ply = Math.ceil(first / every) * every; ply <= first + last; ply += every)
      graph.append(svg("text", {x: x(ply - first), y: bottom + 16, "text-anchor": "middle"}, ply));
    graph.append(svg("text", {x: GRAPH.left + 4, y: GRAPH.top - 5}, this.words.chances(this.sides[0])));
    game.nodes.forEach((node, number) => {
      if (node.mark && node.expected !== null)
        graph.append(svg("circle", {class: MARK_CLASSES[node.mark], cx: x(number), cy: y(node.expected), r: 4.5}));
    });
    graph.append(svg("line", {id: "here", y1: GRAPH.top, y2: bottom, x1: x(this.index), x2: x(this.index)}));
  }

  // -- Moving about

  go(index) {
    this.index = Math.max(0, Math.min(this.last, index));
    this.variation = this.picked = null;
    if (!this.task) this.at("told").replaceChildren();
    this.fillNotes(this.game.nodes[this.index]);
    this.show();
  }

  // One move on or back: within a line as long as one is shown.
  step(by) {
    const {variation} = this;
    if (!variation) { this.go(this.index + by); return; }
    this.picked = null;
    variation.length = Math.min(variation.length + by, variation.pv.length);
    if (variation.length > 0) this.show();
    else this.go(variation.from);
  }

  toMistake(by) {
    const {nodes} = this.game;
    let number = this.index + by;
    while (nodes[number] && !nodes[number].mark) number += by;
    if (nodes[number]) { this.go(number); return; }
    this.tell(this.words.noMistake);
  }

  flip() {
    this.flipped = !this.flipped;
    this.show();
  }

  enter(from, pv, length) {
    this.picked = null;
    this.variation = {from, pv, length};
    this.show();
  }

  // Where the board stands: {position, move, previous}, `move` having led there.
  shown() {
    const {variation} = this, node = this.game.nodes[this.index];
    if (!variation) return {position: node.position, move: node.move};
    let {position, move} = this.game.nodes[variation.from];
    for (const each of variation.pv.slice(0, variation.length)) {
      position = play(position, each);
      move = each;
    }
    return {position, move};
  }

  // -- Drawing

  show() {
    const {game, variation, words, flipped, task} = this, node = game.nodes[this.index], {position, move} = this.shown();
    const known = variation ? this.knowledge.find(position) : node.expected === null ? undefined : {score: node};
    const arrows = variation || task || !node.lines.length ? [] : node.lines[0].pv.slice(0, 2);
    this.place = drawBoard(this.at("board"), position, {last: move, arrows, flipped, ranks: words.ranks});
    this.at("board").setAttribute("aria-label", words.board + ": " + formatSfen(position));
    this.showPicked(position);
    for (const [id, side] of [["top", flipped ? 0 : 1], ["bottom", flipped ? 1 : 0]]) {
      const castle = !variation && node.castles[side];
      this.at(id).className = "player" + (position.turn === side ? " turn" : "");
      this.at(id).querySelector(".name").textContent = this.playerName(side);
      this.at(id).querySelector(".castle").textContent = castle ? castle[this.language] : "";
    }
    this.showBar(known && !task ? known.score.expected : null);
    this.legal = legalMoves(position);
    const names = this.legal.map(each => lineNames(position, [each], this.language, move)[0]);
    const options = names.map((name, number) => Object.assign(element("option", "", name), {value: this.legal[number]}));
    options.sort((one, other) => one.textContent < other.textContent ? -1 : 1);
    this.at("legal").replaceChildren(Object.assign(element("option", "", words.choose), {value: ""}), ...options);
    this.at("leave").hidden = !variation || Boolean(task);
    this.at("notes").hidden = Boolean(task);
    this.markMove();
    this.markLines();
  }

  showBar(expected) {
    const bar = this.at("bar"), share = expected === null ? 50 : Math.round(100 * expected);
    bar.className = (expected === null ? "unknown" : "") + (this.flipped ? " flipped" : "");
    bar.firstElementChild.style.height = share + "%";
    if (expected === null) bar.removeAttribute("aria-valuenow");
    else bar.setAttribute("aria-valuenow", share);
  }

  fillNotes(node) {
    const {words, game, index} = this, before = game.nodes[index - 1];
    this.at("ply").textContent = node.ply + " / " + game.nodes[this.last].ply;
    this.at("move").textContent = this.moveName(index);
    this.at("mark").textContent = node.mark ? node.mark + " " + words[node.mark] : "";
    this.at("mark").className = "mark " + (MARK_CLASSES[node.mark] || "");
    this.at("lost").textContent = node.lost_expected
      ? `${game.has_lines ? words.lost : words.fell} ${percent(node.lost_expected)} (${node.lost_centipawns})` : "";
    const score = node.expected === null ? "" : scoreText(node, words, this.sides) + " · ☗ " + Math.round(100 * node.expected) + " %";
    const {thought} = node, thoughts = !thought ? [] : [[thought.ms, "ms"], [thought.depth, words.overall], [thought.nodes, words.nodes]]
      .filter(([figure]) => figure !== null).map(([figure, name]) => name === words.overall ? name + " " + figure : figure.toLocaleString(this.language) + " " + name);
    this.at("score").textContent = [score, ...thoughts].filter(Boolean).join(" · ");
    const lines = [];
    const add = (id, label, from, pv) => {
      if (!pv || !pv.length) return;
      const line = this.lineOf(label, from, [], pv);
      line.id = id;
      lines.push(line);
    };
    if (before && node.mark && before.lines.length) add("better", words.better, index - 1, before.lines[0].pv);
    if (node.missed_mate) add("missed", words.missed(node.missed_mate.length), index - 1, node.missed_mate);
    game.variations.forEach((each, number) => {
      if (each.ply !== node.ply) return;
      add("variation" + number, words.instead, index - 1, each.pv);
      for (const [ply, comment] of Object.entries(each.comments))
        lines.push(element("p", "comment", this.variationComment(each, Number(ply), comment)));
    });
    node.lines.forEach((line, number) => add("line" + number, node.lines.length > 1
      ? scoreText(line, words, this.sides) + (this.language === "ja" ? "：" : ":") : words.best, index, line.pv));
    if (index === this.last && !node.lines.length && game.has_lines) lines.push(element("p", "", words.over));
    this.at("lines").replaceChildren(...lines);
    this.at("comment").textContent = node.comment || "";
    this.at("comment").hidden = !node.comment;
  }

  variationComment(variation, number, comment) {
    const node = this.game.nodes[this.index - 1];
    return lineNames(node.position, variation.pv.slice(0, number), this.language, node.move).slice(-1) + ": " + comment;
  }

  // A line of play from nodes[from] after the moves of `before`, whose moves show the board after them.
  lineOf(label, from, before, pv) {
    const shown = element("p", "line", label + " "), node = this.game.nodes[from], all = [...before, ...pv];
    lineNames(node.position, all, this.language, node.move).slice(before.length).forEach((name, number) => {
      const length = before.length + number + 1;
      const button = Object.assign(element("button", "", name), {place: [from, length, ...all].join()});
      button.onclick = () => this.enter(from, all, length);
      shown.append(button, " ");
    });
    return shown;
  }

  // Marks the moves of lines that led to what the board shows.
  markLines() {
    const {variation} = this, place = variation && [variation.from, variation.length, ...variation.pv].join();
    for (const button of document.querySelectorAll(".line button"))
      if (button.place === place) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
  }

  markMove() {
    const x = this.graphX(this.index), moves = this.at("moves");
    this.at("here").setAttribute("x1", x);
    this.at("here").setAttribute("x2", x);
    [...moves.children].forEach((button, number) => {
      const isHere = number === this.index;
      button.tabIndex = isHere ? 0 : -1;
      if (!isHere) { button.removeAttribute("aria-current"); return; }
      button.setAttribute("aria-current", "true");
      moves.scrollTop = button.offsetTop - moves.offsetTop - moves.clientHeight / 2;
    });
    if (moves.contains(document.activeElement)) moves.children[this.index].focus({preventScroll: true});
  }

  // -- The reader's own moves

  // A click picks up a piece of the side to move, or puts the one that was picked up on a square.
  clickBoard(event) {
    const {position} = this.shown(), hand = event.target.closest("[data-hand]");
    const square = hand ? null : squareAt(this.at("board"), event, this.flipped), name = square === null ? "" : squareName(square);
    const moves = square === null || !this.picked ? [] : this.legal.filter(move => move.startsWith(this.picked) && move.slice(2, 4) === name);
    if (moves.length === 1) { this.playOwn(moves[0]); return; }
    if (moves.length === 2) { this.askPromotion(moves.find(move => move[4] === "+")); return; }
    const token = hand ? hand.getAttribute("data-piece") : square === null ? "" : position.cells[square];
    const isOwn = token && sideOf(token) === position.turn, origin = hand ? token.toUpperCase() + "*" : name;
    this.picked = isOwn && origin !== this.picked ? origin : null;
    this.show();
  }

  showPicked(position) {
    this.at("promotion").hidden = true;
    if (!this.picked) return;
    const targets = new Set(legalMoves(position).filter(move => move.startsWith(this.picked)).map(move => move.slice(2, 4)));
    for (const target of targets) {
      const [x, y] = this.place(squareIndex(target));
      this.at("board").append(svg("circle", {class: "target", cx: x, cy: y, r: 7, "data-target": target}));
    }
    if (this.picked[1] === "*") return;
    const [x, y] = this.place(squareIndex(this.picked));
    this.at("board").append(svg("circle", {class: "picked", cx: x, cy: y, r: 19}));
  }

  askPromotion(move) {
    this.at("promotion").hidden = false;
    this.at("promote").onclick = () => this.playOwn(move);
    this.at("stay").onclick = () => this.playOwn(move.slice(0, 4));
    this.at("promote").focus();
  }

  // Plays a move of the reader's on the board, and says what the analysis knows of it.
  playOwn(move) {
    const {variation} = this, from = variation ? variation.from : this.index;
    const before = variation ? variation.pv.slice(0, variation.length) : [], node = before.length ? null : this.game.nodes[from];
    const {position} = this.shown(), after = play(position, move), known = this.knowledge.find(after, node, move);
    const parent = node ? {score: node, pv: node.lines.length ? node.lines[0].pv : []} : this.knowledge.find(position);
    const lost = known && parent && parent.score.expected !== null
      ? Math.max(0, (position.turn ? -1 : 1) * (parent.score.expected - known.score.expected)) : null;
    const own = {from, before: [...before, move], move, node, known, parent, lost, isMate: !legalMoves(after).length && inCheck(after, after.turn)};
    if (this.task) { judgeTry(this, own); return; }
    this.tellOwn(own);
    this.enter(from, own.before, own.before.length);
  }

  tellOwn({from, before, move, node, known, parent, lost, isMate}) {
    const {words} = this, next = this.game.nodes[from + 1], said = [];
    if (node && next && next.move === move) said.push(words.inGame);
    if (isMate) said.push(words.mated);
    else if (!known) said.push(this.game.has_lines ? words.unknown : words.noLines);
    else {
      if (parent && parent.pv[0] === move) said.push(words.firstChoice);
      said.push(scoreText(known.score, words, this.sides) + " · ☗ " + Math.round(100 * known.score.expected) + " %.");
      if (lost) said.push(words.loses + " " + percent(lost) + ".");
    }
    this.tell(said.join(" "), this.lineOf(words.yourLine, from, [], before),
              known && known.pv.length ? this.lineOf(words.answer, from, before, known.pv) : null,
              parent && parent.pv.length && parent.pv[0] !== move
                ? this.lineOf(words.bestHere, from, before.slice(0, -1), parent.pv) : null);
  }

  tell(text, ...lines) {
    this.at("told").replaceChildren(element("p", "", text), ...lines.filter(Boolean));
  }
}

const GRAPH = {left: 46, right: 12, top: 20, bottom: 22};      // around the curve, in pixels

function element(tag, className, text) {
  return Object.assign(document.createElement(tag), {className, textContent: text});
}
