// The switch between the languages that there are catalogues for; shown only where there is a choice.

import { el } from "./dom.js";
import { language, languages, say, setLanguage } from "./texts.js";

const ownName = (name) => {
  const words = new Intl.DisplayNames(name, { type: "language" }).of(name) ?? name;
  return words.charAt(0).toLocaleUpperCase(name) + words.slice(1);
};

/** A box to choose from, every language by its own name; null where there is only one. @param choose takes the name */
export function languageSwitch(choose = setLanguage) {
  if (languages.length < 2) return null;
  const options = languages.map((name) => el("option", { value: name, lang: name, selected: name === language }, ownName(name)));
  return el("select", { class: "language", "aria-label": say("language"), onchange: (event) => choose(event.target.value) }, options);
}
