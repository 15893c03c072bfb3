import type { Context } from "../context.ts";
import type { Organization } from "../domain/organization/organization.ts";
import {
  deviationsOf,
  disputeMisposted,
  invoiceMisposted,
  lineDeviationsOf,
  refundMisposted,
} from "../domain/verify.ts";
import type { Tx } from "../store/db.ts";
import { payments } from "../store/payments.ts";
import { isReported, refunds } from "../store/refunds.ts";
import { HELD } from "../store/verify/due.ts";
import {
  everyCardRefund,
  everyCharge,
  everyDispute,
  everyInvoice,
  everyLine,
  everyOutsideRefund,
  everyRefund,
  everySubscription,
} from "../store/verify/pages.ts";
import { find, MOST_EXAMPLES, type Example, type Found } from "../store/verify/rule.ts";
import { RULES } from "../store/verify/rules.ts";
import { count, takeSnapshot, type Counts } from "../store/verify/snapshot.ts";
import { compareBooks } from "./verify-book.ts";

/** A rule that does not hold, with the first examples. */
export type Disagreement = { rule: string; says: string } & Found;

/**
 * The findings about one Organization. `held`: items that wait for an operator and do not count as disagreements.
 * `counts`: the number of rows that were examined.
 */
export type Verdict = { organizationId: string; disagreements: Disagreement[]; held: Found; counts: Counts };

type World = Pick<Context, "db" | "payments">;
type Snapshot = World & { tx: Tx; organization: Organization };
/** A rule that PostgreSQL alone can't check. */
type Check = { rule: string; says: string; find(snapshot: Snapshot): AsyncGenerator<Example> };

async function* derived({ tx, organization }: Snapshot): AsyncGenerator<Example> {
  for await (const subscription of everySubscription(tx, organization.id)) {
    for (const deviation of deviationsOf(subscription))
      yield { subscription: subscription.id, status: subscription.status, ...deviation };
  }
}

async function* lines({ tx, organization }: Snapshot): AsyncGenerator<Example> {
  for await (const line of everyLine(tx, organization.id)) {
    for (const deviation of lineDeviationsOf(line)) yield { line: line.id, invoice: line.invoiceId, ...deviation };
  }
}

async function* postings({ tx, organization }: Snapshot): AsyncGenerator<Example> {
  for await (const invoice of everyInvoice(tx, organization.id)) {
    const found = invoiceMisposted(invoice);
    if (found) yield { invoice: invoice.id, status: invoice.status, ...found };
  }
  for await (const refund of everyRefund(tx, organization.id)) {
    const found = refundMisposted(refund);
    if (found) yield { refund: refund.id, status: refund.status, ...found };
  }
  for await (const dispute of everyDispute(tx, organization.id)) {
    const found = disputeMisposted(dispute);
    if (found) yield { dispute: dispute.id, status: dispute.status, ...found };
  }
}

async function* charges({
  db,
  tx,
  payments: providers,
  organization: { id, mode },
}: Snapshot): AsyncGenerator<Example> {
  if (mode !== "sandbox") return;
  const isNew = async (key: string) =>
    (await payments.find(db.read, id, key)) !== null && (await payments.find(tx, id, key)) === null;
  yield* compareBooks(everyCharge(tx, id), (after) => providers.sandbox.book(id, after), isNew);
}

async function* cardRefunds({
  db,
  tx,
  payments: providers,
  organization: { id, mode },
}: Snapshot): AsyncGenerator<Example> {
  if (mode !== "sandbox") return;
  const isNew = async (key: string) =>
    (await refunds.find(db.read, id, key)) !== null && (await refunds.find(tx, id, key)) === null;
  yield* compareBooks(everyCardRefund(tx, id), (after) => providers.sandbox.bookedRefunds(id, after), isNew);
  const outside = (after: string) => providers.sandbox.bookedRefunds(id, after, "dashboard");
  yield* compareBooks(everyOutsideRefund(tx, id), outside, (ref) => isReported(db.read, id, ref));
}

const CHECKS: readonly Check[] = [
  {
    rule: "subscription_derived",
    says: "A derived value of a Subscription contradicts its row (rules T2, T4, D4).",
    find: derived,
  },
  {
    rule: "line_amounts",
    says: "A line's amount differs from the values it was computed from (rules P, S4, X1, X3).",
    find: lines,
  },
  {
    rule: "ledger_postings",
    says: "An invoice, a refund or a dispute differs from its postings (rules I3, I4, D5).",
    find: postings,
  },
  { rule: "provider_charges", says: "The provider's book and ours differ in a charge (rule I4).", find: charges },
  { rule: "provider_refunds", says: "The provider's book and ours differ in a refund (rule I4).", find: cardRefunds },
];

/** Every rule: its name, and the sentence that is reported if the rule does not hold. */
export const VERIFIED: readonly { name: string; says: string }[] = [
  ...RULES.map(({ name, says }) => ({ name, says })),
  ...CHECKS.map(({ rule: name, says }) => ({ name, says })),
];

async function collect(examples: AsyncGenerator<Example>): Promise<Found> {
  const found: Found = { count: 0, examples: [] };
  for await (const example of examples) {
    found.count += 1;
    if (found.examples.length < MOST_EXAMPLES) found.examples.push(example);
  }
  return found;
}

/**
 * Checks every rule against a snapshot of one Organization (rule I4). Work under way on a running server counts as no
 * finding. Memory stays bounded: PostgreSQL computes the sums, and streamed rows come a page at a time.
 */
export async function verifyOrganization(world: World, organization: Organization): Promise<Verdict> {
  const look = async (tx: Tx): Promise<Verdict> => {
    takeSnapshot(tx);
    const disagreements: Disagreement[] = [];
    const note = (rule: string, says: string, found: Found) => {
      if (found.count > 0) disagreements.push({ rule, says, ...found });
    };
    for (const rule of RULES) note(rule.name, rule.says, await find(tx, rule, organization.id));
    for (const { rule, says, find: search } of CHECKS)
      note(rule, says, await collect(search({ ...world, tx, organization })));
    const held = await find(tx, HELD, organization.id);
    return { organizationId: organization.id, disagreements, held, counts: await count(tx, organization.id) };
  };
  // A rule over millions of rows takes minutes.
  return world.db.tx(look, Infinity);
}
