// Which camera looks at the board, what else feels the moves, and what the camera sees at this moment.

import { el, showAnew } from "./dom.js";
import { choices, during, field, fill } from "./setup_form.js";
import { livePicture } from "./setup_preview.js";
import { sensorsForm } from "./setup_sensors.js";
import { say } from "./texts.js";

const SIZES = ["640x480", "1280x720", "1920x1080"];
const WITHOUT = "";

export function cameraPanel({ command }) {
  const list = el("div");
  const status = el("p", { class: "setup-note", role: "status" });
  const picture = livePicture("preview.jpg", say("setup.camera.alt"));
  const size = el("select", { onchange: () => during(() => choose(chosen), size) }, SIZES.map((each) => el("option", { value: each }, each.replace("x", " × "))));
  const sensors = sensorsForm(command);
  let of = null;
  let chosen = null;

  function choose(name) {
    chosen = name;
    if (name === null) return null;
    const [width, height] = size.value.split("x").map(Number);
    return command("choose_camera", name === WITHOUT ? { device: null } : { device: name, width, height });
  }

  function cameraChoices(state, absent) {
    const found = state.cameras.map((camera) => ({ value: camera.device, content: [el("strong", {}, camera.words), el("small", {}, String(camera.device))] }));
    if (absent !== null) found.push({ value: absent, content: [el("strong", {}, String(absent))] });
    if (state.draft.game === "infinity") found.push({ value: WITHOUT, content: [el("strong", {}, say("setup.camera.without")), el("small", {}, say("setup.camera.without.words"))] });
    of = choices(say("setup.camera.which"), "camera", found, choose);
    return [of.root, state.cameras.length ? null : el("p", { class: "setup-note" }, say("setup.camera.nothing"))];
  }

  return {
    root: el(
      "div",
      { class: "setup-two" },
      el("div", {}, list, status, el("details", {}, el("summary", {}, say("setup.camera.more")), el("div", { class: "setup-fields" }, field(say("setup.camera.size"), size))), sensors.root),
      picture,
    ),
    draw(state, can) {
      const { camera, game, without_camera: without } = state.draft;
      chosen = camera?.device ?? null;
      const absent = state.cameras.some(({ device }) => device === chosen) ? null : chosen;
      showAnew(list, JSON.stringify([state.cameras, game, absent]), () => cameraChoices(state, absent));
      of.draw(camera ? camera.device : without ? WITHOUT : null, can);
      fill(size, camera ? `${camera.width}x${camera.height}` : "1280x720");
      size.disabled = !can;
      status.textContent = state.camera?.words ?? "";
      sensors.root.hidden = game !== "infinity";
      sensors.draw(state, can);
    },
  };
}
