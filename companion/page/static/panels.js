// Score, turn, calls to act and devices: each function draws one panel from the state.

import { stopText } from "./board.js";
import { byId, el, show, showAnew, showAnewFor, svg } from "./dom.js";
import { lookOf, pieceIcon } from "./pieces.js";
import { clock, colour, has, plain, playerName, say } from "./texts.js";

/** The player's marble; beside a person's name it says the colour. */
function icon(layout, state, player) {
  const label = layout.players?.[player]?.label;
  return label ? pieceIcon(layout, label, state.names?.[player] ? colour(player) : "") : null;
}

/** The score, big enough to be read across a room. */
export function drawScore(layout, state) {
  const score = state.score;
  const kind = layout.score;
  byId("score-title").textContent = say(layout.pattern ? "paths" : "score");
  if (layout.pattern) drawPaths(layout, state);
  else if (typeof score === "number" && kind) drawLead(layout, state, score, kind);
  else showAnew(byId("score"), "", () => []);
}

function drawLead(layout, state, score, kind) {
  const leader = score > 0 ? kind.positive : score < 0 ? kind.negative : null;
  const words = leader ? say("score.leads", { player: playerName(state, leader) }) : say("score.even");
  const goal = kind.goal ?? Math.abs(score);
  const steps = [];
  for (let step = -goal; step <= goal; step += 1) {
    const reached = step === 0 || (step > 0 ? step <= score : step >= score);
    const side = step === 0 ? "even" : step > 0 ? kind.positive : kind.negative;
    const text = Math.abs(step) === goal ? "∞" : step === 0 ? "★" : Math.abs(step);
    steps.push(el("li", { class: `step ${reached ? "reached" : ""} ${step === score ? "now" : ""}`, "data-side": side }, text));
  }
  // The positive player's side of the track is on the left.
  showAnew(byId("score"), JSON.stringify([score, words, kind]), () => [
    el("p", { class: "lead" }, leader ? icon(layout, state, leader) : null, el("b", { class: "points" }, Math.abs(score)), el("span", { class: "lead-words" }, words)),
    el("ol", { class: "track", "aria-hidden": "true" }, steps.reverse()),
  ]);
}

/** How far each player's longest walk follows the pattern; pointing at one shows it on the board. */
function drawPaths(layout, state) {
  const lengths = Object.keys(layout.players ?? {}).map((player) => [player, state.explanation?.partial_paths?.[player]?.length ?? 0]);
  const box = byId("score");
  const same = (path) => box.querySelector(`[data-player="${CSS.escape(path.dataset.player)}"]`);
  showAnewFor(same, box, JSON.stringify([lengths, state.names ?? null, layout.pattern, layout.players]), () =>
    el(
      "ul",
      { class: "paths" },
      lengths.map(([player, length]) => {
        const words = say("path.length", { length, goal: layout.pattern.length });
        return el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "path", "data-player": player },
            icon(layout, state, player),
            el("span", { class: "path-name" }, playerName(state, player)),
            beads(layout, player, length),
            el("span", { class: "path-length" }, words),
          ),
        );
      }),
    ),
  );
}

/** The pattern as beads on a ribbon, which has the player's colour as far as the walk goes. */
function beads(layout, player, length) {
  const end = 12 * layout.pattern.length;
  const ribbon = (to, more) => svg("line", { class: "ribbon", x1: 8, y1: 8, x2: 12 * to - 4, y2: 8, "stroke-width": 13, ...more });
  return svg(
    "svg",
    { class: "cones", viewBox: `0 0 ${end + 4} 16`, "aria-hidden": "true" },
    ribbon(layout.pattern.length, { class: "ribbon whole" }),
    length ? ribbon(length, { stroke: layout.players[player].line }) : null,
    layout.pattern.map((cone, step) =>
      svg("circle", { class: step < length ? "bead reached" : "bead", cx: 12 * step + 8, cy: 8, r: 4, fill: lookOf(layout, cone).fill }),
    ),
  );
}

const LONG_TURN = 22; // letters; a longer one in large letters would be cut off before its end

