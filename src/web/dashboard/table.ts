import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** The present order of a column, and the address of the other one. */
type Sort = { direction: "ascending" | "descending"; other: string };
/**
 * `isNumber`: the cells of the column have the class `number`, and stand to the right. `isWide`: as the cells. `sort`:
 * the rows are in the order of this column.
 */
export type Heading = { label: string; isNumber?: boolean; isWide?: boolean; sort?: Sort };

const classOf = ({ isNumber = false, isWide = false }: Heading) =>
  [...(isNumber ? ["number"] : []), ...(isWide ? ["wide"] : [])].join(" ");

function sortedHeading({ label, ...heading }: Heading, { direction, other }: Sort): Html {
  const arrow = direction === "ascending" ? "▲" : "▼";
  return html`<th scope="col" class="${classOf({ label, ...heading })}" aria-sort="${direction}"><a href="${other}">
${label} <span aria-hidden="true">${arrow}</span></a></th>`;
}

/**
 * A list with a row for each resource. On a narrow screen the cells of the class `wide` are left out, and the list
 * scrolls within its frame, by keyboard too.
 */
export function table(caption: string, headings: readonly (string | Heading)[], rows: readonly Html[]): Html {
  const heading = (given: string | Heading) => {
    const each = typeof given === "string" ? { label: given } : given;
    if (each.label === "") return html`<td></td>`;
    if (each.sort !== undefined) return sortedHeading(each, each.sort);
    const name = classOf(each);
    return name === ""
      ? html`<th scope="col">${each.label}</th>`
      : html`<th scope="col" class="${name}">${each.label}</th>`;
  };
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="list">
<caption class="hidden">${caption}</caption>
<thead><tr>${headings.map(heading)}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}
