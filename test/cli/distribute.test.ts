import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

const oneStatement = sql("test.one", "SELECT 1 AS one");

let database: TestDatabase;
let workspace: Workspace;

beforeAll(async () => {
  [database, workspace] = [await createTestDatabase(), await createWorkspace()];
});
afterAll(async () => {
  await workspace.clear();
  await database.drop();
});

test.each(["distribute", "distribute --dry-run"])("a server without Citus is refused by %s", async (words) => {
  const settings = { DATABASE_URL: database.url, BILLOW_SECRET: "s".repeat(32) };
  // A session of a server that runs is no reason to stop this server.
  await database.db.read.query(oneStatement);
  expect(await workspace.run(words.split(" "), settings)).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "billow: Billow can't distribute the tables: the server lacks the extension Citus. Install Citus on each node.\n",
  });
});
