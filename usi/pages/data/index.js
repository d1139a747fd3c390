// The list of games that were analysed: who played how, and a row a game, which leads to its page.
function startIndex() {
  const data = JSON.parse(document.getElementById("data").textContent), at = id => document.getElementById(id);
  let {language, western} = choicesOf(location.search);

  function fill() {
    const words = WORDS[language];
    document.documentElement.lang = language;
    at("language").textContent = words.other;
    at("playersHead").textContent = words.players;
    at("gamesHead").textContent = words.games;
    const marks = data.marks;
    const heads = [words.player, words.games, words.wins, words.moves, words.choice, words.loss];
    const head = element("tr");
    head.append(...heads.map(text => element("th", "", text)), ...marks.map(mark => {
      const cell = element("th", "", mark + " ");
      cell.append(element("span", "word", words[mark]));      // not on a phone
      return cell;
    }));
    at("players").replaceChildren(head, ...data.players.map(player => {
      const row = element("tr"), {moves} = player;
      const figures = [player.games, player.won, moves, moves ? Math.round(100 * player.best / moves) + " %" : "–",
                       moves ? percent(player.lost_expected) : "–", ...marks.map(mark => player.marks[mark])];
      row.append(element("td", "", nameOf(player, words)), ...figures.map(figure => element("td", "", figure)));
      return row;
    }));
    at("games").replaceChildren(...data.games.map(game => gameLink(game, words)));
  }

  // A side without a name counts as a player, whom the command calls by its own language's word.
  function nameOf({name}, words) {
    const side = data.sides.indexOf(name);
    return side < 0 ? name : words.sides[side];
  }

  function gameLink(game, words) {
    const link = element("a"), sides = language === "ja" ? game.titles : words.sides;
    link.setAttribute("href", game.page + choicesText(language, western));
    const players = element("span", "players");
    [0, 1].forEach(side => {
      const player = element("span", game.end && game.end.winner === side ? "winner" : "");
      const lost = game.lost[side] === null ? "" : words.average + " " + percent(game.lost[side]);
      player.append(element("span", "name", "☗☖"[side] + " " + (game.names[side] || sides[side])), " ",
                    element("span", "lost", lost));
      players.append(player, " ");
    });
    const openings = game.opening.map(([side, name]) => (side === null ? "" : sides[side] + " ") + name[language]);
    const handicap = game.handicap ? words.handicap(game.handicap[language]) : "";
    const facts = [game.date, game.title, game.event, handicap, openings.join(" – ")].filter(Boolean).join(" · ");
    const end = endText(game.end, words, sides) || words.plies(game.plies);
    link.append(element("span", "number", game.number), " ", players, " ", element("span", "end", end), " ",
                element("span", "about", facts), " ", element("span", "file", game.file));
    return link;
  }

  fill();
  at("language").onclick = () => {
    language = language === "ja" ? "en" : "ja";
    fill();
  };
}

startIndex();
