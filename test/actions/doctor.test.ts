import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { examineInstallation } from "../../src/actions/doctor/doctor.ts";
import { checkSize } from "../../src/actions/doctor/server.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { connect } from "../support/connections.ts";
import { createToyBank, useConnectables, type ToyAccount, type ToyBank } from "../support/toy-bank.ts";

let app: TestApp;
let bank: ToyBank;
let account: ToyAccount & { key: string };
beforeAll(async () => void (app = await startTestApp()));
beforeEach(async () => {
  bank = createToyBank();
  account = bank.account("acct_1");
  useConnectables(app.ctx, bank.connectable);
  await connectBy(account.key);
});
afterAll(() => app.close());

const connectBy = (key: string) =>
  connect(app.ctx.db, {
    organizationId: app.organization.id,
    provider: "toy",
    account: "acct_1",
    secret: app.ctx.config.secret!,
    key,
  });

async function checks() {
  const { ctx } = app;
  const found = await examineInstallation({ config: ctx.config, server: null, ctx });
  const subject = `Test (${app.organization.id}): toy acct_1`;
  return found
    .filter(({ name, says }) => name === "provider" && says.startsWith(subject))
    .map(({ status, says, advice }) => ({ status, says: says.slice(subject.length), advice }));
}
const DASHBOARD = "in the provider's dashboard.";

test("a provider's answers are checks of their own", async () => {
  const good = { status: "ok", advice: null };
  expect(await checks()).toEqual([
    { ...good, says: ": the key is valid" },
    { ...good, says: ": the key has all permissions" },
    { ...good, says: ": the account can charge" },
  ]);
  account.missing.push("Refunds: write", "Events: read");
  account.missingToForget.push("Subscriptions: read");
  account.canCharge = false;
  expect(await checks()).toEqual([
    { ...good, says: ": the key is valid" },
    {
      status: "fault",
      says: ": the key lacks permissions: Refunds: write, Events: read",
      advice: `Add the permissions ${DASHBOARD}`,
    },
    {
      status: "warning",
      says: ": the key lacks permissions that the deletion of a Customer needs: Subscriptions: read",
      advice: `Add the permissions ${DASHBOARD} Without them the Customer or the cards stay at the provider.`,
    },
    {
      status: "fault",
      says: ": the account can't charge",
      advice: `Finish the set-up of the account ${DASHBOARD}`,
    },
  ]);
});

test("a key that is revoked, of another account or of the other mode is a fault", async () => {
  account.keys.clear();
  expect(await checks()).toMatchObject([{ status: "fault", says: ": the provider refuses the key" }]);
  await connectBy(bank.account("acct_2").key);
  expect(await checks()).toMatchObject([{ status: "fault", says: ": the key belongs to acct_2" }]);
  await connectBy(account.key);
  account.keys.add(account.key);
  account.mode = "live";
  expect(await checks()).toMatchObject([{ status: "fault", says: ": the key is a live key" }]);
});

test("a provider that does not answer is a fault, and so is a provider of another version", async () => {
  bank.isDown = true;
  expect(await checks()).toMatchObject([{ status: "fault", says: " does not answer: connect ECONNREFUSED" }]);
  useConnectables(app.ctx);
  expect(await checks()).toMatchObject([{ status: "fault", says: ": there is no adapter for toy" }]);
});

test("the size of a cluster is not told, because the coordinator has none of the rows", async () => {
  const { config, db } = app.ctx;
  expect(await checkSize({ config, db })).toMatchObject({ name: "size", status: "ok" });
  const cluster = { ...db, isDistributed: () => true };
  const says = "the rows are on the nodes of a cluster";
  expect(await checkSize({ config, db: cluster })).toMatchObject({ name: "size", status: "skipped", says });
});
