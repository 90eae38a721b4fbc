// The link of this page for phones, as a QR code. Who sees it may take part, so only who may do that already gets it.

import { ownToken } from "./commands.js";
import { el, show } from "./dom.js";
import { language, say } from "./texts.js";

/** @param root the way from this page to the first one */
export function phoneBox(root) {
  const shown = el("div", { role: "status" });
  let picture = null;

  async function fetchLink() {
    const values = { address: new URL(root, location.href).href, lang: language };
    try {
      const answer = await fetch(`${root}phone?${new URLSearchParams(values)}`, { cache: "no-store", headers: { "X-Companion-Token": ownToken() } });
      return await answer.json();
    } catch {
      return { detail: say("command.unheard") };
    }
  }

  async function open() {
    const { link, svg, detail } = await fetchLink();
    if (picture) URL.revokeObjectURL(picture);
    picture = svg ? URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) : null;
    show(
      shown,
      picture ? el("img", { class: "qr", src: picture, alt: say("phone.alt") }) : el("p", {}, detail),
      link ? el("p", {}, el("a", { href: link }, say("phone.link"))) : null,
      picture ? el("p", { class: "quiet" }, say("phone.secret")) : null,
    );
  }

  return el("details", { ontoggle: (event) => (event.target.open ? open() : show(shown)) }, el("summary", {}, say("phone")), shown);
}
