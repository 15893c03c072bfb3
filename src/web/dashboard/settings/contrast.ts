import { html } from "hono/html";
import { accentUses, type AccentUse } from "../../../domain/organization/accent.ts";
import type { Html } from "../../layout.ts";

const COLOR = /^#[0-9a-f]{6}$/i;
const SURFACES: Record<AccentUse["surface"], string> = {
  button: "Text on a button",
  light: "Links on a light page",
  dark: "Links on a dark page",
};

const ratio = (value: number) => `${(Math.floor(value * 10) / 10).toFixed(1)} : 1`;

/** The choice for one place, with its reason. */
function sentenceOf({ surface, wanted, least, used, isAdapted }: AccentUse): string {
  const has = `has a contrast of ${ratio(wanted)}`;
  if (surface === "button")
    return isAdapted
      ? `White text ${has}, and ${ratio(least)} is needed. So the text is black.`
      : `White text ${has}. The text is white.`;
  if (!isAdapted) return `The colour ${has}, and is used as it is.`;
  const shade = surface === "light" ? "darker" : "lighter";
  return `The colour ${has}, and ${ratio(least)} is needed. So a ${shade} shade is used: ${used}.`;
}

/** A sample of a text in its place. The style sheet has the pages' own backgrounds. */
function swatch({ surface, used }: AccentUse, color: string): Html {
  const ground = surface === "button" ? html`<rect class="ground" width="64" height="32" rx="6" fill="${color}"/>` : "";
  return html`<svg class="swatch on-${surface}" viewBox="0 0 64 32" aria-hidden="true">
${ground}<text x="32" y="21" text-anchor="middle" fill="${used}">Abc</text></svg>`;
}

/**
 * How pages and e-mails use a typed colour. Buttons have the colour itself; texts have the nearest shade that can be
 * read. An invalid colour is refused with its reason.
 */
export function contrastPart(typed: string): Html {
  const color = typed.trim().toLowerCase();
  if (color === "") return html`<p class="note">Without a colour, pages and e-mails have the blue of Billow.</p>`;
  if (!COLOR.test(color))
    return html`<p class="fault">This is not a colour. Write a colour as # and six digits from 0 to f: #1f4fd8.</p>`;
  const entry = (use: AccentUse) => html`<div>
<dt>${swatch(use, color)} ${SURFACES[use.surface]}</dt>
<dd>${sentenceOf(use)}</dd>
</div>`;
  return html`<dl class="contrasts">${accentUses(color.slice(1)).map(entry)}</dl>`;
}
