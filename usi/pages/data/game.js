// A game on a board, with all that is known of it; game.html has its parts.
//
// A game is what game_data in usi/pages/pages.py says; has_lines, if the engine's lines are known, and then good_below,
// the loss from which a move is marked, and turning_point, the ply of the move that lost the balance for good; and nodes, one for the position `sfen` and one after each move. Moves are in USI. A node has
//   centipawns, mate, expected, special: the score from Black's side, expected being null where nothing is known
//   mark, lost_expected, lost_centipawns, only_move, judged_nodes: of the move that led to it
//   lines: what the engine would play, each a score with its pv
//   missed_mate, mate_by_checks, comment, time (seconds), thought {ms, depth, nodes}: where there is such a thing
// and here it gets its ply, move, position and castles. There may be curves for the graph: side, name, and points, each
// a node's number and expected.

class GameView {
  constructor() {
    this.language = readersLanguage();
    this.flipped = this.western = false;
    this.task = null;           // the exercise under way (exercise.js)
    this.onMove = () => {};     // what is to happen where the reader goes to another move of the game
    const press = (id, action) => { this.at(id).onclick = action; };
    press("first", () => this.go(0));
    press("back", () => this.step(-1));
    press("next", () => this.step(1));
    press("end", () => this.go(this.last));
    press("flip", () => this.flip());
    press("pieces", () => this.choosePieces(!this.western));
    press("lastMistake", () => this.toMistake(-1));
    press("nextMistake", () => this.toMistake(1));
    press("leave", () => this.go(this.index));
    press("turning", () => this.go(this.game.turning_point - this.game.ply));
    press("play", () => this.at("legal").value && playOwn(this, this.at("legal").value));
    this.board = new Board(this.at("board"), move => playOwn(this, move), by => this.step(by));
    this.at("graph").onclick = event => this.go(nodeAt(this, event));
    const keys = {ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0),
                  End: () => this.go(this.last), f: () => this.flip(), n: () => this.toMistake(1),
                  p: () => this.toMistake(-1), Escape: () => this.escape()};
    document.addEventListener("keydown", event => {
      const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (event.ctrlKey || event.altKey || event.metaKey || !action || event.target.closest("select, input")) return;
      event.preventDefault();
      action();
    });
    new ResizeObserver(() => this.game && drawGraph(this)).observe(this.at("graph"));
    wireExercise(this);
  }

  at(id) { return document.getElementById(id); }
  get words() { return WORDS[this.language]; }
  get last() { return this.game.nodes.length - 1; }
  get sides() { return this.language === "ja" ? this.game.titles : this.words.sides; }

  load(game, index = 0) {
    this.game = game;
    let position = parseSfen(game.sfen), castles = [];
    game.nodes.forEach((node, number) => {
      if (number) position = play(position, game.moves[number - 1]);
      for (const [when, side, name] of game.castles)
        if (when === number) castles = Object.assign([...castles], {[side]: game.formations[name]});
      Object.assign(node, {position, castles, ply: game.ply + number, move: number ? game.moves[number - 1] : null,
                           time: number ? game.times[number - 1] : null});
    });
    this.hasTimes = game.times.some(Boolean);       // some programs write 0 for each move
    this.knowledge = new Knowledge(game.nodes);
    this.index = index;
    this.task = this.variation = null;
    this.fillTexts();
  }

  setLanguage(language) {
    this.language = language;
    this.fillTexts();
  }

  choosePieces(western) {
    this.western = western;
    this.namePieces();
    this.show();
  }

  // The button says which pieces one may change to.
  namePieces() { this.at("pieces").textContent = this.words.pieces[this.western ? 0 : 1]; }

  playerName(side) { return "☗☖"[side] + " " + (this.game.names[side] || this.sides[side]); }

  // The move that led to a node, by name.
  moveName(number) {
    const before = this.game.nodes[number - 1], {move} = this.game.nodes[number];
    return before ? lineNames(before.position, [move], this.language, before.move)[0] : this.words.start;
  }

  // -- What stands still while one looks through a game

  fillTexts() {
    const {words, game} = this;
    document.documentElement.lang = this.language;
    for (const id of ["first", "back", "next", "end", "flip", "lastMistake", "nextMistake"]) {
      this.at(id).title = words[id];
      this.at(id).setAttribute("aria-label", words[id]);
    }
    for (const id of ["leave", "play", "solution", "nextTask", "endTask"])
      this.at(id).textContent = words[id];
    this.namePieces();
    this.at("arrows").replaceChildren(...words.arrows.map((text, number) => arrowSample(number, text)));
    this.at("legal").setAttribute("aria-label", words.chooseMove);
    this.at("moves").setAttribute("aria-label", words.moves);
    this.at("bar").setAttribute("aria-label", words.chances(this.sides[0]));
    this.at("graph").setAttribute("aria-label", words.chances(this.sides[0]));
    const openings = game.opening.map(([side, name]) =>
      (side === null ? "" : this.sides[side] + " ") + name[this.language]);
    const known = [endText(game.end, words, this.sides), openings.join(" – ")].filter(Boolean);
    this.at("result").textContent = known.join(" · ");
    this.fillTurning();
    this.fillMoves();
    const curves = game.curves || [];
    this.at("legend").replaceChildren(...curves.map(({side, name}) => element("span", "side" + side, name)));
    this.at("told").replaceChildren();
    drawGraph(this);
    fillExercise(this);
    this.go(this.index);
  }

  // The move that lost the balance for good, which is a way to get there.
  fillTurning() {
    const {turning_point: ply} = this.game, isKnown = typeof ply === "number";
    this.at("turning").hidden = !isKnown;
    if (isKnown) this.at("turning").textContent = this.words.turning(ply, this.moveName(ply - this.game.ply));
  }

  fillMoves() {
    this.at("moves").replaceChildren(...this.game.nodes.map((node, number) => this.moveButton(node, number)));
  }

  moveButton(node, number) {
    const button = document.createElement("button");
    const parts = [["name", (number ? node.ply + ". " : "") + this.moveName(number)]];
    if (this.game.variations.some(each => this.showsVariation(each, number))) parts.push(["branch", "↳"]);
    const mark = markOf(node);
    if (mark) parts.push(["mark", mark]);
    parts.push(["time", this.hasTimes ? clockText(node.time) : ""], ["value", shortScore(node, this.words)]);
    for (const [kind, text] of parts) button.append(element("span", kind, text), " ");
    button.className = MARK_CLASSES[mark] || "";
    button.onclick = () => this.go(number);
    return button;
  }

  // -- Moving about

  go(index) {
    this.index = Math.max(0, Math.min(this.last, index));
    this.variation = null;
    if (!this.task) this.at("told").replaceChildren();
    this.fillNotes(this.game.nodes[this.index]);
    this.show();
    if (!this.task) this.onMove(this.game.nodes[this.index].ply);
  }

  // One move on or back: within a line as long as one is shown.
  step(by) {
    const {variation} = this;
    if (!variation) { this.go(this.index + by); return; }
    variation.length = Math.min(variation.length + by, variation.pv.length);
    if (variation.length > 0) this.show();
    else this.go(variation.from);
  }

  toMistake(by) {
    if (this.task) return;
    const {nodes} = this.game;
    let number = this.index + by;
    while (nodes[number] && !nodes[number].mark) number += by;
    if (nodes[number]) this.go(number);
    else this.tell(this.words.noMistake);
    this.at(nodes[number] ? "verdict" : "told").scrollIntoView({block: "nearest"});
  }

  // Back from what was begun last.
  escape() {
    if (this.board.picked) this.board.release();
    else if (this.task) this.endTask();
    else this.go(this.index);
  }

  flip() {
    this.flipped = !this.flipped;
    this.show();
  }

  enter(from, pv, length) {
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
    const {game, variation, words, flipped, western, task} = this, node = game.nodes[this.index];
    const {position, move} = this.shown();
    const known = variation ? this.knowledge.find(position) : node.expected === null ? undefined : {score: node};
    const arrows = task ? [] : this.arrows(position);
    this.legal = legalMoves(position);
    this.board.show(position, {last: move, arrows, flipped, western, words, legal: this.legal});
    this.at("arrows").className = arrows.length ? "" : "none";
    for (const [id, side] of [["top", flipped ? 0 : 1], ["bottom", flipped ? 1 : 0]]) {
      const castle = !variation && node.castles[side];
      this.at(id).className = "player" + (position.turn === side ? " turn" : "");
      this.at(id).querySelector(".name").textContent = this.playerName(side);
      this.at(id).querySelector(".castle").textContent = castle ? castle[this.language] : "";
    }
    this.showBar(known && !task ? known.score.expected : null);
    this.fillLegal(position, move);
    this.at("leave").hidden = !variation || Boolean(task);
    this.at("notes").hidden = this.at("verdict").hidden = Boolean(task);
    this.markMove();
    this.markLines();
  }

  // The arrows on the board: the best move and its answer, where the analysis has looked.
  arrows(position) {
    const {variation} = this, {lines} = this.game.nodes[this.index];
    return variation || !lines.length ? [] : arrowsOf(lines[0].pv, position.turn);
  }

  // A move of the reader's own, from wherever the board stands.
  takeOwn(own) {
    tellOwn(this, own);
    this.enter(own.from, own.line, own.line.length);
  }

  nextTask() { nextTask(this); }
  endTask() { endExercise(this); }

  // A task of the exercise has been solved, or its answer was shown.
  onTaskOver() {}

  // What a move of the exercise is worth that the analysis does not know: nothing more can be said.
  judge(own, then) { then(own); }

  // The list of moves to play, for who has no mouse or does not see the board.
  fillLegal(position, previous) {
    const option = (value, text) => Object.assign(element("option", "", text), {value});
    const options = this.legal.map(move => option(move, lineNames(position, [move], this.language, previous)[0]));
    options.sort((one, other) => one.textContent < other.textContent ? -1 : 1);
    this.at("legal").replaceChildren(option("", this.words.choose), ...options);
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
    const mark = markOf(node);
    this.at("mark").textContent = mark ? mark + " " + words[mark] : "";
    this.at("mark").className = "mark " + (MARK_CLASSES[mark] || "");
    this.at("lost").textContent = node.lost_expected
      ? `${game.has_lines ? words.lost : words.fell} ${percent(node.lost_expected)} (${node.lost_centipawns})` : "";
    this.at("judged").textContent = node.judged_nodes ? words.judged(node.judged_nodes.toLocaleString(this.language)) : "";
    this.at("time").textContent = this.hasTimes ? clockText(node.time) : "";
    this.at("time").title = words.time;
    const score = node.expected === null ? [] : [scoreWithChances(node, words, this.sides)];
    this.at("score").textContent = [...score, ...thoughtTexts(node.thought, words, this.language)].join(" · ");
    this.at("lines").replaceChildren(...this.linesOf(node, before));
    this.at("comment").textContent = node.comment || "";
    this.at("comment").hidden = !node.comment;
  }

  linesOf(node, before) {
    const {words, game, index} = this;
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
      if (!this.showsVariation(each, index)) return;
      const from = each.ply - game.ply - 1;
      add("variation" + number, words.instead, from, each.pv);
      for (const [ply, comment] of Object.entries(each.comments))
        lines.push(element("p", "comment", this.variationComment(from, each.pv.slice(0, Number(ply)), comment)));
    });
    node.lines.forEach((line, number) => add("line" + number, node.lines.length > 1
      ? scoreText(line, words, this.sides) + words.colon.trim() : words.best(line.pv.length), index, line.pv));
    if (index === this.last && node.expected !== null && !node.lines.length && game.has_lines) lines.push(element("p", "", words.over));
    return lines;
  }

  // Whether a variation is shown with a node: with the move that it replaces, or at the end, if it goes on from there.
  showsVariation(variation, number) {
    const {ply} = this.game.nodes[number];
    return variation.ply === ply || (number === this.last && variation.ply === ply + 1);
  }

  variationComment(from, pv, comment) {
    const node = this.game.nodes[from];
    return lineNames(node.position, pv, this.language, node.move).slice(-1) + this.words.colon + comment;
  }

  // A line of play from nodes[from] after the moves of `before`, whose moves show the board after them.
  lineOf(label, from, before, pv) {
    const shown = element("p", "line", ""), node = this.game.nodes[from], all = [...before, ...pv];
    shown.append(element("span", "label", label), " ");
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
      if (button.place === place) {
        button.setAttribute("aria-current", "true");
        button.parentElement.scrollLeft = button.offsetLeft - button.parentElement.clientWidth / 2;
      } else button.removeAttribute("aria-current");
  }

  markMove() {
    const x = graphX(this, this.index), moves = this.at("moves");
    this.at("here").setAttribute("x1", x);
    this.at("here").setAttribute("x2", x);
    [...moves.children].forEach((button, number) => {
      const isHere = number === this.index;
      button.tabIndex = isHere ? 0 : -1;
      if (!isHere) { button.removeAttribute("aria-current"); return; }
      button.setAttribute("aria-current", "true");
      moves.scrollTop = button.offsetTop - moves.clientHeight / 2;
    });
    if (moves.contains(document.activeElement)) moves.children[this.index].focus({preventScroll: true});
  }

  tell(text, ...lines) {
    this.at("told").replaceChildren(element("p", "", text), ...lines.filter(Boolean));
  }
}

// The mark of the move that led to a node: of a mistake, or of the only move that holds.
const markOf = node => node.mark || (node.only_move ? "!" : "");

// The best move and the reply to it, as arrows.
function arrowsOf(pv, turn) {
  return pv.slice(0, 2).map((move, number) => ({move, side: number ? 1 - turn : turn, kind: number ? "reply" : "best"}));
}

// An arrow of the board as the legend has it, or the circle of a drop, with what it stands for.
function arrowSample(number, text) {
  const sample = element("span", "", ""), picture = svg("svg", {viewBox: "0 0 44 16", "aria-hidden": "true"});
  picture.append(number < 2
    ? svg("path", {class: number ? "arrow reply" : "arrow best", "stroke-linejoin": "round", d: "M2 8H30M40 8L30 3V13Z"})
    : svg("circle", {class: "arrow best ring", cx: 34, cy: 8, r: 6}));
  sample.append(picture, text);
  return sample;
}
