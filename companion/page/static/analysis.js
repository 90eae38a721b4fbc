// What if: the moves that are possible at a place, from the rules on the server, with the rings that each would cut off;
// the one that is picked is shown on the board as if it were made. Nothing is commanded here.

import { byId, el, show } from "./dom.js";
import { ask } from "./history.js";
import { ringWords } from "./panels.js";
import { placeWords } from "./places.js";
import { playerName, say } from "./texts.js";

export class Analysis {
  /** @param onChange called whenever something else is to be shown */
  constructor(onChange) {
    this.onChange = onChange;
    this.layout = {};
    this.state = {};
    this.ply = 0;
    this.mark = null;
    this.moves = null; // those of `mark`, null where they are not here
    this.place = "";
    this.position = null; // where the picked move would lead
    this.drawn = null;
    byId("analysis").addEventListener("toggle", () => this.look());
    byId("board").addEventListener("click", (event) => {
      const place = event.target.closest("[data-place]")?.dataset.place;
      if (place && this.layout.pattern) this.pick(place);
    });
  }

  /** What is shown on the board otherwise, after how many moves; a picked move stands no longer where that is another one. */
  take(layout, state, ply, live) {
    const possible = Boolean(layout.pattern) && live && !state.outcome;
    byId("analysis").hidden = !possible;
    this.layout = layout;
    this.state = state;
    this.ply = ply;
    const mark = possible ? JSON.stringify([state.game, (state.moves ?? []).map((each) => each.move), ply]) : null;
    if (mark === this.mark) return;
    this.mark = mark;
    this.moves = this.position = null;
    this.look();
  }

  pick(place) {
    this.place = this.place === place ? "" : place;
    byId("analysis").open = true;
    this.look();
  }

  back() {
    if (!this.position) return;
    this.position = null;
    this.draw();
    this.onChange();
  }

  /** Ask for the moves where they are wanted and not here. */
  async look() {
    const mark = this.mark;
    if (mark !== null && this.moves === null && byId("analysis").open) {
      try {
        const { moves } = await ask("moves", { ply: this.ply });
        if (mark === this.mark) this.moves = moves.map((each) => ({ ...each, places: each.taps.flat() }));
      } catch {
        // the server is away: asked again with the next state
      }
    }
    this.draw();
  }

  async try(move) {
    const mark = this.mark;
    if (this.position?.move === move) return this.back();
    try {
      const position = await ask("position", { ply: this.ply, move });
      if (mark !== this.mark || !position.legal) return undefined;
      this.position = position;
    } catch {
      return undefined; // as above
    }
    this.draw();
    return this.onChange();
  }

  /** The picked move in words. */
  words() {
    const { words, orphans, outcome } = this.position;
    const lost = orphans.map((ring) => ringWords(this.state, ring)).join(", ");
    const won = outcome?.winner ? say("what_if.wins", { player: playerName(this.state, outcome.winner) }) : "";
    return { title: words, lines: [lost ? say("what_if.orphans", { rings: lost }) : say("what_if.no_orphans"), won] };
  }

  draw() {
    markPlace(this.place);
    const moves = this.moves ?? [];
    const mark = JSON.stringify([this.mark, this.moves === null, this.place, this.position?.move]);
    if (mark === this.drawn) return;
    this.drawn = mark;
    const focused = document.activeElement?.closest?.("#analysis [data-move], #analysis select")?.dataset.move ?? null;
    const chosen = moves.filter((each) => (this.place ? each.places.includes(this.place) : each.orphans.length));
    const player = playerName(this.state, this.state.to_move);
    const nothing = this.place ? say("what_if.no_moves", { player }) : say("what_if.no_danger", { player });
    show(
      byId("analysis-moves"),
      el("label", { for: "analysis-place" }, el("span", {}, say("what_if.place")), this.places(moves)),
      el("p", { class: "quiet" }, this.moves === null ? "" : chosen.length === 0 ? nothing : say(this.place ? "what_if.moves" : "what_if.danger", { player })),
      el("ul", { class: "what-ifs" }, chosen.map((each) => el("li", {}, this.button(each)))),
    );
    if (focused) byId("analysis-moves").querySelector(`[data-move="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Every place where something could be done, for those who cannot point at it. */
  places(moves) {
    const known = (this.layout.shapes ?? []).map((shape) => shape.place).filter(Boolean);
    const some = known.filter((place) => place === this.place || moves.some((each) => each.places.includes(place)));
    const options = ["", ...some].map((place) => el("option", { value: place, selected: place === this.place }, place ? placeWords(place) : say("what_if.anywhere")));
    return el("select", { id: "analysis-place", onchange: (event) => this.choose(event.target.value) }, options);
  }

  choose(place) {
    this.place = place;
    this.draw();
    byId("analysis-place").focus();
  }

  button({ move, words, orphans }) {
    const lost = orphans.map((ring) => ringWords(this.state, ring)).join(", ");
    return el(
      "button",
      { type: "button", class: lost ? "what-if cuts" : "what-if", "data-move": move, "aria-pressed": String(this.position?.move === move), onclick: () => this.try(move) },
      el("span", {}, words),
      lost ? el("small", {}, say("what_if.orphans", { rings: lost })) : null,
    );
  }
}

/** Frame the picked place on the board; also after it was drawn anew. */
export function markPlace(place) {
  for (const each of byId("board").querySelectorAll("[data-place]")) each.classList.toggle("picked", each.dataset.place === place);
}
