// The camera learns the board from the pictures, and says in words how well it went.

import { el, showAnew } from "./dom.js";
import { button } from "./setup_form.js";
import { livePicture } from "./setup_preview.js";
import { say } from "./texts.js";

export function learning(command) {
  const press = button(say("setup.learn.start"), () => command("calibrate", {}), "primary");
  const head = el("h3", { id: "learning-title", tabindex: -1 }, say("setup.learn.title"));
  const progress = el("p", { class: "setup-note" });
  const result = el("div", { class: "setup-result", role: "status" });
  const readBack = el("div");

  return {
    root: el("section", { class: "setup-learning", "aria-labelledby": "learning-title" }, head, el("p", {}, say("setup.learn.words")), el("div", { class: "setup-row" }, press), progress, result, readBack),
    focus: () => head.focus(),
    draw(state, can) {
      const { calibration } = state;
      const ready = state.shots.length > 0 && state.shots.every((shot) => shot.taken);
      press.disabled = !can || !ready;
      press.textContent = say(calibration ? "setup.learn.again" : "setup.learn.start");
      press.classList.toggle("primary", !calibration?.ok || calibration.stale);
      progress.textContent = ready ? "" : say("setup.learn.first");
      result.classList.toggle("good", verdict(calibration) === "good");
      showAnew(result, JSON.stringify(calibration), () => (calibration ? inWords(calibration) : []));
      showAnew(readBack, String(calibration?.ok === true), () =>
        calibration?.ok ? [el("figure", {}, livePicture("preview.jpg", say("setup.learn.alt")), el("figcaption", {}, say("setup.learn.read_back")))] : [],
      );
    },
  };
}

function verdict(calibration) {
  if (!calibration) return null;
  if (!calibration.ok) return "bad";
  if (calibration.stale) return "stale";
  return calibration.doubtful.length ? "doubtful" : "good";
}

function inWords(calibration) {
  const { reprojection_error_px: error, blind, doubtful } = calibration;
  return [
    el("p", {}, el("strong", {}, say(`setup.learn.${verdict(calibration)}`))),
    doubtful.length ? el("ul", {}, doubtful.map((words) => el("li", {}, words))) : null,
    blind.length ? el("p", {}, say("setup.learn.blind", { places: blind.join(", ") })) : null,
    typeof error === "number" ? el("p", { class: "quiet" }, say("setup.learn.error", { error })) : null,
  ];
}
