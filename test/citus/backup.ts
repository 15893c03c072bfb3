import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { startCluster, type CitusCluster } from "./cluster.ts";
import { distributeTables } from "./distribute.ts";

let cluster: CitusCluster;
let workspace: Workspace;

beforeAll(async () => {
  cluster = await startCluster(1);
  workspace = await createWorkspace();
});
afterAll(async () => {
  await workspace.clear();
  await cluster.stop();
});

test("a backup is restored, distributed and adopted, and a backup of the distributed database is refused", async () => {
  const settings = { DATABASE_URL: await cluster.createDatabase("billow"), BILLOW_SECRET: "s".repeat(32) };
  const [before, after] = ["before.backup", "after.backup"].map((name) => join(workspace.directory, name));
  expect(await workspace.run(["migrate"], settings)).toMatchObject({ code: 0 });
  expect(await workspace.run(["backup", before!], settings)).toMatchObject({ code: 0, stderr: "" });
  // The way from one machine to a cluster: restore first, then distribute.
  const restored = { ...settings, DATABASE_URL: await cluster.createDatabase("restored") };
  expect(await workspace.run(["restore", before!], restored)).toMatchObject({ code: 0, stderr: "" });
  await distributeTables(restored.DATABASE_URL);
  const onWorker = {
    ...restored,
    DATABASE_URL: restored.DATABASE_URL.replace(/:\d+\//, `:${cluster.workers[0]!.port}/`),
  };
  for (const [at, adopted] of [
    [onWorker, true],
    [restored, false],
  ] as const) {
    const { code, stdout, stderr } = await workspace.run(["adopt", "--json"], at);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ adopted });
  }
  expect(await workspace.run(["backup", after!], restored)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^billow: This database is distributed over several nodes, and their states would not/,
    ),
  });
  expect(existsSync(after!)).toBe(false);
});
