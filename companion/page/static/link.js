// The stream of events from the server. It is opened again for ever, and each time the server sends a whole snapshot,
// so the page is right again whatever it missed, even after another game on the same address.

import { language } from "./texts.js";

const FIRST_DELAY_MS = 300;
const LONGEST_DELAY_MS = 1000; // a server that comes back is heard within two seconds, however long it was away
const BEAT_MS = 10_000; // as the server has it
const SILENCE_MS = 2.5 * BEAT_MS; // two beats may be lost
const FIRST_PATIENCE_MS = 2000; // for the first answer: a browser may ask on an old connection that is dead

/**
 * @param on {snapshot, record, state}: called with what came; {lost(since)}: the connection is gone; {live}: it is here.
 * @param address of the stream, from this page
 */
export function openLink(on, address = "events") {
  let source = null;
  let delay = FIRST_DELAY_MS;
  let timer = 0;
  let watchdog = 0;
  let patience = FIRST_PATIENCE_MS;
  let heardAt = Date.now();
  let lostSince = null;

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(`${address}?lang=${language}`);
    source.onerror = lose;
    for (const name of ["snapshot", "record", "state", "beat"]) source.addEventListener(name, (event) => take(name, event));
    watch(patience);
    patience = Math.min(2 * patience, SILENCE_MS);
  }

  function take(name, event) {
    heardAt = Date.now();
    watch(SILENCE_MS);
    delay = FIRST_DELAY_MS;
    patience = FIRST_PATIENCE_MS;
    lostSince = null;
    if (name !== "beat") on[name](JSON.parse(event.data));
    on.live();
  }

  function watch(silence) {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, silence);
  }

  function lose() {
    clearTimeout(watchdog);
    clearTimeout(timer);
    source?.close();
    source = null;
    lostSince ??= new Date(heardAt);
    on.lost(lostSince);
    // Spread over a quarter, so that many pages do not come back in one moment.
    timer = setTimeout(open, delay * (1 + Math.random() / 4));
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }

  /** Somebody looks again: after a sleep the old connection may be dead and not know it, and timers stood still. */
  function wake() {
    if (document.hidden) return;
    if (source !== null && Date.now() - heardAt > BEAT_MS + 1000) lose();
    if (source === null) open();
  }

  for (const event of ["online", "pageshow", "focus"]) addEventListener(event, wake);
  for (const event of ["visibilitychange", "resume"]) document.addEventListener(event, wake);
  open();
}
