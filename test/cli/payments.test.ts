import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  CommandError,
  parseCommand,
  UsageError,
  type Command,
  type Output,
  type Wiring,
} from "../../src/cli/command.ts";
import { paymentsConnect, paymentsDisconnect, paymentsStatus } from "../../src/cli/payments.ts";
import type { Context } from "../../src/context.ts";
import { sql } from "../../src/store/driver/db.ts";
import { startOwnTestApp, caller, type Json, type TestApp } from "../support/app.ts";
import { openMailer } from "../../src/outbound/smtp.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { startMailServer } from "../support/mail-server.ts";
import { ok } from "../support/story.ts";
import { createToyBank, useConnectables, type ToyBank } from "../support/toy-bank.ts";

let app: TestApp;
let bank: ToyBank;
/** The log of the server and of the commands. */
let log: string[];
beforeAll(async () => {
  app = await startOwnTestApp({ publicOrigin: "https://pay.example.com" });
  const write = (...parts: unknown[]) => void log.push(parts.map((part) => inspectAll(part)).join(" "));
  Object.assign(app.ctx, { log: { ...app.ctx.log, warn: write, error: write, info: write, debug: write } });
});
beforeEach(() => {
  log = [];
  bank = createToyBank();
  useConnectables(app.ctx, bank.connectable);
});
afterAll(() => app.close());

const inspectAll = (part: unknown) =>
  JSON.stringify(part, (_, value) => (value instanceof Error ? { message: value.message, stack: value.stack } : value));

/** Runs a command in this process, with the installation of the test. */
async function run(command: Command, args: string[], { input = "", ctx = app.ctx as Context } = {}): Promise<Output> {
  const printed: Output[] = [];
  const opened = { ...ctx, requests: ctx, deliveries: ctx, joined: false, close: async () => undefined };
  const wiring: Partial<Wiring> = {
    readConfig: () => ctx.config,
    openContext: async () => opened,
    readInput: async () => input,
    print: (output) => void printed.push(output),
  };
  const { values, words } = parseCommand(command, args);
  await command.run(wiring as Wiring, values, words);
  expect(printed.length).toBe(1);
  return printed[0]!;
}

const connect = (organizationId: string, input: string, ...more: string[]): Promise<Output> =>
  run(paymentsConnect, ["toy", "--organization", organizationId, ...more], { input });
const disconnect = (organizationId: string, ...more: string[]) =>
  run(paymentsDisconnect, ["toy", "--organization", organizationId, ...more]);
const status = async (organizationId: string) =>
  ((await run(paymentsStatus, ["--organization", organizationId])).json as Json).data as Json[];

type Seller = { id: string; manage: ReturnType<typeof caller>; api: ReturnType<typeof caller> };

async function seller(mode: "live" | "sandbox" = "sandbox"): Promise<Seller> {
  const { organization, keys } = await app.otherOrganization({ mode });
  const manage = caller(`${app.url}/manage/v1`, keys.manage);
  const api = caller(`${app.url}/public/v2`, keys.public);
  await ok(manage("PATCH", "/organization", { contactEmail: "owner@example.com" }));
  const product = { key: "pro", name: "Pro", interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  await ok(manage("POST", "/products", product));
  return { id: organization.id, manage, api };
}

const PAYS = "4242 4242 4242 4242";
/** Sells to a new Customer and answers the paid Checkout. */
async function sell({ api, manage }: Seller, email: string, card: string | null = PAYS): Promise<Json> {
  const checkout = await ok(api("POST", "/checkouts", { productKey: "pro", customer: { email } }));
  return ok(manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card }));
}

const newsOf = async ({ manage }: Seller): Promise<Json[]> =>
  (await ok(manage("GET", "/events?limit=100"))).data.filter(({ type }: Json) => type.startsWith("payment_account."));

