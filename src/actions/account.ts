import type { Context } from "../context.ts";
import { realNow } from "../clock.ts";
import { Account, type LoadedAccount } from "../domain/account/account.ts";
import { PartsMissing, type Part } from "../domain/account/parts.ts";
import { AppError } from "../errors.ts";
import { keep } from "../store/accounts/keep.ts";
import type { KeyKind, RowKey } from "../store/accounts/keys.ts";
import { loadAccounts, loadParts } from "../store/accounts/load.ts";
import type { Links } from "../store/accounts/tell.ts";
import type { Tx } from "../store/db.ts";
import { checkoutUrl, downloadUrl, invoiceUrl } from "./links.ts";

/** A Customer, by their own id or (`by`) by that of a row of theirs. */
export type AccountKey = RowKey & { by?: KeyKind };
/** Runs synchronously, and again from its start where it needs a part: it must have no effect but on the Account. */
export type Decide<T> = (account: Account) => T;

/** After so many rounds a decision that still needs another part is a fault of ours. */
const MOST_ROUNDS = 20;

const linksOf = (ctx: Context): Links => ({
  invoiceUrl: (invoice) => invoiceUrl(ctx, invoice),
  checkoutUrl: (checkout) => checkoutUrl(ctx, checkout),
  downloadUrl: (organizationId, grantId, file) => downloadUrl(ctx, organizationId, grantId, file, realNow()),
});

const surroundingsOf = ({ payments }: Context) => ({
  hasProvider: ({ mode }: { mode: "live" | "sandbox" }) => payments[mode] !== null,
});

type Outcome<T> = { account: Account; value: T } | { error: unknown };

/** What was decided on each of the Accounts; each that needs parts is loaded with them and decided again. */
async function decideEach<T>(tx: Tx, loaded: readonly LoadedAccount[], decide: Decide<T>): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  let open = loaded.map((each, n) => ({ n, loaded: each }));
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
  }
  return outcomes;
}

async function decideOne<T>(
  ctx: Context,
  tx: Tx,
  { organizationId, id, by = "customer" }: AccountKey,
  decide: Decide<T>,
  parts: readonly Part[],
  deleted: boolean,
): Promise<{ account: Account; value: T }> {
  const [found] = await loadAccounts(tx, by, [{ organizationId, id }], { ...surroundingsOf(ctx), parts });
  if (!found || (found.loaded.customer.deletedAt !== null && !deleted)) throw new AppError("not_found");
  const [outcome] = await decideEach(tx, [found.loaded], decide);
  if ("error" in outcome!) throw outcome.error;
  return outcome!;
}

/**
 * Decides on one Customer's Account under the Customer's lock, keeps the changes in the same transaction, and answers what was decided.
 * `parts`: what the decision is known to need. `deleted`: a deleted Customer is found as well.
 * @throws AppError 404 where there is no such Customer; what the decision throws, and then nothing is kept
 */
export async function inAccount<T>(
  ctx: Context,
  tx: Tx,
  key: AccountKey,
  decide: Decide<T>,
  parts: readonly Part[] = [],
  { deleted = false } = {},
): Promise<T> {
  const { account, value } = await decideOne(ctx, tx, key, decide, parts, deleted);
  keep(tx, [account], linksOf(ctx));
  return value;
}

/** The same decision as in `inAccount`, of which nothing is kept. Until the transaction ends the Customer stays locked. */
export async function previewAccount<T>(
  ctx: Context,
  tx: Tx,
  key: AccountKey,
  decide: Decide<T>,
  parts: readonly Part[] = [],
  { deleted = false } = {},
): Promise<T> {
  return (await decideOne(ctx, tx, key, decide, parts, deleted)).value;
}

/** What came of one Account of a batch; `asked`: which of the ids led to it. */
export type Decided<T> = RowKey & { asked: readonly string[] } & ({ value: T } | { error: unknown });

/**
 * Decides on many Accounts, each once and apart from the others, and keeps the changes of all whose decision did not throw. `by`: what the
 * ids are of. Deleted Customers are among the Accounts; ids that do not exist, and with `skipLocked` Customers that another transaction
 * holds, are not. Answers the Customers in the order of their keys. What the database refuses fails the transaction, whole.
 */
export async function decideAccounts<T>(
  ctx: Context,
  tx: Tx,
  keys: { by?: KeyKind; ids: readonly RowKey[]; skipLocked?: boolean; parts?: readonly Part[] },
  decide: Decide<T>,
): Promise<Decided<T>[]> {
  const { by = "customer", ids, ...options } = keys;
  const found = await loadAccounts(tx, by, ids, { ...surroundingsOf(ctx), ...options });
  const outcomes = await decideEach(
    tx,
    found.map(({ loaded }) => loaded),
    decide,
  );
  const kept = outcomes.filter((outcome) => "account" in outcome);
  keep(
    tx,
    kept.map(({ account }) => account),
    linksOf(ctx),
  );
  return found.map(({ asked, loaded: { customer } }, n) => {
    const outcome = outcomes[n]!;
    const key = { organizationId: customer.organizationId, id: customer.id, asked };
    return "error" in outcome ? { ...key, error: outcome.error } : { ...key, value: outcome.value };
  });
}
