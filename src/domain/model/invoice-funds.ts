import {
  GRANTED,
  inSpendingOrder,
  isLostSource,
  OUTSIDE,
  paidBy,
  takeFront,
  totalOfParts,
  without,
} from "./credit-source.ts";
import type { LotPart, Source, SourcePart } from "./credit-source.ts";
import { sumOf, type Amount } from "../money.ts";
import { fundedRefunds, type FreedPart, type Refund } from "./refund.ts";
import type { LineCredit } from "./line-credit.ts";
import { lineTotal, type Invoice, type InvoiceLine } from "./invoice.ts";

/**
 * A part of the money and credit that paid a bill. `own`: the money that was taken for the invoice. `lots`: credit of
 * the balance. `netted`: credit among the invoice's own lines.
 */
export type Fund = SourcePart & { kind: "netted" | "lots" | "own"; creditedLineId: string | null };

/** The rows that show how an invoice was paid, and how its funds were used since. */
export type Funded = {
  invoice: Pick<Invoice, "amountPaid" | "totalAmount" | "balanceBasis" | "balanceSources" | "paidOutside">;
  lines: readonly InvoiceLine[];
  refunds: readonly Refund[];
  credits: readonly LineCredit[];
  /** The charge that paid the invoice; null if no card was charged. */
  paymentId: string | null;
};

/** The sources of credit of an invoice's own lines that no refund has freed. */
export const creditsAmong = (lines: readonly InvoiceLine[]): (LotPart & { lineId: string })[] =>
  lines.flatMap(({ id: lineId, sources, creditedLineId }) =>
    (sources ?? []).map((part) => ({ ...part, creditedLineId, lineId })),
  );

/** Credit among lines that gives back another line of the same list. No money has paid that other line (rule I6f). */
const unpaidCredit = (lines: readonly InvoiceLine[]): Amount =>
  sumOf(lines.filter((line) => line.sources === null && lineTotal(line) < 0).map((line) => 0 - lineTotal(line)));

const billedOn = (lines: readonly InvoiceLine[]): Amount =>
  sumOf(lines.map((line) => Math.max(lineTotal(line), 0))) - unpaidCredit(lines);

/** The price of an invoice: held credit among its lines did not lower the price (rule D7). */
export const priceOf = ({ totalAmount, balanceBasis }: Pick<Invoice, "totalAmount" | "balanceBasis">): Amount =>
  totalAmount + (balanceBasis?.held ?? 0);

/** The charge that paid an invoice, or the money from outside. */
export const ownSource = ({ invoice, paymentId }: Pick<Funded, "invoice" | "paymentId">): Source =>
  invoice.paidOutside || paymentId === null ? OUTSIDE : paidBy(paymentId);

/**
 * The funds of a paid invoice, in the order in which later credits use them (rule I6f): credit among its lines, the
 * lots that the balance used, and the money that was taken. The rest of the billed amount counts as granted.
 */
export function fundsOf(funded: Funded): Fund[] {
  const { invoice, lines } = funded;
  const own = Math.max(Math.min(invoice.amountPaid, priceOf(invoice)), 0);
  const toBalance = (invoice.balanceSources ?? []).filter(({ amount }) => amount < 0);
  const used = (invoice.balanceSources ?? []).filter(({ amount }) => amount > 0);
  const returned = toBalance.map((part) => ({ ...part, amount: -part.amount }));
  const netted = without(inSpendingOrder(creditsAmong(lines)), returned);
  const rest = billedOn(lines) - freedOf(lines) - own - totalOfParts(used) - totalOfParts(netted);
  const funds: Fund[] = [
    ...netted.map(({ source, paymentId, creditedLineId, amount }) => ({
      source,
      paymentId,
      creditedLineId,
      amount,
      kind: "netted" as const,
    })),
    ...inSpendingOrder(used).map((part) => ({ ...part, kind: "lots" as const })),
    { ...GRANTED, amount: rest, creditedLineId: null, kind: "lots" },
    { ...ownSource(funded), amount: own, creditedLineId: null, kind: "own" },
  ];
  return funds.filter(({ amount }) => amount > 0);
}

/** The credit of these lines that refunds have freed (rule I3g). */
export const freedOf = (lines: readonly InvoiceLine[]): Amount =>
  sumOf(
    lines.filter(({ sources }) => sources !== null).map((line) => 0 - lineTotal(line) - totalOfParts(line.sources!)),
  );

/** The funds that no refund has given back and no credit has moved on. Disputes do not reduce these funds. */
export function fundsLeft(funded: Funded): Fund[] {
  const moved = funded.credits.filter(({ netted }) => !netted).flatMap(({ sources }) => sources);
  const { own, credit, netted } = fundedRefunds(funded.refunds);
  const funds = Map.groupBy(fundsOf(funded), ({ kind }) => kind);
  const left = [
    ...without(funds.get("netted") ?? [], [...freedLater(funded.refunds), ...netted]),
    ...without(funds.get("lots") ?? [], credit),
    ...takeFront(funds.get("own") ?? [], own).left,
  ];
  return without(left, moved);
}

/** Credit that refunds free once they have succeeded. */
export const freedLater = (refunds: readonly Refund[]): FreedPart[] =>
  refunds.filter(({ settledAt }) => settledAt === null).flatMap(({ freed }) => freed);

/** The amount of funds of one kind. */
export const leftIn = (funds: readonly Fund[], kind: Fund["kind"]): Amount =>
  totalOfParts(funds.filter((fund) => fund.kind === kind));

/**
 * The sources of a new credit (rule I6f): funds in their order, then funds from lost charges. A part without funds
 * counts as granted.
 */
export function drawSources(funds: readonly Fund[], lost: ReadonlySet<string>, amount: Amount): SourcePart[] {
  const isLost = (fund: Fund) => isLostSource(fund, lost);
  const ordered = [...funds.filter((fund) => !isLost(fund)), ...funds.filter(isLost)];
  const { taken } = takeFront(ordered, amount);
  const missing = amount - totalOfParts(taken);
  return mergeSources([...taken, ...(missing > 0 ? [{ ...GRANTED, amount: missing }] : [])]);
}

const mergeSources = (parts: readonly SourcePart[]): SourcePart[] =>
  parts.reduce<SourcePart[]>((list, { source, paymentId, amount }) => {
    const same = list.findIndex((each) => each.source === source && each.paymentId === paymentId);
    if (same < 0) return [...list, { source, paymentId, amount }];
    return list.with(same, { source, paymentId, amount: list[same]!.amount + amount });
  }, []);
