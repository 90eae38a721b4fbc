// The way through the set-up: the list of steps, what is missing in the one that is shown, on and back.

import { el, show, showAnew } from "./dom.js";
import { PANELS } from "./setup_panels.js";
import { say } from "./texts.js";

const title = (name) => say(`setup.${name}.title`);

/** The list of all steps; each can be gone to at any time. */
export function drawSteps(box, state, shown, go) {
  const current = PANELS[shown].within ?? shown;
  const mark = JSON.stringify([state.steps, current]);
  box.setAttribute("aria-label", say("setup.steps"));
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.step : null;
  const drawn = showAnew(box, mark, () => {
    const at = state.steps.findIndex((step) => step.name === current);
    const count = el("p", { class: "setup-count" }, say("setup.count", { at: at + 1, all: state.steps.length }));
    return [count, el("ol", {}, state.steps.map((step, index) => entry(step, index, current, go)))];
  });
  if (!drawn) return;
  if (focused) box.querySelector(`[data-step="${CSS.escape(focused)}"]`)?.focus();
  // On a phone the list is a row that is wider than the screen.
  const here = box.querySelector("[aria-current]");
  if (here) here.closest("ol").scrollLeft = here.offsetLeft - 24;
}

function entry({ name, done, problems }, index, current, go) {
  const word = done ? say("setup.step.done") : problems.length ? say("setup.step.open") : "";
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", "data-step": name, "data-done": String(done), "aria-current": name === current ? "step" : null, onclick: () => go(name) },
      el("span", { class: "setup-number", "aria-hidden": "true" }, done ? "✓" : String(index + 1)),
      el("span", {}, title(name)),
      word ? el("span", { class: "unseen" }, ` (${word})`) : null,
    ),
  );
}

/** What this step still wants, in words. On the last one: what every step wants, with the way there. */
export function drawMissing(box, state, shown, go) {
  const last = state.steps.at(-1).name;
  const open = state.steps.filter((step) => step.problems.length && (shown === last ? step.name !== last : step.name === shown));
  showAnew(box, JSON.stringify([shown, open]), () => {
    if (open.length === 0) return [];
    const rows = open.flatMap((step) => step.problems.map((words) => [step.name, words]));
    return [
      el("h3", {}, say("setup.missing")),
      el("ul", {}, rows.map(([name, words]) => el("li", {}, words, shown === last ? [" ", wayTo(name, go)] : null))),
    ];
  });
}

const wayTo = (name, go) => el("button", { type: "button", class: "setup-link", onclick: () => go(name) }, say("setup.go_to", { step: title(name) }));

/** Back and on. On is the strong one when nothing is missing. */
export function drawMoves(box, state, shown, go) {
  const names = state.steps.map((step) => step.name);
  const within = PANELS[shown].within;
  const at = names.indexOf(within ?? shown);
  const before = within ?? names[at - 1];
  const after = within ? null : names[at + 1];
  const done = state.steps[at]?.done ?? false;
  showAnew(box, JSON.stringify([before, after, done]), () => [
    before ? el("button", { type: "button", class: "setup-back", onclick: () => go(before) }, say("setup.back", { step: title(before) })) : null,
    after ? el("button", { type: "button", class: done ? "setup-on primary" : "setup-on", onclick: () => go(after) }, say("setup.on", { step: title(after) })) : null,
  ]);
  if (!box.hasChildNodes()) show(box);
}
