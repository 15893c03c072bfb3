import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";

let app: TestApp;
let workspace: Workspace;
beforeAll(async () => {
  app = await startTestApp();
  workspace = await createWorkspace();
});
afterAll(async () => {
  await workspace.clear();
  await app.close();
});

test("billow payments names the providers and the faults of a call, with exit codes", async () => {
  const { databaseUrl, secret } = app.ctx.config;
  const environment = { DATABASE_URL: databaseUrl!, BILLOW_SECRET: secret! };
  const { organization } = app;
  const named = ["--organization", organization.id];
  expect(await workspace.run(["payments", "connect", "paypal", ...named], environment)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no provider "paypal". There are: stripe.'),
  });
  expect(await workspace.run(["payments", "connect", "stripe", ...named], environment)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("There was no key on stdin."),
  });
  expect(
    await workspace.run(["payments", "connect", "stripe", ...named], environment, "pk_test_1234567890"),
  ).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(
      "is no key of the provider. A key for a sandbox Organization begins with rk_test_.",
    ),
  });
  const shown = await workspace.run(["payments", "status", "--json", ...named], environment);
  expect(shown).toEqual({ code: 0, stdout: '{"data":[]}\n', stderr: "" });
});
