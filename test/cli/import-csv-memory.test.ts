import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createWorkspace } from "../support/command-line.ts";
import { createTestDatabase } from "../support/database.ts";

const ROWS = 30_000;
/** One row of so many is without faults. Others never reach the database, which would take minutes for all rows. */
const FINE = 300;

test("an import needs less memory than its rows have", { timeout: 540_000 }, async () => {
  const [workspace, database] = await Promise.all([createWorkspace(), createTestDatabase()]);
  onTestFinished(async () => {
    await workspace.clear();
    await database.drop();
  });
  const environment = { DATABASE_URL: database.url, BILLOW_SECRET: "s".repeat(32) };
  const create = ["org", "create", "--name", "Large", "--mode", "sandbox", "--json"];
  expect(await workspace.run(create, environment)).toMatchObject({ code: 0 });
  const file = join(workspace.directory, "large.csv");
  const output = createWriteStream(file);
  output.write(`id,customer_id,email,${[..."abcdef"].map((name) => `customer_metadata.${name}`).join(",")}\n`);
  for (let n = 1; n <= ROWS; n += 1) {
    const email = n % FINE === 0 ? `c${n}@example.com` : `c${n}`;
    const cells = [`row-${n}`, `c-${n}`, email, ...Array.from({ length: 6 }, () => "x".repeat(500))];
    if (!output.write(`${cells.join(",")}\n`)) await once(output, "drain");
  }
  output.end();
  await once(output, "finish");
  // The rows have 90 MB.
  const options = { ...environment, NODE_OPTIONS: "--max-old-space-size=64" };
  const { code, stdout, stderr } = await workspace.begin(["import", "csv", file, "--skip-errors"], options).finished;
  expect([code, stderr]).toEqual([3, expect.stringContaining(`${ROWS} rows.`)]);
  expect(stdout).toContain(
    `${ROWS / FINE} imported, 0 imported before (0 changed since), ${ROWS - ROWS / FINE} with faults`,
  );
});
