// The texts of all pages in the viewer's language, from the catalogues under `companion/locale`. Nothing is said before
// they are here: a module that imports this one starts when they have come.

const KEY = "companion-language";
const NO_TEXTS = { language: "en", languages: ["en"], plurals: "10", texts: {} };

/** The language asked for: in the address (an overlay has no switch), or chosen on a page before. */
function wish() {
  try {
    return new URLSearchParams(location.search).get("lang") ?? localStorage.getItem(KEY);
  } catch {
    return null; // a browser that keeps nothing for this page
  }
}

/** Without a wish the server goes by the languages that the browser prefers, then by the table's own. */
async function load() {
  const address = new URL("texts.json", import.meta.url);
  const wanted = wish();
  if (wanted) address.searchParams.set("lang", wanted);
  try {
    return { ...NO_TEXTS, ...(await (await fetch(address)).json()) };
  } catch {
    return NO_TEXTS; // keys as words; the page says by itself that the connection is lost
  }
}

const told = await load();

/** The language of this page, e.g. "pl"; what the server says in words is asked for with `?lang=`. */
export const language = told.language;
export const languages = told.languages;
document.documentElement.lang = language;

/** Show all pages of this browser in another language from now on. */
export function setLanguage(name) {
  const address = new URL(location.href);
  try {
    localStorage.setItem(KEY, name);
    address.searchParams.delete("lang");
  } catch {
    address.searchParams.set("lang", name);
  }
  history.replaceState(null, "", address);
  location.reload();
}

export const has = (key) => key in told.texts;

/** The text of a key with its {places} filled; `n` among the values chooses the plural. A key without a text is shown as words. */
export function say(key, values = {}) {
  const found = told.texts[key] ?? plain(key.slice(key.lastIndexOf(".") + 1));
  const text = Array.isArray(found) ? found[Math.min(formOf(values.n ?? 0), found.length - 1)] : found;
  return text.replace(/\{(\w+)\}/g, (_, name) => shown(values[name] ?? ""));
}

/** The number of the form that a count takes. */
export const formOf = (n) => Number(told.plurals[n < told.plurals.length ? n : 100 + (n % 100)] ?? 0);
const shown = (value) => (typeof value === "number" ? number(value) : String(value));

/** A name of the program as words: "two_moves" becomes "Two moves". */
export const plain = (name) => beginning(String(name).replaceAll("_", " "));

/** Words that begin a sentence. */
export const beginning = (words = "") => words.charAt(0).toLocaleUpperCase(language) + words.slice(1);

const NUMBERS = new Intl.NumberFormat(language, { maximumFractionDigits: 2, useGrouping: false });

export const number = (value) => NUMBERS.format(value);
export const clock = (date) => date.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
export const day = (date) => date.toLocaleDateString(language, { dateStyle: "long" });

/** A player's side in words: "Blue". */
export const colour = (player) => (has(`player.${player}`) ? say(`player.${player}`) : plain(player));

/** A player as people call them. The colour is said by the marble beside it. */
export const playerName = (state, player) => (player ? state.names?.[player] || colour(player) : "");
