import { html } from "hono/html";
import { SANDBOX_CARDS, type SandboxCard } from "../../payments/sandbox-cards.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";

/** The first card of each behaviour is described by the behaviour. */
const isFirst = ({ behavior }: SandboxCard, n: number) =>
  SANDBOX_CARDS.findIndex((each) => each.behavior === behavior) === n;

/** The card numbers that a sandbox takes, to be copied. */
export function testCards({ card, testCard }: Words): Html {
  const items = SANDBOX_CARDS.map((each, n) => {
    const label = isFirst(each, n) ? testCard[each.behavior] : testCard.otherCard;
    return html`<li><code>${each.number}</code> <span>${label}</span></li>`;
  });
  return html`<details class="test-cards">
<summary>${card.testCards}</summary>
<p>${card.testCardsNote}</p>
<ul>${items}</ul>
</details>`;
}
