import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { adopt, isCopy, readInstallation } from "../../src/actions/installation.ts";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { newPasswordUrl } from "../../src/actions/team/new-password.ts";
import { draftUser } from "../../src/actions/team/set-up.ts";
import { sql } from "../../src/store/driver/db.ts";
import { users } from "../../src/store/users.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { caller, type Json, type TestCall } from "../support/app.ts";
import { administer, createFrom, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { OWNER, signInAt } from "../support/dashboard.ts";
import { pastDueFor } from "../support/downtime.ts";
import { copyInstalled, makeInstalled } from "../support/installed.ts";
import { inviteTo } from "../support/invite.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { openOutside, OUTSIDE, type OutsideProvider } from "../support/outside-provider.ts";
import { beginProcess, type Process } from "../support/outside-process.ts";
import { startWebClient } from "../support/portal.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { CARDS, endPeriod, ok } from "../support/story.ts";
import { until } from "../support/until.ts";

const providerStatement = sql(
  "test.copies_provider",
  "UPDATE organizations SET provider = $2, provider_account = $3 WHERE id = $1",
);
const paymentsStatement = sql(
  "test.copies_payments",
  `SELECT status, checks, provider_key AS key FROM payments WHERE organization_id = $1 AND purpose <> 'checkout'
   ORDER BY id`,
);

type Keys = { public: string; manage: string };
type Shop = { id: string; keys: Keys; api: TestCall; manage: TestCall; subscription: Json };

const callsOf = ({ url }: Process, keys: Keys) => ({
  api: caller(`${url}/public/v2`, keys.public),
  manage: caller(`${url}/manage/v1`, keys.manage),
});

/** A sandbox with one Subscription, sold in this process. */
async function openShop(process: Process, isOutside: boolean): Promise<Shop> {
  const { ctx } = process;
  const { organization, keys } = await ctx.db.tx((tx) =>
    createOrganizationWithKeys(tx, { name: "Shop", mode: "sandbox" }),
  );
  const account = isOutside ? [OUTSIDE.provider, OUTSIDE.providerAccount] : [null, null];
  await ctx.db.tx((tx) => tx.query(providerStatement, [organization.id, ...account]));
  const { api, manage } = callsOf(process, keys);
  const prices = [{ currency: "usd", amount: 3000 }];
  await ok(manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices }));
  const checkout = await ok(api("POST", "/checkouts", { productKey: "pro", customer: { email: "ada@example.com" } }));
  const paid = await ok(manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }));
  const subscription = await ok(api("GET", `/subscriptions/${paid.subscriptionId}`));
  return { id: organization.id, keys, api, manage, subscription };
}

type Attempt = { status: string; checks: number; key: string };
const attempts = ({ ctx }: Process, { id }: Shop) => ctx.db.read.query<Attempt>(paymentsStatement, [id]);

async function work({ ctx }: Process): Promise<void> {
  await runOnce(ctx);
  await mailOnce(ctx);
}

const INVITED = "ivy@example.com";

async function inviteUser({ ctx }: Process, organizationId: string, email: string): Promise<void> {
  await inviteTo(ctx, organizationId, { email, role: "support", invitedBy: "Olga" });
}

const metric = async ({ url }: Process) =>
  /^billow_copy_held (\d)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];

