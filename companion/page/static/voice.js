// The browser's own voice: what happens from now on, in order, each once. A voice that falls behind leaves out what is
// overtaken, never a warning; a correction takes back what was not said yet and says only itself.

import { heardSwitch, mayBeHeard } from "./hearing.js";
import { colour, language, playerName, say } from "./texts.js";

const MOST_MOVES = 2; // that may wait: an older one is no news any more
const LONGEST_S = 25; // a browser that does not say that it has finished is not waited for longer

let on = false;
let speaking = null;
let timer = 0;
let waiting = [];

const story = new Set(["move", "score"]);

const rings = (record, state) =>
  (record.orphans ?? []).map(([player, station, size]) => say("ring", { player: playerName(state, player), size: say(`size.${size}`), station })).join(", ");

function score(record, state) {
  const [first, second] = state.players ?? [];
  if (!record.score) return say("score.even");
  return say("hear.leads", { player: playerName(state, record.score > 0 ? first : second) || colour(""), points: Math.abs(record.score) });
}

/** For each event its kind and words; an event without words is not said. */
const WORDS = {
  game_started: (record) => ["move", say(record.takes_up ? "event.taken_up" : "event.game_started")],
  move: (record) => ["move", record.words],
  forfeit: (record) => ["move", record.words],
  score: (record, state) => ["score", score(record, state)],
  illegal: (record) => ["warning", `${say("illegal")}: ${record.detail || say(`reason.${record.reason}`)}`],
  orphans: (record, state) => (record.orphans?.length ? ["warning", `${say("orphans")}: ${rings(record, state)}`] : []),
  orphans_reminder: (record, state) => ["warning", `${say("orphans")}: ${rings(record, state)}`],
  question: (record) => ["question", [record.text, ...(record.choice_words ?? []).map((choice, n) => `${n + 1}: ${choice}`)].join(" ")],
  // Many moves where none was are a game that goes on, and that was said.
  correction: (record) => (!record.old?.length && record.new?.length > 1 ? [] : ["correction", correction(record)]),
  game_over: (record) => ["result", `${say("event.game_over")}. ${record.words ?? ""}`],
  knob_mismatch: (record) => (record.resolved ? [] : ["warning", record.words]),
  device: (record) => (record.state === "lost" ? ["warning", record.detail || `${record.device}: ${say("device.lost")}`] : []),
  board_moved: (record) => (record.followed ? [] : ["warning", say("event.board_moved")]),
};

function correction(record) {
  const told = { ply: record.ply, old: (record.old ?? []).join(", "), new: (record.new ?? []).join(", ") };
  return say(record.new?.length ? "event.correction" : "event.taken_back", told);
}

/** Put into the queue what a record says, and take out what it makes pointless. */
export function queued(queue, record, state) {
  if (record.event === "question_closed") return queue.filter((each) => each.kind !== "question");
  const [kind, words] = WORDS[record.event]?.(record, state) ?? [];
  if (!words) return queue;
  let left = queue;
  if (record.event === "game_started" || kind === "correction") left = left.filter((each) => !story.has(each.kind) && (kind !== "correction" || each.kind !== "result"));
  if (kind === "score") left = left.filter((each) => each.kind !== "score");
  left = [...left, { kind, words }];
  const moves = left.filter((each) => each.kind === "move");
  const overtaken = new Set(moves.slice(0, -MOST_MOVES));
  return left.filter((each) => !overtaken.has(each));
}

function next() {
  clearTimeout(timer);
  speaking = waiting.shift() ?? null;
  if (!speaking) return;
  const utterance = new SpeechSynthesisUtterance(speaking.words);
  utterance.lang = language;
  utterance.voice = speechSynthesis.getVoices().find((voice) => voice.lang.replace("_", "-").toLowerCase().startsWith(language)) ?? null;
  const done = () => {
    if (utterance.text === speaking?.words) next();
  };
  utterance.onend = utterance.onerror = done;
  timer = setTimeout(() => {
    speechSynthesis.cancel();
    done();
  }, LONGEST_S * 1000);
  speechSynthesis.speak(utterance);
}

/** Hear a record that has just happened; those of a snapshot are past, and are not said. */
export function speak(record, state) {
  if (!on || !mayBeHeard()) return;
  waiting = queued(waiting, record, state);
  if (!speaking) next();
}

/** The switch; null where the browser has no voice. */
export function voiceSwitch() {
  if (!("speechSynthesis" in window)) return null;
  return heardSwitch("voice", (wanted) => {
    on = wanted;
    if (on) return;
    waiting = [];
    speaking = null;
    clearTimeout(timer);
    speechSynthesis.cancel();
  });
}
