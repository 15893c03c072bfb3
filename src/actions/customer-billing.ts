import type { Context } from "../context.ts";
import { CustomerBilling, type LoadedBilling } from "../domain/billing/customer-billing.ts";
import { PartsMissing, type Part } from "../domain/billing/parts.ts";
import { isAtRest, MuchDue, planAnnouncements, runFirst, updateTrials } from "../domain/collection/due.ts";
import { AppError, RETRY_SOON } from "../errors.ts";
import { Refusal } from "../domain/refusal.ts";
import { storeChanges } from "../store/customer-billing/changes.ts";
import type { KeyKind, RowKey } from "../store/customer-billing/keys.ts";
import { loadBillings, loadParts, newBilling, type Newcomer } from "../store/customer-billing/load.ts";
import { PartFirst, type Snapshot, type Tx } from "../store/driver/db.ts";
import { linksOf, withCheckoutUrl } from "./links.ts";
import { recordAnswers } from "./payment/record-answers.ts";
import { loadContextOf } from "./load-context.ts";

/** The key of a Customer: the Customer's own id, or with `by` the id of another row of the Customer. */
export type BillingKey = RowKey & { by?: KeyKind };
/**
 * A decision runs synchronously. A decision that needs another part of the billing runs again from its start, so a
 * decision may change only the billing.
 */
export type Decide<T> = (billing: CustomerBilling) => T;

/** A decision that still needs another part after this many runs is a bug of ours. */
const MOST_ROUNDS = 20;

type Outcome<T> = { billing: CustomerBilling; value: T } | { error: unknown };

/**
 * Runs the decision on each Customer's billing. If the billing lacks parts, they are loaded and the decision runs
 * again. `inOrder`: if any decision ran again, all decisions run once more at the end, so that ids of new rows sort in
 * the order of the Customers.
 */
async function decideEach<T>(
  tx: Tx | Snapshot,
  first: readonly LoadedBilling[],
  decide: Decide<T>,
  inOrder = false,
): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  const loaded = [...first];
  let open = loaded.map((each, n) => ({ n, loaded: each }));
  let isAgain = false;
  for (let round = 1; open.length > 0; round += 1) {
    const wanting: { n: number; loaded: LoadedBilling; parts: readonly Part[] }[] = [];
    for (const { n, loaded: each } of open) {
      const billing = new CustomerBilling(each);
      try {
        const value = decide(billing);
        updateTrials(billing);
        planAnnouncements(billing);
        outcomes[n] = { billing, value };
      } catch (error) {
        if (error instanceof PartsMissing && round < MOST_ROUNDS) wanting.push({ n, loaded: each, parts: error.parts });
        else outcomes[n] = { error };
      }
    }
    const more = wanting.length === 0 ? [] : await loadParts(tx, wanting);
    open = wanting.map(({ n }, index) => ({ n, loaded: more[index]! }));
    for (const { n, loaded: each } of open) loaded[n] = each;
    isAgain ||= open.length > 0;
  }
  return isAgain && inOrder ? decideEach(tx, loaded, decide) : outcomes;
}

/**
 * `parts`: the parts that the decision is known to need, the open items by default. Loading these parts at once saves a
 * trip to the database. `deleted`: true if deleted Customers are found too.
 */
export type BillingOptions = { parts?: readonly Part[]; deleted?: boolean };

type DecidedOne<T> = { billing: CustomerBilling; value: T };

/** Returns null if there is no such Customer. @throws the error of the decision; a `MuchDue` becomes an AppError 503 */
async function decideOne<T>(
  ctx: Context,
  tx: Tx | Snapshot,
  { organizationId, id, by = "customer" }: BillingKey,
  decide: Decide<T>,
  { deleted = false, ...options }: BillingOptions,
): Promise<DecidedOne<T> | null> {
  const [found] = await loadBillings(tx, by, [{ organizationId, id }], { ...loadContextOf(ctx), ...options });
  if (!found || (found.loaded.customer.deletedAt !== null && !deleted)) return null;
  const [outcome] = await decideEach(tx, [found.loaded], decide);
  if (!("error" in outcome!)) return outcome!;
  if (outcome.error instanceof MuchDue) throw tooMuchDue(ctx, found.loaded);
  throw withCheckoutUrl(ctx, organizationId, outcome.error);
}

/**
 * The error if, by a sandbox's clock, a Customer has more due items than one transaction may do (rules T5i, T5j). While
 * the clock is advanced, the advance does the due items. If the clock is not advanced, some of the due items are done
 * and committed first, and the caller sends the request again.
 */
function tooMuchDue(ctx: Context, { organization, customer }: LoadedBilling): AppError {
  if (organization.clockTarget !== null) {
    const detail =
      "The clock is being advanced, and this Customer has much due work. " +
      "Send the request again after `Retry-After` seconds.";
    return new AppError("unavailable", { detail, headers: RETRY_SOON });
  }
  const detail =
    "This Customer has much due work, and a part of it is done. Send the request again after `Retry-After` seconds.";
  const key = { organizationId: organization.id, id: customer.id };
  const part = async (tx: Tx) => {
    await inBillingIfThere(ctx, tx, key, (billing) => (isAtRest(billing) ? runFirst(billing, billing.now) : 0));
  };
  return new PartFirst(part, detail);
}

