// The page of a club: all tables as they are, those that call for a referee first.

import { card, searched } from "./club_card.js";
import { showStandings } from "./club_standings.js";
import { byId, show } from "./dom.js";
import { languageSwitch } from "./language.js";
import { openLink } from "./link.js";
import { clock, say } from "./texts.js";

const tables = new Map(); // by id: {row, item}; `item` is what is shown of it
const changed = new Set();
let head = {};
let drawing = 0;
let first = true;

for (const element of document.querySelectorAll("[data-text]")) element.textContent = say(element.dataset.text);
for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", say(element.dataset.label));
document.title = say("club");
show(byId("language"), languageSwitch());

// What comes from the server

function replace(whole) {
  for (const [id, { item }] of tables) {
    item?.remove();
    tables.delete(id);
  }
  first = true;
  take(whole);
}

function take({ tables: rows = [], gone = [], ...more }) {
  const games = head.results;
  head = { ...head, ...more };
  for (const row of rows) {
    const known = tables.get(row.id);
    tables.set(row.id, { row: { ...known?.row, ...row }, item: known?.item ?? null });
    changed.add(row.id);
  }
  for (const id of gone) {
    tables.get(id)?.item?.remove();
    tables.delete(id);
    changed.delete(id);
  }
  drawing ||= requestAnimationFrame(draw);
  if (games !== head.results && !byId("part-standings").hidden) showStandings();
}

// What is shown

const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
const before = (a, b) => a.rank - b.rank || collator.compare(a.table, b.table) || collator.compare(a.id, b.id);

/** Put a table's card where it belongs; it stays the same element, and where it is, as long as it can. */
function place(entry) {
  const list = byId(entry.row.calls.length ? "calls" : "tables");
  const fits = (at, other) => !other || before(tables.get(at.dataset.id).row, tables.get(other.dataset.id).row) <= 0;
  const { item } = entry;
  if (item.parentNode === list && fits(item, item.nextElementSibling) && (!item.previousElementSibling || fits(item.previousElementSibling, item))) return;
  item.remove();
  const next = [...list.children].find((other) => before(entry.row, tables.get(other.dataset.id).row) < 0);
  list.insertBefore(item, next ?? null);
}

function draw() {
  drawing = 0;
  const news = [];
  for (const id of changed) {
    const entry = tables.get(id);
    const called = entry.item?.dataset.calls ?? "";
    const drawn = card(entry.row);
    if (entry.item) entry.item.replaceChildren(...drawn.childNodes);
    else entry.item = drawn;
    for (const name of ["rank", "calls"]) entry.item.dataset[name] = drawn.dataset[name];
    entry.item.className = drawn.className;
    if (!first && drawn.dataset.calls && drawn.dataset.calls !== called) news.push(`${entry.row.table}: ${entry.item.querySelector(".waits").textContent}`);
  }
  for (const id of changed) place(tables.get(id));
  changed.clear();
  first = false;
  if (news.length) byId("news").textContent = news.slice(0, 5).join(". ");
  filter();
  sayHead();
  document.querySelector("main").removeAttribute("aria-busy");
}

function filter() {
  const words = byId("filter").value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { row, item } of tables.values()) {
    if (item === null) continue;
    item.hidden = !words.every((word) => searched(row).includes(word));
    shown += item.hidden ? 0 : 1;
  }
  for (const [list, part] of [["calls", "calling"], ["tables", "others"]]) byId(part).hidden = !byId(list).querySelector(":scope > :not([hidden])");
  const calls = [...tables.values()].filter(({ row }) => row.calls.length).length;
  const told = [say("club.tables", { n: tables.size }), say("club.waiting", { n: calls })];
  if (head.missed) told.push(say("club.missed", { n: head.missed }));
  byId("count").textContent = told.join(" · ");
  show(byId("none"), shown ? [] : say(tables.size ? "club.nothing" : "club.none"));
}

function sayHead() {
  const told = [];
  if (head.broker && !head.broker.up) told.push(`${say("club.broker")} ${head.broker.words}`.trim());
  if (head.trouble) told.push(`${say("club.disk")} ${head.trouble}`);
  show(byId("lost"), told.join(" "));
}

function showPart() {
  const standings = location.hash === "#standings";
  byId("part-tables").hidden = standings;
  byId("part-standings").hidden = !standings;
  for (const way of document.querySelectorAll(".ways a[href^='#']")) {
    if ((way.hash === "#standings") === standings) way.setAttribute("aria-current", "page");
    else way.removeAttribute("aria-current");
  }
  if (standings) showStandings();
}

byId("filter").addEventListener("input", filter);
addEventListener("hashchange", showPart);
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, select") || byId("part-tables").hidden) return;
  event.preventDefault();
  byId("filter").focus();
});
showPart();

openLink({
  snapshot: replace,
  state: take,
  record: () => {},
  live: () => {
    document.body.classList.remove("is-lost");
    byId("link").textContent = say("link.live");
    if (!drawing) sayHead();
  },
  lost: (since) => {
    document.body.classList.add("is-lost");
    byId("link").textContent = "";
    show(byId("lost"), say("link.lost", { time: clock(since) }));
  },
});