describe("billow payments connect", () => {
  test("connects a test account to a sandbox, and new payments go there", async () => {
    const shop = await seller();
    const account = bank.account("acct_1");
    const { text, json } = await connect(shop.id, ` ${account.key}\n`);
    expect(text).toBe(
      "toy acct_1 (Shop acct_1) takes new payments, in test mode.\nThe provider sends its notices to this server.",
    );
    expect(json).toEqual({
      id: expect.stringMatching(/^pac_/),
      provider: "toy",
      account: "acct_1",
      mode: "test",
      keyVariable: null,
      notices: "inbound",
      connectedAt: expect.any(String),
      disconnectedAt: null,
      canCharge: true,
      missingToForget: [],
    });
    await sell(shop, "ada@example.com");
    expect(account.charges).toMatchObject([{ amount: 3000, currency: "usd", by: account.key }]);
    const { canCharge: _, missingToForget: __, ...resource } = json as Json;
    expect(await newsOf(shop)).toMatchObject([{ type: "payment_account.connected", sequence: 1, data: resource }]);
    expect([...account.endpoints.keys()]).toEqual([`https://pay.example.com/inbound/toy/${shop.id}`]);
  });

  test("connects a live account to a live Organization, which then sells", async () => {
    const shop = await seller("live");
    const checkout = () => shop.api("POST", "/checkouts", { productKey: "pro", customer: { email: "a@example.com" } });
    expect(await checkout()).toMatchObject({ status: 409, body: { code: "payment_provider_missing" } });
    const { key } = bank.account("acct_live", "live");
    expect(await connect(shop.id, key)).toMatchObject({ json: { mode: "live", account: "acct_live" } });
    expect((await checkout()).status).toBe(201);
    await disconnect(shop.id);
    expect(await checkout()).toMatchObject({ status: 409, body: { code: "payment_provider_missing" } });
  });

  test("tells of an account that can't charge yet, and of a server that no notice reaches", async () => {
    const shop = await seller();
    const may = { canCharge: false, missingToForget: ["Subscriptions: read"] };
    const account = Object.assign(bank.account("acct_1"), may);
    const config = { ...app.ctx.config, publicOrigin: "http://127.0.0.1:4000" };
    const args = ["toy", "--organization", shop.id];
    const { text, json } = await run(paymentsConnect, args, { input: account.key, ctx: { ...app.ctx, config } });
    expect(text.split("\n").slice(1)).toEqual([
      "PUBLIC_ORIGIN is not https, so the provider is polled every five minutes.",
      "The provider does not let the account charge yet. Finish its set-up there.",
      expect.stringMatching(/^Warning: .* deletion of a Customer needs: Subscriptions: read\. Without/),
    ]);
    expect(json).toMatchObject({ notices: "polled", ...may });
    expect(account.endpoints.size).toBe(0);
  });

  test("reads the key from a variable, which is not stored", async () => {
    const shop = await seller();
    const account = bank.account("acct_1");
    (app.ctx.config.paymentKeys as Map<string, string>).set("BILLOW_PAYMENTS_SHOP", account.key);
    const { json } = await connect(shop.id, "", "--variable", "BILLOW_PAYMENTS_SHOP");
    expect(json).toMatchObject({ keyVariable: "BILLOW_PAYMENTS_SHOP" });
    await sell(shop, "ada@example.com");
    expect(account.charges.length).toBe(1);
    await expect(connect(shop.id, "", "--variable", "BILLOW_PAYMENTS_NONE")).rejects.toThrow(
      new CommandError("BILLOW_PAYMENTS_NONE is not set. Set this variable for every Billow process."),
    );
    await expect(connect(shop.id, "", "--variable", "PATH")).rejects.toThrow(UsageError);
  });

  test.each<[string, () => { key: string; mode?: "live" }, string]>([
    ["no key", () => ({ key: "" }), "There was no key on stdin. Add < key.txt to the command"],
    ["a text that is no key", () => ({ key: "sk_test_1" }), "A key for a sandbox Organization begins with toy_test_."],
    ["no key for live", () => ({ key: "sk_live_1", mode: "live" }), "for a live Organization begins with toy_live_."],
    ["a live key in a sandbox", () => bank.account("l", "live"), "a sandbox takes only test keys"],
    ["a test key in live", () => ({ key: bank.account("t").key, mode: "live" }), "takes only live keys"],
    [
      "a test key whose account is live",
      () => Object.assign(bank.account("x"), { mode: "live" as const }) && { key: bank.account("x").key },
      "a sandbox takes only test keys",
    ],
    ["a refused key", () => ({ key: "toy_test_00" }), "The provider refuses the key: the key is not valid"],
    [
      "a bank that does not answer",
      () => ((bank.isDown = true), { key: "toy_test_00" }),
      "can't be reached: connect ECONNREFUSED. No change was made.",
    ],
    [
      "missing permissions",
      () => Object.assign(bank.account("p"), { missing: ["Refunds: write", "Events: read"] }),
      "The key lacks permissions: Refunds: write; Events: read. Add them in the provider's dashboard.",
    ],
    [
      "a price that is too small",
      () => ((bank.limits = () => ({ least: 3001, most: 9999, step: 1 })), bank.account("s")),
      "The provider can't charge these prices. Change or archive the Products: " +
        "Pro US$30.00 (below the least amount of the provider).",
    ],
    [
      "a price in a currency that is not taken",
      () => ((bank.limits = () => null), bank.account("s")),
      "Pro US$30.00 (the provider does not take this currency).",
    ],
  ])("refuses %s, and changes nothing", async (_, make, message) => {
    const { key, mode } = make();
    const shop = await seller(mode === "live" && /only live|a live Org/.test(message) ? "live" : "sandbox");
    const failure = await connect(shop.id, key).catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(CommandError);
    expect((failure as Error).message).toContain(message);
    if (key !== "") expect((failure as Error).message).not.toContain(key);
    expect(await status(shop.id)).toEqual([]);
    expect(await newsOf(shop)).toEqual([]);
  });

  test("a repetition with a new key replaces the key, the event tells, and one address is registered", async () => {
    const shop = await seller();
    const account = bank.account("acct_1");
    const old = account.key;
    const first = (await connect(shop.id, old)).json as Json;
    await sell(shop, "ada@example.com");
    const { key } = bank.account("acct_1");
    const second = (await connect(shop.id, key)).json as Json;
    expect(second).toEqual(first);
    account.keys.delete(old);
    useConnectables(app.ctx, bank.connectable);
    await sell(shop, "bob@example.com");
    expect(account.charges.map(({ by }) => by)).toEqual([old, key]);
    expect((await newsOf(shop)).map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(account.endpoints.size).toBe(1);
    // Both secrets verify notices for a day.
    expect(bank.opened.at(-1)!.webhookSecrets.length).toBe(2);
    expect(bank.opened.at(-1)!.webhookSecrets[0]).toBe([...account.endpoints.values()][0]);
    await app.ctx.db.tx(async (tx) => tx.send(ageStatement, [shop.id]));
    useConnectables(app.ctx, bank.connectable);
    await sell(shop, "eve@example.com");
    expect(bank.opened.at(-1)!.webhookSecrets).toEqual([...account.endpoints.values()]);
  });

  test("a refused registration of the address keeps no account out", async () => {
    const shop = await seller();
    const { key } = bank.account("acct_1");
    bank.connectable.sendNotices = () => Promise.reject(new Error("no more endpoints"));
    const { text, json } = await connect(shop.id, key);
    expect(text).toContain("did not register the address");
    expect(json).toMatchObject({ notices: "polled" });
    expect(log.join()).toContain("no more endpoints");
  });

  test("after another account, earlier cards and payments stay where they are", async () => {
    const shop = await seller();
    const [one, two] = [bank.account("acct_1"), bank.account("acct_2")];
    await connect(shop.id, one.key);
    const ada = await sell(shop, "ada@example.com");
    await connect(shop.id, two.key);
    await sell(shop, "bob@example.com");
    expect([one.charges.length, two.charges.length]).toEqual([1, 1]);
    expect((await status(shop.id)).map(({ account, takesNewPayments }) => [account, takesNewPayments])).toEqual([
      ["acct_2", true],
      ["acct_1", false],
    ]);
    // A renewal charges the card at its own account.
    const [invoice] = (await ok(shop.manage("GET", `/invoices?subscriptionId=${ada.subscriptionId}`))).data;
    const refund = await ok(shop.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 1000 }));
    await app.runDue();
    expect(await ok(shop.manage("GET", `/refunds/${refund.id}`))).toMatchObject({ status: "succeeded" });
    await ok(shop.manage("POST", "/sandbox/clock/advance", { by: "P1M" }));
    expect([one.charges.length, two.charges.length, one.refunds.length]).toEqual([2, 2, 1]);
  });

  test("while charges run, each charge is made once, at one of the accounts", async () => {
    const shop = await seller();
    const [one, two] = [bank.account("acct_1"), bank.account("acct_2")];
    await connect(shop.id, one.key);
    const paid = [];
    for (let n = 0; n < 12; n += 1) {
      paid.push(sell(shop, `buyer${n}@example.com`));
      if (n === 4) paid.push(connect(shop.id, two.key));
      if (n === 8) paid.push(connect(shop.id, bank.account("acct_1").key));
    }
    await Promise.all(paid);
    const charges = [...one.charges, ...two.charges].map(({ key }) => key);
    expect(charges.length).toBe(12);
    expect(new Set(charges).size).toBe(12);
    expect(await newsOf(shop)).toHaveLength(3);
  });
});

