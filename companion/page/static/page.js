// The page: news of the server in, panels drawn, commands out. The server is right; nothing is played ahead of it.

import { Analysis, markPlace } from "./analysis.js";
import { drawBoard, startChoosing } from "./board.js";
import { startCamera } from "./camera.js";
import { mayCommand, nextGesture, send } from "./commands.js";
import { byId, el, show } from "./dom.js";
import { startDoubtMarks } from "./doubt_marks.js";
import { drawDoubtful } from "./doubtful.js";
import { EventList } from "./events.js";
import { ask, elsewhere, History } from "./history.js";
import { drawBanner, pastWords, standing, startHistory } from "./history_bar.js";
import { languageSwitch } from "./language.js";
import { openLink } from "./link.js";
import { drawDevices, drawGame, drawHand, drawIllegal, drawKnob, drawOrphans, drawOver, drawQuestion, drawScore, drawTurn } from "./panels.js";
import { startRecalibrating } from "./recalibrating.js";
import { clock, say } from "./texts.js";
import { startTools } from "./tools.js";

let layout = {};
let state = {};
let last = new Set();
let live = false;
let allowed = false;
let page = null;

for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(element.dataset.text);
show(byId("language"), languageSwitch());
const events = new EventList((ply) => history.go(ply));
const history = new History(drawView);
const analysis = new Analysis(drawView);
const drawTools = startTools(command);
const tellPlace = (place, label) => command("place", { place, label });
const drawDoubtMarks = startDoubtMarks(tellPlace);
const drawHistory = startHistory(history);
const drawRecalibrating = startRecalibrating(command);
startChoosing(byId("board"), byId("score"));
let more = null; // what is beside the game comes when the game is there
byId("events-more").addEventListener("click", () => events.showAll(state));

function take(next) {
  nextGesture();
  last = lastPlaces(state, next);
  state = next;
}

/** The places of the last move: told by the state, else those that differ from the position before. */
function lastPlaces(before, after) {
  const told = after.moves?.at(-1)?.places;
  if (Array.isArray(told)) return new Set(told);
  if (before.sight === undefined || before.game !== after.game || before.moves?.length === after.moves?.length) {
    return after.moves?.length ? last : new Set();
  }
  if ((after.moves?.length ?? 0) < before.moves?.length) return new Set();
  return new Set(Object.keys(after.sight ?? {}).filter((place) => after.sight[place] !== before.sight[place]));
}

/** A page that has just come knows no position before: what the last move changed is asked for. */
async function markLast() {
  const { length } = history;
  if (length === 0) return;
  try {
    const { places } = await ask("position", { ply: length });
    if (history.length !== length || last.size) return;
    last = new Set(places);
    drawView();
  } catch {
    // the last move stays unmarked until the next one
  }
}

function draw() {
  const can = allowed && live;
  drawScore(layout, state);
  drawTurn(layout, state);
  drawHand(state.covered ?? events.latest("occluded", "clear")?.event === "occluded");
  drawOver(layout, state);
  drawQuestion(state, can, (question, choice) => command("answer", { question: question.question, choice }), drawTools.enter);
  drawIllegal(state);
  drawOrphans(layout, state);
  drawKnob(layout, state, knobMismatch(), can ? () => command("confirm_knob", {}) : null);
  byId("table").classList.toggle("wide", layout.width_mm > layout.height_mm);
  drawDevices(state);
  drawRecalibrating(state, can);
  const doubtful = drawDoubtful(state, can, tellPlace);
  drawTools(state, allowed, live, layout, doubtful);
  drawGame(state);
  drawView();
  byId("table").removeAttribute("aria-busy");
}

