// Elements are made here and nowhere else; whatever comes from outside becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

/** Show an element with new children, or hide it where there are none. */
export function show(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  element.hidden = element.childNodes.length === 0;
}

const marks = new WeakMap();

/** As `show`, but only when `mark` is another than last time: what stays the same keeps its focus and is read out once. */
export function showAnew(element, mark, make) {
  if (marks.get(element) === mark) return false;
  marks.set(element, mark);
  show(element, make());
  return true;
}

/** As `showAnew`; the keyboard, where it was at something in there, goes to `heir(what it was at)`. */
export function showAnewFor(heir, element, mark, make) {
  const had = element.contains(document.activeElement) ? document.activeElement : null;
  const isNew = showAnew(element, mark, make);
  if (isNew && had && document.activeElement !== had) heir(had)?.focus({ preventScroll: true });
  return isNew;
}