describe("billow payments disconnect", () => {
  test("a sandbox goes back to the built-in provider, and the address is removed", async () => {
    const shop = await seller();
    const account = bank.account("acct_1");
    await connect(shop.id, account.key);
    const { text, json } = await disconnect(shop.id);
    expect(text).toBe(
      "toy acct_1 is disconnected.\nBillow charges none of its cards and refunds none of its payments.",
    );
    expect(json).toMatchObject({ disconnectedAt: expect.any(String), notices: "polled", noticesLeft: false });
    expect(account.endpoints.size).toBe(0);
    await sell(shop, "ada@example.com");
    expect(account.charges).toEqual([]);
    expect((await newsOf(shop)).map(({ type }) => type)).toEqual([
      "payment_account.connected",
      "payment_account.disconnected",
    ]);
    expect(await connect(shop.id, account.key)).toMatchObject({ json: { id: (json as Json).id } });
  });

  test("a revoked key keeps no operator from disconnecting", async () => {
    const shop = await seller();
    const account = bank.account("acct_1");
    await connect(shop.id, account.key);
    account.keys.clear();
    const { text, json } = await disconnect(shop.id);
    expect(json).toMatchObject({ noticesLeft: true });
    expect(text).toContain("The provider still sends notices.");
  });

  test("names the account if several are connected and none takes new payments", async () => {
    const shop = await seller();
    await connect(shop.id, bank.account("acct_1").key);
    await connect(shop.id, bank.account("acct_2").key);
    await connect(shop.id, bank.account("acct_3").key);
    expect((await disconnect(shop.id)).json).toMatchObject({ account: "acct_3" });
    await expect(disconnect(shop.id)).rejects.toThrow(
      new UsageError("--account is missing. These accounts are connected: acct_2, acct_1."),
    );
    await expect(disconnect(shop.id, "--account", "acct_9")).rejects.toThrow(CommandError);
    expect((await disconnect(shop.id, "--account", "acct_2")).json).toMatchObject({ account: "acct_2" });
    expect((await disconnect(shop.id)).json).toMatchObject({ account: "acct_1" });
    await expect(disconnect(shop.id)).rejects.toThrow("No such account is connected");
  });
});

