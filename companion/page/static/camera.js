// The annotated camera picture. The server sends pictures in rows of some seconds; none is asked for while nobody looks,
// and one that is no longer fresh is greyed and says since when. A tap lets it fill the screen.

import { byId, el, svg } from "./dom.js";
import { clock, say } from "./texts.js";

const PAUSE_MS = 1500; // after a row that could not be had
const FRESH_MS = 3000; // as the server has it
const HEAD_BYTES = 8; // length and age in milliseconds, as `companion.page.pictures` writes them
const NO_PICTURE = 0xffffffff;

const image = el("img", { alt: say("camera.alt"), hidden: true });
const words = el("p", { class: "camera-words", role: "status" });
const enlarge = el("button", { type: "button", class: "enlarge", "aria-label": say("camera.enlarge"), onclick: grow },
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" })));
const figure = el("div", { class: "picture" }, image, words, enlarge);
const shrink = el("button", { type: "button", class: "shrink", onclick: () => dialog.close() }, say("camera.shrink"));
const dialog = el("dialog", { class: "whole-screen", "aria-label": say("camera"), onclose: settle, onclick: (event) => event.target === dialog && dialog.close() }, shrink);

let visible = false;
let takenAt = null; // when the newest picture was taken, by this page's clock
let row = null; // ends the row that comes
let running = false;

/** Put the picture into the page; it runs by itself from then on. */
export function startCamera() {
  byId("camera").append(figure);
  document.body.append(dialog);
  new IntersectionObserver((entries) => {
    visible = entries.at(-1).isIntersecting;
    run();
  }).observe(figure);
  document.addEventListener("visibilitychange", run);
  setInterval(describe, 1000);
  describe();
}

function grow() {
  dialog.prepend(figure);
  dialog.showModal();
  shrink.focus();
}

function settle() {
  byId("camera").append(figure);
  enlarge.focus();
}

const wanted = () => visible && !document.hidden;

async function run() {
  if (!wanted()) row?.abort();
  describe();
  if (running) return;
  running = true;
  while (wanted()) if (!(await takeRow())) await new Promise((done) => setTimeout(done, PAUSE_MS));
  running = false;
  describe();
}

/** Show the pictures of one row. @returns whether it came to its end */
async function takeRow() {
  row = new AbortController();
  try {
    const response = await fetch("pictures", { cache: "no-store", signal: row.signal });
    if (!response.ok) return false;
    let rest = new Uint8Array();
    for (const reader = response.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) return true;
      rest = takePictures(joined(rest, value));
    }
  } catch {
    return false; // the server is away: what the page has grows old, and says so
  }
}

/** Take all whole pictures from the bytes that came; returns those that are left. */
function takePictures(bytes) {
  let start = 0;
  let newest = null;
  for (;;) {
    if (bytes.length - start < HEAD_BYTES) break;
    const head = new DataView(bytes.buffer, bytes.byteOffset + start, HEAD_BYTES);
    const [length, age] = [head.getUint32(0), head.getUint32(4)];
    if (bytes.length - start < HEAD_BYTES + length) break;
    if (age !== NO_PICTURE) takenAt = Date.now() - age;
    if (length) newest = bytes.slice(start + HEAD_BYTES, start + HEAD_BYTES + length);
    start += HEAD_BYTES + length;
  }
  if (newest) display(newest);
  if (start) describe();
  return bytes.slice(start);
}

function joined(one, other) {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function display(jpeg) {
  const old = image.src;
  image.src = URL.createObjectURL(new Blob([jpeg], { type: "image/jpeg" }));
  image.hidden = false;
  if (old) URL.revokeObjectURL(old);
}

function describe() {
  const old = takenAt !== null && Date.now() - takenAt > FRESH_MS;
  const state = takenAt === null ? "none" : !wanted() ? "resting" : old ? "offline" : "live";
  figure.dataset.state = state;
  const text = say(state === "resting" ? "camera.paused" : `camera.${state}`, { time: clock(new Date(takenAt ?? 0)) });
  if (words.textContent !== text) words.textContent = text;
}