export function drawTurn(layout, state) {
  if (state.outcome) return showAnew(byId("turn"), "", () => []);
  const text = state.paused ? say("turn.paused") : state.to_move ? say("turn", { player: playerName(state, state.to_move) }) : say("turn.anybody");
  byId("turn").classList.toggle("long", text.length > LONG_TURN);
  const mark = JSON.stringify([text, state.to_move ?? null, state.names ?? null, layout.labels?.[layout.players?.[state.to_move]?.label] ?? null]);
  return showAnew(byId("turn"), mark, () => [state.paused ? null : icon(layout, state, state.to_move), el("span", {}, text)]);
}

export function drawHand(over) {
  showAnew(byId("hand"), String(over), () => (over ? [say("hand")] : []));
}

export function drawOver(layout, state) {
  const outcome = state.outcome ?? null;
  showAnew(byId("over"), JSON.stringify([outcome, state.names ?? null]), () => {
    if (!outcome) return [];
    const title = outcome.winner ? say("score.won", { player: playerName(state, outcome.winner) }) : say("over.draw");
    return [el("h2", {}, icon(layout, state, outcome.winner), title), el("p", {}, state.outcome_words || say("over"))];
  });
}

/** What looks just the same as a breach, in words. */
export function alsoWords({ reason, also }) {
  const others = (also ?? []).filter((each) => each !== reason); // of other pieces, but called the same
  return others.length ? say("illegal.also", { reasons: others.map((each) => say(`reason.${each}`)).join(", ") }) : "";
}

export function drawIllegal(state) {
  const illegal = state.illegal ?? null;
  const also = illegal ? alsoWords(illegal) : "";
  showAnew(byId("illegal"), JSON.stringify(illegal), () =>
    illegal
      ? [
          el("h2", {}, say("illegal")),
          el("p", {}, el("b", {}, say(`reason.${illegal.reason}`)), ". ", illegal.detail ?? ""),
          also ? el("p", { class: "quiet" }, also) : null,
        ]
      : [],
  );
}

/** Rings that must leave the board, one a line; once the game has ended they may lie. */
export function drawOrphans(layout, state) {
  const orphans = state.outcome ? [] : state.orphans ?? [];
  showAnew(byId("orphans"), JSON.stringify([orphans, state.names ?? null]), () => {
    if (orphans.length === 0) return [];
    const rings = orphans.map((ring) => el("li", {}, icon(layout, state, ring[0]), el("span", {}, ringWords(state, ring))));
    return [el("h2", {}, say("orphans")), el("ul", { class: "rings" }, rings), el("p", { class: "quiet" }, say("orphans.why"))];
  });
}

/** A ring (player, station, size) in words. */
export const ringWords = (state, [player, station, size]) => say("ring", { player: playerName(state, player), station, size: say(`size.${size}`) });

/** @param mismatch the record that told of it, null where the knob is right */
export function drawKnob(layout, state, mismatch, onConfirm) {
  const expected = state.knob?.expected ?? mismatch?.expected ?? null;
  const seen = state.knob?.seen ?? mismatch?.seen ?? null;
  const wrong = mismatch !== null && !state.outcome && expected !== null && expected !== seen;
  const confirmable = state.knob?.verified === false && onConfirm !== null;
  const unsure = !wrong && confirmable && !state.outcome && expected !== null && seen !== null;
  const box = byId("knob");
  showAnewFor(() => box.querySelector("button") ?? afterCall(box), box, JSON.stringify([wrong, unsure, expected, seen, confirmable]), () => {
    if (!wrong && !unsure) return [];
    const facts = { expected: stopText(layout, expected), seen: stopText(layout, seen) };
    const words = unsure ? say("knob.unsure.words", facts) : say(seen === null ? "knob.hidden" : "knob.words", facts);
    return [
      el("h2", {}, say(unsure ? "knob.unsure" : "knob")),
      el("p", {}, words),
      confirmable ? el("button", { type: "button", onclick: onConfirm }, say("knob.confirm")) : null,
    ];
  });
}

/** Where the keyboard goes when what it was at in a call is gone: to the call as it is now, or to the board. */
export const afterCall = (box) => (box.hidden ? byId("board-frame") : box);

