// The board as SVG, drawn from the layout. It knows shapes and labels, and no game.

import { byId, el, svg } from "./dom.js";
import { say } from "./texts.js";

const radians = (deg) => (deg * Math.PI) / 180;
/** A point on a circle; degrees clockwise from the right, as y points down. */
const onCircle = (x, y, r, deg) => [x + r * Math.cos(radians(deg)), y + r * Math.sin(radians(deg))];

const STAR = Array.from({ length: 10 }, (_, point) => onCircle(0, 0, point % 2 ? 0.46 : 0.98, 36 * point - 90).join(","));

/** One piece: a shaded ball with its letter, on a star where it is a Joker. */
function piece(layout, label, x, y, r, extra = "") {
  const look = layout.labels?.[label] ?? { text: label, fill: "#7d8696", shade: "#555c69", ink: "#fff", name: label };
  const letter = look.star ? look.fill : look.ink;
  return svg(
    "g",
    { class: `piece ${extra}`, transform: `translate(${x} ${y})`, "data-label": label },
    svg("circle", { r, fill: look.shade }),
    svg("circle", { r: r * 0.94, cy: -r * 0.06, fill: look.fill }),
    look.star ? svg("polygon", { points: STAR.join(" "), transform: `scale(${r * 0.9})`, fill: look.ink }) : null,
    svg("ellipse", { class: "gloss", cx: -r * 0.3, cy: -r * 0.52, rx: r * 0.3, ry: r * 0.17, transform: `rotate(-24 ${-r * 0.3} ${-r * 0.52})` }),
    svg("text", { class: "letter", y: look.star ? r * 0.04 : 0, "font-size": look.star ? r * 0.72 : r * 1.05, fill: letter }, look.text),
  );
}

/** A piece by itself, to stand in a line of text; `said` is what it says beside the text, empty where that says all. */
export function pieceIcon(layout, label, said) {
  const spoken = said ? { role: "img", "aria-label": said } : { "aria-hidden": "true" };
  return svg("svg", { class: "icon", viewBox: "-10 -10 20 20", ...spoken }, piece(layout, label, 0, 0, 9));
}

const SHAPES = {
  panel: ({ shape }) => [
    svg("rect", { class: "panel", x: shape.x_mm, y: shape.y_mm, width: shape.width_mm, height: shape.height_mm, rx: shape.r_mm }),
    svg("rect", { class: "panel-edge", x: shape.x_mm + 1.2, y: shape.y_mm + 1.2, width: shape.width_mm - 2.4, height: shape.height_mm - 2.4, rx: shape.r_mm - 1.2 }),
  ],

  slot: ({ shape }) => {
    const ends = { x1: shape.x1_mm, y1: shape.y1_mm, x2: shape.x2_mm, y2: shape.y2_mm };
    return groove("line", ends, shape.width_mm);
  },

  arc: ({ shape }) => {
    const [x1, y1] = onCircle(shape.x_mm, shape.y_mm, shape.r_mm, shape.from_deg);
    const [x2, y2] = onCircle(shape.x_mm, shape.y_mm, shape.r_mm, shape.to_deg);
    const large = shape.to_deg - shape.from_deg > 180 ? 1 : 0;
    return groove("path", { d: `M${x1} ${y1}A${shape.r_mm} ${shape.r_mm} 0 ${large} 1 ${x2} ${y2}` }, shape.width_mm);
  },

  text: ({ shape }) => [svg("text", { class: "engraved", x: shape.x_mm, y: shape.y_mm }, shape.text)],

  disc: ({ layout, shape, state, last }) => {
    const { place, x_mm: x, y_mm: y, r_mm: r } = shape;
    const label = state.sight?.[place] ?? ".";
    const seen = state.illegal?.seen?.[place];
    const fresh = last.has(place);
    return [
      svg("circle", { class: "seat", cx: x, cy: y, r: r * 0.86 }),
      label === "." ? null : piece(layout, label, x, y, r, fresh ? "fresh" : ""),
      fresh && label !== "." ? svg("circle", { class: "last", cx: x, cy: y, r: r + 1.1 }) : null,
      seen === undefined ? null : wrong(layout, seen, x, y, r),
    ];
  },

  well: ({ layout, shape, state }) => {
    const pieces = Object.keys(layout.labels ?? {}).flatMap((label) => Array(state.well?.[label] ?? 0).fill(label));
    const first = Math.floor((shape.seats.length - pieces.length) / 2);
    return pieces.map((label, index) => {
      const seat = shape.seats[first + index];
      return seat ? piece(layout, label, seat[0], seat[1], shape.r_mm) : null;
    });
  },

  dial: ({ shape, state }) => {
    const { x_mm: x, y_mm: y, r_mm: r, ring_r_mm: ring } = shape;
    const { expected = null, seen = null } = state.knob ?? {};
    const differs = expected !== null && seen !== null && expected !== seen;
    const pointer = shape.stops.find((stop) => stop.stop === (seen ?? expected));
    return [
      shape.stops.map((stop) => {
        const mark = stop.stop === expected ? (differs ? "stop wanted" : "stop right") : "stop";
        const [tx, ty] = onCircle(x, y, ring + 1.5, stop.deg - 90);
        return svg("text", { class: mark, x: tx, y: ty }, stop.text);
      }),
      svg("circle", { class: "knob-rim", cx: x, cy: y, r }),
      svg("circle", { class: "knob-cap", cx: x, cy: y, r: r * 0.9 }),
      pointer
        ? svg(
            "g",
            { class: seen === null ? "pointer unseen-pointer" : "pointer", transform: `rotate(${pointer.deg} ${x} ${y})` },
            svg("line", { class: "pointer-bar", x1: x, y1: y + r * 0.5, x2: x, y2: y - r * 0.72 }),
            svg("line", { class: "pointer-tip", x1: x, y1: y - r * 0.3, x2: x, y2: y - r * 0.74 }),
          )
        : null,
    ];
  },
};

