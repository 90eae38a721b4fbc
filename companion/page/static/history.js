// The game's past: the board as it was after an earlier move. The server has it from the record and the rules; here it
// is asked for, kept for as long as the moves before it stay the same, and shown in place of the table's own.

import { language } from "./texts.js";

/** What is drawn of a position that does not lie on the table: its own sight, and nothing of what devices see now. */
export const elsewhere = (live, position) => ({
  ...live,
  explanation: undefined,
  ...position,
  moves: (live.moves ?? []).slice(0, position.ply),
  illegal: null,
  question: null,
});

/** A JSON answer of the server; throws where it has none. */
export async function ask(address, values) {
  const response = await fetch(`${address}?${new URLSearchParams({ ...values, lang: language })}`, { cache: "no-store" });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.json();
}

export class History {
  /** @param onChange called whenever another position is to be shown, and with the same one where it cannot be had */
  constructor(onChange) {
    this.onChange = onChange;
    this.moves = [];
    this.kept = new Map(); // what was asked for, by ply
    this.ply = null; // what is wished for; null is the table as it is
    this.position = null; // what there is to show of it
    this.failed = false;
  }

  get length() {
    return this.moves.length;
  }

  /** Another game, or the same one met anew: nothing of the old one stays. */
  reset(moves) {
    this.kept.clear();
    this.moves = moves;
    this.back();
  }

  /** The game has gone on, or was put right: positions after a move that is another one now are forgotten. */
  take(moves) {
    let same = 0;
    while (same < Math.min(moves.length, this.moves.length) && moves[same].move === this.moves[same].move) same += 1;
    for (const ply of this.kept.keys()) if (ply > same) this.kept.delete(ply);
    const shown = this.ply;
    this.moves = moves;
    if (shown !== null && (shown > same || shown >= moves.length)) this.go(shown);
  }

  /** To the position after so many moves; all of them is the table as it is. */
  go(ply) {
    if (!(ply < this.length)) return this.back();
    this.ply = Math.max(0, ply);
    this.failed = false;
    return this.load(this.ply);
  }

  step(by) {
    return this.go((this.ply ?? this.length) + by);
  }

  /** To the table as it is. */
  back() {
    const was = this.ply;
    this.ply = this.position = null;
    this.failed = false;
    if (was !== null) this.onChange();
  }

  async load(ply) {
    if (!this.kept.has(ply)) this.kept.set(ply, ask("position", { ply }));
    const asked = this.kept.get(ply);
    this.onChange();
    let position = null;
    try {
      position = await asked;
    } catch {
      if (this.kept.get(ply) === asked) this.kept.delete(ply); // may be asked for again
    }
    if (this.ply !== ply) return; // another one was wished for meanwhile
    if (position !== null && this.kept.get(ply) !== asked) return; // the moves before it are other ones now
    this.failed = position === null;
    this.position = position ?? this.position;
    this.onChange();
  }
}
