// The page of an analysis: one game, what is known about it, and a table of what each side did.
function startAnalysis() {
  const data = JSON.parse(document.getElementById("data").textContent), view = new GameView();

  function fill() {
    const {words, language} = view;
    const facts = Object.entries(data.facts).map(([key, value]) => words[key] + words.colon + value);
    if (data.handicap) facts.push(words.handicap(data.handicap[language]));
    view.at("language").textContent = words.other;
    view.at("facts").textContent = [...facts, words.by + words.colon + data.engine].join(" · ");
    const row = (tag, texts) => {
      const cells = document.createElement("tr");
      cells.append(...texts.map(text => element(tag, "", text)));
      return cells;
    };
    const heads = row("th", ["", words.moves, words.choice, words.average, words.accuracy, ...data.marks.map(mark => mark + " ")]);
    data.marks.forEach((mark, number) => {
      const head = heads.children[heads.children.length - data.marks.length + number];
      head.append(element("span", "word", words[mark]));      // not on a phone
      head.setAttribute("aria-label", words[mark]);
    });
    const rows = data.sides.flatMap((found, side) => {
      const figures = [found.moves, found.best, percent(found.lost),
                       found.kept === null ? "–" : percent(found.kept), ...data.marks.map(mark => found.marks[mark])];
      return found.moves ? [row("td", [view.playerName(side), ...figures])] : [];
    });
    view.at("summary").replaceChildren(heads, ...rows);
    fillLinks();
  }

  // To the list of all games and to those before and after, which then show the same language and pieces.
  function fillLinks() {
    const {words} = view, names = {index: "allGames", previous: "previousGame", next: "nextGame"};
    view.at("others").replaceChildren(...Object.entries(names).flatMap(([name, word]) => {
      if (!data.links || !data.links[name]) return [];
      const link = element("a", "", words[word]);
      link.setAttribute("href", data.links[name] + choicesText(view.language, view.western));
      return [link];
    }));
  }

  // A link to a position ends in # and its ply.
  const first = data.game.ply, number = () => Number(location.hash.slice(1) || first) - first;
  const chosen = choicesOf(location.search);
  view.language = chosen.language;
  view.load(data.game, number() || 0);
  view.choosePieces(chosen.western);
  fill();
  view.onMove = ply => history.replaceState(null, "", "#" + ply);
  window.onhashchange = () => view.task || view.go(number() || 0);
  view.at("language").onclick = () => {
    view.setLanguage(view.language === "ja" ? "en" : "ja");
    fill();
  };
  const choosePieces = view.at("pieces").onclick;
  view.at("pieces").onclick = () => {
    choosePieces();
    fillLinks();
  };
}

startAnalysis();
