// The list of events with their reasons, newest first, and the sentence that a screen reader hears. A tap on a move shows
// the board as it was then.

import { byId, el, show } from "./dom.js";
import { ask } from "./history.js";
import { alsoWords, deviceWords, ringWords } from "./panels.js";
import { placeWords } from "./places.js";
import { beginning, plain, playerName, say } from "./texts.js";

const LISTED = 40; // of a long game; the rest is shown when somebody asks for it

// Told elsewhere (the score beside its move, the hand below the turn) or of no use to people.
const SILENT = new Set(["score", "clear", "occluded"]);

/** Sentences by event; each takes the record, the state and all records and gives [title, explanation]. */
const SENTENCES = {
  game_started: (record) => [say(record.takes_up ? "event.taken_up" : "event.game_started"), by(record)],
  move: (record, state) => [
    record.words || say("event.move", { by: playerName(state, record.by), move: record.move }),
    [record.explanation || houseRules(record), record.person ? say("event.entered", { person: record.person }) : ""].filter(Boolean).join(" "),
  ],
  forfeit: (record, state) => [record.words || say("event.forfeit", { by: playerName(state, record.by) })],
  illegal: (record) => [say(`reason.${record.reason}`), [record.detail?.replace(/[^.!?…]$/, "$&."), alsoWords(record)].filter(Boolean).join(" ")],
  illegal_cleared: () => [say("event.illegal_cleared")],
  game_over: (record) => [say("event.game_over"), record.words],
  question: (record) => [say("event.question", { text: record.text ?? "" })],
  place_said: (record) => [
    record.label ? say("event.place_said", { by: record.by, words: record.words }) : say("event.place_unsaid", { by: record.by, place: placeWords(record.place) }),
  ],
  question_closed: (record, _, records) => [
    record.answer ? say("event.question_closed", { answer: answerWords(record, records) }) : say("event.question_void"),
  ],
  correction: (record, _, records) => [
    takesUp(record, records) ? say("event.stand_again", { n: record.new.length }) : correctionWords(record),
    [record.by === "evidence" ? "" : by(record), beginning(record.why)].filter(Boolean).join(" "),
  ],
  knob_mismatch: (record) => [say(record.resolved ? "event.knob_right" : "event.knob_mismatch"), record.words],
  knob_confirmed: (record) => [say("event.knob_confirmed"), by(record)],
  paused: (record) => [say("event.paused"), by(record)],
  resumed: (record) => [say("event.resumed"), by(record)],
  device: (record) => [deviceWords(record.device, record), record.detail],
  board_moved: (record) => [say(record.followed ? "event.board_followed" : "event.board_moved")],
  calibration_doubtful: (record) => [say("event.calibration_doubtful"), record.detail],
  orphans: (record, state) => [say("event.orphans", { rings: ringList(state, record) })],
  orphans_reminder: (record, state) => [say("event.orphans_reminder", { rings: ringList(state, record) })],
  orphans_removed: (record, state) => [say("event.orphans_removed"), ringList(state, record)],
};

const by = (record) => (record.by ? say("event.by", { by: record.by }) : "");

/** Whether a correction only brings back the moves of a game that is taken up again: the first thing of such a game. */
const takesUp = (record, [start, ...rest]) =>
  record.event === "correction" && record.old?.length === 0 && Boolean(start?.takes_up) && rest.find((each) => each.event === "correction")?.seq === record.seq;

/** Moves that stand again as lines of the list: in words as long as they stand, else as they were written. */
function earlierMoves(record, state) {
  const found = [];
  const left = [...(record.new ?? [])];
  for (const move of state.moves ?? []) {
    if (left.length === 0 || (!move.forfeit && move.move !== left[0])) break;
    if (!move.forfeit) left.shift();
    found.push({ event: "move", ply: move.ply, by: move.by, move: move.move, words: move.words });
  }
  const next = (found.at(-1)?.ply ?? 0) + 1;
  return [...found, ...left.map((move, number) => ({ event: "move", ply: next + number, words: move }))];
}

