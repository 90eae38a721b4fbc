// What a table's page has beside the game: what is heard, ways to the pages after a game, the link for phones, reports.

import { el, show } from "./dom.js";
import { phoneBox } from "./phone.js";
import { reportBox } from "./report.js";
import { sound, soundSwitch } from "./sounds.js";
import { language, say } from "./texts.js";
import { speak, voiceSwitch } from "./voice.js";

/**
 * Put the box at the end of a column.
 * @returns {{meet, hear, allow}} meet(told) with every snapshot, hear(record, state) with every record that happens,
 * allow(may) when it is known whether this browser may command.
 */
export function startMore(column) {
  const links = el("ul", { class: "more-links" });
  const forPlayers = el("div", {});
  const box = el("section", { class: "card more", "aria-labelledby": "more-title" }, el("h2", { id: "more-title" }, say("more")), voiceSwitch(), soundSwitch(), links, forPlayers);
  column.append(box);
  let table = null;
  let may = false;

  const root = /\/table\/[^/]+\/$/.test(location.pathname) ? "../../" : "./";
  const way = (address, key) => el("li", {}, el("a", { href: `${root}${address}?lang=${language}` }, say(key)));

  function drawForPlayers() {
    show(forPlayers, may && table ? [phoneBox(root), reportBox(`${root}report/${table}`)] : []);
  }

  return {
    meet(told) {
      if (table === told.table) return;
      table = told.table;
      show(links, way(`summary/${table}`, "more.summary"), way("games/", "more.games"), way(`overlay/${table}`, "more.overlay"));
      drawForPlayers();
    },
    hear(record, state) {
      speak(record, state);
      sound(record);
    },
    allow(next) {
      if (may === next) return;
      may = next;
      drawForPlayers();
    },
  };
}
