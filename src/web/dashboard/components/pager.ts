import { html } from "hono/html";
import type { Html } from "../../layout.ts";

const LABELS = { previous: "Previous page", next: "Next page" };

/** Links to the neighbouring pages of a list. Null: there is no such page. */
export function pager(
  { previous, next }: { previous: string | null; next: string | null },
  labels: typeof LABELS = LABELS,
): Html | "" {
  if (previous === null && next === null) return "";
  const link = (rel: "prev" | "next", href: string | null, text: string) =>
    href === null ? html`<span></span>` : html`<a href="${href}" rel="${rel}">${text}</a>`;
  return html`<nav class="pager" aria-label="Pages">
${link("prev", previous, labels.previous)}
${link("next", next, labels.next)}
</nav>`;
}
