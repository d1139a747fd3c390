// What the pages say, in both languages. A function's `side` is the name of Black or White.
const inMoves = count => count === 1 ? "1 move" : count + " moves";      // in English

const WORDS = {
  en: {
    other: "日本語", colon: ": ", ranks: "abcdefghi", sides: ["Black", "White"], start: "start", by: "analysed by", board: "board",
    title: "title", event: "event", place: "place", date: "date", handicap: name => name + " handicap", opening: "opening",
    moves: "moves", time: "time", pieces: ["Japanese pieces", "Western pieces"], shortPieces: ["漢字", "ABC"],
    arrows: ["best move", "reply", "drop"], allGames: "all games", previousGame: "◀ previous game",
    nextGame: "next game ▶", players: "Players", games: "games", player: "player", wins: "won", loss: "lost per move",
    plies: count => inMoves(count), file: "file",
    score: "score", chances: side => side + "'s chances", choice: "first choice", average: "lost on average",
    best: plies => plies === 1 ? "Best move:" : "Best play:", better: "Better:", missed: plies => `There was a mate in ${plies}:`, instead: "Variation instead:",
    lost: "lost", fell: "own view fell by", over: "game over", mates: side => side + " mates", mateIn: plies => ` (mate in ${plies})`,
    declaration: side => side + " wins by declaration", superior: side => "superior position for " + side
      + " (a board repeated with more in hand)",
    repetition: () => "fourfold repetition", "perpetual check": side => side + " wins by the other side's perpetual check",
    shortRepetition: "fourfold", shortPerpetual: "perpetual", shortMate: (sign, plies) => plies ? `mate ${sign}${plies}` : "mate", shortDeclaration: "declares",
      shortSuperior: "superior",
    "??": "blunder", "?": "mistake", "?!": "doubtful", "!": "only move",
    judged: nodes => `judged by ${nodes} nodes`, accuracy: "accuracy",
    turning: (ply, move) => `turning point: move ${ply}, ${move}`,
    first: "to the start (Home)", back: "back (←)", next: "on (→)", end: "to the end (End)", flip: "flip the board (F)",
    lastMistake: "previous mistake (P)", nextMistake: "next mistake (N)", noMistake: "no further mistake",
    leave: "back to the game (Esc)", play: "play", choose: "move …", chooseMove: "choose a move", promote: "promote",
    stay: "do not promote", yourLine: plies => plies === 1 ? "Your move:" : "Your moves:", answer: "The best answer:", inGame: "This was played.",
    firstChoice: "The analysis' first choice.", unknown: "The analysis has not searched this move.",
    beyond: (lines, lost) => `Not among the analysis' ${lines} best moves: it loses at least ${lost}.`,
    noLines: "This report has no lines: the value of this move is not known.", mated: "Checkmate.", loses: "It loses",
    bestHere: "Best here:", stop: ".", find: side => `Find ${side}'s better moves`,
    none: side => `no mistakes by ${side}`,
    task: (number, count, ply, move, lost) =>
      `${number} of ${count}: move ${ply}, ${move}, lost ${lost}. Play a better move.`,
    right: "Right: this is the best move.", mateFound: "Right: this mates.", good: "Good enough:",
    again: "Try another move.",
    played: "That is what was played.", solution: "show the answer", nextTask: "next", endTask: "end",
    found: (found, count) => `You found ${found} of ${count}.`, depth: "depth", nodes: "nodes",
    inHand: "in hand", empty: "empty", toMove: side => side + " to move", square: (file, rank) => file + rank,
    pieceNames: {K: "king", R: "rook", "+R": "dragon", B: "bishop", "+B": "horse", G: "gold", S: "silver",
                 "+S": "promoted silver", N: "knight", "+N": "promoted knight", L: "lance", "+L": "promoted lance",
                 P: "pawn", "+P": "tokin"},
    won: (side, plies, why) => `${side} won after ${inMoves(plies)}: ${why}`,
    drawn: (plies, why) => `${inMoves(plies)}: ${why}`,
    ends: {TORYO: (_, loser) => loser + " resigned", TIME_UP: (_, loser) => loser + " ran out of time",
           ILLEGAL_MOVE: (_, loser) => loser + " made an illegal move",
           "+ILLEGAL_ACTION": (_, loser) => loser + " broke a rule",
           "-ILLEGAL_ACTION": (_, loser) => loser + " broke a rule", TSUMI: () => "checkmate",
           LOSS_BY_DEFAULT: (_, loser) => loser + " did not play",
           WIN_BY_DEFAULT: (_, loser) => loser + " did not play",
           PERPETUAL_CHECK: (_, loser) => "perpetual check by " + loser,
           KACHI: winner => winner + " declared the win", SENNICHITE: () => "drawn by fourfold repetition", JISHOGI: () => "drawn by impasse",
           HIKIWAKE: () => "a draw", MAX_MOVES: () => "limit of moves", CHUDAN: () => "broken off",
           FUZUMI: () => "no mate",
           MATTA: () => "a move was taken back", ERROR: () => "an error", score: () => "both players' scores agreed",
           drawish: () => "both players' scores agreed", silence: (_, loser) => loser + " did not answer",
           crash: (_, loser) => loser + " crashed"},
  },
  ja: {
    other: "English", colon: "：", ranks: "一二三四五六七八九", sides: ["先手", "後手"], start: "開始局面", by: "解析", board: "盤面",
    title: "表題", event: "棋戦", place: "場所", date: "日時", handicap: name => "手合割：" + name, opening: "戦型", moves: "手数",
    time: "消費時間", pieces: ["漢字の駒", "英字の駒"], shortPieces: ["漢字", "英字"], arrows: ["最善手", "その応手", "打つ手"],
    allGames: "対局一覧", previousGame: "◀ 前の対局", nextGame: "次の対局 ▶", players: "対局者", games: "対局",
    player: "対局者", wins: "勝ち", loss: "1手平均損失", plies: count => `${count}手`, file: "ファイル",
    score: "評価値", chances: side => side + "の期待勝率", choice: "最善手", average: "平均損失",
    best: plies => plies === 1 ? "最善手：" : "最善の進行：", better: "より良い手：", missed: plies => `詰みがあった（${plies}手）：`, instead: "変化：",
    lost: "損失", fell: "自己評価の低下", over: "終局", mates: side => side + "勝ち", mateIn: plies => `（詰みまで${plies}手）`,
    declaration: side => side + "の宣言勝ち", superior: side => side + "の優等局面（同じ盤面で持ち駒が増える）",
    repetition: () => "千日手", "perpetual check": side => side + "の勝ち（相手の連続王手の千日手）",
    shortRepetition: "千日手", shortPerpetual: "連続王手",
    shortMate: (sign, plies) => plies ? `${sign}${plies}手詰` : "詰み", shortDeclaration: "宣言勝ち", shortSuperior: "優等",
    "??": "大悪手", "?": "悪手", "?!": "疑問手", "!": "好手",
    judged: nodes => `${nodes}局面を探索して判定`, accuracy: "精度",
    turning: (ply, move) => `勝負の分かれ目：${ply}手目 ${move}`,
    first: "最初へ (Home)", back: "戻る (←)", next: "進む (→)", end: "最後へ (End)", flip: "盤面反転 (F)",
    lastMistake: "前の悪手 (P)", nextMistake: "次の悪手 (N)", noMistake: "この先に悪手なし",
    leave: "本譜に戻る (Esc)", play: "指す", choose: "指し手…", chooseMove: "指し手を選ぶ", promote: "成る", stay: "成らない",
    yourLine: plies => plies === 1 ? "あなたの手：" : "あなたの手順：", answer: "最善の応手：", inGame: "本譜の手です。", firstChoice: "解析の最善手です。",
    beyond: (lines, lost) => `解析の候補${lines}手にない手です（損失 ${lost} 以上）。`,
    unknown: "この手は解析されていません。", noLines: "読み筋がないため、この手の評価はわかりません。", mated: "詰みです。",
    loses: "損失", bestHere: "ここでの最善：", stop: "。", find: side => side + "の悪手を直す", none: side => side + "の悪手なし",
    task: (number, count, ply, move, lost) =>
      `${number}/${count}：${ply}手目 ${move} で期待勝率が ${lost} 下がりました。より良い手を指してください。`,
    right: "正解、最善手です。", mateFound: "正解、詰みます。", good: "これも良い手です。", again: "ほかの手を指してください。",
    played: "実戦の手です。", solution: "答えを見る", nextTask: "次へ", endTask: "終わる",
    found: (found, count) => `${count}問中${found}問正解。`, depth: "深さ", nodes: "ノード",
    inHand: "持ち駒", empty: "空き", toMove: side => side + "の番",
    square: (file, rank) => FILES_JA[file - 1] + rank,
    pieceNames: {K: "玉", R: "飛", "+R": "龍", B: "角", "+B": "馬", G: "金", S: "銀", "+S": "成銀", N: "桂", "+N": "成桂",
                 L: "香", "+L": "成香", P: "歩", "+P": "と"},
    won: (side, plies, why) => `まで${plies}手で${side}の勝ち（${why}）`,
    drawn: (plies, why) => `まで${plies}手で${why}`,
    ends: {TORYO: (_, loser) => loser + "の投了", TIME_UP: (_, loser) => loser + "の時間切れ",
           ILLEGAL_MOVE: (_, loser) => loser + "の反則", "+ILLEGAL_ACTION": (_, loser) => loser + "の反則",
           "-ILLEGAL_ACTION": (_, loser) => loser + "の反則", TSUMI: () => "詰み",
           LOSS_BY_DEFAULT: (_, loser) => loser + "の不戦敗", WIN_BY_DEFAULT: (_, loser) => loser + "の不戦敗",
           PERPETUAL_CHECK: (_, loser) => loser + "の連続王手の千日手",
           KACHI: winner => winner + "の入玉宣言", SENNICHITE: () => "千日手", JISHOGI: () => "持将棋",
           HIKIWAKE: () => "引き分け", MAX_MOVES: () => "最大手数", CHUDAN: () => "中断", FUZUMI: () => "不詰",
           MATTA: () => "待った", ERROR: () => "エラー", score: () => "双方の評価値が一致",
           drawish: () => "双方の評価値が一致", silence: (_, loser) => loser + "の無応答",
           crash: (_, loser) => loser + "の異常終了"},
  },
};
const MARK_CLASSES = {"??": "blunder", "?": "mistake", "?!": "doubtful", "!": "only"};

