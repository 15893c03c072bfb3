import type { Context } from "../context.ts";
import { TEAM_EMAIL_KINDS } from "../domain/model/email.ts";
import type { Database } from "../store/driver/db.ts";
import {
  countHeldWork,
  findInstallation,
  lockInstallation,
  moveInstallation,
  readFingerprint,
  type Fingerprint,
  type HeldWork,
  type MailedEmails,
} from "../store/installation.ts";
import { heldAccounts, holdAccounts, storeTimeline, readTimeline, releaseAccounts } from "../store/promotions.ts";
import { connectedOrganizations, planImports } from "../store/provider-transactions.ts";
import { pausesOfCopy } from "../store/payment-pauses.ts";
import { isHandedOver } from "./email/hand-over.ts";
import { rowOfInstallation } from "./installation-row.ts";
import { resumePayments } from "./payment/pause.ts";

/** A process that holds its work looks for an adoption at most this often. */
const LOOK_MILLISECONDS = 1_000;

const isSame = (one: Fingerprint, other: Fingerprint) =>
  one.systemIdentifier === other.systemIdentifier && one.databaseOid === other.databaseOid;

/**
 * Whether this database is a copy of the installation's database (rule D1c). The first call asks the database. While
 * the answer is true, a call asks again after a second, so that a process notices `billow adopt`. A process whose
 * database is no copy never asks again. Logs each change of the answer.
 */
export async function isCopy(ctx: Pick<Context, "db" | "log" | "installation">): Promise<boolean> {
  const { installation: known } = ctx;
  if (known.isCopy === false) return false;
  if (known.isCopy && performance.now() - known.lookedAt < LOOK_MILLISECONDS) return true;
  const { installation, fingerprint } = await rowOfInstallation(ctx.db);
  const before = known.isCopy;
  Object.assign(known, { isCopy: !isSame(installation, fingerprint), lookedAt: performance.now() });
  if (known.isCopy && before !== true) {
    const { id, systemIdentifier, databaseOid } = installation;
    ctx.log.warn(
      { installationId: id, stored: { systemIdentifier, databaseOid }, found: fingerprint },
      "this database is a copy: charges, refunds, e-mails and webhooks are held, see node bin/billow.mjs adopt",
    );
  }
  if (!known.isCopy && before === true)
    ctx.log.info({ installationId: installation.id }, "this database was adopted: held work goes on");
  return known.isCopy!;
}

/**
 * Notices that PostgreSQL works on another timeline than at the last look: a replica was promoted, or a backup was
 * restored in place, and the last commits may be lost. Then the off-session charges of every connected account wait for
 * a comparison with the provider's book (rule D1d). Looks again once this process has opened a connection. On a cluster
 * another node than the one of the connection may be promoted, so a second later a call looks again. The next call does
 * so if a node did not answer: its standby may answer next, without the last commits.
 */
export async function watchTimeline(ctx: Pick<Context, "db" | "log" | "installation">): Promise<void> {
  const { installation: known, db } = ctx;
  const openings = db.openings();
  const isDistributed = db.isDistributed();
  const isRecent = !isDistributed || performance.now() - (known.timelineAt ?? 0) < LOOK_MILLISECONDS;
  if (known.openings === openings && isRecent) return;
  const installation = (await findInstallation(db.read)) ?? (await rowOfInstallation(db)).installation;
  const timeline = await readTimeline(db.read, isDistributed);
  if (timeline !== null && timeline !== installation.timeline) await recordPromotion(ctx, timeline);
  Object.assign(known, { openings, timelineAt: timeline === null ? undefined : performance.now() });
}

/** Holds all accounts in the transaction that stores the timeline. Null: another process has stored the timeline. */
const holdAtOnce = (db: Database, timeline: number): Promise<number | null> =>
  db.tx(async (tx) => {
    const installation = await lockInstallation(tx);
    if (!installation || installation.timeline === timeline) return null;
    storeTimeline(tx, timeline);
    return installation.timeline === null ? null : holdAccounts(tx, null);
  });

/**
 * As `holdAtOnce`, with a transaction for each Organization of a distributed database. The timeline is stored last, so
 * a process that finds the work unfinished begins it anew. The row of the installation is locked while an Organization
 * is written: a slow process must not hold accounts that were released after another process was done.
 */
