import type { Context } from "../context.ts";
import { Account, type LoadedAccount } from "../domain/account/account.ts";
import { PartsMissing, type Part } from "../domain/account/parts.ts";
import { isAtRest, MuchDue, runFirst } from "../domain/due.ts";
import { AppError } from "../errors.ts";
import { keep } from "../store/accounts/keep.ts";
import type { KeyKind, RowKey } from "../store/accounts/keys.ts";
import { loadAccounts, loadParts, newAccount, type Newcomer } from "../store/accounts/load.ts";
import { PartFirst, type Tx } from "../store/db.ts";
import { linksOf } from "./links.ts";
import { keepAnswers } from "./payment/answered.ts";

/** A Customer, by their own id or (`by`) by that of a row of theirs. */
export type AccountKey = RowKey & { by?: KeyKind };
/** Runs synchronously, and again from its start where it needs a part: it must have no effect but on the Account. */
export type Decide<T> = (account: Account) => T;

/** After so many rounds a decision that still needs another part is a fault of ours. */
const MOST_ROUNDS = 20;

const surroundingsOf = ({ payments }: Context) => ({
  hasProvider: ({ mode }: { mode: "live" | "sandbox" }) => payments[mode] !== null,
});

type Outcome<T> = { account: Account; value: T } | { error: unknown };

/**
 * What was decided on each of the Accounts; each that needs parts is loaded with them and decided again. `inOrder`: where some were decided
 * again, all are at the end, so that ids of new rows sort in the order of the Accounts.
 */
async function decideEach<T>(tx: Tx, first: readonly LoadedAccount[], decide: Decide<T>, inOrder = false): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  const loaded = [...first];
  let open = loaded.map((each, n) => ({ n, loaded: each }));
  let isAgain = false;
  for (let round = 1; open.length > 0; round += 1) {
    const wanting: { n: number; loaded: LoadedAccount; parts: readonly Part[] }[] = [];
    for (const { n, loaded: each } of open) {
      const account = new Account(each);
      try {
        outcomes[n] = { account, value: decide(account) };
      } catch (error) {
        if (error instanceof PartsMissing && round < MOST_ROUNDS) wanting.push({ n, loaded: each, parts: error.parts });
        else outcomes[n] = { error };
      }
    }
    const more = wanting.length === 0 ? [] : await loadParts(tx, wanting);
    open = wanting.map(({ n }, place) => ({ n, loaded: more[place]! }));
    for (const { n, loaded: each } of open) loaded[n] = each;
    isAgain ||= open.length > 0;
  }
  return isAgain && inOrder ? decideEach(tx, loaded, decide) : outcomes;
}

/**
 * `parts`: what the decision is known to need, which saves a trip; the books where this is left out. `deleted`: a deleted Customer is found
 * as well.
 */
export type AccountOptions = { parts?: readonly Part[]; deleted?: boolean };

type DecidedOne<T> = { account: Account; value: T };

/** Null where there is no such Customer. @throws whatever the decision throws */
async function decideOne<T>(
  ctx: Context,
  tx: Tx,
  { organizationId, id, by = "customer" }: AccountKey,
  decide: Decide<T>,
  { deleted = false, ...options }: AccountOptions,
): Promise<DecidedOne<T> | null> {
  const [found] = await loadAccounts(tx, by, [{ organizationId, id }], { ...surroundingsOf(ctx), ...options });
  if (!found || (found.loaded.customer.deletedAt !== null && !deleted)) return null;
  const [outcome] = await decideEach(tx, [found.loaded], decide);
  if (!("error" in outcome!)) return outcome!;
  throw outcome.error instanceof MuchDue ? tooMuchDue(ctx, found.loaded) : outcome.error;
}

const RETRY = { headers: { "Retry-After": "1" } };

/** Much is due on a Customer by a sandbox's clock (rule T5): it is left to an advance, or done in parts that are committed before. */
function tooMuchDue(ctx: Context, { organization, customer }: LoadedAccount): AppError {
  if (organization.clockTarget !== null) {
    const detail = "The clock is being advanced, and much is due on this Customer. Send the request again after `Retry-After` seconds.";
    return new AppError("unavailable", { detail, ...RETRY });
  }
  const detail = "Much is due on this Customer, and a part of it was done. Send the request again after `Retry-After` seconds.";
  const key = { organizationId: organization.id, id: customer.id };
  const part = async (tx: Tx) => {
    await inAccountIfThere(ctx, tx, key, (account) => (isAtRest(account) ? runFirst(account, account.now) : 0));
  };
  return new PartFirst(part, { detail, ...RETRY });
}

function keepOne(ctx: Context, tx: Tx, account: Account): void {
  keep(tx, [account], linksOf(ctx));
  keepAnswers(ctx, tx, account.answered, account.customer.externalId);
}

/**
 * Decides on one Customer's Account under the Customer's lock, keeps the changes in the same transaction, and answers the decided value.
 * @throws AppError 404 where there is no such Customer; whatever the decision throws, and then no change is kept
 */
