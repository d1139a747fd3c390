// The page to play on: the game as the server has it, and what the person does.

const PRESETS = [[0, 0, 0], [10, 30, 0], [0, 30, 0], [5, 0, 3], [3, 0, 2]];     // minutes, byoyomi, increment

class PlayPage {
  constructor() {
    this.game = this.shown = null;      // the server's state; how many moves of it are seen, null for all
    this.flipped = false;
    this.handicaps = [];
    this.from = location.search === "?from" && this.readFrom();      // where a new game begins, {sfen, moves}
    this.board = new Board(at("board"), move => this.play(move), by => this.step(by));
    this.wire = new Wire("play", {
      hello: ({handicaps, folder}) => {
        this.handicaps = handicaps;
        this.folder = folder;
        this.fill();
      },
      game: game => this.take(game), hint: hint => this.showHint(hint), games: ({games}) => this.fillGames(games),
    }, () => this.fill());
    this.wireButtons();
    this.fill();
    setInterval(() => this.showClocks(), 200);
  }

  get words() { return WORDS[choices.language]; }
  get plies() { return this.game && this.game.id ? this.game.moves.length : 0; }
  get isLatest() { return this.shown === null || this.shown >= this.plies; }

  wireButtons() {
    const press = (id, action) => { at(id).onclick = action; };
    const ask = what => this.wire.send(what, {game: this.game.id});
    press("first", () => this.go(0));
    press("back", () => this.step(-1));
    press("next", () => this.step(1));
    press("end", () => this.go(this.plies));
    press("flip", () => this.flip());
    press("takeBack", () => ask("back"));
    press("hint", () => {
      ask("hint");
      at("hint").disabled = true;
    });
    press("declare", () => ask("declare"));
    press("resign", () => {     // the second press counts
      if (this.isSure) ask("resign");
      this.isSure = !this.isSure;
      at("resign").textContent = this.isSure ? this.words.serve.sure : this.words.serve.resign;
    });
    press("another", () => this.openSetup());
    at("typed").onsubmit = event => {
      event.preventDefault();
      if (at("text").value.trim()) this.play(at("text").value.trim());
      at("text").value = "";
    };
    at("level").oninput = () => this.showLevel();
    at("preset").onchange = () => this.showTimes();
    at("setup").onclose = () => at("setup").returnValue === "start" && this.start();
    const keys = {ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.go(0),
                  End: () => this.go(this.plies), f: () => this.flip(), Escape: () => this.board.release()};
    document.addEventListener("keydown", event => {
      const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (event.ctrlKey || event.altKey || event.metaKey || !action || event.target.closest("select, input, dialog"))
        return;
      event.preventDefault();
      action();
    });
  }

  // -- The game

  take(game) {
    const isOther = !this.game || this.game.id !== game.id;
    this.game = game;
    this.taken = performance.now();
    this.isSure = false;
    if (!game.id) {
      this.fill();
      if (!at("setup").open) this.openSetup();
      return;
    }
    if (this.from && !at("setup").open) this.openSetup();
    if (isOther) {
      this.flipped = game.person === 1;
      this.shown = null;
    }
    if (this.isLatest) this.shown = null;
    at("hints").replaceChildren();
    this.hintArrows = [];
    this.positions = [parseSfen(game.sfen)];
    for (const move of game.moves) this.positions.push(play(this.positions.at(-1), move));
    this.fill();
  }

  // A move of the board, or as it was typed.
  play(text) {
    if (!this.game || !this.game.id || !this.isLatest) return;
    if (legalMoves(this.positions.at(-1)).includes(text)) {      // shown at once; the server has the last word
      this.board.show(play(this.positions.at(-1), text), {...this.drawn(text), legal: []});
      at("status").textContent = this.words.serve.thinks;
    }
    this.wire.send("move", {game: this.game.id, ply: this.plies, move: text});
  }

  go(ply) {
    this.shown = Math.max(0, Math.min(this.plies, ply));
    if (this.isLatest) this.shown = null;
    this.show();
  }

  step(by) { this.go((this.shown === null ? this.plies : this.shown) + by); }

  flip() {
    this.flipped = !this.flipped;
    this.show();
  }

  showHint({ply, pv, declares, ...score}) {
    if (ply !== this.plies) return;
    const {words} = this, position = this.positions.at(-1);
    const line = element("p", "line");
    const names = declares ? [words.serve.hintDeclares]
      : lineNames(position, pv.slice(0, 5), choices.language, this.game.moves.at(-1));
    line.append(element("span", "label", words.serve.hintIs));
    for (const name of names) line.append(" ", element("span", declares ? "" : "name", name));
    at("hints").replaceChildren(line, element("p", "facts", scoreWithChances(score, words, this.sides)));
    this.hintArrows = declares ? [] : pv.slice(0, 1).map(move => ({move, side: position.turn, kind: "best"}));
    this.show();
  }

