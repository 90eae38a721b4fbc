// The button below the camera picture that lets the camera learn the light and the board anew, in the middle of a game.

import { byId, el, show } from "./dom.js";
import { say } from "./texts.js";

/** @param command (name, args) => Promise of the answer. @returns a function that draws the button */
export function startRecalibrating(command) {
  let waiting = false;
  const button = el("button", { type: "button", onclick: press }, say("camera.recalibrate"));
  const hint = el("p", { class: "quiet" }, say("camera.recalibrate.hint"));
  const said = el("p", { role: "status" });
  show(byId("recalibrate"), el("details", {}, el("summary", {}, say("camera.trouble")), hint, button, said));

  async function press() {
    if (waiting) return;
    waiting = true;
    said.textContent = say("camera.recalibrating");
    const answer = await command("recalibrate", {});
    waiting = false;
    said.textContent = answer.ok ? "" : answer.detail; // how it went is told as news of the camera
  }

  return function drawRecalibrating(state, can) {
    byId("recalibrate").hidden = !state.devices?.camera || !can;
  };
}
