// The set-up: the server's state in, one step shown, commands out. Which step is shown stands in the address, so that the
// browser's own way back works, and two people may look at different steps.

import { mayCommand, nextGesture, send } from "./commands.js";
import { byId, el, show, showAnew } from "./dom.js";
import { languageSwitch } from "./language.js";
import { openLink } from "./link.js";
import { PANELS } from "./setup_panels.js";
import { tellPictures } from "./setup_preview.js";
import { drawMissing, drawMoves, drawSteps } from "./setup_steps.js";
import { clock, say, setLanguage } from "./texts.js";

const GAME = "../"; // where the game is played
const WORKS = new Set(["pictures", "ready"]); // the steps that begin what takes long

let state = null;
let page = null;
let live = false;
let allowed = false;
let answered = 0; // the newest seq that an own command was answered with
let asked = ""; // the last command, to tell a double tap from another one
let waiting = 0; // commands under way
let drawn = null; // the step that is shown
const panels = new Map();

for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(element.dataset.text);
document.title = say("setup.title");

/** The step that is shown: that of the address, else the first that is not done, where the page then stays. */
function step() {
  const wanted = new URLSearchParams(location.search).get("step");
  if (wanted in PANELS) return wanted;
  history.replaceState(null, "", addressOf(state.step));
  return state.step;
}

function addressOf(name) {
  const address = new URL(location.href);
  address.searchParams.set("step", name);
  return address;
}

/** Show another step. */
function go(name) {
  history.pushState(null, "", addressOf(name));
  byId("reply").textContent = "";
  draw();
}

/** Commands are sent one after another, each with the newest seq: the own ones before never make one stale. */
let queue = Promise.resolve();
function command(name, args) {
  const mark = JSON.stringify([name, args]);
  if (mark !== asked) nextGesture();
  asked = mark;
  waiting += 1;
  draw();
  queue = queue.then(() => sendNow(name, args));
  return queue;
}

async function sendNow(name, args) {
  const answer = await send(name, args, Math.max(state.seq ?? 0, answered));
  waiting -= 1;
  if (answer.ok) answered = Math.max(answered, answer.seq ?? 0);
  byId("reply").textContent = answer.detail ?? "";
  byId("reply").classList.toggle("refused", !answer.ok);
  if (answer.reason === "token") await readAccess();
  draw();
  return answer;
}

function draw() {
  if (state === null) return;
  const name = step();
  const can = allowed && live && !state.busy;
  const named = PANELS[name];
  if (!panels.has(name)) panels.set(name, named.make({ command, go }));
  const panel = panels.get(name);
  const told = troubles();
  showAnew(byId("trouble"), JSON.stringify(told), () => told.map((words) => el("p", {}, words)));
  byId("simulated").hidden = !state.simulated;
  byId("simulated").textContent = say("setup.simulated");
  tellPictures(state.camera);
  drawSteps(byId("steps"), state, name, go);
  showAnew(byId("panel"), name, () => [panel.root]);
  byId("step-title").textContent = say(`setup.${name}.title`);
  byId("step-words").textContent = say(`setup.${name}.words`);
  panel.draw(state, can);
  drawMissing(byId("missing"), state, name, go);
  drawMoves(byId("moves"), state, name, go);
  drawBusy(name);
  byId("step").hidden = false;
  byId("setup").removeAttribute("aria-busy");
  arrive(name);
}

/** A step that is newly shown is read from its title on. */
function arrive(name) {
  if (drawn === name) return;
  const first = drawn === null;
  drawn = name;
  document.title = `${say(`setup.${name}.title`)} · ${say("setup.title")}`;
  if (first) return;
  byId("step-title").focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

const GONE = ["stale", "lost"];

function troubles() {
  const told = [state.error, ...[state.camera, state.sensors].map((device) => (GONE.includes(device?.state) ? device.words : null))];
  if (!allowed) told.push(say("setup.look_on"));
  return told.filter(Boolean);
}

/** What takes long is told where it was begun, over the end of the step; at another step it stands above, and covers nothing. */
function drawBusy(name) {
  const { what, progress } = state.busy ?? {};
  const long = progress ? `${what.replace(/[.…]$/, "")}: ${progress}` : what;
  const words = long || (waiting > 0 ? say("setup.waiting") : "");
  byId("busy").classList.toggle("aside", Boolean(what) && !WORKS.has(name));
  if (byId("busy").textContent !== words) byId("busy").textContent = words;
  byId("setup").classList.toggle("is-busy", words !== "");
}

async function readAccess() {
  try {
    allowed = await mayCommand();
  } catch {
    return; // the server is away; asked again with the next snapshot
  }
  draw();
}

function take(next) {
  const began = state !== null && next.playing && !state.playing;
  state = next;
  nextGesture();
  asked = "";
  draw();
  if (began) location.assign(GAME);
}

openLink({
  snapshot(told) {
    // Files of another version on the server: load them.
    if (page !== null && page !== told.page) location.reload();
    page = told.page;
    answered = 0;
    take(told.state);
    readAccess();
  },
  state: take,
  record() {},
  live() {
    if (live) return;
    live = true;
    show(byId("lost"));
    byId("link").textContent = say("link.live");
    document.body.classList.remove("is-lost");
    draw();
  },
  lost(since) {
    live = false;
    byId("link").textContent = "";
    show(byId("lost"), say("link.lost", { time: clock(since) }));
    document.body.classList.add("is-lost");
    draw();
  },
});

show(byId("language"), languageSwitch(async (name) => {
  if (allowed && live) await command("set_language", { language: name });
  setLanguage(name);
}));
addEventListener("popstate", draw);
addEventListener("hashchange", readAccess);
byId("link").textContent = say("link.connecting");
