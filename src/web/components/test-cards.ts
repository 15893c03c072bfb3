import { html } from "hono/html";
import { SANDBOX_CARDS } from "../../payments/sandbox-cards.ts";
import type { Html } from "../layout.ts";

/** The card numbers that a sandbox takes, to be copied. */
export function testCards(): Html {
  return html`<details class="test-cards">
<summary>Test cards</summary>
<p>Any month that is not past and any security code will do.</p>
<ul>${SANDBOX_CARDS.map(({ number, label }) => html`<li><code>${number}</code> <span>${label}</span></li>`)}</ul>
</details>`;
}
