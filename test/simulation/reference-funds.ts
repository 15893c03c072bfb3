import { bySpending, isLost, standingDispute, sum } from "./reference-balance.ts";
import { creditsOf, leftsOf, lineTotal } from "./reference-lines.ts";
import type { Customer, Invoice, Line, Origin, Piece, Source } from "./reference-model.ts";

// The funds of a paid invoice: the sources of the money that paid its lines (docs/rules.md: I, P).

/**
 * `netted`: credit among the invoice's own lines, `line` being the credit line. `lots`: lots of the balance, `line`
 * being the line that they give back. `own`: the invoice's charge, or money from outside. `rest`: the balance as a
 * debt, or an imported credit. `left` is the part that is neither refunded nor credited elsewhere.
 */
export type Fund = Piece & { kind: "netted" | "lots" | "own" | "rest"; left: number };
const KINDS = ["netted", "lots", "rest", "own"];

/** The amount that all funds but the netted ones paid. */
export const priceOf = ({ total, held }: Invoice): number => Math.max(total + held, 0);
/** The netted credit that refunds have freed. */
export const freedOf = ({ lines }: Invoice): number =>
  lines.reduce((total, line) => total - (line.sources === null ? 0 : lineTotal(line) + sum(line.sources)), 0);
/** The part of the charge, or of the money from outside, that paid the price. */
export const ownOf = (invoice: Invoice): number => Math.min(invoice.due, priceOf(invoice));

function nettedOf({ lines, given }: Invoice): Piece[] {
  const toBalance = (line: Line, origin: Origin) =>
    sum(given.filter((piece) => piece.from === line && piece.origin === origin));
  return lines.flatMap((line) =>
    (line.sources ?? []).map(({ origin, amount }) => ({ origin, line, amount: amount - toBalance(line, origin) })),
  );
}

/**
 * The funds in the order in which credits use them, before refunds and credits. Netted funds are less their freed
 * parts.
 */
function piecesOf(invoice: Invoice): Fund[] {
  const { lines, used, outside, payment } = invoice;
  const netted = nettedOf(invoice);
  const own = ownOf(invoice);
  const totals = lines.map(lineTotal);
  const positive = totals.reduce((total, amount) => total + Math.max(amount, 0), 0);
  const unpaid = lines.filter((line) => line.sources === null && lineTotal(line) < 0).map(lineTotal);
  const credited = unpaid.reduce((total, amount) => total - amount, 0);
  const rest = positive - credited - sum(netted) - freedOf(invoice) - sum(used) - own;
  const fund = (kind: Fund["kind"], piece: Piece): Fund => ({ ...piece, kind, left: piece.amount });
  const found = [
    ...netted.map((piece) => fund("netted", piece)),
    ...used.map((piece) => fund("lots", piece)),
    ...(own > 0 ? [fund("own", { origin: outside ? "outside" : payment!, line: null, amount: own })] : []),
    fund("rest", { origin: "granted", line: null, amount: Math.max(rest, 0) }),
  ];
  const byKind = (one: Fund, other: Fund) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind);
  return found
    .filter(({ amount }) => amount > 0)
    .toSorted((one, other) => byKind(one, other) || bySpending(one, other));
}

/** Takes an amount off these funds, in order. */
function reduce(funds: readonly Fund[], amount: number): void {
  let missing = amount;
  for (const fund of funds) {
    const part = Math.min(fund.left, missing);
    fund.left -= part;
    missing -= part;
  }
}

/**
 * The funds of a paid invoice in the order in which credits use them. Disputes do not lower `left`. With `credited`
 * false, credits of the invoice's lines do not lower `left` either.
 */
export function fundsOf(customer: Customer, invoice: Invoice, credited = true): Fund[] {
  if (invoice.status !== "paid") return [];
  const funds = piecesOf(invoice);
  const { toCard, toBalance } = invoice.own;
  reduce(
    funds.filter(({ kind }) => kind === "own"),
    toCard + toBalance,
  );
  for (const { origin, line, amount } of invoice.returned) {
    const same = funds.filter((fund) => isReturnable(fund) && fund.origin === origin && fund.line === line);
    reduce(same, amount);
  }
  for (const { origin, line, amount } of invoice.nettedBack) {
    const same = funds.filter((fund) => fund.kind === "netted" && fund.origin === origin && fund.line === line);
    reduce(same, amount);
  }
  if (!credited) return funds;
  for (const { origin, amount } of invoice.lines.flatMap((line) => creditsOf(customer, line)).flatMap(sourcesOf)) {
    const same = funds.filter((fund) => fund.origin === origin);
    reduce(same, amount);
  }
  return funds;
}

const sourcesOf = ({ sources }: Line) => sources ?? [];
/** True for funds that a refund to the balance gives back as they were. */
export const isReturnable = ({ kind }: Fund): boolean => kind === "lots" || kind === "rest";

/** The sources of a new credit of the invoice. Funds of lost payments come last, then granted credit. */
export function draw(customer: Customer, invoice: Invoice, amount: number): Source[] {
  const funds = fundsOf(customer, invoice);
  const isGone = ({ origin }: Fund) => isLost(customer, origin);
  let missing = amount;
  const found = new Map<Origin, number>();
  const add = (origin: Origin, part: number) => {
    if (part > 0) found.set(origin, (found.get(origin) ?? 0) + part);
    missing -= part;
  };
  for (const fund of [...funds.filter((each) => !isGone(each)), ...funds.filter(isGone)])
    add(fund.origin, Math.min(fund.left, missing));
  add("granted", missing);
  return [...found].map(([origin, part]) => ({ origin, amount: part })).toSorted(bySpending);
}

/** Shortens sources to an amount, from the end of the spending order. */
export function shortened(sources: readonly Source[], amount: number): Source[] {
  let left = amount;
  return sources.flatMap(({ origin, amount: whole }) => {
    const part = Math.min(whole, left);
    left -= part;
    return part > 0 ? [{ origin, amount: part }] : [];
  });
}

/** The amounts that can be refunded. `own` and `credit` are the parts of the charge and of other funds. */
export type Refundable = { toCard: number; toBalance: number; own: number; credit: number };

/** The same with `credited` false, as if no credits had been given for the invoice's lines. */
export function refundable(customer: Customer, invoice: Invoice, credited = true): Refundable {
  const funds = fundsOf(customer, invoice, credited);
  const left = (some: readonly Fund[]) => some.reduce((total, fund) => total + fund.left, 0);
  const disputed = (invoice.payment && standingDispute(customer, invoice.payment)?.amount) ?? 0;
  const own = Math.max(left(funds.filter(({ kind }) => kind === "own")) - disputed, 0);
  const credit = left(funds.filter((fund) => isReturnable(fund) && !isLost(customer, fund.origin)));
  const ofLines = credited ? leftsOf(customer, invoice).reduce((total, each) => total + each, 0) : Infinity;
  const toCard = invoice.payment ? Math.min(own, ofLines) : 0;
  // Without a price to refund, no refund can free the netted credit. It goes to the balance itself.
  const netted = left(funds.filter((fund) => fund.kind === "netted" && !isLost(customer, fund.origin)));
  return { toCard, toBalance: Math.min(own + credit || netted, ofLines), own, credit };
}
