import type { Context } from "../context.ts";
import type { Organization } from "../domain/model/organization.ts";
import {
  deviationsOf,
  disputeMisposted,
  invoiceMisposted,
  lineDeviationsOf,
  mrrDeviationsOf,
  refundMisposted,
} from "../domain/verify.ts";
import type { Snapshot as State } from "../store/driver/db.ts";
import { findByProviderKey } from "../store/payments.ts";
import { isReported, refunds } from "../store/refunds.ts";
import { HELD } from "../store/verify/due.ts";
import {
  everyCardRefund,
  everyCharge,
  everyCounted,
  everyDispute,
  everyInvoice,
  everyLine,
  everyOutsideRefund,
  everyRefund,
  everySubscription,
} from "../store/verify/pages.ts";
import { find, findAll, MOST_EXAMPLES, type Checked, type Example, type Found } from "../store/verify/rule.ts";
import { RULES } from "../store/verify/rules.ts";
import { count, takeSnapshot, type Counts, type Snapshot } from "../store/verify/snapshot.ts";
import { compareTransactions } from "./compare-transactions.ts";

/**
 * The findings about one Organization. `disagreements`: the rules that do not hold, with the first examples. `held`:
 * items that wait for an operator and do not count as disagreements. `counts`: the number of rows that were examined.
 */
export type Verification = { organizationId: string; disagreements: Checked[]; held: Found; counts: Counts };

type World = Pick<Context, "db" | "payments">;
type Given = World & { snapshot: Snapshot; organization: Organization };
/** A rule that PostgreSQL alone can't check. */
type Check = { rule: string; says: string; find(given: Given): AsyncGenerator<Example> };

async function* derived({ snapshot }: Given): AsyncGenerator<Example> {
  for await (const subscription of everySubscription(snapshot)) {
    for (const deviation of deviationsOf(subscription))
      yield { subscription: subscription.id, status: subscription.status, ...deviation };
  }
}

async function* mrr({ snapshot }: Given): AsyncGenerator<Example> {
  for await (const counted of everyCounted(snapshot)) {
    for (const deviation of mrrDeviationsOf(counted)) yield { subscription: counted.id, ...deviation };
  }
}

async function* lines({ snapshot }: Given): AsyncGenerator<Example> {
  for await (const line of everyLine(snapshot)) {
    for (const deviation of lineDeviationsOf(line)) yield { line: line.id, invoice: line.invoiceId, ...deviation };
  }
}

async function* postings({ snapshot }: Given): AsyncGenerator<Example> {
  for await (const invoice of everyInvoice(snapshot)) {
    const found = invoiceMisposted(invoice);
    if (found) yield { invoice: invoice.id, status: invoice.status, ...found };
  }
  for await (const refund of everyRefund(snapshot)) {
    const found = refundMisposted(refund);
    if (found) yield { refund: refund.id, status: refund.status, ...found };
  }
  for await (const dispute of everyDispute(snapshot)) {
    const found = disputeMisposted(dispute);
    if (found) yield { dispute: dispute.id, status: dispute.status, ...found };
  }
}

async function* charges({
  db,
  snapshot,
  payments: providers,
  organization: { id, mode },
}: Given): AsyncGenerator<Example> {
  if (mode !== "sandbox") return;
  const isNew = async (key: string) =>
    (await findByProviderKey(db.read, id, key)) !== null && (await findByProviderKey(snapshot.tx, id, key)) === null;
  yield* compareTransactions(everyCharge(snapshot), (after) => providers.sandbox.listCharges(id, after), isNew);
}

async function* cardRefunds({
  db,
  snapshot,
  payments: providers,
  organization: { id, mode },
}: Given): AsyncGenerator<Example> {
  if (mode !== "sandbox") return;
  const isNew = async (key: string) =>
    (await refunds.find(db.read, id, key)) !== null && (await refunds.find(snapshot.tx, id, key)) === null;
  yield* compareTransactions(everyCardRefund(snapshot), (after) => providers.sandbox.listRefunds(id, after), isNew);
  const outside = (after: string) => providers.sandbox.listRefunds(id, after, "dashboard");
  yield* compareTransactions(everyOutsideRefund(snapshot), outside, (ref) => isReported(db.read, id, ref));
}

const CHECKS: readonly Check[] = [
  {
    rule: "subscription_derived",
    says: "A derived value of a Subscription contradicts its row (rules T2, T4, D4, Q4).",
    find: derived,
  },
  {
    rule: "line_amounts",
    says: "A line's amount differs from the values it was computed from (rules P, S4, X1, X3, Q5).",
    find: lines,
  },
  {
    rule: "mrr",
    says: "The counted MRR or status of a Subscription differs from its terms (rules R1, R4).",
    find: mrr,
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
export async function verifyOrganization(world: World, organization: Organization): Promise<Verification> {
  const look = async (tx: State): Promise<Verification> => {
    const snapshot = await takeSnapshot(tx, organization.id);
    const checked = await findAll(snapshot, RULES);
    // One after the other: after a failure no other check may go on in the transaction.
    for (const { rule, says, find: search } of CHECKS)
      checked.push({ rule, says, ...(await collect(search({ ...world, snapshot, organization }))) });
    const [held, counts] = await Promise.all([find(snapshot, HELD), count(snapshot)]);
    const disagreements = checked.filter(({ count: violations }) => violations > 0);
    return { organizationId: organization.id, disagreements, held, counts };
  };
  // A rule over millions of rows takes minutes.
  return world.db.snapshot(look, Infinity);
}
