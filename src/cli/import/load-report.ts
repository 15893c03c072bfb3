import type { LoadedRow, LoadObstacle, LoadStatus } from "../../actions/import/load-account.ts";
import { csvLine } from "../../csv.ts";
import { formatInstant } from "../../domain/calendar.ts";
import { STAY_REASONS } from "../../domain/import/stay-reasons.ts";
import { TOTAL_CAUSES } from "../../domain/import/totals.ts";
import { CAUSE_MEANINGS, STAY_MEANINGS } from "../../resources/import-meanings.ts";
import type { Amount } from "../../domain/money.ts";
import { counted } from "../../domain/words.ts";
import { table } from "../table.ts";
import { moneyCell, moneyText, type ReportOf } from "./report.ts";
import { csvReport, jsonReport, type RowReport } from "./row-report.ts";

const OBSTACLE_MEANINGS: Record<LoadObstacle, string> = {
  no_email: "its Customer's e-mail address is none that Billow takes",
  customer_taken: "another Customer here has the external id",
  customer_deleted: "its Customer was deleted here",
  price: "its price came after the mapping was checked: run the command again",
  refused: "a rule of Billow is against it: --format csv has the words",
};

type Totals = { subscriptions: number; monthly: Amount; expected: Amount; own: Amount };

/** The sums of an import. Their size does not grow with the rows. `differ`: held ones with different next totals. */
export type LoadSums = {
  subscriptions: Record<LoadStatus, number>;
  reasons: Record<string, number>;
  obstacles: Record<string, number>;
  differ: number;
  causes: Record<string, number>;
  otherBoundary: number;
  withLeftOut: number;
  withBalance: number;
  money: Map<string, Totals>;
  /** The first ones, for a person. */
  differing: LoadedRow[];
};

/** The most rows of a summary. */
const MOST_ROWS = 20;

export const newLoadSums = (): LoadSums => ({
  subscriptions: { imported: 0, held: 0, moved: 0, left: 0, stays: 0, ended: 0 },
  reasons: {},
  obstacles: {},
  differ: 0,
  causes: {},
  otherBoundary: 0,
  withLeftOut: 0,
  withBalance: 0,
  money: new Map(),
  differing: [],
});

const isHeld = ({ status }: LoadedRow): boolean => status === "imported" || status === "held";
const differs = (row: LoadedRow): boolean => isHeld(row) && row.expectedTotal !== row.ownTotal;

function addTo(counts: Record<string, number>, names: readonly string[]): void {
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
}

/** Adds a row to the sums. */
export function countRow(sums: LoadSums, row: LoadedRow): void {
  sums.subscriptions[row.status] += 1;
  addTo(sums.reasons, row.reasons);
  addTo(sums.obstacles, row.obstacle === null ? [] : [row.obstacle]);
  if (row.otherBoundary) sums.otherBoundary += 1;
  if (row.leftOut.length > 0) sums.withLeftOut += 1;
  if (!isHeld(row)) return;
  if (row.balance !== 0) sums.withBalance += 1;
  const none = () => ({ subscriptions: 0, monthly: 0, expected: 0, own: 0 });
  const money = sums.money.getOrInsertComputed(row.currency, none);
  money.subscriptions += 1;
  money.monthly += row.monthly;
  money.expected += row.expectedTotal ?? 0;
  money.own += row.ownTotal ?? 0;
  if (!differs(row)) return;
  sums.differ += 1;
  addTo(sums.causes, row.causes);
  if (sums.differing.length < MOST_ROWS) sums.differing.push(row);
}

/** Whether a subscription waits for the seller: it stays, or its next totals differ. */
export const isWaiting = ({ differ, subscriptions, reasons, obstacles }: LoadSums): boolean =>
  differ > 0 || subscriptions.stays > 0 || Object.keys(reasons).length > 0 || Object.keys(obstacles).length > 0;

/** `productsMade`: Products of the mapping that were missing. */
export type LoadOf = ReportOf & { productsMade: number };

/** The sums as JSON. */
export function loadSumsOf({ account, mode, readAt, productsMade }: LoadOf, sums: LoadSums) {
  const { subscriptions, reasons, obstacles, differ, causes, otherBoundary, withLeftOut, withBalance } = sums;
  const currencies = [...sums.money].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    account,
    mode,
    readAt: formatInstant(readAt),
    productsMade,
    subscriptions,
    reasons,
    obstacles,
    differ,
    causes,
    otherBoundary,
    withLeftOut,
    withBalance,
    money: currencies.map(([currency, totals]) => ({ currency, ...totals })),
  };
}

