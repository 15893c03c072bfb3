import { html } from "hono/html";
import { addDays24, parseInstant, type Instant } from "../src/domain/calendar.ts";
import type { Html } from "../src/web/layout.ts";
import { moneyText } from "../src/web/dashboard/components/cells.ts";
import { chart } from "../src/web/dashboard/overview/chart.ts";
import { TONES } from "../src/web/dashboard/overview/scale.ts";
import { tileList } from "../src/web/dashboard/overview/page.ts";
import { timeLine } from "../src/web/dashboard/sandbox/time-line.ts";
import { dunningLine } from "../src/web/dashboard/settings/dunning-line.ts";

const AT = parseInstant("2026-02-28T22:30:00.000Z")!;

/** `figure`: whole dollars. */
const write = (figure: number) => moneyText(figure * 100, "usd");

/** A chart of one part, a chart of four parts above and below zero, and tiles with a short and a long figure. */
export function figures(): Html {
  const days = ["27 Feb", "28 Feb", "1 Mar"];
  const shared = { ends: ["27 Feb", "1 Mar"], write } as const;
  const plain = days.map((day, n) => ({
    label: `${day}: ${write(n * 40)}`,
    parts: [{ value: n * 40, tone: "one" as const }],
  }));
  const parted = days.map((day, n) => ({
    label: `${day}: four parts`,
    parts: TONES.map((tone, at) => ({ tone, value: at < 2 ? (n + at) * 10 : (n + at) * -5 })),
  }));
  return html`${tileList([
    { label: "A figure", value: "12", href: "#figures", more: "Its rows are one click away" },
    { label: "A long figure", value: "US$123,456,789.00", href: "#figures", more: "+US$1.00 in this period" },
  ])}
<div class="charts">
${chart({
  id: "plain",
  title: "One part",
  value: write(80),
  summary: "Three days, up to US$80.00.",
  columns: plain,
  legend: [],
  ...shared,
})}
${chart({
  id: "parted",
  title: "Four parts",
  value: write(-15),
  summary: "Three days with parts above and below zero.",
  columns: parted,
  legend: TONES.map((tone) => [tone, `Part ${tone}`] as const),
  ...shared,
})}
</div>`;
}

/** The time line of the sandbox: past days, one thing that is due now, and one to come. */
export function clock(self: string, zone: string): Html {
  const now = AT;
  const due = (at: Instant, tone: "good" | "warn", text: string) => ({
    at,
    tone,
    text,
    customerId: null,
    customer: null,
    part: "",
  });
  const days = [
    { date: "2026-02-27", total: 9, types: [["subscription.renewed", 9] as const] },
    { date: "2026-02-20", total: 2, types: [["customer.created", 2] as const] },
  ];
  return timeLine({
    now,
    zone,
    self,
    days,
    due: [due(now, "warn", "A retry that is due now"), due(addDays24(now, 20), "good", "A renewal in twenty days")],
  });
}

/** Dunning whose access ends before the last retry. */
export const dunning = (): Html => dunningLine({ retryDays: [3, 5, 7, 14], graceDays: 7 });
