import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Check } from "../../src/actions/doctor/check.ts";
import { createInstalledWorkspace, type Workspace } from "../support/command-line.ts";

let workspace: Workspace;
beforeAll(async () => void (workspace = await createInstalledWorkspace()));
afterAll(() => workspace.clear());

async function look(): Promise<Check> {
  const { stdout } = await workspace.run(["doctor", "--json"]);
  return (JSON.parse(stdout) as { checks: Check[] }).checks.find(({ name }) => name === "secret_file")!;
}

test("a secret that others can read is a warning of `doctor` and `start`", { timeout: 360_000 }, async () => {
  const file = join(workspace.directory, ".billow", "secret");
  await workspace.run(["migrate"]);
  expect(await look()).toMatchObject({ status: "ok", says: `only its owner can read ${file}` });
  for (const mode of [0o640, 0o604]) {
    await chmod(file, mode);
    expect(await look()).toMatchObject({
      status: "warning",
      says: `other users of this machine can read ${file}, which opens all links and stored keys`,
      advice: expect.stringContaining(`Run chmod 600 ${file}. `),
    });
  }
  const started = await workspace.start(["start", "--json"]);
  started.signal("SIGTERM");
  expect((await started.finished).stderr).toContain(`Warning: other users of this machine can read ${file}, `);
  await chmod(file, 0o600);
  expect(await look()).toMatchObject({ status: "ok" });
});
