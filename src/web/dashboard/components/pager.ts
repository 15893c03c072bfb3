import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/** Links to the neighbouring pages of a list. Null: there is no such page. */
export function pager({ previous, next }: { previous: string | null; next: string | null }): Html | "" {
  if (previous === null && next === null) return "";
  const link = (rel: "prev" | "next", href: string | null, text: string) =>
    href === null ? html`<span></span>` : html`<a href="${href}" rel="${rel}">${text}</a>`;
  return html`<nav class="pager" aria-label="Pages">
${link("prev", previous, "Previous page")}
${link("next", next, "Next page")}
</nav>`;
}
