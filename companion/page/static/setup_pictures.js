// The pictures that the camera learns from: lay, take, say what really lies there; then learn, and see how good it is.

import { el, showAnew } from "./dom.js";
import { learning } from "./setup_learning.js";
import { boardDrawing, boardEntry } from "./setup_entry.js";
import { button } from "./setup_form.js";
import { livePicture } from "./setup_preview.js";
import { say } from "./texts.js";

export function picturesPanel({ command }) {
  const list = el("ol", { class: "setup-shots" });
  const learn = learning(command);
  const playing = el("p", { class: "setup-note" }, say("setup.pictures.playing"), " ", el("a", { href: "../" }, say("setup.ready.game")));
  const rows = new Map();
  let opened = null; // the one that a person wants to look at
  let latest = null;
  let redraw = () => {};

  /** The picture that is worked at: the one asked for by a person, else the next that is needed. */
  const active = (state) => (state.shots.some(({ name }) => name === opened) ? opened : state.asked);

  /** Go to a picture, or with none to what comes next. */
  function open(name) {
    opened = name;
    redraw();
    (rows.get(active(latest)) ?? learn).focus();
  }

  return {
    root: el("div", {}, playing, list, learn.root),
    draw(state, can) {
      latest = state;
      playing.hidden = !state.playing;
      redraw = () => this.draw(state, can);
      const names = state.shots.map(({ name }) => name);
      showAnew(list, JSON.stringify([names, state.draft.game, state.layout]), () => {
        rows.clear();
        for (const name of names) rows.set(name, shotRow(name, command, open));
        return [...rows.values()].map((row) => row.root);
      });
      for (const [index, shot] of state.shots.entries()) rows.get(shot.name).draw(shot, index, state, can, active(state) === shot.name);
      learn.draw(state, can);
    },
  };
}

/** One picture: closed, it is a line that says how it stands. */
function shotRow(name, command, open) {
  const head = el("h3", { tabindex: -1 });
  const words = el("p");
  const status = el("p", { class: "setup-note" });
  const look = button(say("setup.shot.look"), () => open(name));
  const body = el("div");
  const problems = el("ul", { class: "setup-problems" });
  const root = el("li", { class: "setup-shot" }, el("div", { class: "setup-row" }, head, look), status, words, problems, body);
  let entry = null;
  let version = 0;

  async function takeIt() {
    const answer = await command("take_shot", { name });
    if (!answer.ok) return;
    version += 1;
    open(name);
  }

  const again = async () => (await command("drop_shot", { name })).ok && open(name);

  async function right() {
    if (entry) {
      const answer = await command("enter_position", { name, state: entry.entered() });
      if (!answer.ok) return;
    }
    open(null);
  }

  function toTake(shot, state) {
    entry = null;
    return [
      el(
        "div",
        { class: "setup-two" },
        shot.sight ? boardDrawing({ ...shot, layout: state.layout }, say("setup.shot.drawing")) : null,
        el("div", {}, livePicture("preview.jpg", say("setup.camera.alt"))),
      ),
      el("div", { class: "setup-row" }, button(say("setup.shot.take"), takeIt, "primary")),
    ];
  }

  function toCheck(shot, state) {
    const picture = el("img", { class: "setup-shot-picture", src: `shot/${encodeURIComponent(name)}.jpg?v=${state.seq}.${version}`, alt: say("setup.shot.alt") });
    entry = shot.sight ? boardEntry({ ...shot, layout: state.layout, labels: state.labels }) : null;
    return [
      el("div", { class: "setup-two" }, entry ? el("figure", {}, entry.root, el("figcaption", {}, say("setup.shot.amend"))) : null, el("figure", {}, picture, el("figcaption", {}, say(entry ? "setup.shot.compare" : "setup.shot.bare")))),
      el("div", { class: "setup-row" }, button(say("setup.shot.right"), right, "primary"), button(say("setup.shot.again"), again)),
    ];
  }

  return {
    root,
    focus: () => head.focus(),
    draw(shot, index, state, can, active) {
      head.textContent = say("setup.shot.title", { number: index + 1, name: say(`setup.shot.${name}`) });
      words.textContent = active ? shot.words : "";
      status.textContent = shot.taken ? say("setup.shot.taken") : say("setup.shot.not_taken");
      root.classList.toggle("taken", shot.taken);
      root.classList.toggle("active", active);
      look.hidden = active;
      showAnew(problems, JSON.stringify(shot.problems), () => shot.problems.map((words) => el("li", {}, words)));
      showAnew(body, JSON.stringify([active, shot.taken, shot.sight, version]), () => (active ? (shot.taken ? toCheck(shot, state) : toTake(shot, state)) : []));
      for (const each of body.querySelectorAll(":scope > .setup-row > button")) each.disabled = !can;
    },
  };
}
