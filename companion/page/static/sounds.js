// Short sounds for what asks to be looked at, made here of plain tones: no file is loaded for them.

import { heardSwitch, mayBeHeard } from "./hearing.js";

/** For each event its tones: [Hz, start in seconds, length in seconds]. Each has a shape of its own, not just a pitch. */
const TONES = {
  illegal: [[220, 0, 0.16], [165, 0.18, 0.3]],
  orphans: [[330, 0, 0.1], [262, 0.13, 0.1], [330, 0.26, 0.1], [262, 0.39, 0.18]],
  question: [[440, 0, 0.12], [587, 0.15, 0.24]],
  game_over: [[392, 0, 0.14], [494, 0.15, 0.14], [587, 0.3, 0.14], [784, 0.45, 0.5]],
};
const LOUDNESS = 0.2;

let on = false;
let context = null;

/** The tones of a record; none for what is quiet. */
export const tonesOf = (record) => TONES[record.event === "orphans_reminder" ? "orphans" : record.event] ?? [];

function tone(hertz, start, length) {
  const at = context.currentTime + start;
  const oscillator = new OscillatorNode(context, { type: "triangle", frequency: hertz });
  const gain = new GainNode(context, { gain: 0 });
  // In and out within hundredths of a second, for a tone that begins at once clicks.
  gain.gain.linearRampToValueAtTime(LOUDNESS, at + 0.015);
  gain.gain.setValueAtTime(LOUDNESS, at + length - 0.04);
  gain.gain.linearRampToValueAtTime(0, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

export function sound(record) {
  const tones = tonesOf(record);
  if (!on || !mayBeHeard() || tones.length === 0) return;
  context ??= new AudioContext();
  context.resume();
  for (const each of tones) tone(...each);
}

export const soundSwitch = () => heardSwitch("sounds", (wanted) => (on = wanted));
