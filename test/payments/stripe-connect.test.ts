import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { examineInstallation } from "../../src/actions/doctor/doctor.ts";
import { connectAccount, type Connection, type ConnectionFault } from "../../src/actions/payment/connect.ts";
import { disconnectAccount } from "../../src/actions/payment/disconnect.ts";
import { createStripeConnectable } from "../../src/payments/stripe/connection.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { useConnectables } from "../support/toy-bank.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf } from "./stripe-requests.ts";

let app: TestApp;
let stripe: StripeServer;
let warnings: string[];
beforeAll(async () => void (app = await startTestApp({ publicOrigin: "https://pay.example.com" })));
beforeEach(async () => {
  stripe = await startStripe();
  warnings = [];
  useConnectables(app.ctx, connectableOf(stripe));
});
afterEach(() => stripe.close());
afterAll(() => app.close());

const connectableOf = ({ url: baseUrl }: StripeServer) =>
  createStripeConnectable({
    db: app.ctx.db,
    installation: async () => "ins_test",
    warn: (message) => void warnings.push(message),
    baseUrl,
  });

const connect = async (key = stripe.key, organization = app.organization): Promise<Connection | ConnectionFault> =>
  connectAccount(app.ctx, connectableOf(stripe), organization, { key, variable: null });
const addresses = () => [...stripe.book.endpoints.values()].map(({ url }) => url);
const accountKey = () => ({
  organizationId: app.organization.id,
  provider: "stripe",
  providerAccount: stripe.accountId,
});
/** A missing permission, with Stripe's words about the row of its dashboard. */
const denied = (name: string, row: string) =>
  `${name} (Stripe: Enabling "${row}" ('rak_${row}') permissions on this key would allow this request to continue.)`;
const inbound = () => `/inbound/stripe/${app.organization.id}`;

test("a key is tried, and one address is registered, however often the account is connected", async () => {
  for (const key of [stripe.key, stripe.secretKey, stripe.key]) {
    expect(await connect(key)).toMatchObject({
      connection: { ...accountKey(), livemode: false },
      account: { account: stripe.accountId, mode: "test", canCharge: true, missing: [], missingToForget: [] },
      notices: "sent",
    });
    expect(addresses()).toEqual([`https://pay.example.com${inbound()}`]);
  }
  expect([...stripe.book.endpoints.values()]).toMatchObject([
    { api_version: "2026-08-26.dahlia", metadata: { billow_installation: "ins_test" } },
  ]);
});

test("the secret of the registered address verifies notices, and no other secret does", async () => {
  await connect();
  const [secret] = [...stripe.book.endpointSecrets.values()];
  stripe.operations.chargeInDashboard(500, "usd");
  const statuses = async (secrets: string[]) =>
    (await stripe.deliver(`${app.url}${inbound()}`, { secrets })).map(({ status }) => status);
  expect(new Set(await statuses(["whsec_other"]))).toEqual(new Set([400]));
  expect(new Set(await statuses([secret!]))).toEqual(new Set([200]));
});

test("other addresses of the account stay as they are", async () => {
  const settings = { account: stripe.accountId, key: stripe.key };
  await connectableOf(stripe).sendNotices(settings, "https://shop.example/hook");
  await connect();
  expect(addresses().length).toBe(2);
  expect(await disconnectAccount(app.ctx, accountKey())).toMatchObject({ noticesLeft: false });
  expect(addresses()).toEqual(["https://shop.example/hook"]);
});

test.each<[string, (server: StripeServer) => void, object]>([
  [
    "a revoked key",
    ({ operations, key }) => operations.revokeKey(key),
    { fault: "key_refused", reason: "key_invalid" },
  ],
  [
    "two missing permissions",
    ({ operations, key }) => {
      operations.takePermission(key, "event_read");
      operations.takePermission(key, "payment_intent_write");
    },
    {
      fault: "permissions",
      missing: [denied("PaymentIntents: write", "payment_intent_write"), denied("Events: read", "event_read")],
    },
  ],
  [
    "a key that may not read its account, of which Stripe does not name the account",
    (server) => server.fault("GET /v1/account", "403"),
    { fault: "permissions", missing: ["Account: read"] },
  ],
  ["a lost request", (server) => server.fault("GET /v1/account", "before"), { fault: "unreachable" }],
  ["a server error", (server) => server.fault("GET /v1/account", "502"), { fault: "unreachable" }],
])("%s is told, and the account is not connected", async (_, arrange, fault) => {
  arrange(stripe);
  expect(await connect()).toMatchObject(fault);
  expect(addresses()).toEqual([]);
  expect(await disconnectAccount(app.ctx, accountKey())).toBeNull();
});

