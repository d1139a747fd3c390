// What the pages of `engine serve` say, besides what all pages say (words.js).
WORDS.en.serve = {
  pages: ["Play", "Analyse", "Learn"],
  gone: "The server does not answer. If it has ended, start “engine serve” again and open the address that it prints.",
  // Play
  newGame: "New game", side: "Your side", colors: ["Black ☗", "White ☖", "by chance"], handicap: "Handicap", even: "none",
  level: "Strength", levelText: level => level >= 20 ? "20 · full strength" : `${level} · about ${500 + 100 * level} Elo`,
  clock: "Clock", presets: ["no clock", "10 min, then 30 s a move", "30 s a move", "5 min + 3 s", "3 min + 2 s", "other …"],
  main: "minutes", byoyomi: "seconds a move after that", increment: "seconds gained a move", name: "Your name",
  start: "Start", cancel: "Cancel", earlier: "Go on with an earlier game", resume: "Go on",
  yourTurn: "Your move.", check: "Check! ", thinks: "Gakushi is thinking …", noGame: "No game yet.",
  past: (ply, last) => `After move ${ply} of ${last}.`,
  won: "You won.", lost: "You lost.", drawn: "Nobody won.",
  takeBack: "Take back", hint: "Hint", resign: "Resign", declare: "Declare a win", review: "Analyse this game",
  sure: "Resign? Press again", typed: "type a move: 7g7f, P-7f …", send: "Move", saved: file => `Saved as ${file}`,
  you: "You", hintIs: "Hint:", hintDeclares: "Declare a win: your king has entered.", levelShort: level => `level ${level}`,
  gameLine: (game, sides) => `${game.began.slice(0, 16)} · ${game.plies} moves · level ${game.level}`,
};
WORDS.ja.serve = {
  pages: ["対局", "検討", "学習"],
  gone: "サーバーが応答しません。終了している場合は engine serve をもう一度起動し、表示されたアドレスを開いてください。",
  newGame: "新しい対局", side: "あなたの手番", colors: ["先手 ☗", "後手 ☖", "振り駒"], handicap: "手合割", even: "平手",
  level: "強さ", levelText: level => level >= 20 ? "20・全力" : `${level}・レーティング約 ${500 + 100 * level}`,
  clock: "持ち時間", presets: ["なし", "10分、切れたら1手30秒", "1手30秒", "5分＋1手3秒加算", "3分＋1手2秒加算", "その他…"],
  main: "分", byoyomi: "秒読み（秒）", increment: "1手ごとの加算（秒）", name: "お名前",
  start: "対局開始", cancel: "やめる", earlier: "前の対局を続ける", resume: "続ける",
  yourTurn: "あなたの番です。", check: "王手！ ", thinks: "Gakushi が考えています…", noGame: "対局はまだありません。",
  past: (ply, last) => `${last}手中 ${ply}手目の局面です。`,
  won: "あなたの勝ちです。", lost: "あなたの負けです。", drawn: "引き分けです。",
  takeBack: "待った", hint: "ヒント", resign: "投了", declare: "入玉宣言", review: "この対局を検討",
  sure: "投了する（もう一度）", typed: "指し手を入力：76歩、7g7f など", send: "指す", saved: file => `棋譜：${file}`,
  you: "あなた", hintIs: "ヒント：", hintDeclares: "入玉宣言で勝ちです。", levelShort: level => `レベル${level}`,
  gameLine: (game, sides) => `${game.began.slice(0, 16)}・${game.plies}手・レベル${game.level}`,
};
