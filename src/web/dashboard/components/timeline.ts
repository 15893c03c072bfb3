import { html } from "hono/html";
import type { Instant } from "../../../domain/calendar.ts";
import type { Html } from "../../layout.ts";
import type { Tone } from "./badge.ts";
import { time } from "./cells.ts";

export type TimelineEntry = { at: Instant; tone: Tone; title: Html | string; detail?: Html | string | undefined };

/** Past changes, one entry below the other, in the given order. */
export function timeline(entries: readonly TimelineEntry[], zone: string): Html {
  const entry = ({ at, tone, title, detail }: TimelineEntry) => html`<li class="${tone}">
<p><strong>${title}</strong> <span class="note">${time(at, zone)}</span></p>
${detail === undefined ? "" : html`<div class="detail">${detail}</div>`}
</li>`;
  return html`<ol class="timeline">${entries.map(entry)}</ol>`;
}