test("billow payments status lists the accounts", async () => {
  const shop = await seller();
  const show = async () => (await run(paymentsStatus, ["--organization", shop.id])).text.split("\n");
  expect(await show()).toEqual(["The built-in provider takes new payments, with test cards."]);
  await connect(shop.id, bank.account("acct_1").key);
  await connect(shop.id, bank.account("acct_2").key);
  await disconnect(shop.id, "--account", "acct_1");
  expect(await show()).toEqual([
    "PROVIDER  ACCOUNT  MODE  NOTICES  KEY        STATE",
    "toy       acct_2   test  inbound  encrypted  takes new payments",
    "toy       acct_1   test                      disconnected",
  ]);
  await disconnect(shop.id);
  expect((await show()).at(-1)).toBe("The built-in provider takes new payments, with test cards.");
  const live = await seller("live");
  expect((await run(paymentsStatus, ["--organization", live.id])).text).toBe(
    "This Organization takes no payments: no account is connected for new payments.",
  );
});

test("the seller gets an e-mail, by the name of the account", async () => {
  const shop = await seller();
  await connect(shop.id, bank.account("acct_1").key);
  await disconnect(shop.id);
  await mailOnce(app.ctx);
  const mails = (await ok(shop.manage("GET", "/emails"))).data.reverse();
  expect(mails).toMatchObject([
    { kind: "payments_connected", to: "owner@example.com", status: "kept", customerId: null },
    { kind: "payments_disconnected", to: "owner@example.com", status: "kept", customerId: null },
  ]);
  const { subject, text } = await ok(shop.manage("GET", `/emails/${mails[0].id}`));
  expect(subject).toBe("[Sandbox] Payments: an account was connected");
  expect(text).toContain("acct_1");
  expect(text).toContain("You are receiving this e-mail because this is the contact address of Test in Billow.");

  const silent = await app.otherOrganization();
  await connect(silent.organization.id, bank.account("acct_1").key);
  const manage = caller(`${app.url}/manage/v1`, silent.keys.manage);
  expect((await ok(manage("GET", "/emails"))).data).toEqual([]);
});

