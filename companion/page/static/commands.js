// Commands up to the server. The token comes with the link of the terminal, behind the #, and stays in this tab.

import { language, say } from "./texts.js";

const KEY = "companion-token";
const NAME_KEY = "companion-name";
const LONGEST_NAME = 40; // as the server takes it

/** Take the token out of the address, where it could be read over a shoulder or copied along. */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) history.replaceState(null, "", location.pathname + location.search);
  try {
    if (given) sessionStorage.setItem(KEY, given);
    return given ?? sessionStorage.getItem(KEY);
  } catch {
    return given ?? token; // in another site's frame a browser may keep nothing for this page
  }
}

let token = null;
token = takeToken();
let gesture = crypto.getRandomValues(new Uint32Array(4)).join("-");
let count = 0;

/** The token of this tab, "" where it has none. */
export const ownToken = () => token ?? "";

/** Everything sent before the next state is one gesture: a double tap carries the same transaction twice. */
export function nextGesture() {
  count += 1;
}

/** Whether this page may command; asks the server. */
export async function mayCommand() {
  token = takeToken();
  if (!token) return false;
  const response = await fetch("access", { headers: { "X-Companion-Token": token } });
  return (await response.json()).may_command;
}

/** Who sits at this browser, as it was told here before; "" where nobody said. */
export function ownName() {
  try {
    return localStorage.getItem(NAME_KEY) ?? "";
  } catch {
    return ""; // a browser that keeps nothing for this page
  }
}

export function setOwnName(name) {
  try {
    localStorage.setItem(NAME_KEY, name.trim().slice(0, LONGEST_NAME));
  } catch {
    // commands then carry no name
  }
}

/** Send one command; never throws. @param seq the state that the person had before the eyes @returns {{ok, reason, detail}} */
export function send(name, args, seq) {
  const transaction = `${gesture}/${count}/${name}`;
  return answerOf(`command/${name}?lang=${language}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Companion-Token": ownToken() },
    body: JSON.stringify({ seq, transaction, by: ownName(), args }),
  });
}

/** Ask for what changes nothing; never throws. @returns {{ok, reason, detail, seq}} and what was asked for */
export const ask = (name, args) =>
  answerOf(`ask/${name}?${new URLSearchParams({ args: JSON.stringify(args), lang: language })}`, { headers: { "X-Companion-Token": ownToken() }, cache: "no-store" });

async function answerOf(address, request) {
  try {
    return await (await fetch(address, request)).json();
  } catch {
    return { ok: false, reason: "unheard", detail: say("command.unheard") };
  }
}
