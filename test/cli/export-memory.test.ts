import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createWorkspace } from "../support/command-line.ts";
import { createTestDatabase } from "../support/database.ts";
import { readManifest } from "../support/exports.ts";

const EVENTS = 60_000;

test("an export needs less memory than its rows have", { timeout: 540_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "billow-export-memory-"));
  const [workspace, database] = await Promise.all([createWorkspace(), createTestDatabase()]);
  onTestFinished(async () => {
    await workspace.clear();
    await database.drop();
    await rm(directory, { recursive: true });
  });
  const environment = {
    DATABASE_URL: database.url,
    BILLOW_SECRET: "s".repeat(32),
    BILLOW_DATA_DIR: join(directory, "data"),
  };
  const create = ["org", "create", "--name", "Large", "--mode", "sandbox", "--json"];
  const { organization } = JSON.parse((await workspace.run(create, environment)).stdout);
  await database.db.script(
    `INSERT INTO events (organization_id, id, type, resource_id, sequence, data, created_at)
     SELECT '${organization.id}', 'evt_' || lpad(n::text, 26, '0'), 'customer.updated', 'cus_1', n,
       json_build_object('id', n, 'note', repeat(md5(n::text), 50)), '2026-03-01T00:00:00Z'
     FROM generate_series(1, ${EVENTS}) n`,
  );
  const file = join(directory, "large.tar.gz");
  const begun = workspace.begin(["export", file, "--json"], {
    ...environment,
    NODE_OPTIONS: "--max-old-space-size=48",
  });
  const { code, stdout, stderr } = await begun.finished;
  expect([code, stderr]).toEqual([0, expect.stringContaining(`events.jsonl: ${EVENTS} lines`)]);
  const { files } = await readManifest(file);
  expect(files["events.jsonl"]).toMatchObject({ rows: EVENTS });
  expect(files["events.jsonl"]!.bytes).toBeGreaterThan(100_000_000);
  expect(JSON.parse(stdout)).toMatchObject({ organizationId: organization.id, kept: [] });
});
