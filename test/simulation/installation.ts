import { readConfig } from "../../src/config.ts";
import { createContext, type Context } from "../../src/context.ts";
import { administer, createFrom, type Connection } from "../support/database.ts";

/** A database for histories, and Billow over it. */
export type Installation = { ctx: Context; close(): Promise<void> };

export async function openInstallation(template: Connection): Promise<Installation> {
  const { db, url, connection, drop } = await createFrom(template);
  // A loss of power does no harm here, and waiting for the disk would take most of the time.
  await administer(template, `ALTER DATABASE ${connection.database} SET synchronous_commit = off`);
  const config = readConfig({ DATABASE_URL: url, BILLOW_SECRET: "s".repeat(32), LOG_LEVEL: "silent" });
  return { ctx: await createContext(config, { db }), close: drop };
}
