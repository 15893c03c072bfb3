import type { Context } from "../context.ts";
import type { Organization } from "../domain/organization.ts";
import { migrate as migrateDatabase } from "../store/migrate.ts";
import { listOrganizations, organizations } from "../store/organizations.ts";
import { CommandError, optional, UsageError, type Values, type Wiring } from "./command.ts";

/** Opens the database for one piece of work, migrated, beside a running server or without one. */
export async function withDatabase<Result>(wiring: Wiring, work: (ctx: Context) => Promise<Result>): Promise<Result> {
  const ctx = await wiring.openContext(wiring.readConfig());
  try {
    await migrateDatabase(ctx.db);
    return await work(ctx);
  } finally {
    await ctx.close();
  }
}

/** The Organization that `--organization` names; it may be left out where there is only one. */
export async function findOrganization(ctx: Context, values: Values): Promise<Organization> {
  const id = optional(values, "organization");
  if (id !== undefined) {
    const named = await organizations.find(ctx.db.read, id);
    if (!named) throw new CommandError(`There is no Organization ${JSON.stringify(id)}.`);
    return named;
  }
  const [only, ...others] = await listOrganizations(ctx.db.read);
  if (!only) throw new CommandError("There is no Organization: create one with billow org create.");
  if (others.length > 0) throw new UsageError("--organization is missing, and there is more than one: billow org list shows them.");
  return only;
}
