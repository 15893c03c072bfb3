import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { findCitus, startCluster, type CitusCluster } from "./cluster.ts";
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

const execute = (program: string, ...args: string[]) => promisify(execFile)(join(findCitus(), program), args);

test("an installation moves into a cluster, which `backup` refuses, and back by a dump", async () => {
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

  // The way back, with Billow stopped: a dump into one PostgreSQL, and a backup from there.
  const single = { ...settings, DATABASE_URL: restored.DATABASE_URL.replace(/\w+$/, "single") };
  const back = { ...settings, DATABASE_URL: restored.DATABASE_URL.replace(/\w+$/, "back") };
  for (const name of ["single", "back"]) await cluster.coordinator.query(`CREATE DATABASE ${name} OWNER billow_owner`);
  const dump = join(workspace.directory, "back.dump");
  await execute("pg_dump", "--format=custom", "--schema=public", `--file=${dump}`, restored.DATABASE_URL);
  const cleaned = ["--clean", "--if-exists", "--exit-on-error"];
  await execute("pg_restore", ...cleaned, `--dbname=${single.DATABASE_URL}`, dump);
  expect(await workspace.run(["backup", after!], single)).toMatchObject({ code: 0, stderr: "" });
  expect(await workspace.run(["restore", after!], back)).toMatchObject({ code: 0, stderr: "" });
  expect(await workspace.run(["adopt"], back)).toMatchObject({ code: 0, stderr: "" });
  const { rows } = await cluster.coordinator.query(
    "SELECT FROM pg_constraint WHERE conname = 'api_keys_organization_id_fkey'",
    "back",
  );
  expect(rows).toHaveLength(1);
});
