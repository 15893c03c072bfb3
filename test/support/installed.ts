import { execFile } from "node:child_process";
import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { joinEmbeddedDatabase } from "../../src/embedded-database.ts";
import { openDatabase } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";

/** A data directory after a first start, with a migrated database. Its PostgreSQL does not run. */
export async function prepareInstalled(dataDir: string): Promise<void> {
  const { connection, leave } = await joinEmbeddedDatabase({ dataDir, log: () => undefined });
  const db = openDatabase(connection);
  await migrate(db);
  await db.end();
  await leave();
  // Each start makes these files anew.
  for (const name of ["members.lock", "turn.lock", "log"]) await rm(join(dataDir, "postgres", name), { force: true });
}

/** Copies an installed data directory. `cp` keeps the owners, and needs a tenth of the work of `initdb` and migrations. */
export async function copyInstalled(source: string, dataDir: string, owner?: { uid: number; gid: number }) {
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o755);
  await promisify(execFile)("cp", ["-a", join(source, "postgres"), dataDir]);
  if (owner) await promisify(execFile)("chown", ["-R", `${owner.uid}:${owner.gid}`, dataDir]);
}

/**
 * Makes a data directory as a first start leaves it, without an Organization. For tests whose subject is not the first
 * start.
 * @param owner gets the directory, if the tests run as root. With an owner and TEST_DATABASE_URL, the directory stays
 * empty, so the next start is the first one.
 */
export async function makeInstalled(dataDir: string, owner?: { uid: number; gid: number }): Promise<void> {
  const source = inject("installed");
  if (source !== null) await copyInstalled(source, dataDir, owner);
  else if (owner === undefined) await prepareInstalled(dataDir);
}
