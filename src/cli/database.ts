import { checkReadReplica } from "../actions/doctor/read-replica.ts";
import { checkConnections } from "../actions/doctor/server.ts";
import type { Context, OpenContext } from "../context.ts";
import type { Organization } from "../domain/model/organization.ts";
import type { Duty } from "../store/driver/limits.ts";
import { requireFitServer } from "../store/driver/server.ts";
import { readUnplaced } from "../store/distribution/tables.ts";
import { isCurrent, migrate as migrateDatabase } from "../store/migrate.ts";
import { listOrganizations } from "../store/organizations.ts";
import { addressOf, type Config } from "../config.ts";
import { CommandError, optional, UsageError, type Values, type Wiring } from "./command.ts";
import { findServer, type FoundServer } from "./server-file.ts";

/**
 * The settings of this command, and the server that runs on the data directory. The links of the command begin with the
 * address of that server, unless PUBLIC_ORIGIN names another address: the server may have another PORT.
 */
export async function readServersConfig(wiring: Wiring): Promise<{ config: Config; server: FoundServer | null }> {
  const config = wiring.readConfig();
  const server = await findServer(config);
  const isNamed = config.publicOrigin !== addressOf(config.host, config.port);
  if (server === null || isNamed) return { config, server };
  return { config: wiring.readConfig({ PUBLIC_ORIGIN: server.publicOrigin }), server };
}

/**
 * Opens the database that a start has made. A command that made a database of its own would answer for an empty
 * installation beside the running one.
 * @throws CommandError if the data directory has no database
 */
export async function openExisting(wiring: Wiring): Promise<OpenContext> {
  const { config } = await readServersConfig(wiring);
  return openWith(wiring, config);
}

/** As `openExisting`, with settings that were read before. */
export async function openWith(wiring: Wiring, config: Config): Promise<OpenContext> {
  if (config.databaseUrl === null && !wiring.hasEmbeddedDatabase(config))
    throw new CommandError(
      `There is no database in ${config.dataDir}. Give this command the settings of the server: run the command in ` +
        "the server's directory, or set BILLOW_DATA_DIR. For a new database, run node bin/billow.mjs migrate first.",
    );
  return wiring.openContext(config, "command");
}

/** Opens and migrates the database for one piece of work. A server may be running at the same time. */
export async function withDatabase<Result>(wiring: Wiring, work: (ctx: Context) => Promise<Result>): Promise<Result> {
  const ctx = await openExisting(wiring);
  try {
    await migrateDatabase(ctx.db);
    return await work(ctx);
  } finally {
    await ctx.close();
  }
}

/** @throws CommandError for a database that is not migrated to this version */
export async function requireMigrated({ db }: Context): Promise<void> {
  if (!(await isCurrent(db))) throw new CommandError("The database is not migrated: run node bin/billow.mjs migrate.");
}

/**
 * For processes that write.
 * @throws ServerError for a server that Billow can't work on, CommandError for a database that is not migrated, or
 * that is distributed in part
 */
export async function requireReady(ctx: Context): Promise<void> {
  await requireFitServer(ctx.db);
  await requireMigrated(ctx);
  if (ctx.db.isDistributed() && (await ctx.db.bulk(readUnplaced)).length > 0)
    throw new CommandError("The database is distributed in part: run node bin/billow.mjs migrate.");
}

/** Warns if the server lacks connections for this process, or if a server of requests can't read its replica. */
export async function warnOfServers(wiring: Wiring, ctx: Context, duty: Duty): Promise<void> {
  const checks = [await checkConnections(ctx, duty), ...(duty === "serve" ? [await checkReadReplica(ctx)] : [])];
  for (const { says, advice } of checks) if (advice !== null) wiring.note(`Warning: ${says}. ${advice}`);
}

/** The most names that an error shows. */
const MOST_NAMED = 10;

function listed(texts: readonly string[]): string {
  const more = texts.length > MOST_NAMED ? [`${texts.length - MOST_NAMED} more`] : [];
  return [...texts.slice(0, MOST_NAMED), ...more].join(", ");
}

const namesOf = (all: readonly Organization[]) => [...new Set(all.map(({ name }) => JSON.stringify(name)))];

/**
 * The Organization with this id, or else the one with exactly this name.
 * @throws CommandError if there is no such Organization, or more than one.
 */
function choose(all: readonly Organization[], asked: string): Organization {
  const byId = all.find(({ id }) => id === asked);
  if (byId) return byId;
  const [named, ...others] = all.filter(({ name }) => name === asked);
  const given = JSON.stringify(asked);
  if (!named) throw new CommandError(`There is no Organization ${given}. There are: ${listed(namesOf(all))}.`);
  if (others.length === 0) return named;
  throw new CommandError(
    `Several Organizations are called ${given}: say which by id. ${listed([named, ...others].map(({ id }) => id))}.`,
  );
}

/** The Organization that `--organization` names; without the option, all Organizations. */
export async function findOrganizations(ctx: Context, values: Values): Promise<Organization[]> {
  return optional(values, "organization") === undefined
    ? listOrganizations(ctx.db.read)
    : [await findOrganization(ctx, values)];
}

/**
 * The Organization that `--organization` names, by id or name. The option may be left out if there is only one
 * Organization.
 */
export async function findOrganization(ctx: Context, values: Values): Promise<Organization> {
  const asked = optional(values, "organization");
  const all = await listOrganizations(ctx.db.read);
  const [only, ...others] = all;
  if (!only) throw new CommandError("There is no Organization: create one with node bin/billow.mjs org create.");
  if (asked !== undefined) return choose(all, asked);
  if (others.length > 0) throw new UsageError(`--organization is missing. There are: ${listed(namesOf(all))}.`);
  return only;
}
