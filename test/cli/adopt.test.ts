import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { administer, createFrom, createTestDatabase, type TestDatabase } from "../support/database.ts";

let workspace: Workspace;
let source: TestDatabase;
let copied: TestDatabase;
beforeAll(async () => {
  workspace = await createWorkspace();
  source = await createTestDatabase();
  await source.db.end();
});
afterAll(async () => {
  await workspace.clear();
  await copied.drop();
  await administer(source.connection, `DROP DATABASE ${source.connection.database}`);
});

const environment = ({ url }: TestDatabase) => ({ DATABASE_URL: url, BILLOW_SECRET: "s".repeat(32) });
const NOTHING = { charges: 0, refunds: 0, emails: 0, deliveries: 0 };

test("billow adopt makes a copy the installation, under the same id", async () => {
  const first = await workspace.run(["adopt", "--json"], environment(source));
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const { installationId } = JSON.parse(first.stdout);
  expect(JSON.parse(first.stdout)).toEqual({
    installationId: expect.stringMatching(/^ins_/),
    adopted: false,
    released: NOTHING,
    accounts: 0,
  });

  copied = await createFrom(inject("template"), source.connection.database);
  const run = (...args: string[]) => workspace.run(args, environment(copied));
  for (const command of ["catch-up", "adopt"]) expect(await run(command)).toMatchObject({ code: 0 });
  const again = await run("adopt");
  expect(again).toEqual({
    code: 0,
    stdout: `This database is already the one of the installation ${installationId}. No work is held.\n`,
    stderr: "",
  });
});

test("each start on a copy logs a warning, until the copy is adopted", async () => {
  const second = await createFrom(inject("template"), copied.connection.database);
  try {
    for (const command of ["start", "serve", "worker"]) {
      const process = await workspace.start([command, "--json"], environment(second));
      process.signal("SIGTERM");
      const { stderr } = await process.finished;
      const [warning] = stderr.split("\n").filter((line) => line.includes("this database is a copy"));
      expect(JSON.parse(warning!), command).toMatchObject({ level: 40, installationId: expect.any(String) });
    }
    const refused = await workspace.begin(["catch-up"], environment(second)).finished;
    expect(JSON.parse(refused.stderr)).toMatchObject({
      level: 40,
      msg: expect.stringContaining("see node bin/billow.mjs adopt"),
    });
    const { stdout } = await workspace.run(["adopt"], environment(second));
    expect(stdout).toMatch(/^This database is now .*\nReleased: 0 charges, 0 refunds, 0 e-mails and 0 webhook deliver/);
    expect((await workspace.run(["catch-up"], environment(second))).stderr).toBe("");
  } finally {
    await second.drop();
  }
});