async function holdApart(db: Database, timeline: number): Promise<number | null> {
  let held = 0;
  for (const organizationId of await connectedOrganizations(db.read)) {
    const more = await db.tx(async (tx) => {
      const installation = await lockInstallation(tx);
      const isOver = !installation || installation.timeline === timeline || installation.timeline === null;
      return isOver ? null : holdAccounts(tx, organizationId);
    });
    if (more === null) break;
    held += more;
  }
  return db.tx(async (tx) => {
    const installation = await lockInstallation(tx);
    if (!installation || installation.timeline === timeline) return null;
    storeTimeline(tx, timeline);
    return installation.timeline === null ? null : held;
  });
}

async function recordPromotion({ db, log }: Pick<Context, "db" | "log">, timeline: number): Promise<void> {
  const held = await (db.isDistributed() ? holdApart : holdAtOnce)(db, timeline);
  if (held !== null)
    log.warn(
      { timeline, heldAccounts: held },
      "PostgreSQL was promoted or restored and may have lost commits: off-session charges wait for the provider's book",
    );
}

function mailedEmails(ctx: Context): MailedEmails {
  const modes = (["live", "sandbox"] as const).filter((mode) => isHandedOver(ctx, mode));
  return { modes, kinds: ctx.mailer === null ? [] : TEAM_EMAIL_KINDS };
}

/**
 * The state of the installation: its id, whether this database is a copy, both fingerprints, and the waiting items that
 * a copy holds.
 */
export type InstallationState = {
  id: string;
  isCopy: boolean;
  stored: Fingerprint;
  found: Fingerprint;
  held: HeldWork;
};

/** Reads the state of the installation now, for `billow doctor`. All counts are 0 unless this database is a copy. */
export async function readInstallation(ctx: Context): Promise<InstallationState> {
  const { installation, fingerprint: found } = await rowOfInstallation(ctx.db);
  const { id, systemIdentifier, databaseOid } = installation;
  const stored = { systemIdentifier, databaseOid };
  const copied = !isSame(stored, found);
  const held = copied
    ? await countHeldWork(ctx.db.read, mailedEmails(ctx))
    : { charges: 0, refunds: 0, emails: 0, deliveries: 0 };
  return { id, isCopy: copied, stored, found, held };
}

/**
 * `isAdopted`: false, if this database was the installation's database before. `accounts`: the number of accounts
 * with off-session charges that waited after a promotion, and go on.
 */
export type Adoption = { installationId: string; isAdopted: boolean; released: HeldWork; accounts: number };

/** Ends the holds of all accounts. Returns how many. After a crash on a distributed database, `adopt` ends the rest. */
async function releaseAll(db: Database): Promise<number> {
  if (!db.isDistributed()) return db.tx((tx) => releaseAccounts(tx, null));
  let released = 0;
  for (const organizationId of new Set((await heldAccounts(db.read)).map((account) => account.organizationId)))
    released += await db.tx((tx) => releaseAccounts(tx, organizationId));
  return released;
}

/**
 * Makes this database the installation's database: held work is carried out from now on (rule D1c). The id of the
 * installation stays, because the payments at the providers bear that id. Running processes notice the adoption within
 * a second.
 */
export async function adopt(ctx: Context): Promise<Adoption> {
  const { db } = ctx;
  const { id: installationId, isCopy: wasCopy, held: released } = await readInstallation(ctx);
  const accounts = await releaseAll(db);
  if (!wasCopy) return { installationId, isAdopted: false, released, accounts };
  // The original may have charged after the copy was made, so each book is imported. A distributed database plans the
  // imports of each Organization by itself, before the adoption: after a crash `adopt` plans them again.
  if (db.isDistributed())
    for (const organizationId of await connectedOrganizations(db.read))
      await db.tx(async (tx) => planImports(tx, organizationId));
  const isAdopted = await db.tx(async (tx) => {
    const [installation, found] = [await lockInstallation(tx), await readFingerprint(tx)];
    if (!installation || isSame(installation, found)) return false;
    await moveInstallation(tx, found);
    storeTimeline(tx, await readTimeline(tx, tx.isDistributed));
    if (!db.isDistributed()) planImports(tx, null);
    return true;
  });
  for (const pause of await pausesOfCopy(db.read)) await resumePayments(ctx, pause.organizationId, pause);
  return { installationId, isAdopted, released, accounts };
}
