import { html } from "hono/html";
import { periodOf, type Product } from "../../../domain/model/product.ts";
import { counted } from "../../../domain/words.ts";
import { rhythmOf } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { NONE } from "../components/cells.ts";
import { definitions, type Definition } from "../components/definitions.ts";

/** The trial in words; null: there is none. */
export function trialOf({ trialDays, trialCard }: Product): string | null {
  if (trialDays === null) return null;
  const card = trialCard === "required" ? "with a card" : "the card is optional";
  return `${counted(trialDays, "day")}, ${card}`;
}

/** The fields that no edit changes. */
export function fixedDefinitions(product: Product): Definition[] {
  const { key, groupKey } = product;
  const isRecurring = periodOf(product) !== null;
  return [
    ["Key", key === null ? NONE : html`<code>${key}</code>`],
    ["Billing", rhythmOf(ENGLISH, product)],
    ...(isRecurring
      ? ([
          ["Free trial", trialOf(product) ?? NONE],
          ["Group", groupKey === null ? NONE : html`<code>${groupKey}</code>`],
        ] as const)
      : []),
  ];
}

/** These fields, with the reason, for the form of an edit. */
export const fixedFacts = (product: Product): Html => html`<section class="fixed" aria-labelledby="fixed">
<h2 id="fixed">Fixed values</h2>
<p class="hint">Subscriptions and programs rely on these values. For other values, create another Product and archive
this one.</p>
${definitions(fixedDefinitions(product))}
</section>`;
