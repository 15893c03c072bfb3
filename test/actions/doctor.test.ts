import { afterAll, beforeAll, expect, test } from "vitest";
import { examineInstallation } from "../../src/actions/doctor/doctor.ts";
import type { AskProvider } from "../../src/actions/doctor/provider.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { connect } from "../support/connections.ts";

const SECRET = "s".repeat(32);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const organizationId = app.organization.id;
  await connect(app.ctx.db, { organizationId, account: "acct_1", secret: SECRET, key: "rk_1" });
});
afterAll(() => app.close());

async function providerChecks(ask: AskProvider) {
  const { ctx } = app;
  const checks = await examineInstallation({ config: ctx.config, ctx }, ask);
  return checks.filter(({ name, says }) => name === "provider" && says.includes("acct_1"));
}
const subject = () => `Test (${app.organization.id}): stripe acct_1`;

test("a provider's answers are checks of their own, and the provider gets the key", async () => {
  const asked: [string, string][] = [];
  const found = await providerChecks(async ({ providerAccount }, key) => {
    asked.push([providerAccount, key]);
    return [
      { name: "the key works", ok: true, advice: null },
      { name: "refunds are not permitted", ok: false, advice: "Give the key the permission to write refunds." },
    ];
  });
  expect(asked).toEqual([["acct_1", "rk_1"]]);
  expect(found).toEqual([
    { name: "provider", status: "ok", says: `${subject()}: the key works`, advice: null },
    {
      name: "provider",
      status: "fault",
      says: `${subject()}: refunds are not permitted`,
      advice: "Give the key the permission to write refunds.",
    },
  ]);
});

test("a provider that does not answer is a fault", async () => {
  expect(await providerChecks(() => Promise.reject(new Error("connect ETIMEDOUT.")))).toMatchObject([
    { status: "fault", says: `${subject()} does not answer: connect ETIMEDOUT` },
  ]);
});
