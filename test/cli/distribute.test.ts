import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

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
  expect(await workspace.run(words.split(" "), settings)).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "billow: Billow can't distribute the tables: the server lacks the extension Citus. Install Citus on each node.\n",
  });
});