/** What was put right; the later moves that stay are the same in both. */
function correctionWords({ ply, old = [], new: now = [] }) {
  let same = 0;
  while (same < Math.min(old.length, now.length) && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const [was, is] = [old, now].map((moves) => moves.slice(0, moves.length - same).join(", "));
  if (!is) return say("event.taken_back", { ply, old: was });
  if (!was && now.length > 1) return say("event.stand_again", { n: now.length });
  return was ? say("event.correction", { ply, old: was, new: is }) : say("event.put_in", { ply, new: is });
}

/** An answer in the words of the choice that was pressed. */
function answerWords(record, records) {
  const asked = records.findLast((each) => each.event === "question" && each.question === record.question);
  return asked?.choice_words?.[asked.choices.indexOf(record.answer)] || record.answer;
}

const ringList = (state, record) => (record.orphans ?? []).map((ring) => ringWords(state, ring)).join(", ");

const houseRules = (record) =>
  record.house_rules?.length ? say("event.house_rules", { rules: record.house_rules.join(", ") }) : "";

/** Events whose `ply` is a position that can be shown. */
const PLIES = new Set(["move", "forfeit"]);

const MARKS = { illegal: "!", question: "?", correction: "↺", game_over: "★", game_started: "▸", device: "·", knob_mismatch: "!", orphans: "✕", orphans_reminder: "✕", orphans_removed: "✓" };

/** Scroll a list, and nothing around it, so that an item is seen. */
function scrollInto(list, item) {
  const [box, at] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (at.top < box.top) list.scrollTop -= box.top - at.top;
  if (at.bottom > box.bottom) list.scrollTop += at.bottom - box.bottom;
}

export class EventList {
  /** @param onPly called with the ply of a move that is tapped */
  constructor(onPly) {
    this.onPly = onPly;
    this.records = [];
    this.limit = LISTED;
    this.shown = null;
    this.isWordless = false; // moves of a game that was taken up again stand there, and the state has not told of them yet
  }

  /** Begin again with the records of a snapshot; only those of the running game are shown. */
  reset(records, state) {
    const start = records.findLastIndex((record) => record.event === "game_started");
    this.records = records.slice(Math.max(0, start));
    this.limit = LISTED;
    this.list(state);
  }

  /** All that is listed, newest first, with a button for the rest. */
  list(state) {
    const told = this.records.filter((record) => !SILENT.has(record.event)).flatMap((record) => (takesUp(record, this.records) ? [...earlierMoves(record, state), record] : [record]));
    const listed = told.slice(-this.limit).reverse().map((record) => this.item(record, state));
    show(byId("events"), ...(listed.length ? listed : [el("li", { class: "quiet" }, say("event.none"))]));
    byId("events-more").hidden = told.length <= this.limit && this.whole;
    this.mark(this.shown);
  }

  /** Whether no record between the game's first and the newest ones is missing, as a snapshot may leave some out. */
  get whole() {
    const [first, second] = this.records;
    return !second || first.event !== "game_started" || second.seq === first.seq + 1;
  }

  async showAll(state) {
    try {
      if (!this.whole) this.records = await ask("records", {});
    } catch {
      return; // the server is away: what is here is shown
    }
    this.limit = Infinity;
    this.list(state);
  }

  add(record, state) {
    if (record.event === "game_started") {
      this.reset([record], state);
      return;
    }
    this.records.push(record);
    if (SILENT.has(record.event)) return;
    if (takesUp(record, this.records)) {
      this.isWordless = true;
      this.list(state);
      return;
    }
    const list = byId("events");
    const item = this.item(record, state);
    list.prepend(item);
    while (list.childElementCount > this.limit) {
      list.lastElementChild.remove();
      byId("events-more").hidden = false;
    }
    byId("news").textContent = item.querySelector(".sentence").textContent;
  }

  /** The state has come that belongs to the records. */
  know(state) {
    if (!this.isWordless) return;
    this.isWordless = false;
    this.list(state);
  }

  /** Mark the move after which the board is shown; null for the table as it is. */
  mark(ply) {
    this.shown = ply;
    for (const each of byId("events").querySelectorAll("[aria-current]")) each.removeAttribute("aria-current");
    if (ply === null) return;
    const item = byId("events").querySelector(`.jump[data-ply="${CSS.escape(ply)}"]`);
    item?.setAttribute("aria-current", "true");
    if (item) scrollInto(byId("events"), item.closest("li"));
  }

  /** The newest record of some kinds, null where there is none in this game. */
  latest(...events) {
    return this.records.findLast((record) => events.includes(record.event)) ?? null;
  }

  item(record, state) {
    const [title, explanation] = SENTENCES[record.event]?.(record, state, this.records) ?? [plain(record.event), record.detail];
    const ply = PLIES.has(record.event) ? record.ply : null;
    const mark = record.resolved ? "✓" : takesUp(record, this.records) ? MARKS.correction : record.ply ?? MARKS[record.event] ?? "·";
    return el(
      "li",
      { class: "event", "data-event": record.resolved ? `${record.event} resolved` : record.event, "data-seq": record.seq },
      el("span", { class: "mark", "aria-hidden": "true" }, mark),
      el("div", { class: "sentence" }, this.title(title, ply), explanation ? el("small", {}, explanation) : null),
      el("time", {}, this.time(record)),
    );
  }

  title(words, ply) {
    if (!Number.isInteger(ply)) return el("span", {}, words);
    return el("button", { type: "button", class: "jump", "data-ply": ply, title: say("history.show"), onclick: () => this.onPly(ply) }, words);
  }

  /** Minutes and seconds since the game began; of a move before it was taken up again nobody knows them here. */
  time(record) {
    if (record.t === undefined) return "";
    const begin = this.records[0]?.event === "game_started" ? this.records[0].t : 0;
    const seconds = Math.max(0, Math.floor((record.t ?? begin) - begin));
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}