function storeOne(ctx: Context, tx: Tx, billing: CustomerBilling): void {
  storeChanges(tx, [billing], linksOf(ctx));
  recordAnswers(ctx, tx, billing.answered, billing.customer.externalId);
}

/**
 * Runs a decision on one Customer's billing under the Customer's lock. Stores the changes in the same transaction, and
 * answers the value that the decision returned (rule T4b).
 * @throws Refusal 404 if there is no such Customer; the error of the decision, in which case no change is stored
 */
export async function inBilling<T>(
  ctx: Context,
  tx: Tx,
  key: BillingKey,
  decide: Decide<T>,
  options: BillingOptions = {},
): Promise<T> {
  const decided = await decideOne(ctx, tx, key, decide, options);
  if (!decided) throw new Refusal("not_found");
  storeOne(ctx, tx, decided.billing);
  return decided.value;
}

/** As `inBilling`, but answers null if there is no such Customer. */
export async function inBillingIfThere<T>(
  ctx: Context,
  tx: Tx,
  key: BillingKey,
  decide: Decide<T>,
  options: BillingOptions = {},
): Promise<T | null> {
  const decided = await decideOne(ctx, tx, key, decide, options);
  if (decided) storeOne(ctx, tx, decided.billing);
  return decided && decided.value;
}

/** As `inBilling`, for a Customer that this transaction creates: the billing is empty, and no row is read. */
export async function inNewBilling<T>(ctx: Context, tx: Tx, newcomer: Newcomer, decide: Decide<T>): Promise<T> {
  const [outcome] = await decideEach(tx, [newBilling(newcomer, loadContextOf(ctx))], decide);
  if ("error" in outcome!) throw outcome.error;
  storeOne(ctx, tx, outcome!.billing);
  return outcome!.value;
}

/**
 * As `inBilling`, but stores no changes, and waits for no lock: the decision runs on one state of the database.
 * @throws Refusal 404 if there is no such Customer; the error of the decision
 */
export function readCustomerBilling<T>(
  ctx: Context,
  key: BillingKey,
  decide: Decide<T>,
  options: BillingOptions = {},
): Promise<T> {
  return ctx.db.snapshot(async (snapshot) => {
    const decided = await decideOne(ctx, snapshot, key, decide, options);
    if (!decided) throw new Refusal("not_found");
    return decided.value;
  });
}

/**
 * As `readCustomerBilling`, for many Customers of an Organization in one snapshot. Returns the values by Customer id.
 * Leaves out Customers that do not exist, are deleted, or make `read` throw.
 */
export function readCustomerBillings<T>(
  ctx: Context,
  organizationId: string,
  ids: readonly string[],
  read: Decide<T>,
): Promise<Map<string, T>> {
  const keys = ids.map((id) => ({ organizationId, id }));
  return ctx.db.snapshot(async (snapshot) => {
    const found = (await loadBillings(snapshot, "customer", keys, loadContextOf(ctx))).map(({ loaded }) => loaded);
    const outcomes = await decideEach(
      snapshot,
      found.filter(({ customer }) => customer.deletedAt === null),
      read,
    );
    return new Map(
      outcomes.flatMap((each) => ("error" in each ? [] : [[each.billing.customer.id, each.value] as const])),
    );
  });
}

/** The outcome for one Customer of a batch. */
export type Decided<T> = RowKey & ({ value: T } | { error: unknown });

function sortAs(ids: readonly RowKey[], found: { loaded: LoadedBilling }[]): void {
  const indexes = new Map(ids.map(({ id }, index) => [id, index]));
  found.sort((one, other) => indexes.get(one.loaded.customer.id)! - indexes.get(other.loaded.customer.id)!);
}

/**
 * Runs the decision on many Customers, once for each and independently of the others. Stores the changes of each
 * decision that did not throw. If the database refuses one change, the whole transaction fails. Deleted Customers are
 * included. Unknown ids are left out; with `skipLocked`, so are Customers that another transaction holds. The Customers
 * are decided and answered in the order of their keys. With `inOrder`, the Customers and the ids of new rows follow the
 * order of `ids` instead.
 */
export async function decideBillings<T>(
  ctx: Context,
  tx: Tx,
  keys: { ids: readonly RowKey[]; skipLocked?: boolean; parts?: readonly Part[]; inOrder?: boolean },
  decide: Decide<T>,
): Promise<Decided<T>[]> {
  const { ids, inOrder = false, ...options } = keys;
  const found = await loadBillings(tx, "customer", ids, { ...loadContextOf(ctx), ...options });
  if (inOrder) sortAs(ids, found);
  const outcomes = await decideEach(
    tx,
    found.map(({ loaded }) => loaded),
    decide,
    inOrder,
  );
  const decided = outcomes.filter((outcome) => "billing" in outcome);
  storeChanges(
    tx,
    decided.map(({ billing }) => billing),
    linksOf(ctx),
  );
  for (const { billing } of decided) recordAnswers(ctx, tx, billing.answered, billing.customer.externalId);
  return found.map(({ loaded: { customer } }, n) => {
    const outcome = outcomes[n]!;
    const key = { organizationId: customer.organizationId, id: customer.id };
    return "error" in outcome ? { ...key, error: outcome.error } : { ...key, value: outcome.value };
  });
}