describe("a copy in another database", () => {
  let outside: OutsideProvider;
  let mails: MailServer;
  let receiver: Receiver;
  let source: TestDatabase;
  let copied: TestDatabase;
  let shop: Shop;
  let own: Shop;
  let copy: Process;
  const environment = ({ url }: TestDatabase) => ({ DATABASE_URL: url, SMTP_URL: mails.url });

  beforeAll(async () => {
    outside = openOutside();
    mails = await startMailServer();
    receiver = await startReceiver();
    source = await createTestDatabase();
    const original = await beginProcess(environment(source), outside);
    shop = await openShop(original, true);
    own = await openShop(original, false);
    await work(original);
    expect([original.warnings, mails.received.length > 0, outside.charges.size]).toEqual([[], true, 1]);
    // The copy is made while a refund, a webhook, two renewals and an e-mail to a person of a sandbox are due.
    await original.ctx.db.tx(async (tx) => users.insert(tx, await draftUser(OWNER)));
    await inviteUser(original, own.id, INVITED);
    await ok(shop.manage("POST", "/webhook-endpoints", { url: receiver.url }));
    const [invoice] = (await ok(shop.manage("GET", "/invoices"))).data;
    await ok(shop.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 500 }));
    for (const each of [shop, own]) await endPeriod(original.ctx, each.id, each.subscription.id);
    await original.close();
    await source.db.end();
    copied = await createFrom(inject("template"), source.connection.database);
    copy = await beginProcess(environment(copied), outside);
    Object.assign(mails, { received: [] });
  });
  afterAll(async () => {
    await copy.close();
    await copied.drop();
    await administer(source.connection, `DROP DATABASE ${source.connection.database}`);
    await mails.close();
    await receiver.close();
  });

  test("holds charges, refunds, e-mails and webhooks, and says so", async () => {
    const before = outside.calls.length;
    await work(copy);
    await work(copy);
    expect([outside.calls.length - before, mails.received.length, receiver.received.length]).toEqual([0, 0, 0]);
    expect(await attempts(copy, shop)).toEqual([{ status: "pending", checks: 0, key: `${shop.subscription.id}_2_1` }]);
    expect(copy.warnings).toEqual([expect.stringContaining("this database is a copy")]);
    expect([await metric(copy), (await fetch(`${copy.url}/readyz`)).status]).toEqual(["1", 200]);
    const { isCopy: copies, held } = await readInstallation(copy.ctx);
    expect([copies, held]).toMatchObject([true, { charges: 1, refunds: 1 }]);
    expect(held.emails).toBeGreaterThan(0);
    expect(held.deliveries).toBeGreaterThan(0);
  });

  test("renews with the built-in provider, whose book is part of the copy", async () => {
    expect(await attempts(copy, own)).toMatchObject([{ status: "succeeded" }]);
  });

  test("can be read, and sends no buyer's payment to the provider", async () => {
    const before = outside.calls.length;
    const { api, manage } = callsOf(copy, shop.keys);
    expect((await ok(manage("GET", "/invoices"))).data).toHaveLength(2);
    const { id } = await ok(api("POST", "/checkouts", { productKey: "pro", customer: { email: "bob@example.com" } }));
    const paying = await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays });
    expect(paying.status).toBeLessThan(500);
    expect((await ok(api("GET", `/checkouts/${id}`))).status).not.toBe("completed");
    await work(copy);
    expect(outside.calls.length).toBe(before);
  });

  test("sends no e-mail to a person of a sandbox, whose other e-mails are kept", async () => {
    const served = { ...environment(copied), PUBLIC_ORIGIN: "https://billing.example.com" };
    const staging = await beginProcess(served, outside);
    await inviteUser(staging, own.id, "eve@example.com");
    await mailOnce(staging.ctx);
    await mailOnce(staging.ctx);
    expect(mails.received).toEqual([]);
    // The e-mails to the buyers of sandboxes do not leave this server.
    expect((await readInstallation(staging.ctx)).held.emails).toBe(2);
    const { manage } = callsOf(copy, own.keys);
    const { data } = await ok(manage("GET", "/emails?status=queued"));
    expect(data.map(({ kind, to }: Json) => [kind, to])).toEqual([
      ["team_invitation", "eve@example.com"],
      ["team_invitation", INVITED],
    ]);
    await staging.close();
  });

  test("lets a person who forgot the password in by the link of a command, and holds the e-mail", async () => {
    const asked = await startWebClient(copy.url).post("/dashboard/forgotten-password", { email: OWNER.email });
    expect(asked.status).toBe(200);
    await work(copy);
    expect(mails.received).toEqual([]);
    const password = "another horse battery";
    const link = new URL((await newPasswordUrl(copy.ctx, OWNER.email))!).pathname;
    expect((await startWebClient(copy.url).post(link, { newPassword: password })).status).toBe(303);
    await signInAt(copy.url, { email: OWNER.email, password });
  });

  test("goes on after its adoption, with one charge for both", async () => {
    const { held, id } = await readInstallation(copy.ctx);
    expect(await adopt(copy.ctx)).toEqual({ installationId: id, isAdopted: true, released: held, accounts: 0 });
    expect(await adopt(copy.ctx)).toMatchObject({ installationId: id, isAdopted: false, released: { charges: 0 } });
    // The process learns of the adoption without a restart.
    await until(async () => !(await isCopy(copy.ctx)));
    await work(copy);
    const renewals = () => [...outside.charges.keys()].filter((key) => key.startsWith(shop.subscription.id));
    expect([renewals().length, outside.refunds.size]).toEqual([1, 1]);
    expect(await attempts(copy, shop)).toMatchObject([{ status: "succeeded", checks: 0 }]);
    const sentTo = mails.received.map(({ to }) => to![0]!.address);
    expect(sentTo).toEqual(expect.arrayContaining(["ada@example.com", INVITED, "eve@example.com"]));
    expect(receiver.story()).toContain("invoice.paid 2");
    expect(await metric(copy)).toBe("0");

    const original = await beginProcess(environment(source), outside);
    await work(original);
    expect(original.warnings).toEqual([]);
    expect(await attempts(original, shop)).toMatchObject([{ status: "succeeded" }]);
    expect([renewals().length, outside.refunds.size]).toEqual([1, 1]);
    await original.close();
  });
});

