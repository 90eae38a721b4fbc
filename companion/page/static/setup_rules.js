// The house rules: each a sentence and what can be chosen; what is not the usual way is marked.

import { el, showAnew } from "./dom.js";
import { button, choices, during, field, fill } from "./setup_form.js";
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
  const note = el("small", { id });
  const { root, draw, inWords } = (RULES[rule.kind] ?? RULES.choice)(rule, id, (value) => set(rule.option, value));
  root.classList.add("setup-rule");
  root.append(note);
  return {
    root,
    draw(next, can) {
      draw(next.value, can);
      root.classList.toggle("changed", !usual(next));
      note.textContent = usual(next) ? "" : say("setup.rules.changed", { usual: inWords(next.default) });
    },
  };
}

const yesNo = (value) => say(value ? "setup.rules.yes" : "setup.rules.no");

/** For each kind of rule its form: an element, how it shows a value, and a value in words. `id` is of what says more. */
const RULES = {
  bool(rule, id, set) {
    const input = el("input", { type: "checkbox", "aria-describedby": id, onchange: () => during(() => set(input.checked), input) });
    return { ...line(rule, input), inWords: yesNo };
  },

  int: (rule, id, set) => numberLine(rule, id, set, 1),
  number: (rule, id, set) => numberLine(rule, id, set, "any"),

  choice({ option, words, choices: values, choice_words: said, default: normal }, id, set) {
    const at = (value) => values.findIndex((each) => same(each, value));
    const list = said.map((each, value) => ({ value, content: [each, value === at(normal) ? el("small", {}, say("setup.rules.usual")) : null] }));
    const of = choices(words, `rule-${option}`, list, (index) => set(values[index]));
    of.root.setAttribute("aria-describedby", id);
    return { root: of.root, draw: (value, can) => of.draw(at(value), can), inWords: (value) => said[at(value)] };
  },
};

function line(rule, input) {
  const root = el("div", { class: `kind-${rule.kind}` }, field(rule.words, input));
  return {
    root,
    draw(value, can) {
      fill(input, value);
      input.disabled = !can && document.activeElement !== input;
    },
  };
}

function numberLine(rule, id, set, step) {
  const { may_be_null: mayBeNull } = rule;
  const input = el("input", { type: "number", step, min: 0, inputmode: step === 1 ? "numeric" : "decimal", required: !mayBeNull, "aria-describedby": id, placeholder: mayBeNull ? say("setup.rules.none") : null, onchange: changed });
  function changed() {
    if (!input.reportValidity()) return null;
    return set(input.value === "" ? null : Number(input.value));
  }
  return { ...line(rule, input), inWords: (value) => (value === null ? say("setup.rules.none") : String(value)) };
}