  // -- Showing

  get sides() { return choices.language === "ja" && this.game && this.game.titles || this.words.sides; }

  drawn(last, arrows = []) {
    return {last, arrows, flipped: this.flipped, western: choices.western, words: this.words, legal: []};
  }

  fill() {
    const {words} = this, {serve} = words;
    for (const id of ["first", "back", "next", "end", "flip"]) {
      at(id).title = words[id];
      at(id).setAttribute("aria-label", words[id]);
    }
    label({takeBack: serve.takeBack, hint: serve.hint, declare: serve.declare, another: serve.newGame,
           review: serve.review, send: serve.send, start: serve.start, cancel: serve.cancel, setupHead: this.from ? serve.newGameFrom(this.from.moves.length) : serve.newGame,
           resign: this.isSure ? serve.sure : serve.resign});
    at("text").placeholder = serve.typed;
    at("text").setAttribute("aria-label", serve.typed);
    at("moves").setAttribute("aria-label", words.moves);
    this.fillSetup();
    this.fillMoves();
    this.show();
  }

  fillMoves() {
    if (!this.plies) { at("moves").replaceChildren(); return; }
    const names = lineNames(this.positions[0], this.game.moves, choices.language);
    const hasTimes = this.game.times.some(Boolean);
    at("moves").replaceChildren(...names.map((name, number) => {
      const button = element("button");
      button.append(element("span", "name", `${number + 1}. ${name}`));
      if (hasTimes) button.append(element("span", "time", clockText(this.game.times[number])));
      button.onclick = () => this.go(number + 1);
      return button;
    }));
  }

  show() {
    const {game, words} = this, {serve} = words;
    const hasGame = Boolean(game && game.id), ply = this.shown === null ? this.plies : this.shown;
    const position = hasGame ? this.positions[ply] : parseSfen(START_SFEN), last = ply && game.moves[ply - 1];
    const isTurn = hasGame && this.isLatest && !game.end && game.turn === game.person;
    const arrows = isTurn ? this.hintArrows : [];
    this.board.show(position, {...this.drawn(last || null, arrows), legal: isTurn ? legalMoves(position) : []});
    for (const [id, side] of [["top", this.flipped ? 0 : 1], ["bottom", this.flipped ? 1 : 0]]) {
      const isPerson = hasGame && game.person === side;
      const name = !hasGame ? "" : isPerson ? serve.you
        : "Gakushi" + (game.level < 20 ? " · " + serve.levelShort(game.level) : "");
      at(id).className = "seat" + (hasGame && !game.end && game.turn === side ? " turn" : "");
      at(id).querySelector(".name").textContent = "☗☖"[side] + " " + (name || this.sides[side]);
    }
    at("status").replaceChildren(...this.statusTexts(position).flatMap(text => [element("span", "", text), " "]));
    at("status").className = hasGame && this.isLatest && game.end ? "over " + this.outcome : "";
    for (const id of ["hint", "resign"]) at(id).disabled = !isTurn;
    at("takeBack").disabled = !hasGame || !game.canTakeBack;
    at("declare").hidden = !(hasGame && game.canDeclare);
    at("typed").hidden = !isTurn;
    at("review").hidden = !(hasGame && game.end);
    if (hasGame) at("review").setAttribute("href", "analyse?game=" + game.id + (game.person ? "&white" : ""));
    at("saved").textContent = hasGame && game.file ? serve.saved(game.file, this.folder) : "";
    this.markMove(ply);
    this.showClocks();
  }

  // "won", "lost" or "drawn", for the person.
  get outcome() {
    const {winner} = this.game.end;
    return winner === null ? "drawn" : winner === this.game.person ? "won" : "lost";
  }

  // What the status says, in parts between which a line may end.
  statusTexts(position) {
    const {game, words} = this, {serve} = words;
    if (!game || !game.id) return [serve.noGame];
    if (!this.isLatest) return [serve.past(this.shown, this.plies)];
    if (game.end) return [serve[this.outcome], endText(game.end, words, this.sides)];
    if (game.turn !== game.person) return [serve.thinks];
    return [(inCheck(position, game.person) ? serve.check : "") + serve.yourTurn];
  }

  markMove(ply) {
    const moves = at("moves");
    [...moves.children].forEach((button, number) => {
      button.tabIndex = number + 1 === ply ? 0 : -1;
      if (number + 1 !== ply) { button.removeAttribute("aria-current"); return; }
      button.setAttribute("aria-current", "true");
      moves.scrollTop = button.offsetTop - moves.clientHeight / 2;
    });
  }