test("a live seller gets the e-mail from the mail server", async () => {
  const mails = await startMailServer();
  const mailer = openMailer(mails.url);
  try {
    const shop = await seller("live");
    await connect(shop.id, bank.account("acct_live", "live").key);
    await mailOnce({ ...app.ctx, mailer });
    const [mail, ...others] = mails.received.filter(({ subject }) => subject?.startsWith("Payments:"));
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: "Payments: an account was connected",
      to: [{ address: "owner@example.com" }],
      text: expect.stringContaining("Account: acct_live"),
    });
  } finally {
    mailer.close();
    await mails.close();
  }
});

const ageStatement = sql(
  "test.age_connection",
  "UPDATE provider_connections SET updated_at = updated_at - interval '25 hours' WHERE organization_id = $1",
);
const textsStatement = sql(
  "test.texts",
  `SELECT string_agg(to_jsonb(c)::text, ' ') AS connections, (SELECT string_agg(to_jsonb(e)::text, ' ') FROM events e)
     AS events, (SELECT string_agg(to_jsonb(m)::text, ' ') FROM emails m) AS emails FROM provider_connections c`,
);

test("the key and the webhook secret stand in no log, output, event, e-mail or row", async () => {
  const shop = await seller();
  const account = bank.account("acct_1");
  const outputs = [await connect(shop.id, account.key)];
  await sell(shop, "ada@example.com");
  account.keys.clear();
  outputs.push(await run(paymentsStatus, ["--organization", shop.id]), await disconnect(shop.id));
  account.keys.add(account.key);
  outputs.push(await connect(shop.id, account.key));
  const secrets = [account.key, ...account.endpoints.values()];
  const [rows] = await app.ctx.db.read.query<object>(textsStatement);
  const shown = JSON.stringify([outputs, log, rows]);
  expect(shown).toContain("acct_1");
  for (const secret of secrets) expect(shown).not.toContain(secret);
});
