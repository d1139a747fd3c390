// The page to analyse on: a game from a file or a board of one's own, the engine live beside it.

const PACES = [300, 1000, 5000, 20000];         // milliseconds for a first look
const MOST_FILE_BYTES = 8 << 20;

class AnalysePage {
  constructor() {
    at("rest").prepend(at("livePanel").content);
    at("course").after(at("exercises"));     // the next step after an analysis
    this.number = 0;                    // of the last request for a live analysis
    this.isLive = false;
    this.isBusy = false;                // a whole game, or a deeper look
    this.wire = new Wire("analyse", {
      hello: message => this.greet(message), study: message => this.take(message),
      opened: ({games}) => this.chooseGame(games), folder: message => this.fillFiles(message),
      lines: message => this.takeLines(message), waits: ({number}) => number === this.number && this.waits(),
      nodes: message => message.study === this.view.study && this.view.takeNodes(message),
      progress: message => message.study === this.view.study && this.takeProgress(message),
      judged: message => this.view.takeJudgement(message), judging: message => this.view.takeJudging(message),
      saved: ({file, lost}) => this.wire.notice(this.words.savedAs(file) + (lost ? " " + this.words.notKept(lost) : "")),
      error: ({of}) => this.takeFault(of),
    }, () => this.fill());
    this.wire.onOpen = () => this.comeBack();
    this.view = new StudyView(this.wire);
    this.view.onShow = () => this.follow();
    this.view.onMove = ply => history.replaceState(null, "", this.address() + "#" + ply);
    this.wireButtons();
    this.wireDrops();
    this.fill();
  }

  get words() { return WORDS[choices.language].serve; }

  wireButtons() {
    const press = (id, action) => { at(id).onclick = action; };
    press("open", () => at("file").click());
    at("file").onchange = () => {
      if (at("file").files[0]) this.upload(at("file").files[0], at("file").files[0].name);
      at("file").value = "";
    };
    press("folder", () => this.wire.send("folder"));
    press("blank", () => this.wire.send("blank"));
    press("save", () => this.askSave());
    press("copySfen", () => this.copy(this.sfen()));
    press("copyKif", async () => this.copy(await (await this.exported(".kifu", false)).text()));
    press("png", () => this.savePicture());
    press("go", () => this.setLive(!this.isLive));
    press("whole", () => this.begin("whole", {movetime: PACES[at("pace").value]}));
    press("deeper", () => this.begin("deeper", {ply: this.view.game.ply + this.view.index}));
    press("playOn", () => sessionStorage.setItem("from", JSON.stringify({sfen: this.view.game.sfen,
                                                                         moves: this.view.path()})));
    press("halt", () => {
      this.wire.send("halt");
      this.setBusy(false);
    });
    press("filesClose", () => at("files").close());
    at("count").onchange = () => this.look();
    at("filter").oninput = () => this.showFiles();
    at("format").onchange = () => this.fitName();
    at("saving").onclose = () => this.save(at("saving").returnValue);
    document.addEventListener("keydown", event => {
      if (event.key.toLowerCase() !== "a" || event.ctrlKey || event.altKey || event.metaKey
          || event.target.closest("select, input, dialog")) return;
      event.preventDefault();
      this.setLive(!this.isLive);
    });
  }

  // Records that are dropped on the page, or pasted.
  wireDrops() {
    const drop = at("drop");
    document.addEventListener("dragover", event => {
      event.preventDefault();
      drop.hidden = false;
    });
    document.addEventListener("dragleave", event => { drop.hidden = event.relatedTarget === null || drop.hidden; });
    document.addEventListener("drop", event => {
      event.preventDefault();
      drop.hidden = true;
      const [file] = event.dataTransfer.files, text = event.dataTransfer.getData("text/plain");
      if (file) this.upload(file, file.name);
      else if (text) this.upload(text, "");
    });
    document.addEventListener("paste", event => {
      if (event.target.closest && event.target.closest("input, textarea")) return;
      const [file] = event.clipboardData.files, text = event.clipboardData.getData("text/plain");
      if (file) this.upload(file, file.name);
      else if (text.trim()) this.upload(text, "");
    });
  }