/** Choices that tell of no move. */
const NO_MOVES = new Set(["none", "as recorded"]);

/**
 * The question with its choices as buttons; the buttons look after themselves until it is another question.
 * @param onEnter enters moves by hand: offered where no choice tells of one, for the board may well be right
 */
export function drawQuestion(state, mayCommand, onAnswer, onEnter) {
  const box = byId("question");
  const question = state.question ?? null;
  const isNew = showAnewFor(() => afterCall(box), box, JSON.stringify([question, mayCommand, Boolean(state.outcome)]), () =>
    question
      ? [
          el("p", { class: "quiet" }, say("question")),
          el("h2", { id: "question-text" }, question.asks || question.text || ""),
          question.points?.length ? el("ul", { class: "points" }, question.points.map((point) => el("li", {}, point))) : null,
          el("div", { class: "choices" }, choices(question, mayCommand, onAnswer), state.outcome ? null : entering(question, mayCommand, onEnter)),
          el("p", { class: "quiet" }, say(mayCommand ? "question.keys" : "question.look_on")),
        ]
      : [],
  );
  // Take the keyboard only from nobody: whoever is typing a correction goes on.
  if (isNew && question && document.activeElement === document.body) box.focus({ preventScroll: true });
}

const choices = (question, mayCommand, onAnswer) =>
  (question.choices ?? []).map((choice, index) => choiceButton(index + 1, question.choice_words?.[index] || choice, mayCommand, () => onAnswer(question, choice)));

const entering = ({ choices = [] }, mayCommand, onEnter) =>
  choices.every((choice) => NO_MOVES.has(choice)) ? choiceButton(choices.length + 1, say("question.enter"), mayCommand, onEnter) : null;

const choiceButton = (number, words, mayCommand, onclick) =>
  el("button", { type: "button", class: "choice", disabled: !mayCommand, onclick }, el("kbd", { "aria-hidden": "true" }, number), el("span", {}, words));

const DEVICE_MARKS = { ok: "●", back: "●", stale: "◐", lost: "✕" };

/** A device as people call it, and how it is, in one sentence: "Camera offline since 14:03". */
export function deviceWords(name, device) {
  const called = has(`device.called.${name}`) ? say(`device.called.${name}`) : plain(name);
  const since = moment(device.since);
  const when = since && device.state !== "ok" ? say("device.since", { time: clock(since) }) : "";
  return [called, say(`device.${device.state}`), when].filter(Boolean).join(" ");
}

export function drawDevices(state) {
  const devices = Object.entries(state.devices ?? {});
  byId("camera").closest(".card").hidden = !state.devices?.camera; // a table without one shows no empty picture
  drawLost(devices.filter(([, device]) => device.state === "lost"));
  if (devices.length === 0) return show(byId("devices"), el("li", { class: "quiet" }, say("device.none")));
  return show(
    byId("devices"),
    ...devices.map(([name, device]) =>
      el(
        "li",
        { class: "device", "data-state": device.state },
        el("span", { class: "mark", "aria-hidden": "true" }, DEVICE_MARKS[device.state] ?? "○"),
        el("span", {}, deviceWords(name, device)),
        device.detail ? el("small", {}, device.detail) : null,
      ),
    ),
  );
}

/** Devices that are gone are a call to act: without them the referee sees or feels nothing. */
function drawLost(lost) {
  showAnew(byId("gone"), JSON.stringify(lost), () =>
    lost.map(([name, device]) => [el("h2", {}, deviceWords(name, device)), el("p", {}, device.detail || say("device.lost.help"))]),
  );
}

/** A time of the wall clock: ISO text or seconds since 1970. Other numbers are a device's own clock and say nothing. */
function moment(since) {
  const date = typeof since === "string" ? new Date(since) : typeof since === "number" && since > 1e9 ? new Date(1000 * since) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

export function drawGame(state) {
  const key = `game.${state.game}`;
  const name = has(key) ? say(key) : plain(state.game ?? "Companion");
  byId("game").textContent = name;
  const turn = byId("turn").querySelector("span")?.textContent;
  document.title = [state.question ? "?" : state.illegal ? "!" : "", turn, name].filter(Boolean).join(" · ");
}
