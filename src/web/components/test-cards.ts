import { html } from "hono/html";
import { SANDBOX_CARDS } from "../../payments/sandbox-cards.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";

/** The card numbers that a sandbox takes, to be copied. */
export function testCards({ card }: Words): Html {
  return html`<details class="test-cards">
<summary>${card.testCards}</summary>
<p>${card.testCardsNote}</p>
<ul>${SANDBOX_CARDS.map(({ number, label }) => html`<li><code>${number}</code> <span>${label}</span></li>`)}</ul>
</details>`;
}
