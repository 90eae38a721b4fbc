// The stream of events from the server. It is opened again for ever, and each time the server sends a whole snapshot,
// so the page is right again whatever it missed, even after another game on the same address.

import { language } from "./texts.js";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 10_000;
const SILENCE_MS = 25_000; // the server sends a beat every 10 s: two may be lost

/**
 * @param on {snapshot, record, state}: called with what came; {lost(since)}: the connection is gone; {live}: it is here.
 * @returns {{retry}} for tries by hand.
 */
export function openLink(on) {
  let source = null;
  let delay = FIRST_DELAY_MS;
  let timer = 0;
  let watchdog = 0;
  let lostSince = null;

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(`events?lang=${language}`);
    source.onerror = lose;
    for (const name of ["snapshot", "record", "state", "beat"]) source.addEventListener(name, (event) => take(name, event));
    watch();
  }

  function take(name, event) {
    watch();
    delay = FIRST_DELAY_MS;
    lostSince = null;
    if (name !== "beat") on[name](JSON.parse(event.data));
    on.live();
  }

  function watch() {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, SILENCE_MS);
  }

  function lose() {
    clearTimeout(watchdog);
    clearTimeout(timer);
    source?.close();
    source = null;
    lostSince ??= new Date();
    on.lost(lostSince);
    // Spread over a quarter, so that many pages do not come back in one moment.
    timer = setTimeout(open, delay * (1 + Math.random() / 4));
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }

  function retry() {
    if (source === null) open();
  }

  addEventListener("online", retry);
  document.addEventListener("visibilitychange", () => document.hidden || retry());
  open();
}