const COLUMNS =
  "subscription customer email status reasons obstacle says customer_id subscription_id currency monthly balance " +
  "next_there next_here causes other_boundary left_out";

function csvOf(row: LoadedRow): string {
  const money = (amount: Amount | null) => (amount === null ? null : moneyCell(amount, row.currency));
  return csvLine([
    row.subscription,
    row.customer,
    row.email,
    row.status,
    row.reasons.join(" "),
    row.obstacle,
    row.says,
    row.customerId,
    row.subscriptionId,
    row.currency,
    money(row.monthly),
    money(row.balance),
    money(row.expectedTotal),
    money(row.ownTotal),
    row.causes.join(" "),
    row.otherBoundary ? "yes" : "no",
    row.leftOut.join("; "),
  ]);
}

export type LoadFormat = RowReport<LoadedRow, [of: LoadOf, sums: LoadSums]>;

export const csvFormat = (): LoadFormat => csvReport(COLUMNS.split(" "), csvOf);
export const jsonFormat = (): LoadFormat => jsonReport((row) => row, loadSumsOf);

const totalText = (amount: Amount | null, currency: string) => (amount === null ? "none" : moneyText(amount, currency));

function namedTable(heading: [string, string], counts: Record<string, number>, meanings: Record<string, string>) {
  const names = Object.keys(meanings).filter((name) => counts[name]);
  if (names.length === 0) return [];
  const rows = names.map((name) => [String(counts[name]), name, meanings[name]!]);
  return ["", table([...heading, "MEANING"], rows, "")];
}

const ORDERED_REASONS = Object.fromEntries(STAY_REASONS.map((reason) => [reason, STAY_MEANINGS[reason]]));
const ORDERED_CAUSES = Object.fromEntries(TOTAL_CAUSES.map((cause) => [cause, CAUSE_MEANINGS[cause]]));

function differences({ differ, differing, causes }: LoadSums): string[] {
  if (differ === 0) return ["", "All next invoices have the same total here and there."];
  const rows = differing.map(({ subscription, customer, expectedTotal, ownTotal, currency, causes: found }) => [
    subscription,
    customer,
    totalText(expectedTotal, currency),
    totalText(ownTotal, currency),
    found.join(" "),
  ]);
  return [
    "",
    `${counted(differ, "next invoice has", "next invoices have")} another total here than there. ` +
      "The cut-over leaves these, unless they are accepted.",
    table(["SUBSCRIPTION", "CUSTOMER", "THERE", "HERE", "CAUSES"], rows, ""),
    ...(differ > rows.length ? [`${differ - rows.length} more: --format csv lists them.`] : []),
    ...namedTable(["DIFFER", "CAUSE"], causes, ORDERED_CAUSES),
  ];
}

/** The sums for people. */
export function loadSummary({ account, mode, readAt, productsMade }: LoadOf, sums: LoadSums): string {
  const { imported, held, moved, left, stays, ended } = sums.subscriptions;
  const money = [...sums.money].sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    `${account} in ${mode} mode, read at ${formatInstant(readAt)}. Stripe bills as before, and no e-mail was sent.`,
    `Products made: ${productsMade}.`,
    `Subscriptions: ${imported} imported now, ${held} held before, ${moved} cut over, ${left} given up, ` +
      `${ended} ended there, ${stays} stay.`,
    `Of those held: ${sums.withBalance} with a balance, which the cut-over moves; ${sums.otherBoundary} with periods ` +
      `that the zone of the Organization counts from another instant.`,
    `With fields that Billow does not take: ${sums.withLeftOut}. --format csv names them.`,
    "",
    table(
      ["CURRENCY", "HELD", "A MONTH", "NEXT INVOICES THERE", "HERE"],
      money.map(([currency, { subscriptions, monthly, expected, own }]) => [
        currency,
        String(subscriptions),
        moneyText(monthly, currency),
        moneyText(expected, currency),
        moneyText(own, currency),
      ]),
      "No subscription is held.",
    ),
    ...differences(sums),
    ...namedTable(["STAY", "REASON"], sums.reasons, ORDERED_REASONS),
    ...namedTable(["STAY", "OBSTACLE"], sums.obstacles, OBSTACLE_MEANINGS),
  ].join("\n");
}
