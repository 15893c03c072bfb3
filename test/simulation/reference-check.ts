import { chargeOf, loose, lotsOf, standingDispute, sum, worthOf } from "./reference-balance.ts";
import { fundsOf } from "./reference-funds.ts";
import { creditsOf, lineTotal, standing } from "./reference-lines.ts";
import type { Customer, Invoice, Line, Payment, Source } from "./reference-model.ts";

// The inequalities that hold after every step: no money comes back twice (docs/rules.md: P10, I3).

/** Checks the reference's own state of a Customer. @throws Error if an inequality does not hold */
export function checkCustomer(customer: Customer): void {
  const sources = membershipsOf(customer);
  for (const invoice of customer.invoices) {
    if (invoice.status !== "void") checkLines(customer, invoice);
    if (invoice.payment) checkPayment(customer, invoice.payment, sources);
  }
}

/** Credits, refunds and freed parts of a billed line come to at most the line. */
function checkLines(customer: Customer, { lines, refunds }: Invoice): void {
  for (const [n, line] of lines.entries()) {
    const credited = creditsOf(customer, line).reduce((total, credit) => total + standing(credit), 0);
    const { amount, freed } = refunds[n]!;
    const billed = Math.max(lineTotal(line), 0);
    if (credited + amount + freed > billed)
      throw new Error(`a line of ${billed} is credited ${credited}, refunded ${amount} and freed ${freed}`);
  }
}

/**
 * The money of a payment is at the card, at the bank or on the balance at most once. It is also at most once at the
 * card, on the balance or in the other `sources`.
 */
function checkPayment(customer: Customer, payment: Payment, sources: readonly Source[]): void {
  const disputed = standingDispute(customer, payment)?.amount ?? 0;
  const { amount, excess } = payment;
  const toCard = payment.toCard - excess;
  const lots = worthOf(loose(customer, payment));
  if (toCard + disputed + lots > amount)
    throw new Error(`of a payment of ${amount}, ${toCard} is refunded, ${disputed} disputed and ${lots} credit`);
  const all = worthOf(lotsOf(customer, payment));
  const elsewhere = sum(sources.filter(({ origin }) => chargeOf(origin) === payment));
  if (toCard + all + elsewhere > amount)
    throw new Error(`of a payment of ${amount}, ${toCard} is refunded, ${all} credit and ${elsewhere} elsewhere`);
}

/** The money in waiting credits, in the funds of paid invoices and in open invoices. */
function membershipsOf(customer: Customer): Source[] {
  const { invoices, subs } = customer;
  const credits = (lines: readonly Line[]) => lines.flatMap(({ sources }) => sources ?? []);
  const funds = invoices.flatMap((invoice) => fundsOf(customer, invoice));
  const open = invoices.filter(({ status }) => status === "open");
  return [
    ...subs.flatMap(({ waiting }) => credits(waiting)),
    ...funds.map(({ origin, left }) => ({ origin, amount: left })),
    ...open.flatMap(({ lines, used }) => [...credits(lines), ...used]),
    ...open.flatMap(({ given }) => given.map(({ origin, amount }) => ({ origin, amount: 0 - amount }))),
  ];
}
