import type { Context } from "../../context.ts";
import { skipped, type Check, type CheckName } from "./check.ts";
import { judgeMailboxes, judgeServer, judgeTaxIds, judgeSecrets } from "./findings.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { sharedMailboxes, shadowedUsers } from "../../store/email-keys.ts";
import { listOrganizations } from "../../store/organizations.ts";
import { unverifiedTaxIds } from "../tax-ids.ts";
import { checkCopy, checkPromotion } from "./copy.ts";
import { checkDatabase, unopened } from "./database.ts";
import { checkDisk, checkOpenId, checkOrigin, checkSecretFile, checkSmtp } from "./machine.ts";
import { checkImports } from "./imports.ts";
import { checkProviders } from "./provider.ts";
import { storedSecrets } from "../payment/connection-secrets.ts";
import { factorStates } from "../team/second-factor.ts";

/** The stored keys and webhook secrets of accounts, and the second factors of people, by the secret that opens them. */
async function checkSecrets(ctx: Context): Promise<Check> {
  const none = { current: 0, previous: 0, unknown_key: 0, damaged: 0 };
  const [values, factors] = [{ ...none }, { ...none }];
  for await (const { state } of storedSecrets(ctx)) values[state] += 1;
  for (const state of await factorStates(ctx)) factors[state] += 1;
  return judgeSecrets({ values, factors });
}

/** An opened Context, or the error that kept the database from being opened. `server`: the one that answers now. */
export type Installation = { config: Context["config"]; server: { address: string; version: string } | null } & (
  | { ctx: Context }
  | { error: unknown }
);

async function checkTaxIds(ctx: Context, organizations: readonly Organization[]): Promise<Check> {
  let failed = 0;
  for (const { id } of organizations)
    for await (const { verification } of unverifiedTaxIds(ctx, id)) if (verification === "failed") failed += 1;
  return judgeTaxIds(failed);
}

async function checkMailboxes({ db }: Context, organizations: readonly Organization[]): Promise<Check> {
  const pairs: [string, string][] = [];
  for (const { id } of organizations)
    for (const shared of await sharedMailboxes(db.read, id)) pairs.push([shared.id, shared.otherId]);
  return judgeMailboxes({ pairs, users: await shadowedUsers(db.read) });
}

const COPIES: readonly CheckName[] = ["copy", "promotion"];
const ON_ROWS: readonly CheckName[] = ["provider", "webhook_secret", "secrets", "tax_ids", "mailboxes", "imports"];

/** The checks that read rows, and the Organizations. */
async function checkRows(ctx: Context, organizations: readonly Organization[]): Promise<Check[]> {
  return [
    ...(await checkProviders(ctx, organizations)),
    await checkSecrets(ctx),
    await checkTaxIds(ctx, organizations),
    await checkMailboxes(ctx, organizations),
    await checkImports(ctx, organizations),
  ];
}

/**
 * Checks an installation, in the order of `CHECK_NAMES`, and changes no data. Checks that need a database are skipped
 * without one.
 * @throws AppError `unavailable` if the database is lost in the middle
 */
export async function examineInstallation(installation: Installation): Promise<Check[]> {
  const { config, server } = installation;
  const ctx = "ctx" in installation ? installation.ctx : null;
  const database = "ctx" in installation ? await checkDatabase(installation.ctx) : unopened(config, installation.error);
  const usable = database.isUsable ? ctx : null;
  const organizations = usable ? await listOrganizations(usable.db.read) : [];
  const live = organizations.some(({ mode }) => mode === "live");
  const copies = usable
    ? [await checkCopy(usable), await checkPromotion(usable)]
    : COPIES.map((name) => skipped(name, "the database can't be read"));
  const outside = [judgeServer(server), await checkSmtp(config, live), await checkOpenId(config)];
  const files = [await checkDisk(config), await checkSecretFile(config)];
  const machine = [...copies, ...files, ...outside, checkOrigin(config, live)];
  const rows = usable
    ? await checkRows(usable, organizations)
    : ON_ROWS.map((name) => skipped(name, "the database can't be read"));
  return [...database.checks, ...machine, ...rows];
}