/** The board: the table as it is, an earlier position, or what a move would lead to. */
function drawView() {
  const past = history.position;
  analysis.take(layout, past ? elsewhere(state, past) : state, history.ply ?? history.length, live);
  const shown = analysis.position ?? past;
  drawBoard(layout, shown ? elsewhere(state, shown) : state, shown ? new Set(shown.places) : last);
  // A position that is not here yet, or cannot be had: no other board may stand under its name.
  byId("board-frame").classList.toggle("awaited", history.ply !== null && shown?.ply !== history.ply && !analysis.position);
  drawDoubtMarks(layout, state, allowed && live, !shown);
  markPlace(analysis.place);
  drawHistory();
  events.mark(history.ply);
  if (analysis.position) {
    const { title, lines } = analysis.words();
    drawBanner({ kind: "what_if", title, lines: [...lines, standing(layout, state, analysis.position)], onBack: () => analysis.back() });
  } else if (history.ply !== null) {
    drawBanner({ kind: "past", ...pastWords(layout, state, history), onBack: () => history.back() });
  } else drawBanner(null);
}

/** The knob is given a grace time before it is called wrong; only the referee says that it is over. */
function knobMismatch() {
  const record = events.latest("knob_mismatch");
  if (state.knob?.wrong !== undefined) return state.knob.wrong ? state.knob : null;
  return record && !record.resolved ? record : null;
}

async function command(name, args, seq = state.seq ?? 0) {
  byId("reply").textContent = "";
  const answer = await send(name, args, seq);
  byId("reply").textContent = answer.detail || (answer.ok ? say("command.done") : say(`refusal.${answer.reason}`));
  if (answer.reason === "token") await readAccess();
  return answer;
}

async function readAccess() {
  try {
    allowed = await mayCommand();
  } catch {
    return; // the server is away; asked again with the next snapshot
  }
  more?.then((box) => box?.allow(allowed));
  draw();
}

/** Ways to what else this server shows; the root of its pages lies two steps above a table's own address. */
function drawWays({ tables = 1, pages = [] }) {
  const root = /\/table\/[^/]+\/$/.test(location.pathname) ? "../../" : "./";
  const ways = [tables > 1 ? el("a", { href: root }, say("tables")) : null, pages.includes("setup") ? el("a", { href: `${root}setup/` }, say("setup")) : null];
  show(byId("ways"), ...ways);
}

openLink({
  snapshot(told) {
    const first = page === null;
    // Files of another version on the server: load them.
    if (!first && page !== told.page) location.reload();
    page = told.page;
    layout = told.layout;
    last = new Set();
    state = {};
    take(told.state);
    history.reset(state.moves ?? []);
    events.reset(told.records, state);
    markLast();
    drawWays(told);
    draw();
    more ??= import("./more.js").then(({ startMore }) => startMore(document.querySelector("#table > .column:last-child"))).catch(() => {
      more = null; // the server is away, or the page is left; fetched again with the next snapshot
    });
    more.then((box) => box?.meet(told));
    readAccess();
    // Not before the page has its shape: the empty one is so short that the picture would count as looked at.
    if (first) startCamera();
  },
  record(record) {
    if (record.event === "game_started") history.reset([]);
    events.add(record, state);
    more?.then((box) => box?.hear(record, state));
    draw();
  },
  state(next) {
    take(next);
    history.take(state.moves ?? []);
    events.know(state);
    draw();
  },
  live() {
    if (live) return;
    live = true;
    show(byId("lost"));
    byId("link").textContent = say("link.live");
    document.body.classList.remove("is-lost");
    draw();
  },
  lost(since) {
    const first = page === null;
    live = false;
    byId("link").textContent = "";
    show(byId("lost"), say("link.lost", { time: clock(since) }));
    document.body.classList.add("is-lost");
    if (!first) draw();
  },
});

addEventListener("hashchange", readAccess);
byId("question").addEventListener("keydown", (event) => {
  const choice = byId("question").querySelectorAll("button.choice")[Number(event.key) - 1];
  if (choice && !event.repeat && !event.ctrlKey && !event.altKey && !event.metaKey) choice.click();
});
byId("link").textContent = say("link.connecting");
