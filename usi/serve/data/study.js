// A game as the server has it, on the board of all pages: the reader's own moves become variations that stay, and the
// engine can be asked.

const NOTHING_KNOWN = {centipawns: null, mate: null, expected: null, special: null, lines: [], mark: null,
                       lost_expected: null, lost_centipawns: null, only_move: false, judged_nodes: null,
                       missed_mate: null, mate_by_checks: null, comment: null};

class StudyView extends GameView {
  constructor(wire) {
    super();
    this.wire = wire;
    this.study = null;
    this.live = null;           // what the live analysis has, {lines, depth, nodes, …}, of the position shown
    this.onShow = () => {};
    this.judging = null;
  }

  // The bar at the top has these.
  choosePieces() {}
  namePieces() {}

  open(message, index = 0) {
    this.study = message.study;
    this.language = choices.language;
    this.western = choices.western;
    this.load(message.game, index);
  }

  // The moves from the game's start to the position shown.
  path() {
    const {variation, game} = this;
    return variation ? [...game.moves.slice(0, variation.from), ...variation.pv.slice(0, variation.length)]
                     : game.moves.slice(0, this.index);
  }

  show() {
    super.show();
    if (this.live && this.live.path !== this.path().join()) this.live = null;
    this.onShow();
  }

  arrows(position) {
    if (!this.live || !this.live.lines.length) return super.arrows(position);
    const seen = new Set(), [first, ...others] = this.live.lines;
    const arrows = others.map(({pv}) => ({move: pv[0], side: position.turn, kind: "other"}));
    return [...arrows.filter(({move}) => !seen.has(move) && seen.add(move)).reverse(),
            ...arrowsOf(first.pv, position.turn).reverse()];
  }

  // What the live analysis says now: arrows and the bar, while a piece that is picked up stays so.
  showLive(live) {
    this.live = {...live, path: this.path().join()};
    const {position} = this.shown();
    if (this.task) return;
    this.board.options.arrows = this.arrows(position);
    if (!(this.board.held && this.board.held.isMoving)) this.board.draw();
    if (live.lines.length) this.showBar(live.lines[0].expected);
    this.at("arrows").className = "";
  }

  takeOwn(own) {
    const {game} = this, {from, line} = own;
    if (line.length === 1 && game.moves[from] === own.move) { this.go(from + 1); return; }
    if (line.length === 1 && from === this.last) {      // the game goes on
      game.moves.push(own.move);
      game.times.push(null);
      game.nodes.push({...NOTHING_KNOWN});
      if (game.end) game.end = null;
      game.turning_point = null;        // a later move may be that one
      this.load(game, from + 1);
    } else {
      const pv = this.keepLine(game.ply + from + 1, line);
      this.at("told").replaceChildren();
      this.fillMoves();
      this.fillNotes(game.nodes[this.index]);
      this.enter(from, pv, line.length);
    }
    this.wire.send("change", {study: this.study, moves: game.moves, lines: game.variations.map(
      ({ply, pv, comments}) => ({ply, pv, comments: comments || {}}))});
  }

  // The variation that has a line, or is made of it.
  keepLine(ply, line) {
    const {variations} = this.game, starts = (pv, start) => start.every((move, number) => pv[number] === move);
    const longer = variations.find(each => each.ply === ply && starts(each.pv, line));
    if (longer) return longer.pv;
    const shorter = variations.find(each => each.ply === ply && starts(line, each.pv));
    if (shorter) shorter.pv = line;
    else variations.push({ply, pv: line, comments: {}});
    return line;
  }

  // Asks the server what a move of the exercise is worth.
  judge(own, then) {
    const {task, game, words} = this, number = task.mistakes[task.number];
    if (own.node !== game.nodes[number - 1]) { then(own); return; }
    this.judging = {own, then, ply: game.ply + number - 1};
    const {position, move} = this.shown(), [name] = lineNames(position, [own.move], this.language, move);
    const progress = element("span");
    progress.setAttribute("aria-hidden", "true");       // it changes too often to be read out
    this.judging.progress = progress;
    this.tell(words.serve.judging(name));
    this.at("told").lastElementChild.append(" ", progress);
    this.board.show(play(position, own.move), {...this.board.options, last: own.move, arrows: [], legal: []});
    this.wire.send("judge", {study: this.study, ply: this.judging.ply, move: own.move});
  }

  // How far the search is whose judgement is waited for.
  takeJudging({study, ply, move, depth, lost, waits}) {
    const {judging, words} = this;
    if (!judging || study !== this.study || ply !== judging.ply || move !== judging.own.move) return;
    judging.progress.textContent = waits ? words.serve.waits : words.serve.soFar(depth, percent(lost));
  }

  // No judgement comes: the reader may try again.
  endJudging() {
    this.judging = null;
    if (!this.task) return;
    tellTask(this);
    this.show();
  }

  takeJudgement({study, ply, move, lost, pv, ...score}) {
    const {judging} = this;
    if (!judging || study !== this.study || ply !== judging.ply || move !== judging.own.move || !this.task) return;
    this.judging = null;
    judging.then({...judging.own, lost, known: {score, pv}, line: [move, ...pv]});
  }

  // New looks of the engine's at positions of the game.
  takeNodes({nodes, turning_point}) {
    this.game.turning_point = turning_point;
    for (const [ply, node] of Object.entries(nodes)) {
      const number = Number(ply) - this.game.ply;
      if (this.game.nodes[number]) Object.assign(this.game.nodes[number], node);
    }
    this.knowledge = new Knowledge(this.game.nodes);
    this.fillTurning();
    this.fillMoves();
    this.fillNotes(this.game.nodes[this.index]);
    drawGraph(this);
    fillExercise(this);
    this.markMove();
    if (!this.variation && !this.task && !this.board.picked) {
      this.board.options.arrows = this.arrows(this.shown().position);
      this.board.draw();
    }
  }
}
