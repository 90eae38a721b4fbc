// Commands up to the server. The token comes with the link of the terminal, behind the #, and stays in this tab.

import { say } from "./texts.js";

const KEY = "companion-token";

/** Take the token out of the address, where it could be read over a shoulder or copied along. */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return given ?? sessionStorage.getItem(KEY);
}

let token = takeToken();
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

/** Send one command; never throws. @returns {{ok, reason, detail}} */
export async function send(name, args, seq) {
  const transaction = `${gesture}/${count}/${name}`;
  try {
    const response = await fetch(`command/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Companion-Token": token ?? "" },
      body: JSON.stringify({ seq, transaction, args }),
    });
    return await response.json();
  } catch {
    return { ok: false, reason: "unheard", detail: say("command.unheard") };
  }
}
