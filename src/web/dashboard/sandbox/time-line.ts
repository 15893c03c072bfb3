import { html } from "hono/html";
import { addDays, beginOfDay, DAY, formatDate, instant, type Instant } from "../../../domain/calendar.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { customerPath } from "../lists/customer-cell.ts";
import { table } from "../table.ts";
import { badge } from "../components/badge.ts";
import type { Due } from "./due-items.ts";
import { dayText, type Day } from "./days.ts";

export type TimeLine = { now: Instant; zone: string; self: string; days: readonly Day[]; due: readonly Due[] };

const rounded = (value: number) => Math.round(value * 100) / 100;
/** The place of the present on the line, of 100. The past and the future have a scale of their own each. */
const PRESENT = 50;
const LEAST_SPAN = 7 * DAY;
/** Later things, such as the end of a card in two years, stand in the list alone. */
const MOST_SPAN = 92 * DAY;

const nameOf = ({ date }: Day, zone: string) => formatDate(beginOfDay(date, zone), zone);

/** The picture: the events of past days as columns, the present as a line, and each due thing as a mark. */
function picture({ now, zone, days, due }: TimeLine): Html {
  const drawn = due.filter(({ at }) => at <= now + MOST_SPAN);
  const begin = Math.min(now - LEAST_SPAN, ...days.map(({ date }) => beginOfDay(date, zone)));
  const end = Math.max(now + LEAST_SPAN, ...drawn.map(({ at }) => at));
  const percentAt = (at: number) =>
    at <= now ? ((at - begin) / (now - begin)) * PRESENT : PRESENT + ((at - now) / (end - now)) * (100 - PRESENT);
  const most = Math.max(1, ...days.map(({ total }) => total));
  const column = (day: Day) => {
    const [from, to] = [beginOfDay(day.date, zone), beginOfDay(addDays(day.date, 1), zone)].map((at) =>
      percentAt(Math.min(at, now)),
    );
    const height = 8 + (day.total / most) * 62;
    const width = Math.max(to! - from!, 0.6) * 0.8;
    return html`<rect class="past" x="${rounded(from!)}" y="${rounded(80 - height)}"
 width="${rounded(width)}" height="${rounded(height)}"><title>${nameOf(day, zone)}: ${dayText(day)}</title></rect>`;
  };
  const mark = ({ at, tone, text, customer }: Due) => html`<rect class="due ${tone}"
 x="${rounded(Math.min(percentAt(at), 99.4))}" y="40" width="0.6" height="40"><title>${formatDate(at, zone)}: ${text}${
   customer === null ? "" : `, ${customer}`
 }</title></rect>`;
  const [first, last] = [formatDate(instant(begin), zone), formatDate(instant(end), zone)];
  const summary = `The time line from ${first} to ${last}: events
on ${days.length} past days, and ${drawn.length} things to come. The lists below say the same.`;
  return html`<div class="time-line">
<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="${summary}">
<line class="axis" x1="0" x2="100" y1="80" y2="80"/>
${days.map(column)}
${drawn.map(mark)}
<rect class="now" x="${PRESENT - 0.15}" y="4" width="0.3" height="92"/>
</svg>
<p class="ends" aria-hidden="true"><span>${first}</span><span>The clock</span><span>${last}</span></p>
</div>`;
}

function dueRow({ self, zone, now }: TimeLine, { at, tone, text, customerId, customer, part }: Due): Html {
  const link =
    customerId === null
      ? html`<span class="note">No Customer yet</span>`
      : html`<a href="${customerPath(self, customerId, part)}"><bdi>${customer}</bdi></a>`;
  const late = at <= now ? html` ${badge("warn", "Due now")}` : "";
  return html`<tr><th scope="row">${time(at, zone)}${late}</th>
<td><span class="dot ${tone}"></span> <bdi>${text}</bdi> ${link}</td></tr>`;
}

/** The time line as a picture and as two lists: the things to come, and the past days in short. */
export function timeLine(line: TimeLine): Html {
  const { days, due, zone } = line;
  const coming =
    due.length === 0
      ? emptyState("No item is due. Renewals, ends of trials, retries and e-mails appear here after a purchase.")
      : table(
          "Due items",
          ["Time", "Due item"],
          due.map((each) => dueRow(line, each)),
        );
  const day = (each: Day) => html`<li><strong>${nameOf(each, zone)}:</strong> ${dayText(each)}</li>`;
  const past =
    days.length === 0
      ? html`<p class="note">There are no events yet.</p>`
      : html`<ul class="days">${days.map(day)}</ul>`;
  return html`${picture(line)}
<section aria-labelledby="due"><h2 id="due">Due next</h2>
${coming}</section>
<section aria-labelledby="past"><h2 id="past">Past days</h2>
${past}</section>`;
}
