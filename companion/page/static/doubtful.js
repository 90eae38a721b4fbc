// Places that the camera cannot tell: one tap on what stands there. What somebody has said can be put right.

import { byId, el, showAnewFor } from "./dom.js";
import { afterCall } from "./panels.js";
import { placeWords } from "./places.js";
import { say } from "./texts.js";

const MOST_SHOWN = 3; // more at once nobody answers; they come up as these are answered
const LIKELY = 4;

/** The doubts that wait for a person: nobody has told, and what is likeliest is not what the record has. */
export const openDoubts = (state) => (state.doubtful ?? []).filter((doubt) => doubt.said === null && doubt.choices[0] !== state.sight?.[doubt.place]);

/** @param tell (place, label) => sends what stands there; an empty label takes it back */
export function drawDoubtful(state, mayCommand, tell) {
  const open = openDoubts(state);
  const others = (state.doubtful ?? []).filter((doubt) => !open.includes(doubt));
  const box = byId("doubtful");
  showAnewFor(() => afterCall(box), box, JSON.stringify([open, mayCommand]), () =>
    open.length
      ? [el("h2", {}, say("doubt")), open.slice(0, MOST_SHOWN).map((doubt) => question(doubt, mayCommand, tell)), open.length > MOST_SHOWN ? el("p", { class: "quiet" }, say("doubt.more", { n: open.length - MOST_SHOWN })) : null]
      : [],
  );
  return others;
}

function question(doubt, mayCommand, tell) {
  const words = placeWords(doubt.place);
  const choices = doubt.choices.slice(0, LIKELY).map((label, index) =>
    el("button", { type: "button", class: "choice", disabled: !mayCommand, onclick: () => tell(doubt.place, label) }, el("span", {}, doubt.choice_words[index])));
  return el("div", { role: "group", "aria-label": words }, el("p", {}, say("doubt.place", { place: words })), el("div", { class: "choices" }, choices));
}

/** The places of no urgency: those whose likeliest label the record has, and those that somebody has told. */
export function doubtList(tell) {
  const list = el("ul", {});
  const root = el("details", { class: "doubts" }, el("summary", {}, say("doubt.others")), list);
  return {
    root,
    draw(others, live) {
      root.hidden = others.length === 0;
      const heir = (box) => [...list.querySelectorAll("select")].find((each) => each.ariaLabel === box.ariaLabel) ?? (root.hidden ? byId("board-frame") : root.querySelector("summary"));
      showAnewFor(heir, list, JSON.stringify([others, live]), () => others.map((doubt) => el("li", {}, item(doubt, live, tell))));
    },
  };
}

function item(doubt, live, tell) {
  const words = placeWords(doubt.place);
  const box = el("select", { "aria-label": words, disabled: !live, onchange: () => tell(doubt.place, box.value) },
    el("option", { value: "" }, say("doubt.unsaid")),
    doubt.choices.map((label, index) => el("option", { value: label, selected: label === doubt.said }, doubt.choice_words[index])));
  const by = doubt.said === null ? null : el("small", { class: "quiet" }, say("doubt.said", { by: doubt.by }));
  return [el("span", {}, words), box, by];
}
