import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { DAY, instant, type Instant } from "../../domain/calendar.ts";
import { problemBy, type FoundThere } from "../../domain/import/both-sides.ts";
import { endCheck, rowsToCheck, storeProblems } from "../../store/import-cut-overs.ts";
import { uncheckedAccounts, type ImportAccount } from "../../store/imports.ts";
import { connectionsOf } from "../../store/provider-connections.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { isCopy } from "../installation.ts";
import { openKey } from "../payment/encrypted-fields.ts";

/**
 * The accounts with imported subscriptions that were not read for a day, by real time. Held ones count: after a restore
 * of a backup, a subscription that the lost database has stopped is held here.
 */
export async function accountsToCheck(db: Queryable): Promise<ImportAccount[]> {
  const accounts = await uncheckedAccounts(db, instant(realNow() - DAY));
  return accounts.filter(({ source }) => source === "stripe");
}

/** The problems that a page of subscriptions there shows. */
async function checkPage(ctx: Context, of: ImportAccount, page: readonly FoundThere[], at: Instant): Promise<string[]> {
  const rows = await rowsToCheck(ctx.db.read, of, [...new Set(page.map(({ customerRef }) => customerRef))], at);
  const found = rows.flatMap((row) => {
    const own = page.filter(({ customerRef }) => customerRef === row.customerRef);
    const problem = own.map((each) => problemBy(row, each)).find((each) => each !== null);
    return problem ? [{ ref: row.ref, state: row.state, problem }] : [];
  });
  if (found.length > 0) await ctx.db.tx((tx) => storeProblems(tx, of, found, at));
  return found.map(({ ref }) => ref);
}

/**
 * Reads all subscriptions of an account that have not ended, with the key with which Billow charges, and stores the
 * problems of rows that are charged on both sides or on neither (decision 0114). One page of 100 subscriptions is in
 * memory. Returns whether the account was read. @throws ReadError; the check is due again then
 */
export async function checkBothSides(ctx: Context, of: ImportAccount): Promise<boolean> {
  if (await isCopy(ctx)) return false;
  const connections = await connectionsOf(ctx.db.read, of.organizationId, of.source);
  const connection = connections.find(({ providerAccount }) => providerAccount === of.account);
  const opened = connection && openKey(ctx, connection);
  const reader = ctx.payments.connectables.get(of.source)?.reader;
  // Without a key there is no check. `doctor` says that the account or the key is missing.
  if (!opened || "fault" in opened || !reader) return false;
  const at = instant(realNow());
  const troubled = new Set<string>();
  for await (const page of reader(opened.value).standing())
    for (const ref of await checkPage(ctx, of, page, at)) troubled.add(ref);
  await ctx.db.tx((tx) => endCheck(tx, of, at, [...troubled]));
  return true;
}
