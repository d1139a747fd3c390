// A board to move pieces on: by clicks and touches, by dragging, by keys. It offers the legal moves that it is given and
// hands over the one that was made; what becomes of it is its owner's business.

const DRAG_PIXELS = 6, SWIPE_PIXELS = 45;       // how far a pointer goes before it drags, or swipes

class Board {
  // `target` is an <svg class="board">. onMove(move) gets a move in USI, onSwipe(1 or -1) a swipe to the left or right.
  constructor(target, onMove, onSwipe = () => {}) {
    this.target = target;
    this.onMove = onMove;
    this.onSwipe = onSwipe;
    this.picked = this.held = this.cursor = null;
    this.hasDragged = false;
    this.buildChooser();
    this.said = element("div", "unseen");
    this.said.setAttribute("aria-live", "assertive");
    target.after(this.said);
    target.setAttribute("tabindex", 0);
    target.setAttribute("role", "application");
    target.onclick = event => this.click(event);
    target.onmousedown = event => event.preventDefault();       // the keys stay with the page
    target.onpointerdown = event => this.hold(event);
    target.onpointermove = event => this.drag(event);
    target.onpointerup = event => this.letGo(event);
    target.onpointercancel = () => this.release();
    target.onkeydown = event => this.press(event);
    target.onblur = () => this.moveCursor(null);
  }

  buildChooser() {
    this.chooser = Object.assign(element("div", "promotion"), {id: "promotion", hidden: true});
    this.promote = Object.assign(element("button"), {id: "promote"});
    this.stay = Object.assign(element("button"), {id: "stay"});
    this.chooser.append(this.promote, this.stay);
    this.target.after(this.chooser);
  }

  // Shows a position with the options of drawBoard. Of the reader's language there are `words`; `legal` are the moves
  // that may be made, none where the board is only looked at.
  show(position, options) {
    this.position = position;
    this.options = options;
    this.release();
  }

  release() {
    this.picked = this.held = null;
    this.draw();
  }

  draw() {
    const {target, position, options, picked} = this;
    this.place = drawBoard(target, position, {...options, ranks: options.words.ranks});
    target.setAttribute("aria-label", options.words.board + options.words.colon + positionText(position, options.words));
    this.chooser.hidden = true;
    this.promote.textContent = options.words.promote;
    this.stay.textContent = options.words.stay;
    if (picked) {
      for (const square of new Set(this.movesOf(picked).map(move => move.slice(2, 4)))) {
        const [x, y] = this.place(squareIndex(square));
        target.append(svg("circle", {class: "target", cx: x, cy: y, r: 7, "data-target": square}));
      }
      const piece = this.pieceOf(picked);
      if (piece) piece.classList.add("lifted");
    }
    this.drawCursor();
  }

  movesOf(origin) { return this.options.legal.filter(move => move.startsWith(origin)); }

  // The drawn piece that moves begin with, "7g" or "P*".
  pieceOf(origin) {
    const {position, target} = this;
    return target.querySelector(origin[1] === "*"
      ? `[data-hand="${position.turn}"][data-piece="${ownToken(origin[0], position.turn)}"]`
      : `[data-square="${squareIndex(origin)}"]`);
  }

  // What lies under a pointer: a square's name, or "P*" for a piece in the hand of the side to move; "" for nothing.
  under(event) {
    const hand = event.target.closest && event.target.closest("[data-hand]");
    if (hand) {
      const token = hand.getAttribute("data-piece");
      return sideOf(token) === this.position.turn ? token.toUpperCase() + "*" : "";
    }
    const square = squareAt(this.target, event, this.options.flipped);
    return square === null ? "" : squareName(square);
  }

  isOwn(origin) {
    if (!origin || !this.options.legal.length) return false;
    const token = origin[1] === "*" ? "" : this.position.cells[squareIndex(origin)];
    return origin[1] === "*" || Boolean(token) && sideOf(token) === this.position.turn;
  }

  click(event) {
    if (this.hasDragged) this.hasDragged = false;
    else this.choose(this.under(event));
  }

  // Picks up the piece there, or puts the one that was picked up there. Picking it once more puts it back.
  choose(name) {
    if (this.picked && this.put(name)) return;
    const origin = this.isOwn(name) && name !== this.picked ? name : null;
    this.picked = origin;
    this.draw();
  }

  // Whether the piece that was picked up can go there; then it does, or the reader is asked whether it promotes.
  put(name) {
    const moves = name && name[1] !== "*" ? this.movesOf(this.picked).filter(move => move.slice(2, 4) === name) : [];
    if (moves.length === 2) this.ask(moves.find(move => move[4] === "+"));
    else if (moves.length === 1) this.make(moves[0]);
    return moves.length > 0;
  }

  make(move) {
    this.release();
    this.onMove(move);
  }

  ask(move) {
    const {chooser, target} = this, box = target.getBoundingClientRect();
    const scale = box.width / target.viewBox.baseVal.width, [x, y] = this.place(squareIndex(move.slice(2, 4)));
    chooser.hidden = false;
    const outer = target.parentElement.getBoundingClientRect();
    const left = box.left - outer.left + x * scale - chooser.offsetWidth / 2;
    const below = y * scale + CELL * scale * .6, height = chooser.offsetHeight;
    chooser.style.left = Math.max(0, Math.min(left, outer.width - chooser.offsetWidth)) + "px";
    chooser.style.top = box.top - outer.top
      + (below + height < box.height ? below : y * scale - CELL * scale * .6 - height) + "px";
    this.promote.onclick = () => this.make(move);
    this.stay.onclick = () => this.make(move.slice(0, 4));
    this.promote.focus({preventScroll: true});
  }

  // -- The pointer

