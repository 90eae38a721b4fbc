// What a browser may make heard: a switch each, off until somebody turns it on, remembered in this browser. Browsers let
// a page make sounds only after somebody has touched it; what happens before that is not made up for later.

import { el } from "./dom.js";
import { say } from "./texts.js";

const KEYS = { voice: "companion-voice", sounds: "companion-sounds" };

let touched = false;
const waiting = new Set();

for (const event of ["pointerdown", "keydown"]) {
  addEventListener(
    event,
    () => {
      touched = true;
      for (const wake of waiting) wake();
    },
    { once: true, capture: true },
  );
}

export const mayBeHeard = () => touched;

function kept(key) {
  try {
    return localStorage.getItem(key) === "on";
  } catch {
    return false; // a browser that keeps nothing for this page
  }
}

function keep(key, on) {
  try {
    localStorage.setItem(key, on ? "on" : "off");
  } catch {
    // then the switch holds until the page is left
  }
}

/** A switch with its label. @param name of KEYS @param onChange called with true or false, and at the start where it is on */
export function heardSwitch(name, onChange) {
  const hint = el("span", { class: "quiet", hidden: true }, say("hear.touch"));
  const showHint = () => (hint.hidden = touched || !box.checked);
  const box = el("input", { type: "checkbox", checked: kept(KEYS[name]), onchange: () => {
    keep(KEYS[name], box.checked);
    onChange(box.checked);
    showHint();
  } });
  waiting.add(showHint);
  showHint();
  if (box.checked) onChange(true);
  return el("p", { class: "switch" }, el("label", {}, box, " ", say(`hear.${name}`)), " ", hint);
}
