import { afterAll, beforeAll, expect, test } from "vitest";
import { createInstalledWorkspace, type Workspace } from "../support/command-line.ts";

/** A server notes its address in the data directory, so a command with another PORT finds the server. */
let workspace: Workspace;
beforeAll(async () => {
  workspace = await createInstalledWorkspace();
  await workspace.run(["migrate"]);
  await workspace.run(["org", "create", "--name", "Acme", "--mode", "sandbox"]);
});
afterAll(() => workspace.clear());

test("doctor examines an installation beside its running server, and finds the server", async () => {
  const server = await workspace.start(["start", "--json"]);
  const { code, stdout } = await workspace.run(["doctor"]);
  expect(code).toBe(0);
  expect(stdout).toContain("1 sandbox uses the built-in provider");
  expect(stdout).toMatch(new RegExp(`ok +server +Billow \\S+ answers at ${server.output.url}\n`));
  expect(stdout).toContain(`links begin with ${server.output.url}`);
  server.signal("SIGTERM");
  expect((await server.finished).code).toBe(0);
  expect((await workspace.run(["doctor"])).stdout).toContain("no server runs on this data directory");
});

test("a command with a PUBLIC_ORIGIN of its own keeps that address", async () => {
  const server = await workspace.start(["start", "--json"]);
  const origin = "https://billing.example.com";
  const { stdout } = await workspace.run(["org", "list", "--json"], { PUBLIC_ORIGIN: origin });
  expect(JSON.parse(stdout).data[0].portalUrl).toContain(`${origin}/portal/`);
  const found = await workspace.run(["org", "list", "--json"]);
  expect(JSON.parse(found.stdout).data[0].portalUrl).toContain(`${server.output.url}/portal/`);
  server.signal("SIGTERM");
  await server.finished;
});