const readersLanguage = () => (navigator.language || "en").toLowerCase().startsWith("ja") ? "ja" : "en";
// What a reader has chosen on one page goes on to the next in the link: ?ja, or ?en&western.
const choicesText = (language, western) => "?" + language + (western ? "&western" : "");
function choicesOf(search) {
  const words = search.slice(1).split("&");
  return {language: ["en", "ja"].find(each => words.includes(each)) || readersLanguage(),
          western: words.includes("western")};
}
const percent = value => (100 * value).toFixed(1) + " %";
const signed = number => (number > 0 ? "+" : "") + number;

// A score from Black's side for the notes: {centipawns, mate, expected, special}; `sides` are the names of both.
function scoreText(score, words, sides) {
  const winner = sides[score.expected > .5 ? 0 : 1];
  if (score.special) return words[score.special](winner);
  if (score.mate === null) return words.score + " " + signed(score.centipawns);
  return words.mates(winner) + (score.mate ? words.mateIn(Math.abs(score.mate)) : "");
}

// With Black's chances.
function scoreWithChances(score, words, sides) {
  return scoreText(score, words, sides) + " · ☗ " + Math.round(100 * score.expected) + " %";
}

// What a player reported of its thinking, {ms, depth, nodes}, as far as it did.
function thoughtTexts(thought, words, language) {
  if (!thought) return [];
  const {ms, depth, nodes} = thought, number = figure => figure.toLocaleString(language);
  return [number(ms) + " ms", ...(depth === null ? [] : [words.depth + " " + depth]),
          ...(nodes === null ? [] : [number(nodes) + " " + words.nodes])];
}

// The same in few letters, for the list of moves.
function shortScore(score, words) {
  if (score.expected === null) return "";
  const sign = score.expected > .5 ? "+" : "-";
  if (score.special === "repetition") return words.shortRepetition;
  if (score.special) return sign + words[{declaration: "shortDeclaration", superior: "shortSuperior",
                                          "perpetual check": "shortPerpetual"}[score.special]];
  return score.mate === null ? signed(score.centipawns) : words.shortMate(sign, Math.abs(score.mate));
}

// The seconds that a move took as a clock shows them, 1:05 or 1:02:05; "" if they are not known.
function clockText(seconds) {
  if (seconds === null || seconds === undefined) return "";
  const whole = Math.floor(seconds), minutes = Math.floor(whole / 60), hours = Math.floor(minutes / 60);
  const two = number => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes % 60)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

// How a game ended, {terminal, winner, plies}, in words; "" if the record does not say.
function endText(end, words, sides) {
  if (!end || !words.ends[end.terminal]) return "";
  if (end.winner === null) return words.drawn(end.plies, words.ends[end.terminal]());
  return words.won(sides[end.winner], end.plies, words.ends[end.terminal](sides[end.winner], sides[1 - end.winner]));
}