function groove(tag, geometry, width) {
  return [
    svg(tag, { class: "groove groove-rim", ...geometry, "stroke-width": width + 1.2 }),
    svg(tag, { class: "groove groove-floor", ...geometry, "stroke-width": width - 0.8 }),
  ];
}

/** What is seen against the rules, over what should be there. */
function wrong(layout, label, x, y, r) {
  return svg(
    "g",
    { class: "wrong" },
    label === "." ? svg("circle", { class: "wrong-hole", cx: x, cy: y, r: r * 0.9 }) : piece(layout, label, x, y, r),
    svg("circle", { class: "wrong-ring", cx: x, cy: y, r: r + 1.4 }),
    svg("text", { class: "wrong-mark", x: x + r, y: y - r }, "!"),
  );
}

/** The text of a knob's stop as the board shows it. */
export function stopText(layout, stop) {
  const dial = layout.shapes?.find((shape) => shape.kind === "dial");
  return dial?.stops.find((each) => each.stop === stop)?.text ?? String(stop);
}

/** Draw the board. @param last the places that the last move changed */
export function drawBoard(layout, state, last) {
  const shapes = layout.shapes ?? [];
  const box = `0 0 ${layout.width_mm ?? 1} ${layout.height_mm ?? 1}`;
  const parts = shapes.flatMap((shape) => SHAPES[shape.kind]?.({ layout, shape, state, last }) ?? []);
  const drawing = svg("svg", { viewBox: box, role: "img", "aria-labelledby": "board-title", "aria-describedby": "board-words" }, parts);
  byId("board").replaceChildren(drawing, el("p", { id: "board-words", class: "unseen" }, inWords(layout, state, last)));
}

function inWords(layout, state, last) {
  const name = (label) => (label === "." ? say("board.nothing") : layout.labels?.[label]?.name ?? label);
  const places = Object.entries(state.sight ?? {}).filter(([, label]) => label !== ".");
  const said = places.map(([place, label]) => {
    const text = say("board.place", { place, label: name(label) });
    return last.has(place) ? `${text} (${say("board.last")})` : text;
  });
  for (const [place, label] of Object.entries(state.illegal?.seen ?? {}))
    said.push(`${place}: ${say("board.seen", { label: name(label) })}`);
  if (said.length === 0) said.push(say("board.empty"));
  const stop = state.knob?.seen ?? null;
  if (stop !== null) said.push(say("board.knob", { stop: stopText(layout, stop) }));
  return said.join(", ");
}
