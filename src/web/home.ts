import { html } from "hono/html";
import type { TrySandbox } from "../actions/sandbox/try-links.ts";
import type { Context } from "../context.ts";
import { ENGLISH } from "../texts/words.ts";
import { pathOf } from "./components/link.ts";
import { layout, type Html } from "./layout.ts";

function sandboxEntry({ organization, links }: TrySandbox): Html {
  const link = (url: string, text: string) => html`<a href="${pathOf(url)}">${text}</a>`;
  const checkout = links.checkout === null ? "" : html`${link(links.checkout, "Try a Checkout")} · `;
  return html`<div>
<dt><bdi>${organization.name}</bdi> (sandbox)</dt>
<dd>${checkout}${link(links.emails, "E-mails")} · ${link(links.portal, "Portal")}</dd>
</div>`;
}

/** A command with a button that copies it. A block can be scrolled, so the command keeps its lines on a phone. */
function command(text: string): Html {
  const { copy, copied } = ENGLISH.licenses;
  return html`<pre tabindex="0"><code>${text}</code></pre>
<button class="button other small" type="button" data-copy="${text}" data-copied="${copied}"
aria-label="${copy} the command" hidden>${copy}</button> <span role="status"></span>`;
}

/**
 * The page with the URLs that an operator needs. Buyers never come to this page. `sandboxes`: empty for a reader on
 * another machine, because the links of the sandboxes open pages without a key.
 */
export function homePage(ctx: Context, sandboxes: readonly TrySandbox[]): Html {
  const { publicOrigin, publicBasePaths } = ctx.config;
  const at = (path: string) => `${publicOrigin}${path}`;
  const apis = [
    ...publicBasePaths.map((base) => ["Public API", base] as const),
    ["Management API", "/manage/v1"] as const,
    ["License API", "/licenses/v1"] as const,
  ];
  const entry = ([name, base]: readonly [string, string]) => html`<div>
<dt>${name}</dt>
<dd><code>${at(base)}</code> <a href="${at(base)}/openapi.json">OpenAPI</a></dd>
</div>`;
  const body = html`<main class="message">
<div class="panel">
<h1>Billow is running</h1>
<p>Billing for your own products, on your own server.</p>
<dl class="places">
${sandboxes.map(sandboxEntry)}
${apis.map(entry)}
<div><dt>Client for JavaScript and TypeScript</dt><dd>${command(`url=$(curl -fsS ${at("/client")}) &&
npm install "$url"`)}</dd></div>
<div><dt>Client for Python</dt><dd>${command(`pip install "$(curl -fsS ${at("/client/python")})"`)}</dd></div>
</dl>
<p class="choice"><a class="button" href="${at("/dashboard")}">Dashboard</a>
<a class="button other" href="${at("/docs")}">Documentation</a></p>
</div>
</main>`;
  return layout(ctx, { words: ENGLISH, organization: null, title: "Billow", body });
}
