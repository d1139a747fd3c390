// The page of mate problems: the reader attacks, the engine defends, with every defence that there is.

class MatePage {
  constructor() {
    this.problems = [];
    this.problem = null;
    this.board = new Board(at("board"), move => this.attack(move));
    this.wire = new Wire("learn", {
      hello: () => this.problems.length || this.wire.send("mates"), mates: ({problems}) => this.take(problems),
      attacked: answer => this.answer(answer), solved: answer => this.showSolution(answer),
      error: ({of}) => { if (of === "attack" || of === "solve") this.isWaiting = false; },
    }, () => this.fill());
    at("next").onclick = () => this.next();
    at("back").onclick = () => this.back();
    at("defence").onclick = () => this.nextDefence();
    at("solution").onclick = () => this.solve();
    at("flip").onclick = () => {
      this.flipped = !this.flipped;
      this.show();
    };
    at("plies").onchange = () => this.choose();
    at("open").onclick = () => at("file").click();
    at("file").onchange = () => this.openFile(at("file").files[0]);
    document.addEventListener("keydown", event => {
      const action = {ArrowLeft: () => this.back(), n: () => this.next()}[event.key];
      if (!action || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, input")) return;
      event.preventDefault();
      action();
    });
    this.fill();
  }

  get words() { return WORDS[choices.language]; }

  take(problems) {
    this.problems = problems;
    this.fillPlies();
    this.choose();
  }

  async openFile(file) {
    if (!file) return;
    const query = new URLSearchParams({name: file.name, language: choices.language});
    const answer = await fetch("open?" + query, {method: "POST", body: file}), {games, error} = await answer.json();
    at("file").value = "";
    if (error) { this.wire.notice(error); return; }
    this.take(games.map(({sfen}) => ({sfen, plies: null, key: null, solved: null, due: true})));
  }

  // Problems of the length chosen, those that are due before new ones, before those that are remembered; short ones
  // first.
  choose() {
    const plies = Number(at("plies").value), rank = ({solved, due}) => due ? (solved === null ? 1 : 0) : 2;
    this.queue = this.problems.filter(each => !plies || each.plies === plies)
      .map(each => [rank(each), each.plies, each.key ? Math.random() : 0, each])
      .sort((one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]).map(([, , , each]) => each);
    this.at = -1;
    this.next();
  }

  next() {
    if (!this.queue || !this.queue.length) return;
    this.at = (this.at + 1) % this.queue.length;
    this.problem = this.queue[this.at];
    this.start = parseSfen(this.problem.sfen);
    this.flipped = this.start.turn === 1;
    Object.assign(this, {line: [], nodes: new Map(), isWaiting: false, isOver: false, hasFailed: false, isNoted: false});
    this.say(this.words.serve.attack);
    this.show();
  }

  // -- Moves

  position() { return this.line.reduce(play, this.start); }

  attack(move) {
    if (this.isWaiting || this.isOver) return;
    this.isWaiting = true;
    this.say(this.words.serve.judging(lineNames(this.position(), [move], choices.language, this.line.at(-1))[0]));
    this.asked = this.line.length;
    this.wire.send("attack", {sfen: this.problem.sfen, moves: this.line, move});
  }

  answer({move, ply, checks, mates, right, sure, defences, least}) {
    if (!this.isWaiting || ply !== this.asked) return;
    this.isWaiting = false;
    const {serve} = this.words;
    if (!checks) {
      this.hasFailed = true;
      this.say(serve.noCheck);
    } else if (mates) {
      this.line.push(move);
      this.reachMate();
    } else if (!right) {
      this.hasFailed = true;
      const after = play(this.position(), move), name = lineNames(after, [defences[0].move], choices.language, move)[0];
      this.say(sure ? serve.refuted(name) : serve.unsure(name));
    } else {
      this.line.push(move);
      const node = this.line.join();
      if (!this.nodes.has(node)) this.nodes.set(node, {line: [...this.line], defences: defences.map(each => each.move),
                                                      done: new Set()});
      const {defences: all, done} = this.nodes.get(node);
      this.line.push(all.find(each => !done.has(each)) || all[0]);
      const isLonger = this.problem.plies !== null && least !== null && ply + 2 + least > this.problem.plies;
      this.hasFailed ||= isLonger;
      this.say(isLonger ? serve.longer(this.problem.plies) : serve.goOn);
    }
    this.show();
  }

  // A branch is done; so are the defences that led here, as far as nothing is left behind them.
  reachMate() {
    for (let length = this.line.length - 1; length > 0; length -= 2) {
      const node = this.nodes.get(this.line.slice(0, length - 1).join());
      if (!node) continue;
      const behind = [...this.nodes.values()].some(each => each.line.length > length
        && each.line.slice(0, length).join() === this.line.slice(0, length).join()
        && each.defences.some(move => !each.done.has(move)));
      if (!behind) node.done.add(this.line[length - 1]);
    }
    this.isOver = true;
    const left = this.left().length;
    this.say(this.words.serve.mate + " " + (left ? this.words.serve.defencesLeft(left) : this.words.serve.allDefences));
    if (!this.isNoted) this.note(!this.hasFailed);
  }

  // The defences that have not been met, the deepest first: [node, move].
  left() {
    return [...this.nodes.values()].flatMap(node =>
      node.defences.filter(move => !node.done.has(move)).map(move => [node, move]))
      .sort((one, other) => other[0].line.length - one[0].line.length);
  }

  nextDefence() {
    const [first] = this.left();
    if (!first) return;
    this.line = [...first[0].line, first[1]];
    this.isOver = false;
    this.say(this.words.serve.otherDefence);
    this.show();
  }

  // Back to the reader's last choice.
  back() {
    if (this.isWaiting || !this.line.length) return;
    this.line = this.line.slice(0, this.line.length - (this.line.length % 2 ? 1 : 2));
    this.isOver = false;
    this.say(this.words.serve.attack);
    this.show();
  }

  note(found) {
    this.isNoted = true;
    this.problem.solved = found ? 1 : 0;
    if (this.problem.key) this.wire.send("learned", {key: this.problem.key, found});
  }

  solve() {
    if (this.isWaiting || this.isOver) return;
    this.hasFailed = true;
    this.wire.send("solve", {sfen: this.problem.sfen, moves: this.line});
  }

  showSolution({ply, pv}) {
    if (ply !== this.line.length || this.isOver) return;
    if (!this.isNoted) this.note(false);
    const position = this.position();
    this.say(this.words.serve.attack);
    at("line").replaceChildren(element("span", "label", this.words.serve.solution), " ",
                               ...this.named(lineNames(position, pv, choices.language, this.line.at(-1))));
    this.drawBoard(position, [{move: pv[0], side: position.turn, kind: "best"}]);
  }

  // -- Showing

  say(text) { at("status").textContent = text; }

  // The names of moves, between which alone a line may end.
  named(names) { return names.flatMap(name => [element("span", "name", name), " "]); }

  drawBoard(position, arrows) {
    this.board.show(position, {last: this.line.at(-1) || null, arrows, flipped: this.flipped, western: choices.western,
                               words: this.words, legal: this.isOver || this.isWaiting ? [] : legalMoves(position)});
  }

  show() {
    if (!this.problem) return;
    const {words} = this, left = this.left().length;
    this.drawBoard(this.position(), []);
    at("line").replaceChildren(...this.named(lineNames(this.start, this.line, choices.language)));
    at("count").textContent = [words.serve.problemOf(this.at + 1, this.queue.length),
                               ...(this.problem.plies ? [words.serve.mateIn(this.problem.plies)] : []),
                               ...(this.problem.solved ? ["✓"] : [])].join(" · ");
    at("back").disabled = !this.line.length;
    at("defence").hidden = !(this.isOver && left);
    at("defence").textContent = words.serve.nextDefence(left);
    at("solution").disabled = this.isOver;
  }

  fillPlies() {
    const lengths = [...new Set(this.problems.map(each => each.plies))].filter(Boolean).sort((one, other) => one - other);
    const chosen = at("plies").value, option = (value, text) => Object.assign(element("option", "", text), {value});
    at("plies").replaceChildren(option(0, this.words.serve.everyLength),
                                ...lengths.map(plies => option(plies, this.words.serve.mateIn(plies))));
    at("plies").value = chosen || 0;
  }

  fill() {
    const {words} = this, {serve} = words;
    fillKinds("mates", serve);
    label({pliesWord: serve.length, open: serve.openProblems, back: serve.backMove,
           solution: serve.answer, next: serve.nextProblem});
    at("flip").title = words.flip;
    at("flip").setAttribute("aria-label", words.flip);
    this.fillPlies();
    this.show();
  }
}

const page = new MatePage();
