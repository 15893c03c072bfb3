import { html } from "hono/html";
import type { Metrics } from "../../../actions/metrics/read.ts";
import type { Context } from "../../../context.ts";
import { addDays, addMonths } from "../../../domain/calendar.ts";
import { COUNTED_STATUSES, type CountedStatus } from "../../../domain/metrics/day.ts";
import { MOVEMENT_KINDS, type MovementKind } from "../../../domain/metrics/movement.ts";
import { netOf, totalsOf, type Point } from "../../../domain/metrics/series.ts";
import type { Step } from "../../../domain/metrics/span.ts";
import { counted, percent } from "../../../domain/words.ts";
import { metricsStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { moneyText } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { pager } from "../components/pager.ts";
import { tabs } from "../components/tabs.ts";
import { dashboardPage } from "../frame.ts";
import { table, type Heading } from "../table.ts";
import type { DashboardRequest } from "../request.ts";
import { queryOf, type AskedFigures } from "./query.ts";
import { charts } from "./charts.ts";
import { countingHint } from "./count-progress.ts";
import { firstSteps, type Step as FirstStep } from "./first-steps.ts";
import { bucketName, KIND_NAMES, spanText, STATUS_NAMES } from "./names.ts";
import { needsList, type NeedsData } from "./needs.ts";

/** A figure of the overview. `href`: the rows behind it. `more`: a short note below. */
type Tile = { label: string; value: string; href: string; more: string };

export function tileList(entries: readonly Tile[]): Html {
  const tile = ({ label, value, href, more }: Tile) =>
    html`<div><dt>${label}</dt><dd><a href="${href}">${value}</a></dd><dd class="note">${more}</dd></div>`;
  return html`<dl class="tiles">${entries.map(tile)}</dl>`;
}

/** `fill`: the next step of an empty sandbox; null: this is no empty sandbox. */
type OverviewView = {
  request: DashboardRequest;
  asked: AskedFigures;
  metrics: Metrics;
  today: string;
  fill: { href: string; label: string } | null;
  /** The steps to the first sale; null: there are Customers. */
  steps: readonly FirstStep[] | null;
};

/** The pages with the rows behind a figure. `last`: the last date, which counts. */
function rowsOf({ request: { self }, asked: { currency } }: OverviewView, from: string, last: string) {
  const span = { currency, from, to: last };
  return {
    mrr: `${self}/metrics/mrr${queryOf({ currency, to: last })}`,
    movements: (kind: MovementKind | null) => `${self}/metrics/movements${queryOf({ ...span, kind })}`,
    revenue: `${self}/metrics/revenue${queryOf(span)}`,
    recovered: `${self}/metrics/recovered${queryOf(span)}`,
    subscriptions: (status: CountedStatus) => `${self}/metrics/subscriptions${queryOf({ currency, to: last, status })}`,
  };
}

/** The units of the Subscriptions with a status; empty if each Subscription has one unit (rule R9). */
const unitsOf = ({ subscriptions, units }: Point, status: CountedStatus, before: string): string =>
  units[status] === subscriptions[status] ? "" : `${before}${counted(units[status], "unit")}`;

function tiles(shown: OverviewView): Html {
  const { metrics, asked } = shown;
  const { points, opening, currency } = metrics;
  const last = points.at(-1)!;
  const { movements, revenue } = totalsOf(metrics);
  const rows = rowsOf(shown, asked.from, asked.to);
  const churned = -movements.churn.amount;
  const rate =
    opening === 0
      ? ""
      : ` · ${percent(Math.round((churned * 10_000) / opening)).replace(" ", "\u00a0")} of the MRR before`;
  const change = last.mrr - opening;
  const all: Tile[] = [
    {
      label: "MRR",
      value: moneyText(last.mrr, currency),
      href: rows.mrr,
      more: `${change > 0 ? "+" : ""}${moneyText(change, currency)} in this period`,
    },
    {
      label: "Net revenue",
      value: moneyText(netOf(revenue), currency),
      href: rows.revenue,
      more: `invoiced, paid or not · ${moneyText(revenue.refunds, currency)} refunded`,
    },
    ...COUNTED_STATUSES.map((status) => ({
      label: STATUS_NAMES[status],
      value: String(last.subscriptions[status]),
      href: rows.subscriptions(status),
      more: `Subscriptions${unitsOf(last, status, " · ")}`,
    })),
    {
      label: "Churned MRR",
      value: moneyText(churned, currency),
      href: rows.movements("churn"),
      more: `${counted(movements.churn.subscriptions, "time")}${rate}`,
    },
    {
      label: "Recovered payments",
      value: moneyText(revenue.recovered, currency),
      href: rows.recovered,
      more: `${revenue.recoveredPayments} paid after a failed charge`,
    },
  ];
  return tileList(all);
}

const HEADINGS = (step: Step): Heading[] => [
  { label: step === "day" ? "Day" : "Month" },
  { label: "MRR", isNumber: true },
  ...MOVEMENT_KINDS.map((kind) => ({ label: KIND_NAMES[kind], isNumber: true, isWide: true })),
  { label: "Net revenue", isNumber: true },
  { label: "Recovered", isNumber: true, isWide: true },
  ...COUNTED_STATUSES.map((status) => ({ label: STATUS_NAMES[status], isNumber: true, isWide: true })),
];

function row(shown: OverviewView, point: Point): Html {
  const { asked, metrics, today } = shown;
  const rows = rowsOf(shown, point.first, addDays(point.next, -1));
  const linked = (amount: number, href: string, wide: boolean) => {
    const text = moneyText(amount, metrics.currency);
    const cell = amount === 0 ? html`<span class="note">0</span>` : html`<a href="${href}">${text}</a>`;
    return html`<td class="number${wide ? " wide" : ""}">${cell}</td>`;
  };
  const isOpen = point.first <= today && today < point.next;
  const counts = COUNTED_STATUSES.map((status) => {
    const count = point.subscriptions[status];
    const text = unitsOf(point, status, "");
    const inUnits = text === "" ? "" : html`<span class="note">${text}</span>`;
    const cell =
      count === 0
        ? html`<span class="note">0</span>`
        : html`<a href="${rows.subscriptions(status)}">${count}</a> ${inUnits}`;
    return html`<td class="number wide">${cell}</td>`;
  });
  return html`<tr>
<th scope="row">${bucketName(asked.step, point)}${isOpen ? html` <span class="note">so far</span>` : ""}</th>
${linked(point.mrr, rows.mrr, false)}
${MOVEMENT_KINDS.map((kind) => linked(point.movements[kind].amount, rows.movements(kind), true))}
${linked(netOf(point.revenue), rows.revenue, false)}
${linked(point.revenue.recovered, rows.recovered, true)}
${counts}
</tr>`;
}

const SPANS: Record<Step, string> = { day: "30 days", month: "12 months" };

/** Tabs for days and months, for the currencies, and the neighbouring times. */
function controls({ request: { self }, asked, metrics, today }: OverviewView): { choice: Html; turn: Html | "" } {
  const { step, currency, from, to } = asked;
  const by = (each: Step) => (each === "month" ? "month" : null);
  const address = (fields: Record<string, string | null>) => self + queryOf(fields);
  const steps = tabs(
    "Days or months",
    (["day", "month"] as const).map((each) => ({
      href: address({ by: by(each), currency }),
      label: SPANS[each],
      isCurrent: each === step,
    })),
  );
  const currencies =
    metrics.currencies.length === 1
      ? ""
      : tabs(
          "Currency",
          metrics.currencies.map((each) => ({
            href: address({ by: by(step), currency: each, to: to >= today ? null : to }),
            label: each.toUpperCase(),
            isCurrent: each === currency,
          })),
        );
  const later = step === "day" ? addDays(to, 30) : addDays(addMonths(to, 13), -1);
  const turn = pager(
    {
      previous: address({ by: by(step), currency, to: addDays(from, -1) }),
      next: to >= today ? null : address({ by: by(step), currency, to: later >= today ? null : later }),
    },
    { previous: `The ${SPANS[step]} before`, next: `The ${SPANS[step]} after` },
  );
  return { choice: html`<div class="choices">${steps}${currencies}</div>`, turn };
}

const isEmpty = ({ points, opening }: Metrics) =>
  opening === 0 &&
  points.every(
    ({ mrr, revenue, subscriptions }) =>
      mrr === 0 && revenue.sales === 0 && revenue.refunds === 0 && subscriptions.trialing + subscriptions.active === 0,
  );

function figures(shown: OverviewView): Html {
  const { metrics, asked, request } = shown;
  const { choice, turn } = controls(shown);
  const span = spanText(asked.from, asked.to);
  const shownFigures = isEmpty(metrics)
    ? emptyState(
        "MRR and revenue appear here with the first purchase in this period and currency.",
        shown.fill ?? { href: `${request.self}/checkouts`, label: "See the Checkouts" },
      )
    : html`${tiles(shown)}
<div class="charts">${charts(metrics, asked.step)}</div>
<h3>All figures</h3>
<div class="figures">${table(
        `Figures from ${span}`,
        HEADINGS(asked.step),
        metrics.points.toReversed().map((point) => row(shown, point)),
      )}</div>`;
  return html`<section aria-labelledby="figures"><h2 id="figures">Revenue</h2>
${choice}
<p class="note">${span}, in ${asked.currency.toUpperCase()} and the time zone ${request.organization.timeZone}.</p>
${countingHint(metrics.isComplete)}
${shownFigures}
${turn}</section>`;
}

/** The first page of an Organization's dashboard: the matters that wait for a person, then the figures. */
export function overviewPage(ctx: Context, shown: OverviewView & { needs: NeedsData }): Html {
  const { request, needs } = shown;
  const { mode, id } = request.organization;
  const body = html`${needsList(ctx, request, needs)}
${shown.steps && firstSteps(request, shown.steps)}
${figures(shown)}
<p class="note">${mode === "sandbox" ? "Sandbox" : "Live"} · <code class="id">${id}</code></p>`;
  const head = stylesheet(metricsStylesPath(ctx));
  return dashboardPage(request, { section: "overview", title: "Overview", body, head });
}
