import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import { catalogueAssets } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";

/** The styles of the catalogue's pages and of the buyer's pages in their pictures, and the script of the pictures. */
export function catalogueHead(ctx: Context): Html {
  const { styles, script } = catalogueAssets(ctx);
  return html`${styles.map((path) => html`${stylesheet(path)}\n`)}
<script src="${script}" type="module"></script>`;
}
