// The shapes of a layout as SVG. Each takes what is to be drawn and gives elements, or nothing.

import { svg } from "./dom.js";
import { onCircle, piece, points, wrong } from "./pieces.js";
import { badge, cutOff } from "./rings.js";

export const SHAPES = {
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

  hexagon: ({ shape: { x_mm: x, y_mm: y, r_mm: r, seats_mm: seats } }) => {
    const corners = (radius) => points(...[0, 60, 120, 180, 240, 300].map((deg) => onCircle(x, y, radius, deg)));
    return [
      svg("polygon", { class: "tile", points: corners(r) }),
      svg("polygon", { class: "tile-face", points: corners(r * 0.97) }),
      seats.map((radius) => svg("circle", { class: "ring-seat", cx: x, cy: y, r: radius })),
    ];
  },

  tower: ({ layout, shape: { x_mm: x, y_mm: y, r_mm: r, pattern } }) =>
    pattern.map((cone, level) => {
      const look = layout.labels?.[cone] ?? {};
      const radius = r * (1 - level / (pattern.length + 0.6));
      return svg("circle", { class: "cone", cx: x, cy: y, r: radius, fill: look.fill, stroke: look.shade });
    }),

  disc: ({ layout, shape, state, last }) => {
    const { place, x_mm: x, y_mm: y, r_mm: r } = shape;
    const { label, seen, fresh } = at(place, state, last);
    return [
      svg("circle", { class: "seat", cx: x, cy: y, r: r * 0.86 }),
      label === "." ? null : piece(layout, label, x, y, r, fresh ? "fresh" : ""),
      fresh && label !== "." ? svg("circle", { class: "last", cx: x, cy: y, r: r + 1.1 }) : null,
      seen === undefined ? null : wrong(layout, seen, x, y, r),
    ];
  },

  ring: ({ layout, shape, state, last, marks }) => {
    const { place, x_mm: x, y_mm: y, r_mm: r } = shape;
    const { label, seen, fresh } = at(place, state, last);
    const lost = marks.orphan(shape);
    return [
      label === "." ? svg("circle", { class: "hit", cx: x, cy: y, r, "data-place": place }) : null,
      label === "." ? null : ringed(layout, shape, label, fresh, marks),
      fresh && label !== "." ? svg("circle", { class: "last", cx: x, cy: y, r: r - 0.3 }) : null,
      lost ? cutOff(layout, shape, lost) : null,
      seen === undefined || lost ? null : wrong(layout, seen, x, y, r - 1.4, shape),
    ];
  },

  post: ({ layout, shape, state, last }) => {
    const { place, x_mm: x, y_mm: y, r_mm: r, text } = shape;
    const { label, seen, fresh } = at(place, state, last);
    const look = layout.labels?.[label];
    const drawing = [
      look
        ? svg("g", { class: `piece ${fresh ? "fresh" : ""}`, transform: `translate(${x} ${y})`, "data-label": label },
            svg("circle", { r, fill: look.shade }),
            svg("circle", { r: r * 0.88, fill: look.fill }),
            svg("text", { class: "letter", y: -r * 0.22, "font-size": r * 1.05, fill: look.ink }, look.text),
            svg("text", { class: "letter", y: r * 0.52, "font-size": r * 0.55, fill: look.ink }, text))
        : svg("text", { class: "station", x, y, "font-size": r * 0.85 }, text),
      fresh && look ? svg("circle", { class: "last", cx: x, cy: y, r: r + 0.6 }) : null,
      seen === undefined ? null : wrong(layout, seen, x, y, r),
    ].filter(Boolean);
    return [svg("g", { class: "spot", "data-place": place }, svg("circle", { class: "hit", cx: x, cy: y, r }), drawing)];
  },

  lane: ({ layout, shape, state, last }) => {
    const { place, x_mm: x, y_mm: y, deg, length_mm: length, width_mm: width } = shape;
    const { label, seen, fresh } = at(place, state, last);
    const r = width * 0.56;
    const around = { x: -length / 2 - 1.5, y: -width / 2 - 1.5, width: length + 3, height: width + 3, rx: 3 };
    const turned = `translate(${x} ${y}) rotate(${deg})`;
    const drawing = [
      svg("rect", { ...around, class: "hit", transform: turned }),
      label === "." ? null : piece(layout, label, x, y, r, fresh ? "fresh" : "", shape),
      fresh ? svg("rect", { ...around, class: "last", transform: turned }) : null,
      seen === undefined ? null : wrong(layout, seen, x, y, r * 1.6, shape),
    ].filter(Boolean);
    return [svg("g", { class: "spot", "data-place": place }, drawing)];
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

/** What a place should show, what is seen there against the rules, and whether the last move changed it. */
function at(place, state, last) {
  return { label: state.sight?.[place] ?? ".", seen: state.illegal?.seen?.[place], fresh: last.has(place) };
}

/** A ring on its seat, which can be pointed at to see what holds it: its hollow counts too, for fingers are wide. */
function ringed(layout, shape, player, fresh, marks) {
  const held = marks.heldBy(player, shape.station);
  const first = held?.sizes?.[0] === shape.size;
  const choice = held ? { "data-player": player, "data-station": shape.station } : {};
  const focus = held && first ? { tabindex: 0, role: "img", "aria-label": marks.inWords({ player, station: shape.station }) } : {};
  return svg(
    "g",
    { class: "choosable", ...choice, ...focus },
    svg("circle", { class: "hollow", cx: shape.x_mm, cy: shape.y_mm, r: shape.r_mm }),
    piece(layout, player, shape.x_mm, shape.y_mm, shape.r_mm, fresh ? "fresh" : "", shape),
    badge(layout, shape, player, marks.threatened(player, shape.station, shape.size)),
  );
}

function groove(tag, geometry, width) {
  return [
    svg(tag, { class: "groove groove-rim", ...geometry, "stroke-width": width + 1.2 }),
    svg(tag, { class: "groove groove-floor", ...geometry, "stroke-width": width - 0.8 }),
  ];
}
