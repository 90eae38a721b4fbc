// One table of a club as a card.

import { el } from "./dom.js";
import { colour, has, plain, say } from "./texts.js";

const nameOf = (row, player) => row.sides.find((side) => side.player === player)?.name || colour(player);

/** Sentences by kind of call. */
const CALLS = {
  question: ({ words }) => say("club.call.question", { words }),
  illegal: ({ words }) => say("club.call.illegal", { words }),
  orphans: ({ n }) => say("club.call.orphans", { n }),
  knob: ({ expected, seen }) => (seen === null ? say("club.call.knob", { expected }) : say("club.call.knob_at", { expected, seen })),
  device: ({ device }) => say("club.call.device", { device: plain(device) }),
  offline: () => say("club.call.offline"),
};

const MARKS = { question: "?", illegal: "!", orphans: "✕", knob: "↻", device: "⚠", offline: "⊘" };

function side(row, { player, name, points }) {
  const turn = !row.over && row.turn === player;
  const won = row.over && row.winner === player;
  return el(
    "li",
    { class: turn ? "side turn-now" : "side" },
    el("span", { class: "side-mark", "aria-hidden": "true" }, won ? "★" : turn ? "▸" : ""),
    el("span", { class: "side-name" }, name || colour(player)),
    // in Infinity only the leader has points: the other's are the same below zero
    el("span", { class: "side-points" }, points === null ? "" : String(Math.max(0, points))),
  );
}

function turn(row) {
  if (row.status === "stopped") return say("club.stopped");
  if (row.over) return row.words || (row.winner ? say("score.won", { player: nameOf(row, row.winner) }) : say("over.draw"));
  if (row.paused) return say("turn.paused");
  return row.turn ? say("turn", { player: nameOf(row, row.turn) }) : say("turn.anybody");
}

/** A card. `data-calls` changes when the table calls for something else. */
export function card(row) {
  const game = has(`game.${row.game}`) ? say(`game.${row.game}`) : plain(row.game);
  return el(
    "li",
    {
      class: `card club-table ${row.status}`,
      "data-id": row.id,
      "data-rank": row.rank,
      "data-calls": row.calls.map((call) => call.kind).join(" "),
    },
    el("h3", {}, row.table),
    el("p", { class: "quiet" }, `${game} · ${say("tables.moves", { n: row.ply })} · ${row.node}`),
    row.calls.map((call) => el("p", { class: `waits ${call.kind}` }, el("span", { class: "call-mark", "aria-hidden": "true" }, MARKS[call.kind]), " ", CALLS[call.kind](call))),
    el("ul", { class: "sides" }, row.sides.map((each) => side(row, each))),
    el("p", { class: "turn-words" }, turn(row)),
  );
}

/** What the filter looks through. */
export const searched = (row) => [row.table, row.node, row.game, ...row.sides.map((each) => each.name)].join(" ").toLocaleLowerCase();