  // -- Opening

  greet({formats, folder}) {
    this.formats = formats;
    this.folderPath = folder;
    const option = ({suffix, name, encoding}) => Object.assign(
      element("option", "", `${suffix} · ${name}` + (encoding === "UTF-8" ? "" : ` (${encoding})`)), {value: suffix});
    if (!at("format").options.length) at("format").replaceChildren(...formats.map(option));
    if (this.view.study) return;
    const asked = new URLSearchParams(location.search);
    this.view.flipped = asked.has("white");
    if (asked.get("file")) this.wire.send("open", {file: asked.get("file")});
    else if (asked.get("game")) this.wire.send("studyGame", {game: asked.get("game")});
    else if (asked.get("study")) this.wire.send("study", {study: asked.get("study")});
    else this.wire.send("blank");
  }

  // The server is there, or there again: it knows of no work for this page.
  comeBack() {
    this.setBusy(false);
    if (this.isLive) this.look();
  }

  address() { return location.pathname + "?study=" + this.view.study + (this.view.flipped ? "&white" : ""); }

  take(message) {
    const isSame = this.view.study === message.study;
    this.name = message.name;
    this.setBusy(false);
    at("course").hidden = true;
    this.facts = message;
    const index = isSame ? this.view.index : Number(location.hash.slice(1)) || 0;
    this.view.open(message, index);
    history.replaceState(null, "", this.address() + "#" + (message.game.ply + this.view.index));
    if (message.leftOut) this.wire.notice(message.leftOut);
    this.fill();
    this.look();
  }

  async upload(data, name) {
    if ((data.size || data.length) > MOST_FILE_BYTES) { this.wire.notice(this.words.tooLarge); return; }
    const query = new URLSearchParams({name, language: choices.language});
    try {
      const answer = await fetch("open?" + query, {method: "POST", body: data});
      const {games, error} = await answer.json();
      if (error) this.wire.notice(error);
      else {
        history.replaceState(null, "", location.pathname);
        if (games.length === 1) this.wire.send("study", {study: games[0].study});
        else this.chooseGame(games);
      }
    } catch { this.wire.notice(this.words.gone, true); }
  }

  fillFiles({folder, files}) {
    this.listed = files.map(name => [name, () => this.wire.send("open", {file: name})]);
    this.showList(this.words.folder, folder);
  }

  chooseGame(games) {
    this.listed = games.map((game, number) => {
      const names = game.names.map((name, side) => "☗☖"[side] + " " + (name || this.view.words.sides[side])).join(" – ");
      return [`${number + 1}. ${names} · ${this.view.words.plies(game.plies)}` + (game.date ? " · " + game.date : ""),
              () => this.wire.send("study", {study: game.study})];
    });
    this.showList(this.words.games, this.listed.length + "");
  }

  showList(head, text) {
    at("filesHead").textContent = head;
    at("folderName").textContent = text;
    at("filter").value = "";
    this.showFiles();
    if (!at("files").open) at("files").showModal();
  }

  showFiles() {
    const wanted = at("filter").value.toLowerCase();
    const shown = this.listed.filter(([name]) => name.toLowerCase().includes(wanted)).slice(0, 500);
    at("fileList").replaceChildren(...shown.map(([name, open]) => {
      const button = element("button", "", name);
      button.onclick = () => {
        at("files").close();
        history.replaceState(null, "", location.pathname);
        open();
      };
      return button;
    }), ...(shown.length ? [] : [element("p", "facts", this.words.nothing)]));
  }

  // -- The engine

  setLive(isLive) {
    this.isLive = isLive;
    this.look();
    this.fillLive();
  }

  // The board may have moved on.
  follow() {
    if (this.isLive && this.lookedAt !== this.view.path().join()) this.look();
    at("deeper").disabled = this.isBusy || Boolean(this.view.variation);
  }

  look() {
    if (!this.view.game) return;
    this.view.live = null;
    at("liveLines").replaceChildren();
    at("liveFacts").textContent = "";
    this.number += 1;
    this.lookedAt = this.view.path().join();
    if (!this.isLive || this.view.task) {
      this.lookedAt = null;
      this.wire.send("rest");
      if (this.view.board.options) this.view.board.options.arrows = this.view.arrows(this.view.shown().position);
      this.view.board.draw();
      return;
    }
    this.wire.send("look", {number: this.number, sfen: this.view.game.sfen, moves: this.view.path(),
                            lines: Number(at("count").value)});
  }

