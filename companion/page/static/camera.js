// The annotated camera picture, fetched one by one: nothing is fetched while nobody looks, and a picture that is no
// longer fresh is greyed and says since when.

import { byId, el } from "./dom.js";
import { clock, say } from "./texts.js";

const PAUSE_MS = 300; // between pictures; with their own time that is two or three a second
const PAUSE_OFFLINE_MS = 1500;
const TIMEOUT_MS = 5000;
const FRESH_MS = 3000; // as the server has it

const image = el("img", { alt: say("camera.alt"), hidden: true });
const words = el("p", { class: "camera-words", role: "status" });
const figure = el("div", { class: "picture" }, image, words);

let visible = false;
let takenAt = null; // when the newest picture was taken, by this page's clock
let offlineSince = null;
let running = false;

/** Put the picture into the page; it runs by itself from then on. */
export function startCamera() {
  byId("camera").append(figure);
  new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    run();
  }).observe(figure);
  document.addEventListener("visibilitychange", run);
  describe();
}

async function run() {
  if (running) return;
  running = true;
  while (visible && !document.hidden) {
    const fresh = await fetchPicture();
    describe();
    await new Promise((done) => setTimeout(done, fresh ? PAUSE_MS : PAUSE_OFFLINE_MS));
  }
  running = false;
  describe();
}

async function fetchPicture() {
  try {
    const response = await fetch("picture.jpg", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const age = response.headers.get("X-Picture-Age-S");
    if (age !== null) takenAt = Date.now() - 1000 * Number(age);
    if (response.status === 200) {
      display(await response.blob());
      offlineSince = null;
      return true;
    }
  } catch {
    // the server is away: what the page has grows old, and says so
  }
  if (takenAt !== null && Date.now() - takenAt > FRESH_MS) offlineSince = new Date(takenAt);
  return false;
}

function display(blob) {
  const old = image.src;
  image.src = URL.createObjectURL(blob);
  image.hidden = false;
  if (old) URL.revokeObjectURL(old);
}

function describe() {
  const resting = !visible || document.hidden;
  figure.classList.toggle("offline", offlineSince !== null || resting || takenAt === null);
  if (offlineSince !== null) words.textContent = say("camera.offline", { time: clock(offlineSince) });
  else if (resting) words.textContent = say("camera.paused");
  else words.textContent = say(takenAt === null ? "camera.none" : "camera.live");
}
