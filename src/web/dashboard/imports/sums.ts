import { html } from "hono/html";
import { IMPORT_STATES, IMPORT_STEPS, type ImportRow, type ImportRun } from "../../../domain/import/import.ts";
import type { ReasonCount, ReportSum } from "../../../store/import-report.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { id, time } from "../components/cells.ts";
import type { DashboardRequest } from "../request.ts";
import { table } from "../table.ts";
import { amountText } from "./amount.ts";
import { IMPORTS } from "./paths.ts";
import { CAN_MOVE, reasonText, SOURCES, STATES, STAYS, STEPS } from "./words.ts";

/** The headers and the sums of all imports. */
export type ReportSums = { runs: readonly ImportRun[]; sums: readonly ReportSum[]; reasons: readonly ReasonCount[] };

type Account = Pick<ImportRow, "account" | "source">;
const isOf = (one: Account) => (other: Account) => one.source === other.source && one.account === other.account;

/** The accounts of all imports, in the order of the list. */
export function accountsOf({ runs, sums }: Pick<ReportSums, "runs" | "sums">): Account[] {
  const all = [...runs, ...sums].map(({ source, account }) => [`${source} ${account}`, { source, account }] as const);
  return [...new Map(all)].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, account]) => account);
}

function runRow({ step, startedAt, finishedAt }: ImportRun, zone: string): Html {
  return html`<tr>
<th scope="row">${STEPS[step]}</th>
<td>${time(startedAt, zone)}</td>
<td>${finishedAt === null ? badge("warn", "Not finished") : time(finishedAt, zone)}</td>
</tr>`;
}

const countOf = (sums: readonly ReportSum[]): number => sums.reduce((sum, { count }) => sum + count, 0);

/** The money of a month, one line for each currency. */
function monthOf(sums: readonly ReportSum[]): Html {
  const months = Map.groupBy(sums, ({ currency }) => currency);
  const line = ([currency, found]: [string, ReportSum[]]) =>
    html`<div>${amountText(
      found.reduce((sum, { monthly }) => sum + monthly, 0),
      currency,
    )}</div>`;
  return html`${[...months].sort(([one], [other]) => (one < other ? -1 : 1)).map(line)}`;
}

/** A line of the sums. `query`: the filters of its rows. */
type Line = { label: string; query: Record<string, string>; holds(sum: ReportSum): boolean };

const LINES: readonly Line[] = [
  { label: CAN_MOVE[1], query: { state: "assessed" }, holds: ({ state, isFree }) => state === "assessed" && isFree },
  { label: STAYS[1], query: { state: "assessed" }, holds: ({ state, isFree }) => state === "assessed" && !isFree },
  ...IMPORT_STATES.filter((state) => state !== "assessed").map((state) => ({
    label: STATES[state][1],
    query: { state },
    holds: (sum: ReportSum) => sum.state === state,
  })),
];

const HEADINGS = [
  "State",
  { label: "Number", isNumber: true },
  { label: "A month", isNumber: true },
  { label: "Totals equal", isNumber: true, isWide: true },
  { label: "Differ", isNumber: true },
];

function lineRow({ label, query }: Line, sums: readonly ReportSum[], here: string): Html {
  const different = sums.filter(({ isEqual }) => isEqual === false);
  const link = (words: string | number, more: Record<string, string>) =>
    html`<a href="${here}?${new URLSearchParams({ ...query, ...more })}">${words}</a>`;
  return html`<tr>
<th scope="row">${link(label, {})}</th>
<td class="number">${countOf(sums)}</td>
<td class="number">${monthOf(sums)}</td>
<td class="number wide">${countOf(sums.filter(({ isEqual }) => isEqual === true))}</td>
<td class="number">${different.length === 0 ? 0 : link(countOf(different), { totals: "different" })}</td>
</tr>`;
}

function reasonRow({ reason, count, account }: ReasonCount, here: string): Html {
  const query = new URLSearchParams({ reason, account });
  return html`<tr>
<th scope="row"><a href="${here}?${query}">${reasonText(reason)}</a></th>
<td class="wide"><code>${reason}</code></td>
<td class="number">${count}</td>
</tr>`;
}

const STEP_HEADINGS = ["Step", "Begun", "Finished"];
const REASON_HEADINGS = ["Reason", { label: "Name", isWide: true }, { label: "Number", isNumber: true }];

/** A table with its heading; without rows there is neither. */
function part(
  heading: string,
  account: string,
  headings: Parameters<typeof table>[1],
  rows: readonly Html[],
): Html | "" {
  return rows.length === 0 ? "" : html`<h3>${heading}</h3>${table(`${heading}: ${account}`, headings, rows)}`;
}

/** One account: the last run of each step, and the rows as they are now. */
function accountPart(request: DashboardRequest, data: ReportSums, account: Account): Html {
  const here = request.self + IMPORTS;
  const zone = request.organization.timeZone;
  const runs = data.runs
    .filter(isOf(account))
    .sort((one, other) => IMPORT_STEPS.indexOf(one.step) - IMPORT_STEPS.indexOf(other.step));
  const sums = data.sums.filter(isOf(account));
  const reasons = data.reasons.filter(isOf(account));
  const lines = LINES.map((line) => [line, sums.filter(line.holds)] as const).filter(([, found]) => found.length > 0);
  const name = `${SOURCES[account.source]} ${account.account}`;
  const ofAccount = (line: Line): Line => ({ ...line, query: { ...line.query, account: account.account } });
  const parts = [
    part(
      "Steps",
      name,
      STEP_HEADINGS,
      runs.map((run) => runRow(run, zone)),
    ),
    part(
      "Subscriptions by state",
      name,
      HEADINGS,
      lines.map(([line, found]) => lineRow(ofAccount(line), found, here)),
    ),
    part(
      "Reasons to stay",
      name,
      REASON_HEADINGS,
      reasons.map((each) => reasonRow(each, here)),
    ),
  ];
  return html`<h2>${SOURCES[account.source]} ${id(account.account)}</h2>
${parts}`;
}

export const sumsPart = (request: DashboardRequest, data: ReportSums): Html =>
  html`${accountsOf(data).map((account) => accountPart(request, data, account))}
<p class="note">A month: before discounts and taxes.
Totals: of the next invoice there and here, before the balance.</p>`;