test.each(["", "pk_test_51HxAbCdEfGh", "sk_test_", "sk_test_51Hx AbCdEfGh", "whsec_51HxAbCdEfGh"])(
  "%j is no key",
  async (key) => expect(await connect(key)).toEqual({ fault: "no_key", beginning: "rk_test_" }),
);

test("a key that may not read its account is taken, with the id that Stripe's refusal names", async () => {
  stripe.operations.takePermission(stripe.key, "accounts_kyc_basic_read");
  expect(await connect()).toMatchObject({
    connection: { ...accountKey(), livemode: false },
    account: { account: stripe.accountId, canCharge: null, missing: [] },
  });
  const provider = await connectableOf(stripe).open({ account: stripe.accountId, key: stripe.key, webhookSecrets: [] });
  expect((await provider.charge(chargeOf("pm_card_visa", { presence: "buyer" }))).status).toBe("succeeded");
  const other = await connectableOf(stripe).open({ account: "acct_other", key: stripe.key, webhookSecrets: [] });
  const refused = { status: "refused", scope: "account", reason: "key_invalid" };
  expect(await other.charge(chargeOf("pm_card_visa", { presence: "buyer" }))).toEqual(refused);
});

test("a key that may not forget Customers is taken, and the missing permissions are told", async () => {
  stripe.operations.takePermission(stripe.key, "subscription_read");
  stripe.operations.takePermission(stripe.key, "payment_method_write");
  const missingToForget = [
    denied("Subscriptions: read", "subscription_read"),
    denied("PaymentMethods: write", "payment_method_write"),
  ];
  expect(await connect()).toMatchObject({ account: { missing: [], missingToForget } });
});

test("live and test never mix", async () => {
  const { organization: live } = await app.otherOrganization({ mode: "live" });
  expect(await connect(stripe.key, live)).toEqual({ fault: "mode", mode: "test" });
  const real = await startStripe({ livemode: true });
  try {
    const connectable = connectableOf(real);
    const given = { key: real.key, variable: null };
    expect(await connectAccount(app.ctx, connectable, app.organization, given)).toEqual({
      fault: "mode",
      mode: "live",
    });
    expect(await connectAccount(app.ctx, connectable, live, given)).toMatchObject({ connection: { livemode: true } });
  } finally {
    await real.close();
  }
});

test("a key without the right to register addresses is connected, and Stripe is polled", async () => {
  stripe.operations.takePermission(stripe.key, "webhook_write");
  expect(await connect()).toMatchObject({ notices: "failed", connection: { webhookSecretSealed: null } });
});

test("a revoked key keeps no operator from disconnecting", async () => {
  await connect();
  stripe.operations.revokeKey(stripe.key);
  expect(await disconnectAccount(app.ctx, accountKey())).toMatchObject({ noticesLeft: true });
});

test("billow doctor asks Stripe", async () => {
  await connect();
  const faults = async () =>
    (await examineInstallation({ config: app.ctx.config, server: null, ctx: app.ctx }))
      .filter(({ name, says }) => name === "provider" && says.includes(stripe.accountId))
      .filter(({ status }) => status !== "ok")
      .map(({ says }) => says.split(`${stripe.accountId}: `)[1]);
  expect(await faults()).toEqual([]);
  stripe.operations.takePermission(stripe.key, "dispute_read");
  stripe.operations.restrictAccount();
  expect(await faults()).toEqual([
    `the key lacks permissions: ${denied("Disputes: read", "dispute_read")}`,
    "the account can't charge",
  ]);
  stripe.operations.revokeKey(stripe.key);
  expect(await faults()).toEqual(["the provider refuses the key"]);
});
