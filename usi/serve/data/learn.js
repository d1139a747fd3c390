// The page to learn on from one's mistakes: those of all games in the folder, one after another.

const PACES = [300, 1000, 5000];        // milliseconds for a first look
const MANY = 20;                        // tasks of a session

// A view of whichever game the task is from.
class LessonView extends StudyView {
  constructor(wire, page) {
    super(wire);
    this.page = page;
  }

  nextTask() { this.page.nextTask(); }
  endTask() { this.page.endSession(); }
  onTaskOver(isFound) { this.page.note(isFound); }
}

class LearnPage {
  constructor() {
    this.lessons = null;
    this.session = null;                // {tasks, at, found}
    this.isBusy = false;
    this.wire = new Wire("learn", {
      hello: () => this.wire.send("lessons"), lessons: lessons => this.take(lessons),
      study: message => this.open(message), judged: message => this.view.takeJudgement(message),
      judging: message => this.view.takeJudging(message),
      progress: message => this.takeProgress(message), error: ({of}) => this.takeFault(of),
    }, () => this.fill());
    this.wire.onOpen = () => this.setBusy(false);       // the server is there again, and knows of no work for this page
    this.view = new LessonView(this.wire, this);
    at("begin").onclick = () => this.begin();
    at("all").onclick = () => {
      this.setBusy(true);
      this.wire.send("all", {movetime: PACES[at("pace").value]});
    };
    at("halt").onclick = () => {
      this.wire.send("halt");
      this.setBusy(false);
      this.wire.send("lessons");
    };
    at("player").onchange = () => {
      choices.write({player: at("player").value});
      this.fillDeck();
    };
    this.fill();
  }

  get words() { return WORDS[choices.language].serve; }

  take(lessons) {
    this.lessons = lessons;
    this.fill();
  }

  // The tasks of the player chosen, those that are due before new ones, each kind shuffled.
  tasks() {
    const player = at("player").value, rank = ({solved}) => solved === null ? 1 : 0;
    return this.lessons.tasks.filter(task => task.due && (!player || task.player === player))
      .map(task => [rank(task), Math.random(), task]).sort((one, other) => one[0] - other[0] || one[1] - other[1])
      .map(([, , task]) => task);
  }

  // -- A session

  begin() {
    const tasks = this.tasks().slice(0, MANY);
    if (!tasks.length) return;
    this.session = {tasks, at: 0, found: 0};
    this.ask();
  }

  ask() {
    this.wire.send("study", {study: this.session.tasks[this.session.at].study});
  }

  // The game of the task has come.
  open(message) {
    if (!this.session) return;
    const {view, session} = this, task = session.tasks[session.at], number = task.ply - message.game.ply;
    at("deck").hidden = true;
    at("lesson").hidden = false;
    this.message = message;
    view.task = null;
    view.open(message, number - 1);
    view.flipped = task.side === 1;
    view.task = {mistakes: [number], number: 0, found: 0, isOver: false, isFound: false, at: session.at + 1,
                 count: session.tasks.length};
    openTask(view);
    this.fillFacts();
  }

  note(isFound) {
    const {session} = this, task = session.tasks[session.at];
    if (isFound) session.found += 1;
    this.wire.send("learned", {key: task.key, found: isFound});
  }

  nextTask() {
    this.session.at += 1;
    if (this.session.at < this.session.tasks.length) this.ask();
    else this.endSession();
  }

  endSession() {
    const {session, view} = this;
    this.session = view.task = null;
    document.body.classList.remove("task");
    at("deck").hidden = false;
    at("lesson").hidden = true;
    at("facts").textContent = "";
    this.result = session && this.words.result(session.found, Math.min(session.at + 1, session.tasks.length));
    this.wire.send("lessons");
  }

  // -- The analysis of all games

  setBusy(isBusy) {
    this.isBusy = isBusy;
    at("course").hidden = !isBusy;
    at("progress").removeAttribute("value");
    at("courseText").textContent = isBusy ? this.words.begins : "";
    at("halt").hidden = !isBusy;
    at("all").disabled = isBusy;
  }

  // A request has failed; others may be under way.
  takeFault(of) {
    if (of === "all") this.setBusy(false);
    if (of === "judge") this.view.endJudging();
  }

  takeProgress({game, games, name, done, of, over}) {
    if (over) {
      this.setBusy(false);
      this.wire.send("lessons");
      return;
    }
    if (done !== undefined) at("progress").value = (game - 1 + done / of) / games;
    at("courseText").textContent = this.words.gameOf(game, games, name);
  }

  // -- Words

  fill() {
    const {words} = this, option = (value, text) => Object.assign(element("option", "", text), {value});
    fillKinds("learn", words);
    label({playerWord: words.player, begin: words.beginLesson, halt: words.halt});
    const pace = at("pace").value || 1;
    at("pace").replaceChildren(...PACES.map((ms, number) => option(number, words.pace(ms / 1000))));
    at("pace").value = pace;
    at("pace").setAttribute("aria-label", words.paceName);
    if (this.lessons) {
      const {player: chosen, setup} = choices.read(), player = chosen ?? (setup && setup.name) ?? "";
      at("player").replaceChildren(option("", words.everybody), ...this.lessons.players.map(name => option(name, name)));
      if (this.lessons.players.includes(player)) at("player").value = player;
      this.fillDeck();
    }
    if (this.view && this.view.game && this.session) {
      const {task} = this.view;
      this.view.western = choices.western;
      this.view.setLanguage(choices.language);
      this.view.task = task;
      this.fillFacts();
    }
  }

  fillDeck() {
    const {words, lessons} = this, due = this.tasks().length;
    at("deckFacts").textContent = [...(this.result ? [this.result] : []), words.deck(lessons.folder, lessons.games),
                                   words.due(due, lessons.left)].join(" ");
    at("begin").disabled = !due;
    at("all").textContent = words.all(lessons.left);
    at("all").disabled = this.isBusy || !lessons.left;
  }

  fillFacts() {
    const {name} = this.message, [black, white] = [0, 1].map(side => this.view.playerName(side));
    at("facts").textContent = `${black} – ${white} · ${name}`;
  }
}

const page = new LearnPage();