  hold(event) {
    this.hasDragged = false;
    const {clientX: x, clientY: y, pointerType} = event;
    this.held = {x, y, isTouch: pointerType === "touch", origin: this.under(event), isMoving: false};
  }

  drag(event) {
    const {held} = this;
    if (!held || held.isTouch || !(event.buttons & 1)) return;
    if (!held.isMoving) {
      const isFar = Math.hypot(event.clientX - held.x, event.clientY - held.y) > DRAG_PIXELS;
      if (!isFar || !this.isOwn(held.origin)) return;
      held.isMoving = true;
      this.target.setPointerCapture(event.pointerId);
      this.picked = held.origin;
      this.draw();
      this.target.append(this.pieceOf(held.origin));        // above all others
    }
    const box = this.target.getBoundingClientRect(), scale = this.target.viewBox.baseVal.width / box.width;
    const turned = (this.position.turn === 0) === Boolean(this.options.flipped) ? " rotate(180)" : "";
    this.pieceOf(held.origin).setAttribute(
      "transform", `translate(${(event.clientX - box.left) * scale} ${(event.clientY - box.top) * scale})${turned}`);
  }

  letGo(event) {
    const {held} = this;
    this.held = null;
    if (!held) return;
    if (held.isMoving) {
      this.hasDragged = true;
      const square = squareAt(this.target, event, this.options.flipped);
      if (square === null || !this.put(squareName(square))) this.release();
    } else if (held.isTouch) {
      const x = event.clientX - held.x, y = event.clientY - held.y;
      if (Math.abs(x) > SWIPE_PIXELS && Math.abs(y) < Math.abs(x) / 2) this.onSwipe(x < 0 ? 1 : -1);
    }
  }

  // -- Keys: the arrows move a cursor over the squares, and over the hands above and below them

  press(event) {
    const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (steps[event.key]) {
      const {column, row} = this.cursor || {column: 4, row: 5};
      const [right, down] = this.cursor ? steps[event.key] : [0, 0];
      this.moveCursor({column: Math.max(0, Math.min(8, column + right)), row: Math.max(-1, Math.min(9, row + down))});
    } else if (this.cursor && (event.key === "Enter" || event.key === " ")) this.choose(this.underCursor());
    else if (event.key === "Escape" && this.picked) this.release();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  moveCursor(cursor) {
    this.cursor = cursor;
    if (!this.position) return;
    this.drawCursor();
    if (cursor) this.said.textContent = this.cursorText();
  }

  // The pieces in the hand above (row -1) or below (row 9) the board, as they lie there.
  handAt(row) {
    const side = (row === 9) === Boolean(this.options.flipped) ? 1 : 0;
    return [...HAND].map(letter => ownToken(letter, side)).filter(token => this.position.hand[token]);
  }

  underCursor() {
    const {column, row} = this.cursor;
    if (row < 0 || row > 8) {
      const hand = this.handAt(row), token = hand[Math.min(column, hand.length - 1)];
      return token && sideOf(token) === this.position.turn ? token.toUpperCase() + "*" : "";
    }
    const index = 9 * row + column;
    return squareName(this.options.flipped ? 80 - index : index);
  }

  cursorText() {
    const {position, options: {words}, cursor: {column, row}} = this;
    if (row < 0 || row > 8) {
      const hand = this.handAt(row), token = hand[Math.min(column, hand.length - 1)];
      return words.inHand + " " + (token ? words.sides[sideOf(token)] + " " + pieceWord(token, words) + " "
                                           + position.hand[token] : words.empty);
    }
    const name = this.underCursor(), token = position.cells[squareIndex(name)];
    return squareWord(name, words) + " " + (token ? words.sides[sideOf(token)] + " " + pieceWord(token, words)
                                                  : words.empty);
  }

  drawCursor() {
    const old = this.target.querySelector(".cursor");
    if (old) old.remove();
    if (!this.cursor) return;
    const {column, row} = this.cursor;
    let box = {x: LEFT + column * CELL, y: TOP + row * TALL, width: CELL, height: TALL};
    if (row < 0 || row > 8) {
      const hand = this.handAt(row), token = hand[Math.min(column, hand.length - 1)];
      const piece = token && this.target.querySelector(`[data-hand][data-piece="${token}"]`);
      const [x, y] = piece ? piece.getAttribute("transform").match(/-?[\d.]+/g).map(Number)
                           : [LEFT + 18, row < 0 ? 24 : TOP + 9 * TALL + 28];
      box = {x: x - 17, y: y - 20, width: 34, height: 40};
    }
    this.target.append(svg("rect", {class: "cursor", ...box}));
  }
}

// -- Positions in words, for who does not see the board

const pieceWord = (token, words) => words.pieceNames[kindOf(token)];
const squareWord = (name, words) => words.square(name[0], words.ranks["abcdefghi".indexOf(name[1])]);

// All pieces by side and kind with their squares, the hands, and whose turn it is.
function positionText(position, words) {
  const sides = [0, 1].map(side => {
    const squares = {};
    position.cells.forEach((token, index) => {
      if (token && sideOf(token) === side) (squares[kindOf(token)] = squares[kindOf(token)] || []).push(
        squareWord(squareName(index), words));
    });
    const board = Object.keys(words.pieceNames).filter(kind => squares[kind])
      .map(kind => words.pieceNames[kind] + " " + squares[kind].join(" "));
    const hand = [...HAND].map(letter => [letter, position.hand[ownToken(letter, side)]]).filter(([, count]) => count)
      .map(([letter, count]) => words.pieceNames[letter] + " " + count);
    return words.sides[side] + words.colon + board.join(", ") + (hand.length ? "; " + words.inHand + " " + hand.join(", ") : "");
  });
  return sides.join(". ") + ". " + words.toMove(words.sides[position.turn]);
}
