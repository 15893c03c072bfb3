import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { fault, ok, skipped, type Check } from "./check.ts";
import { judgeClock, judgeMigrations } from "./findings.ts";
import { isUnavailable, reasonOf } from "../../errors.ts";
import { readMigrationState } from "../../store/migrate.ts";
import { readServer, whyUnwritable } from "../../store/probes.ts";
import { whyUnfitNodes } from "../../store/distribution/cluster.ts";
import { readUnplaced } from "../../store/distribution/tables.ts";
import { whyUnfit, type Unfit } from "../../store/driver/server.ts";
import { whyUnreachable } from "../connection-failure.ts";
import { checkReadReplica } from "./read-replica.ts";
import { checkServer, checkSize } from "./server.ts";

/** `isUsable`: the database answers, and has every table and column of this version. */
export type DatabaseChecks = { checks: Check[]; isUsable: boolean };

const reason = (error: unknown) => reasonOf(isUnavailable(error) ? (error.cause ?? error) : error);

/** The checks of a database that can't be opened. */
export function unopened({ database }: Context["config"], error: unknown): DatabaseChecks {
  const advice = database === null ? "Check the data directory and its log." : "Check DATABASE_URL and the server.";
  const isOutage = isUnavailable(error) && error.cause !== undefined;
  const says = isOutage ? `the ${whyUnreachable(database, error.cause)}` : `does not answer: ${reason(error)}`;
  const checks = [
    fault("database", says, advice),
    ...(["migrations", "writes", "clock", "connections", "replicas", "read_replica", "size"] as const).map((name) =>
      skipped(name, "the database does not answer"),
    ),
  ];
  return { checks, isUsable: false };
}

async function checkClock({ db }: Context): Promise<Check> {
  const before = realNow();
  const { now } = await readServer(db.read);
  const after = realNow();
  return judgeClock(now - (before + after) / 2, (after - before) / 2);
}

async function checkWrites({ db }: Context): Promise<Check> {
  const cause = await whyUnwritable(db);
  return cause === null
    ? ok("writes", "the database can be written to")
    : fault(
        "writes",
        `the database can't be written to: ${reason(cause)}`,
        "Look for a full disk, a read-only replica or missing rights of the user in DATABASE_URL.",
      );
}

/** Null: Billow can work on the server, and on each node of a cluster. */
async function whyUnfitDatabase({ db }: Context): Promise<Unfit | null> {
  const unfit = await whyUnfit(db);
  if (unfit !== null || !db.isDistributed()) return unfit;
  if ((await db.bulk(readUnplaced)).length > 0)
    return { says: "it is distributed in part", advice: "Run node bin/billow.mjs migrate." };
  return db.bulk(whyUnfitNodes);
}

/**
 * The database's version and settings, its migrations, writes, clock and size, and the limits and replicas of its
 * server. Writes only the rows that `/readyz` writes.
 */
export async function checkDatabase(ctx: Context): Promise<DatabaseChecks> {
  try {
    const [{ version }, unfit] = [await readServer(ctx.db.read), await whyUnfitDatabase(ctx)];
    const server =
      unfit === null ? ok("database", `PostgreSQL ${version} answers`) : fault("database", unfit.says, unfit.advice);
    const state = await readMigrationState(ctx.db);
    const isUsable = state.missing.length === 0;
    const writes = isUsable ? await checkWrites(ctx) : skipped("writes", "the database is not migrated");
    const clock = await checkClock(ctx);
    const size = isUsable ? await checkSize(ctx) : skipped("size", "the database is not migrated");
    const servers = [...(await checkServer(ctx)), await checkReadReplica(ctx), size];
    return { checks: [server, judgeMigrations(state), writes, clock, ...servers], isUsable };
  } catch (error) {
    return unopened(ctx.config, error);
  }
}