  waits() { at("liveFacts").textContent = this.words.waits; }

  takeLines(live) {
    if (live.number !== this.number || !this.isLive) return;
    const {view, words} = this;
    if (live.over) {
      at("liveFacts").textContent = view.words.over;
      view.showBar(live.expected);
      return;
    }
    const speed = live.ms ? Math.round(live.nodes / live.ms) : 0, number = figure => figure.toLocaleString(choices.language);
    at("liveFacts").textContent = [
      `${view.words.depth} ${live.depth}/${live.seldepth}`, `${number(live.nodes)} ${view.words.nodes}`,
      ...(speed ? [words.speed(number(speed))] : []), clockText(live.ms / 1000),
      ...(live.outcome ? [words.done] : [])].join(" · ");
    view.showLive(live);
    const from = view.variation ? view.variation.from : view.index;
    const before = view.variation ? view.variation.pv.slice(0, view.variation.length) : [];
    at("liveLines").replaceChildren(...live.lines.map(line => {
      const row = view.lineOf(this.scoreOf(line), from, before, line.pv.slice(0, 16));
      row.querySelector(".label").classList.add(line.expected >= .5 ? "black" : "white");
      return row;
    }));
  }

  scoreOf(line) {
    const sign = {lower: "≥ ", upper: "≤ "}[line.bound] || "";
    return sign + shortScore(line, this.view.words);
  }

  begin(what, fields) {
    this.setBusy(true);
    at("course").hidden = false;
    at("progress").removeAttribute("value");
    at("courseText").textContent = this.words.begins;
    this.wire.send(what, {study: this.view.study, ...fields});
  }

  setBusy(isBusy) {
    this.isBusy = isBusy;
    clearInterval(this.ticking);
    at("whole").disabled = isBusy;
    at("deeper").disabled = isBusy || Boolean(this.view.variation);
    at("halt").hidden = !isBusy;
    if (!isBusy) at("course").hidden = true;
  }

  // A request has failed; others may be under way.
  takeFault(of) {
    if (of === "whole" || of === "deeper") this.setBusy(false);
    if (of === "judge") this.view.endJudging();
  }

  takeProgress(progress) {
    const {words} = this, {done, of, part, over} = progress;
    clearInterval(this.ticking);
    if (over) {
      this.setBusy(false);
      this.wire.notice(words.analysed(...[0, 1].map(side => mistakesOf(this.view.game, side).length)));
      return;
    }
    if (done !== undefined) at("progress").value = done / of;
    else if (part !== undefined) at("progress").value = part / of;
    else at("progress").removeAttribute("value");
    const came = performance.now(), tell = () => this.tellProgress(progress, (performance.now() - came) / 1000);
    tell();
    if (progress.left) this.ticking = setInterval(tell, 1000);
  }

  // What is said of a progress report some seconds after it came.
  tellProgress({done, of, left, again, deeper, waits}, since) {
    const {words} = this, time = clockText(Math.ceil(Math.max(0, left - since)));
    at("courseText").textContent = waits ? words.waits : done !== undefined ? words.course(done, of, time)
      : deeper !== undefined ? words.deepens(deeper, left && time) : words.again(again, time);
  }

  // -- Taking it away

  sfen() {
    const {view} = this, number = Number(view.game.sfen.split(" ")[3] || 1);
    return formatSfen(view.shown().position) + " " + (number + view.path().length);
  }

  async copy(text) {
    await navigator.clipboard.writeText(text);
    this.wire.notice(this.words.copied(text.length > 120 ? text.slice(0, 120) + "…" : text));
  }

  exported(suffix, analysed) {
    const query = new URLSearchParams({study: this.view.study, suffix, language: choices.language});
    return fetch("export?" + query + (analysed ? "&analysed" : ""), {method: "POST"});
  }

