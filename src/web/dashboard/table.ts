import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** `isNumber`: the cells of the column have the class `number`, and stand to the right. `isWide`: as the cells. */
export type Heading = { label: string; isNumber?: boolean; isWide?: boolean };

const classOf = ({ isNumber = false, isWide = false }: Heading) =>
  [...(isNumber ? ["number"] : []), ...(isWide ? ["wide"] : [])].join(" ");

/**
 * A list with a row for each resource. On a narrow screen the cells of the class `wide` are left out, and the list
 * scrolls within its frame, by keyboard too.
 */
export function table(caption: string, headings: readonly (string | Heading)[], rows: readonly Html[]): Html {
  const heading = (given: string | Heading) => {
    const each = typeof given === "string" ? { label: given } : given;
    if (each.label === "") return html`<td></td>`;
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
