// The connection with the server, and what all pages of `engine serve` have in common: the bar at the top, the reader's
// choices, and notices.

const PAGES = ["play", "analyse", "learn"];
const RETRY_MS = [300, 1000, 3000];     // waits between tries to connect, the last one for ever

// What the reader has chosen on any page, kept by the browser.
const choices = {
  read() {
    try { return JSON.parse(localStorage.getItem("gakushi")) || {}; } catch { return {}; }
  },
  write(changed) {
    try { localStorage.setItem("gakushi", JSON.stringify({...this.read(), ...changed})); } catch { /* for this page only */ }
  },
  get language() { return this.read().language || readersLanguage(); },
  get western() { return Boolean(this.read().western); },
};

class Wire {
  // `page` is the name of the page; handlers get the server's messages by their `event`; `fill` is called when the
  // reader chooses another language or other pieces.
  constructor(page, handlers, fill) {
    Object.assign(this, {page, handlers, fill, tries: 0, wasOpen: false});
    this.buildBar();
    this.connect();
  }

  get words() { return WORDS[choices.language].serve; }

  connect() {
    this.socket = new WebSocket(new URL("socket", location.href).href.replace(/^http/, "ws"));
    this.socket.onopen = () => {
      this.tries = 0;
      this.hideNotice();
      this.send("hello", {page: this.page, language: choices.language});
      if (this.onOpen) this.onOpen();
    };
    this.socket.onmessage = ({data}) => {
      const message = JSON.parse(data);
      if (message.event === "error") this.notice(message.text);
      if (this.handlers[message.event]) this.handlers[message.event](message);
    };
    this.socket.onclose = () => {
      if (this.tries) this.notice(this.words.gone, true);
      setTimeout(() => this.connect(), RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)]);
    };
  }

  send(what, fields = {}) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({do: what, ...fields}));
    else this.notice(this.words.gone, true);
  }

  // A line at the top of the page, which goes after a while unless it `stays`.
  notice(text, stays = false) {
    const notice = document.getElementById("notice");
    notice.textContent = text;
    notice.hidden = false;
    clearTimeout(this.hiding);
    if (!stays) this.hiding = setTimeout(() => this.hideNotice(), 6000);
  }

  hideNotice() { document.getElementById("notice").hidden = true; }

  buildBar() {
    const nav = document.getElementById("nav"), links = element("div", "pages");
    this.links = PAGES.map(page => {
      const link = element("a");
      link.setAttribute("href", page === "play" ? "./" : page);
      if (page === this.page) link.setAttribute("aria-current", "page");
      links.append(link);
      return link;
    });
    this.pieces = element("button");
    this.pieces.id = "pieces";
    this.pieces.onclick = () => {
      choices.write({western: !choices.western});
      this.refill();
    };
    this.language = element("button");
    this.language.id = "language";
    this.language.onclick = () => {
      choices.write({language: choices.language === "ja" ? "en" : "ja"});
      this.send("hello", {page: this.page, language: choices.language});
      this.refill();
    };
    nav.append(links, this.pieces, this.language);
    this.fillBar();
  }

  refill() {
    this.fillBar();
    this.fill();
  }

  fillBar() {
    const all = WORDS[choices.language];
    document.documentElement.lang = choices.language;
    this.links.forEach((link, number) => { link.textContent = all.serve.pages[number]; });
    // The pieces to change to, in fewer letters on a phone.
    this.pieces.replaceChildren(element("span", "wide", all.pieces[choices.western ? 0 : 1]),
                                element("span", "narrow", all.shortPieces[choices.western ? 0 : 1]));
    this.pieces.setAttribute("aria-label", all.pieces[choices.western ? 0 : 1]);
    this.language.textContent = all.other;
    document.title = "Gakushi · " + all.serve.pages[PAGES.indexOf(this.page)];
  }
}

const at = id => document.getElementById(id);

// Gives elements their words: {id: text}.
function label(texts) {
  for (const [id, text] of Object.entries(texts)) at(id).textContent = text;
}

// The two kinds of lessons, each a page of its own.
function fillKinds(page, words) {
  at("kinds").replaceChildren(...["learn", "mates"].map((kind, number) => {
    const link = element("a", "button", words.kinds[number]);
    link.setAttribute("href", kind);
    if (kind === page) link.setAttribute("aria-current", "page");
    return link;
  }));
}