  showClocks() {
    const {game} = this;
    for (const [id, side] of [["top", this.flipped ? 0 : 1], ["bottom", this.flipped ? 1 : 0]]) {
      const shown = at(id).querySelector(".clock");
      if (!game || !game.id) { shown.textContent = ""; continue; }
      const {text, isLow} = this.clockOf(side);
      shown.textContent = text;
      shown.className = "clock" + (isLow ? " low" : "");
    }
  }

  // What the clock of a side shows: the time left, then that of byoyomi; or the time used.
  clockOf(side) {
    const {game: {clock, turn, end, person}} = this;
    const goes = !end && turn === side && (side !== person || clock.runs);
    const since = goes ? performance.now() - this.taken : 0;
    const spent = turn === side && !end ? (side === person ? clock.spent : 0) + since : 0;
    if (!clock.limited) return {text: clockText((clock.used[side] + spent) / 1000), isLow: false};
    const left = clock.left[side] - spent, rest = left > 0 ? left : Math.max(0, left + clock.byoyomi);
    const byoyomi = left > 0 || !clock.byoyomi ? "" : " " + this.words.serve.inByoyomi;
    return {text: clockText(Math.ceil(rest / 1000)) + byoyomi, isLow: goes && rest < 10000};
  }

  // -- A new game

  fillSetup() {
    const {serve} = this.words;
    at("colors").querySelector("legend").textContent = serve.side;
    at("colors").querySelectorAll("label span").forEach((each, number) => { each.textContent = serve.colors[number]; });
    const texts = {handicap: serve.handicap, level: serve.level, preset: serve.clock, main: serve.main,
                   byoyomi: serve.byoyomi, increment: serve.increment, name: serve.name};
    for (const [id, text] of Object.entries(texts)) at(id).closest("label").querySelector("span").textContent = text;
    const {handicap, preset} = {handicap: at("handicap").value, preset: at("preset").value};
    const option = (value, text) => Object.assign(element("option", "", text), {value});
    at("handicap").replaceChildren(...this.handicaps.map(({ja, en}) =>
      option(ja, choices.language === "ja" ? ja : en || serve.even)));
    if (handicap) at("handicap").value = handicap;
    at("preset").replaceChildren(...serve.presets.map((text, number) => option(number, text)));
    at("preset").value = preset || 0;
    at("name").placeholder = serve.you;
    at("earlier").querySelector("h2").textContent = serve.earlier;
    this.showLevel();
    this.showTimes();
  }

  showLevel() { at("levelText").textContent = this.words.serve.levelText(Number(at("level").value)); }

  showTimes() {
    const preset = PRESETS[at("preset").value];
    at("times").hidden = Boolean(preset);
    if (preset) ["main", "byoyomi", "increment"].forEach((id, number) => { at(id).value = preset[number]; });
  }

  // What the analysis page has left: the position that a game is to begin from.
  readFrom() {
    try { return JSON.parse(sessionStorage.getItem("from")); } catch { return null; }
  }

  openSetup() {
    const {setup} = choices.read();
    if (setup) {
      for (const id of ["level", "main", "byoyomi", "increment", "name"]) if (id in setup) at(id).value = setup[id];
      if (this.handicaps.some(({ja}) => ja === setup.handicap)) at("handicap").value = setup.handicap;
      if (setup.preset) at("preset").value = setup.preset;
      const color = document.querySelector(`[name=color][value=${setup.color === "white" || setup.color === "random"
        ? setup.color : "black"}]`);
      color.checked = true;
    }
    at("handicap").closest("label").hidden = Boolean(this.from);
    this.showLevel();
    this.showTimes();
    at("setup").returnValue = "";
    at("setup").showModal();
    this.wire.send("games");
  }

  start() {
    const number = id => Number(at(id).value) || 0;
    const wanted = {color: document.querySelector("[name=color]:checked").value, handicap: at("handicap").value,
                    level: number("level"), main: number("main"), byoyomi: number("byoyomi"),
                    increment: number("increment"), name: at("name").value.trim()};
    choices.write({setup: {...wanted, preset: at("preset").value}});
    this.wire.send("new", {...wanted, ...(this.from || {})});
    this.from = null;
    history.replaceState(null, "", "./");
  }

  fillGames(games) {
    const {serve} = this.words;
    const open = games.filter(game => !game.end && game.plies && !(this.game && game.id === this.game.id));
    at("earlier").hidden = !open.length;
    at("games").replaceChildren(...open.map(game => {
      const button = element("button", "", "☗☖"[game.person] + " " + serve.gameLine(game));
      button.onclick = () => {
        this.wire.send("resume", {game: game.id});
        at("setup").close("");
      };
      return button;
    }));
  }
}

const page = new PlayPage();
