import { html } from "hono/html";
import type { ImportRow } from "../../../domain/import/import.ts";
import { developersStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { badge, type Tone } from "../components/badge.ts";
import { exactTime, id, NONE, time } from "../components/cells.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { guideLink } from "../components/guide-link.ts";
import { notice } from "../components/notice.ts";
import { payload } from "../components/payload.ts";
import { timeline, type TimelineEntry } from "../components/timeline.ts";
import { dashboardPage } from "../frame.ts";
import { customerLink, customerPath } from "../lists/customer-cell.ts";
import type { DashboardRequest } from "../request.ts";
import { amountText } from "./amount.ts";
import { nextStep } from "./next-step.ts";
import { snapshotText } from "./snapshot.ts";
import type { ReportRow } from "./page.ts";
import { IMPORTS } from "./paths.ts";
import { causeText, CHARGED_BY, problemText, reasonText, SOURCES, stateOf } from "./words.ts";

const amountOrNone = (amount: number | null, currency: string): Html | string =>
  amount === null ? NONE : amountText(amount, currency);

function factsOf(row: ReportRow, { self, organization }: DashboardRequest): Definition[] {
  const { account, currency, customer, customerRef, monthly, nextChargeAt, source, state, subscriptionId } = row;
  const [tone, label] = stateOf(row);
  const subscription =
    subscriptionId === null || customer === null
      ? NONE
      : html`<a href="${customerPath(self, customer.id, subscriptionId)}">${id(subscriptionId)}</a>`;
  return [
    ["State", html`${badge(tone, label)} ${CHARGED_BY[state]}`],
    ["Account", html`${SOURCES[source]} ${id(account)}`],
    ["Customer there", id(customerRef)],
    ["Customer here", customer === null ? NONE : customerLink(customer, { self })],
    ["Subscription here", subscription],
    ["A month", amountText(monthly, currency)],
    ["Next charge there", nextChargeAt === null ? NONE : time(nextChargeAt, organization.timeZone)],
  ];
}

/** The totals of the next invoice in both systems, with the causes of a difference. */
function totalsOf({ accepted, causes, currency, expectedTotal, ownTotal }: ReportRow): Html | "" {
  if (expectedTotal === null && ownTotal === null) return "";
  const isCompared = expectedTotal !== null && ownTotal !== null;
  const difference = isCompared ? ownTotal - expectedTotal : 0;
  const because = causes.map((cause) => html`<li>${causeText(cause)}</li>`);
  return html`<h2>Next invoice</h2>
${definitions([
  ["Total there", amountOrNone(expectedTotal, currency)],
  ["Total here", amountOrNone(ownTotal, currency)],
  ...(difference === 0
    ? []
    : ([
        ["Difference", amountText(difference, currency)],
        ["Causes", causes.length === 0 ? "Not known" : html`<ul>${because}</ul>`],
        ["Accepted", accepted ? "Yes" : "No"],
      ] as const)),
])}
<p class="note">Both totals are before the balance of the Customer.</p>`;
}

function historyOf(row: ImportRow): TimelineEntry[] {
  const { balanceMoved, checkedAt, createdAt, currency, finishedAt, movedAt, state, stoppedAt, stoppingAt } = row;
  const entries: readonly (readonly [
    at: ImportRow["stoppedAt"],
    tone: Tone,
    title: string,
    detail?: string | undefined,
  ])[] = [
    [createdAt, "quiet", "Read for the first time"],
    [stoppingAt, "warn", "The stop in the other system began"],
    [stoppedAt, "good", "The other system was read, and had stopped"],
    [
      movedAt,
      "good",
      "Released here",
      balanceMoved === null || balanceMoved === 0
        ? undefined
        : `Balance taken over: ${amountText(balanceMoved, currency)}`,
    ],
    state === "left"
      ? [finishedAt ?? row.updatedAt, "quiet", "Left: given up here, or ended in the other system"]
      : [finishedAt, "good", "Ended in the other system"],
    [checkedAt, "quiet", "Checked on both sides for the last time"],
  ];
  return entries
    .flatMap(([at, tone, title, detail]) => (at === null ? [] : [{ at, tone, title, detail }]))
    .sort((one, other) => one.at - other.at);
}

function reasonsPart({ causes, reasons, state }: ImportRow): Html | "" {
  const named: Definition[] = reasons.map((reason) => [html`<code>${reason}</code>`, reasonText(reason)]);
  const blocked: Definition[] =
    state === "assessed" ? causes.map((cause) => [html`<code>${cause}</code>`, causeText(cause)]) : [];
  if (named.length + blocked.length === 0) return "";
  return html`<h2>${state === "assessed" ? "Why the subscription stays" : "Reasons of the last reading"}</h2>
${definitions([...named, ...blocked])}`;
}

/** One subscription of another system: its state, its totals, its times, the last reading, and the next step. */
export function rowPage(request: DashboardRequest, row: ReportRow): Html {
  const { ctx, self, organization } = request;
  const { problem, ref, snapshot } = row;
  const { text, section } = nextStep(row);
  const guide = `guides/move-from-${row.source}${section === null ? "" : `#${section}`}`;
  const alarm = problem === null ? "" : notice("warning", html`${problemText(problem)}.`);
  const body = html`${alarm}
${definitions(factsOf(row, request))}
<h2>Next step</h2>
<p>${text} ${guideLink(ctx, guide, section === null ? "The guide" : "The command, in the guide")}</p>
${reasonsPart(row)}
${totalsOf(row)}
<h2>History</h2>
${timeline(historyOf(row), organization.timeZone)}
${
  snapshot === null
    ? ""
    : html`<h2>The last reading</h2>
${payload("The last reading", snapshotText(snapshot, 2))}`
}
<p class="aside">Last change of this row: ${exactTime(row.updatedAt, organization.timeZone)}. <a
 href="${self}${IMPORTS}">All imports</a></p>`;
  const head = stylesheet(developersStylesPath(ctx));
  return dashboardPage(request, { section: "imports", title: ref, body, head });
}