export async function inAccount<T>(ctx: Context, tx: Tx, key: AccountKey, decide: Decide<T>, options: AccountOptions = {}): Promise<T> {
  const decided = await decideOne(ctx, tx, key, decide, options);
  if (!decided) throw new AppError("not_found");
  keepOne(ctx, tx, decided.account);
  return decided.value;
}

/** As `inAccount`, but null where there is no such Customer. */
export async function inAccountIfThere<T>(
  ctx: Context,
  tx: Tx,
  key: AccountKey,
  decide: Decide<T>,
  options: AccountOptions = {},
): Promise<T | null> {
  const decided = await decideOne(ctx, tx, key, decide, options);
  if (decided) keepOne(ctx, tx, decided.account);
  return decided && decided.value;
}

/** As `inAccount`, on a Customer who was made in this transaction: their Account is empty, and no row is read. */
export async function inNewAccount<T>(ctx: Context, tx: Tx, newcomer: Newcomer, decide: Decide<T>): Promise<T> {
  const [outcome] = await decideEach(tx, [newAccount(newcomer, surroundingsOf(ctx))], decide);
  if ("error" in outcome!) throw outcome.error;
  keepOne(ctx, tx, outcome!.account);
  return outcome!.value;
}

/** The same decision as in `inAccount`, of which no change is kept. Until the transaction ends the Customer stays locked. */
export async function previewAccount<T>(
  ctx: Context,
  tx: Tx,
  key: AccountKey,
  decide: Decide<T>,
  options: AccountOptions = {},
): Promise<T> {
  const decided = await decideOne(ctx, tx, key, decide, options);
  if (!decided) throw new AppError("not_found");
  return decided.value;
}

/** As `previewAccount`, in a dry run of its own. */
export function readAccount<T>(ctx: Context, key: AccountKey, read: Decide<T>, options: AccountOptions = {}): Promise<T> {
  return ctx.db.dryRun((tx) => previewAccount(ctx, tx, key, read, options));
}

/**
 * As `readAccount`, of many Customers of an Organization in one dry run; by their ids. Customers who do not exist, who are deleted or on
 * whom the reading throws are left out.
 */
export function readAccounts<T>(ctx: Context, organizationId: string, ids: readonly string[], read: Decide<T>): Promise<Map<string, T>> {
  const keys = ids.map((id) => ({ organizationId, id }));
  return ctx.db.dryRun(async (tx) => {
    const found = (await loadAccounts(tx, "customer", keys, surroundingsOf(ctx))).map(({ loaded }) => loaded);
    const outcomes = await decideEach(tx, found.filter(({ customer }) => customer.deletedAt === null), read);
    return new Map(outcomes.flatMap((each) => ("error" in each ? [] : [[each.account.customer.id, each.value] as const])));
  });
}

/** What came of one Account of a batch; `asked`: which of the ids led to it. */
export type Decided<T> = RowKey & { asked: readonly string[] } & ({ value: T } | { error: unknown });

function sortAs(ids: readonly RowKey[], found: { asked: readonly string[] }[]): void {
  const places = new Map(ids.map(({ id }, place) => [id, place]));
  found.sort((one, other) => places.get(one.asked[0]!)! - places.get(other.asked[0]!)!);
}

/**
 * Decides on many Accounts, each once and apart from the others, and keeps the changes of all whose decision did not throw. `by`: what the
 * ids are of. Deleted Customers are among the Accounts; ids that do not exist, and with `skipLocked` Customers that another transaction
 * holds, are not. The Customers are decided and answered in the order of their keys, or with `inOrder` in that of the ids; then ids of new
 * rows sort in that order as well. What the database refuses fails the transaction, whole.
 */
export async function decideAccounts<T>(
  ctx: Context,
  tx: Tx,
  keys: { by?: KeyKind; ids: readonly RowKey[]; skipLocked?: boolean; parts?: readonly Part[]; inOrder?: boolean },
  decide: Decide<T>,
): Promise<Decided<T>[]> {
  const { by = "customer", ids, inOrder = false, ...options } = keys;
  const found = await loadAccounts(tx, by, ids, { ...surroundingsOf(ctx), ...options });
  if (inOrder) sortAs(ids, found);
  const outcomes = await decideEach(
    tx,
    found.map(({ loaded }) => loaded),
    decide,
    inOrder,
  );
  const kept = outcomes.filter((outcome) => "account" in outcome);
  keep(
    tx,
    kept.map(({ account }) => account),
    linksOf(ctx),
  );
  for (const { account } of kept) keepAnswers(ctx, tx, account.answered, account.customer.externalId);
  return found.map(({ asked, loaded: { customer } }, n) => {
    const outcome = outcomes[n]!;
    const key = { organizationId: customer.organizationId, id: customer.id, asked };
    return "error" in outcome ? { ...key, error: outcome.error } : { ...key, value: outcome.value };
  });
}
