import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { joinEmbeddedPostgres } from "../../src/postgres/embedded.ts";
import { openDatabase } from "../../src/store/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import { administer, type Connection } from "./database.ts";

type TestServer = { connection: Omit<Connection, "database">; stop(): Promise<void> };

function useServer(url: string): TestServer {
  const { host, port, user = "postgres", password = "" } = new pg.Client({ connectionString: url });
  return { connection: { host, port, user, password }, stop: async () => undefined };
}

async function startServer(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), "billow-run-"));
  // As root, PostgreSQL runs as somebody else, who has to get in.
  await chmod(dataDir, 0o755);
  const { connection, leave } = await joinEmbeddedPostgres({ dataDir, log: () => undefined });
  return {
    connection,
    async stop() {
      await leave();
      await rm(dataDir, { recursive: true });
    },
  };
}

let tearDown = async () => {};

/** One PostgreSQL for the whole run: the one that TEST_DATABASE_URL names, or an embedded one in a directory of its own. */
export async function setup(project: TestProject): Promise<void> {
  const url = process.env["TEST_DATABASE_URL"];
  const server = url ? useServer(url) : await startServer();
  const template = { ...server.connection, database: `billow_template_${randomBytes(6).toString("hex")}` };
  await administer(template, `CREATE DATABASE ${template.database} TEMPLATE template0`);
  const db = openDatabase(template, 2);
  await migrate(db);
  await db.end();
  project.provide("template", template);
  tearDown = async () => {
    await administer(template, `DROP DATABASE ${template.database} WITH (FORCE)`);
    await server.stop();
  };
}

export async function teardown(): Promise<void> {
  await tearDown();
}