describe("a copy of the files", () => {
  let outside: OutsideProvider;
  let root: string;
  let shop: Shop;
  const names = ["original", "copy", "replica"] as const;
  const at = (name: (typeof names)[number]) => join(root, name);
  const open = (name: (typeof names)[number]) => beginProcess({ BILLOW_DATA_DIR: at(name) }, outside);

  beforeAll(async () => {
    outside = openOutside();
    root = await mkdtemp(join(tmpdir(), "billow-copies-"));
    // As root, PostgreSQL runs as another user, who must enter the directory.
    await chmod(root, 0o755);
    await makeInstalled(at("original"));
    const original = await open("original");
    shop = await openShop(original, true);
    await work(original);
    await original.close();
    await copyInstalled(at("original"), at("copy"));
    await copyInstalled(at("original"), at("replica"));
    await writeFile(join(at("replica"), "postgres/data/standby.signal"), "");
  });
  afterAll(() => rm(root, { recursive: true }));

  test("is not recognized, but charges each period once", async () => {
    const both = [await open("original"), await open("copy")];
    const together = async (each: (process: Process) => Promise<void>) => void (await Promise.all(both.map(each)));
    const renew = () =>
      together(async (process) => {
        await endPeriod(process.ctx, shop.id, shop.subscription.id);
        await runOnce(process.ctx);
      });
    await renew();
    await renew();
    outside.decline(true);
    await renew();
    outside.decline(false);
    await together(async (process) => {
      await pastDueFor(process.ctx, shop.id, shop.subscription.id, 3);
      await runOnce(process.ctx);
    });
    const keys = ["2_1", "3_1", "4_1", "4_2"].map((end) => `${shop.subscription.id}_${end}`);
    for (const process of both) {
      expect(process.warnings).toEqual([]);
      expect((await attempts(process, shop)).map(({ key }) => key)).toEqual(keys);
      expect((await attempts(process, shop)).map(({ status }) => status)).toEqual([
        "succeeded",
        "succeeded",
        "failed",
        "succeeded",
      ]);
    }
    // The first charge is that of the Checkout.
    expect([...outside.charges.keys()].slice(1)).toEqual([keys[0], keys[1], keys[3]]);
    expect(outside.calls.filter((call) => call === `charge ${keys[0]}`)).toHaveLength(2);
    for (const process of both) await process.close();
  });

  test("that is a promoted replica is no copy: the timeline does not count", async () => {
    const replica = await open("replica");
    const timeline = async () =>
      (await replica.ctx.db.read.query<{ timeline: number }>(timelineStatement))[0]!.timeline;
    await replica.ctx.db.script("SELECT pg_promote()", "CHECKPOINT");
    expect(await until(timeline)).toBeGreaterThan(1);
    expect(await isCopy(replica.ctx)).toBe(false);
    await replica.close();
  });
});

const timelineStatement = sql("test.copies_timeline", "SELECT timeline_id AS timeline FROM pg_control_checkpoint()");
