// The house rules: each a sentence and what can be chosen; what is not the usual way is marked.

import { el, showAnew } from "./dom.js";
import { button, during, fill } from "./setup_form.js";
import { say } from "./texts.js";

export function rulesPanel({ command }) {
  const list = el("div", { class: "setup-rules" });
  const reset = button(say("setup.rules.reset"), () => command("set_rules", { options: Object.fromEntries(latest.map(({ option, default: usual }) => [option, usual])) }));
  let latest = [];
  let rows = [];

  const set = (option, value) => command("set_rules", { options: { [option]: value } });

  return {
    root: el("div", {}, list, el("div", { class: "setup-row" }, reset)),
    draw(state, can) {
      latest = state.rules;
      const forms = latest.map(({ option, words, kind, choices, choice_words, may_be_null }) => [option, words, kind, choices, choice_words, may_be_null]);
      showAnew(list, JSON.stringify(forms), () => {
        rows = latest.map((rule, index) => ruleRow(rule, index, set));
        return rows.map((row) => row.root);
      });
      for (const [index, rule] of latest.entries()) rows[index].draw(rule, can);
      reset.disabled = !can || latest.every(usual);
    },
  };
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const usual = (rule) => same(rule.value, rule.default);

function ruleRow(rule, index, set) {
  const id = `rule-${index}`;
  const { input, show, inWords } = (INPUTS[rule.kind] ?? INPUTS.choice)(rule, (value) => set(rule.option, value));
  input.id = id;
  input.setAttribute("aria-describedby", `${id}-usual`);
  const note = el("small", { id: `${id}-usual` });
  const root = el("div", { class: `setup-rule kind-${rule.kind}` }, el("label", { for: id }, rule.words), input, note);
  return {
    root,
    draw(next, can) {
      show(next.value);
      input.disabled = !can && document.activeElement !== input;
      root.classList.toggle("changed", !usual(next));
      note.textContent = usual(next) ? say("setup.rules.usual") : say("setup.rules.changed", { usual: inWords(next.default) });
    },
  };
}

const yesNo = (value) => say(value ? "setup.rules.yes" : "setup.rules.no");

/** For each kind of rule its field, how it shows a value, and a value in words. */
const INPUTS = {
  bool(_, set) {
    const input = el("input", { type: "checkbox", onchange: () => during(() => set(input.checked), input) });
    return { input, show: (value) => fill(input, value), inWords: yesNo };
  },

  int: (rule, set) => numberInput(rule, set, 1),
  number: (rule, set) => numberInput(rule, set, "any"),

  choice(rule, set) {
    const { choices, choice_words: words } = rule;
    const input = el("select", { onchange: () => during(() => set(choices[Number(input.value)]), input) }, choices.map((_, at) => el("option", { value: at }, words?.[at] ?? String(choices[at]))));
    const at = (value) => choices.findIndex((each) => same(each, value));
    return { input, show: (value) => fill(input, at(value)), inWords: (value) => words?.[at(value)] ?? String(value) };
  },
};

function numberInput(rule, set, step) {
  const { may_be_null: mayBeNull } = rule;
  const input = el("input", { type: "number", step, min: 0, inputmode: step === 1 ? "numeric" : "decimal", required: !mayBeNull, placeholder: mayBeNull ? say("setup.rules.none") : null, onchange: changed });
  function changed() {
    if (input.value === "") return mayBeNull ? set(null) : input.reportValidity();
    return input.reportValidity() && set(Number(input.value));
  }
  return { input, show: (value) => fill(input, value), inWords: (value) => (value === null ? say("setup.rules.none") : String(value)) };
}
