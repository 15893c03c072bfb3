import { html } from "hono/html";
import { VERSION } from "../../version.ts";
import type { Surface } from "../surfaces.ts";
import { openApiPath, type Edition } from "./edition.ts";
import { prose, type Html } from "./shell.ts";
import { referencePath } from "./tree.ts";

type First = { guide: string; title: string; path: string; body: object | null };

/** For each API its guide, and a request that needs no knowledge of the API. `pro` is a Product of the demo. */
const FIRST: Readonly<Record<string, First>> = {
  public: {
    guide: "/docs/api/public-api",
    title: "A Checkout of the Product `pro`",
    path: "/checkouts",
    body: { productKey: "pro" },
  },
  management: { guide: "/docs/api/management-api", title: "A list of the Products", path: "/products", body: null },
  licenses: {
    guide: "/docs/api/licenses",
    title: "The state of a license key",
    path: "/validate",
    body: { organizationId: "org_…", key: "…" },
  },
};

/** The request as a command. The reader puts a key, or an id, in place of each ellipsis. */
function command(base: string, { scope }: Surface, { path, body }: First): string {
  const parts = [
    `curl ${base}${path}`,
    ...(scope === null ? [] : ["-H 'Authorization: Bearer blw_test_…'"]),
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]),
  ];
  return parts.join(" \\\n  ");
}

/** The first page of a reference: the base path, the key, a first request, and the pages to read next. */
export function renderOverview({ link: linkOf, origin }: Edition, surface: Surface): Html {
  const path = referencePath(surface);
  const { title, version, description, basePaths } = surface;
  const base = origin + basePaths[0]!;
  const first = FIRST[surface.name]!;
  const link = (to: string, text: string) => html`<a href="${linkOf(path, to)}">${text}</a>`;
  return html`<div slot="overview" class="overview">
<h2>${title}</h2>
<p>Version ${version}, of Billow ${VERSION}. ${prose(description)}</p>
<h3>Base path</h3>
<pre tabindex="0"><code>${base}</code></pre>
<h3>First request</h3>
<p>${prose(first.title)}:</p>
<pre tabindex="0"><code>${command(base, surface, first)}</code></pre>
<h3>Read next</h3>
<p>${link(first.guide, "The guide to this API")}, ${link("/docs/api", "the facts that all APIs share")},
${link("/docs/errors", "errors")} and ${link(openApiPath(surface), "the OpenAPI document")}. The operations
stand in the navigation, or below on a narrow screen.</p>
</div>
<span slot="overview-api-description"></span>`;
}
