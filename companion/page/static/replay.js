// Steps through a game: every piece in the drawing says after which turns it lies there. This file also stands in the
// single HTML file that people send to their friends, so it needs no other.

const controls = document.querySelector(".controls");
const slider = controls.querySelector("input");
const now = document.getElementById("now");
const last = Number(slider.max);

const pieces = [...document.querySelectorAll("[data-at]")].map((group) => ({
  group,
  ranges: group.dataset.at.split(" ").map((range) => range.split("-").map(Number)),
}));
const buttons = [...document.querySelectorAll("button[data-turn]")];
let turn = last;

function show(next) {
  turn = Math.max(0, Math.min(last, next));
  slider.value = turn;
  for (const { group, ranges } of pieces) {
    const there = ranges.some(([first, end = first]) => first <= turn && turn <= end);
    group.setAttribute("visibility", there ? "inherit" : "hidden");
  }
  for (const button of buttons) {
    const here = Number(button.dataset.turn) === turn;
    button.toggleAttribute("aria-current", here);
    if (!here) continue;
    now.textContent = turn === 0 ? button.textContent : `${turn}. ${button.textContent}`;
    slider.setAttribute("aria-valuetext", now.textContent);
  }
  for (const [go, dead] of [["first", turn === 0], ["back", turn === 0], ["next", turn === last], ["last", turn === last]])
    controls.querySelector(`[data-go=${go}]`).setAttribute("aria-disabled", String(dead));
}

const STEPS = { first: () => 0, back: () => turn - 1, next: () => turn + 1, last: () => last };
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

controls.addEventListener("click", (event) => {
  const go = event.target.closest("button")?.dataset.go;
  if (go) show(STEPS[go]());
});
slider.addEventListener("input", () => show(Number(slider.value)));
document.addEventListener("click", (event) => {
  const chosen = event.target.closest("button[data-turn]");
  if (chosen) show(Number(chosen.dataset.turn));
});
document.addEventListener("keydown", (event) => {
  if (event.target === slider || event.ctrlKey || event.altKey || event.metaKey || !KEYS[event.key]) return;
  event.preventDefault();
  show(STEPS[KEYS[event.key]]());
});

controls.hidden = false;
show(last);
