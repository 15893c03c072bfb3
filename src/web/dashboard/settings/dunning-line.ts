import { html } from "hono/html";
import type { Dunning } from "../../../domain/model/retry-schedule.ts";
import type { Html } from "../../layout.ts";
import { table } from "../table.ts";

/** `kind`: the sign of a step in the picture. */
type Step = { day: number; kind: "failure" | "retry" | "suspended" | "end"; text: string };

/** The steps in their order. The grace ends unseen if the Subscription ends before. */
export function stepsOf({ retryDays, graceDays }: Dunning): Step[] {
  const last = retryDays.at(-1)!;
  const retries = retryDays.map((day, n): Step => ({
    day,
    kind: "retry",
    text: `Retry ${n + 1} of ${retryDays.length}`,
  }));
  const grace: Step[] =
    graceDays < last
      ? [{ day: graceDays, kind: "suspended", text: "The access ends, until the invoices are paid" }]
      : [];
  const steps: Step[] = [
    { day: 0, kind: "failure", text: "The charge fails, and the Subscription is past due" },
    ...retries,
    ...grace,
    { day: last, kind: "end", text: "If the last retry fails, the Subscription ends" },
  ];
  const order = { failure: 0, suspended: 1, retry: 2, end: 3 };
  return steps.sort((one, other) => one.day - other.day || order[one.kind] - order[other.kind]);
}

const WIDTH = 640;
const EDGE = 24;
const LINE = 40;
/** The width of a label on a phone. */
const LABEL = 48;

function signOf(x: number, { kind }: Step): Html {
  if (kind === "end") return html`<rect class="end" x="${x - 7}" y="${LINE - 7}" width="14" height="14" rx="2"/>`;
  if (kind === "suspended") return html`<path class="suspended" d="M${x} ${LINE - 16}v32"/>`;
  return html`<circle class="${kind}" cx="${x}" cy="${LINE}" r="7"/>`;
}

/** The days below the line. A day that is too near to the one before is left out: the table has it. */
function labels(steps: readonly Step[], xOf: (day: number) => number): Html[] {
  let free = -Infinity;
  const days = [...new Set(steps.map(({ day }) => day))];
  return days.flatMap((day, n) => {
    const x = xOf(day);
    const isLast = n === days.length - 1;
    if (!isLast && (x < free || xOf(days.at(-1)!) - x < LABEL)) return [];
    free = x + LABEL;
    return [html`<text x="${x}" y="${LINE + 36}" text-anchor="middle">${day}</text>`];
  });
}

/** The time line of dunning: with access, without access, each retry and the end. The table has the same steps. */
export function dunningLine(dunning: Dunning): Html {
  const steps = stepsOf(dunning);
  const last = dunning.retryDays.at(-1)!;
  const xOf = (day: number) => Math.round(EDGE + (day / last) * (WIDTH - 2 * EDGE));
  const until = xOf(Math.min(dunning.graceDays, last));
  const without = dunning.graceDays < last ? html` <span class="key without-access"></span> without access` : html``;
  const summary = steps.map(({ day, text }) => `Day ${day}: ${text}.`).join(" ");
  const row = ({ day, text }: Step) => html`<tr><td class="number">${day}</td><td>${text}</td></tr>`;
  return html`<figure class="dunning">
<svg viewBox="0 0 ${WIDTH} 84" role="img" aria-label="${summary}">
<path class="with-access" d="M${EDGE} ${LINE}H${until}"/>
<path class="without-access" d="M${until} ${LINE}H${xOf(last)}"/>
${steps.map((step) => signOf(xOf(step.day), step))}
${labels(steps, xOf)}
</svg>
<figcaption><span class="key with-access"></span> with access${without}</figcaption>
${table("Steps after a failed charge", [{ label: "Day", isNumber: true }, "Step"], steps.map(row))}
</figure>`;
}
