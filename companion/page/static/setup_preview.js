// A live camera picture that fetches itself while somebody looks, and says when it is not live.

import { el } from "./dom.js";
import { clock, say } from "./texts.js";

const PAUSE_MS = 250; // with a picture's own time that is about three a second
const PAUSE_WITHOUT_MS = 1000;
const TIMEOUT_MS = 5000;
const FRESH_MS = 3000; // as the server has it

let away = false; // the camera, as the server's state has it

/** Tell all pictures how the camera is: while it gives none, the last one is not shown as live for a moment longer. */
export function tellPictures(camera) {
  away = camera?.state === "lost" || camera?.state === "stale";
}

/** @returns an element with the picture of `address`. @param alt what it shows, in words */
export function livePicture(address, alt) {
  const image = el("img", { alt, hidden: true });
  const words = el("p", { class: "camera-words", role: "status" }, say("setup.preview.none"));
  const figure = el("div", { class: "picture setup-picture", "data-state": "none" }, image, words);
  let visible = false;
  let running = false;
  let takenAt = null;
  let gone = false; // the server has none that is fresh

  async function run() {
    if (running) return;
    running = true;
    while (visible && !document.hidden && figure.isConnected) {
      const fresh = await fetchOne();
      describe();
      await new Promise((done) => setTimeout(done, fresh ? PAUSE_MS : PAUSE_WITHOUT_MS));
    }
    running = false;
  }

  async function fetchOne() {
    gone = away;
    if (away) return false;
    try {
      const response = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
      gone = response.status !== 200;
      if (gone) return false;
      takenAt = Date.now() - 1000 * Number(response.headers.get("X-Picture-Age-S") ?? 0);
      const old = image.src;
      image.src = URL.createObjectURL(await response.blob());
      image.hidden = false;
      if (old) URL.revokeObjectURL(old);
      return true;
    } catch {
      return false; // the server is away: the picture grows old, and says so
    }
  }

  function describe() {
    const state = takenAt === null ? "none" : !gone && Date.now() - takenAt < FRESH_MS ? "live" : "offline";
    figure.dataset.state = state;
    const said = state === "offline" ? say("camera.offline", { time: clock(new Date(takenAt)) }) : say(`setup.preview.${state}`);
    if (words.textContent !== said) words.textContent = said;
  }

  new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    run();
  }).observe(figure);
  document.addEventListener("visibilitychange", run);
  return figure;
}