  askSave() {
    const stem = (this.name || "game").replace(/^.*\//, "").replace(/\.[^.]*$/, "");
    at("fileName").value = stem + at("format").value;
    at("analysed").disabled = !this.view.game.nodes.some(node => node.expected !== null);
    at("saving").returnValue = "";
    at("saving").showModal();
  }

  fitName() { at("fileName").value = at("fileName").value.replace(/(\.[^.]*)?$/, at("format").value); }

  async save(how) {
    const name = at("fileName").value.trim(), analysed = at("analysed").checked && !at("analysed").disabled;
    if (how === "here") this.wire.send("save", {study: this.view.study, name, analysed});
    if (how !== "download") return;
    const answer = await this.exported(name.slice(name.lastIndexOf(".")), analysed);
    if (!answer.ok) { this.wire.notice((await answer.json()).error); return; }
    this.offer(await answer.blob(), name);
  }

  // Hands a file to the browser, which asks where it is to go.
  offer(blob, name) {
    const link = element("a"), url = URL.createObjectURL(blob);
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
  }

  async savePicture() {
    const blob = await pictureOf(at("board"));
    this.offer(blob, "position.png");
    this.picture = blob;
  }

  // -- Words

  fill() {
    const {words, view} = this;
    label({open: words.open, folder: words.folder, blank: words.blank, save: words.save, copySfen: words.copySfen,
           copyKif: words.copyKif, png: words.png, playOn: words.playOn, linesWord: words.lines, whole: words.whole,
           deeper: words.deeper, halt: words.halt, filesClose: words.close, savingHead: words.saveHead,
           fileWord: words.file, formatWord: words.format, analysedWord: words.withAnalysis, saveHere: words.saveHere,
           download: words.download, savingCancel: words.cancel, drop: words.drop});
    at("filter").placeholder = words.filter;
    at("filter").setAttribute("aria-label", words.filter);
    const option = (value, text) => Object.assign(element("option", "", text), {value});
    const pace = at("pace").value || 1;
    at("pace").replaceChildren(...PACES.map((ms, number) => option(number, words.pace(ms / 1000))));
    at("pace").value = pace;
    at("pace").setAttribute("aria-label", words.paceName);
    this.fillLive();
    if (!view || !view.game) return;
    view.western = choices.western;
    view.setLanguage(choices.language);
    const {facts, handicap} = this.facts, all = view.words;
    const known = Object.entries(facts).map(([key, value]) => all[key] + all.colon + value);
    if (handicap) known.push(all.handicap(handicap[choices.language]));
    const isEmpty = !this.name && !known.length && !view.game.moves.length && view.game.sfen === START_SFEN;
    at("facts").textContent = isEmpty ? words.howToOpen : [...(this.name ? [this.name] : []), ...known].join(" · ");
  }

  fillLive() {
    at("go").textContent = this.isLive ? this.words.stopLive : this.words.goLive;
    at("go").setAttribute("aria-pressed", this.isLive);
    at("go").className = this.isLive ? "main" : "";
  }
}

// The board as a PNG, twice as large as its picture is said to be. The style sheet's rules go with it.
async function pictureOf(board) {
  const picture = board.cloneNode(true), all = [board, ...board.querySelectorAll("*")];
  const names = ["fill", "stroke", "stroke-width", "font", "text-anchor", "opacity"];
  [picture, ...picture.querySelectorAll("*")].forEach((each, number) => {
    const style = getComputedStyle(all[number]);
    for (const name of names) each.style.setProperty(name, style.getPropertyValue(name));
  });
  for (const each of picture.querySelectorAll(".cursor, .target")) each.remove();
  const {width, height} = board.viewBox.baseVal, scale = 2;
  picture.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  picture.setAttribute("width", width * scale);
  picture.setAttribute("height", height * scale);
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(picture)], {type: "image/svg+xml"}));
  const image = new Image(), canvas = Object.assign(document.createElement("canvas"),
                                                    {width: width * scale, height: height * scale});
  image.src = url;
  await image.decode();
  const context = canvas.getContext("2d");
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  URL.revokeObjectURL(url);
  return new Promise(resolve => canvas.toBlob(resolve, "image/png"));
}

const page = new AnalysePage();
