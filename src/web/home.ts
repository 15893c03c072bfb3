import { html } from "hono/html";
import type { Context } from "../context.ts";
import { ENGLISH } from "../texts/words.ts";
import { layout, type Html } from "./layout.ts";

/** The page with the URLs that an operator needs. Buyers never come to this page. */
export function homePage(ctx: Context): Html {
  const { publicOrigin, publicBasePaths } = ctx.config;
  const at = (path: string) => `${publicOrigin}${path}`;
  const apis = publicBasePaths.map((base) => ["Public API", base] as const);
  const entry = ([name, base]: readonly [string, string]) => html`<div>
<dt>${name}</dt>
<dd><code>${at(base)}</code> <a href="${at(base)}/openapi.json">OpenAPI</a></dd>
</div>`;
  const body = html`<main class="message">
<div class="panel">
<h1>Billow is running</h1>
<p>Billing for your own products, on your own server.</p>
<dl class="places">
${[...apis, ["Management API", "/manage/v1"] as const].map(entry)}
<div><dt>Client for TypeScript</dt><dd><code>npm install "$(curl -fsS ${at("/client")})"</code></dd></div>
</dl>
<a class="button" href="${at("/docs")}">Read the documentation</a>
</div>
</main>`;
  return layout(ctx, { words: ENGLISH, organization: null, title: "Billow", body });
}
