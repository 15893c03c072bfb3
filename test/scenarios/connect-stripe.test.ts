import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import { payOn } from "../payments/stripe/buyer.ts";
import { startStripe, type StripeServer } from "../payments/stripe/server.ts";
import type { Json } from "../support/app.ts";
import { redirectOf } from "../support/hosted.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { minutePasses } from "../support/pause.ts";
import { startStory, type Story } from "../support/story.ts";
import { openStripeCommands, reachStripe, type StripeCommands } from "../support/stripe.ts";

const ORIGIN = "https://pay.example.com";
const VISA = "4242 4242 4242 4242";
const DECLINES = "4000 0000 0000 0002";

/** An operator connects Stripe by the command line. All money moves at the local Stripe server of the tests. */
describe("a seller at Stripe", () => {
  let story: Story;
  let stripe: StripeServer;
  let commands: StripeCommands;
  let subscription: Json;
  beforeAll(async () => {
    stripe = await startStripe();
    story = await startStory(
      { clock: "2026-01-10T09:00:00Z" },
      { publicOrigin: ORIGIN, trustedProxies: ["127.0.0.1"] },
    );
    reachStripe(story.app, stripe);
    commands = await openStripeCommands(story.app, stripe);
    await story.plan("pro", 3000);
    await story.ok(story.app.manage("PATCH", "/organization", { contactEmail: "owner@example.com" }));
    await story.news();
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await commands.clear();
    await story.close();
    await stripe.close();
  });

  const organizationId = () => story.app.organization.id;
  const billow = (...args: string[]) => commands.billow([...args, "--organization", organizationId()]);
  const connect = () =>
    commands.billow(["payments", "connect", "stripe", "--organization", organizationId()], `${stripe.key}\n`);
  const inbound = () => `/inbound/stripe/${organizationId()}`;
  const endpoints = () => [...stripe.book.endpoints.values()].map(({ url }) => url);
  /** The page of our own behind a public address. */
  const here = (address: string) => address.replace(ORIGIN, story.app.url);
  /** Stripe sends the notices that it has not sent yet. Billow takes them. */
  async function notify(secrets = [...stripe.book.endpointSecrets.values()]): Promise<number[]> {
    const delivered = await stripe.deliver(`${story.app.url}${inbound()}`, { secrets });
    await story.app.runDue();
    return [...new Set(delivered.map(({ status }) => status))];
  }
  const charges = () =>
    [...stripe.book.charges.values()].map((each) => [each.amount, each.amount_refunded, each.currency, each.status]);
  /** The newest kept e-mail to the seller. */
  async function mail(): Promise<Json> {
    await mailOnce(story.app.ctx);
    const { data } = await story.ok(story.app.manage("GET", "/emails?limit=100"));
    const newest = data.find(({ to }: Json) => to === "owner@example.com");
    return story.ok(story.app.manage("GET", `/emails/${newest.id}`));
  }
  const newest = async (path: string): Promise<Json> => (await story.ok(story.app.manage("GET", path))).data[0];

  it("2026-01-10: the operator connects the account, and the seller is told", async () => {
    expect(await connect()).toEqual({
      code: 0,
      stdout:
        `stripe ${stripe.accountId} takes new payments, in test mode.\n` +
        "The provider sends its notices to this server.\n",
      stderr: "",
    });
    expect(endpoints()).toEqual([`${ORIGIN}${inbound()}`]);
    expect(await story.news()).toEqual(["payment_account.connected"]);
    expect((await story.events()).at(-1)!.data).toMatchObject({
      provider: "stripe",
      account: stripe.accountId,
      mode: "test",
      notices: "inbound",
      disconnectedAt: null,
    });
    const { kind, subject, text } = await mail();
    expect([kind, subject]).toEqual(["payments_connected", "[Sandbox] Payments: an account was connected"]);
    expect(text).toContain(`Provider: Stripe\nAccount: ${stripe.accountId}\nMode: Test\n`);
    expect(text).toMatch(/\nWhen: \d{4}-\d\d-\d\d \d\d:\d\d UTC\n/);
    expect(text).not.toContain(stripe.key);
    expect(await story.statement()).toEqual([]);
  });

  it("2026-01-10: Ada buys on Stripe's page, with a second card", async () => {
    const customer = { email: "ada@example.com", externalId: "ada" };
    const checkout = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", customer }));
    const url = here(checkout.url);
    const { text, headers } = await get(url);
    expect(wordsOf(text)).toContain("You’ll pay on Stripe ’s page. Continue to payment");
    expect(headers.get("Content-Security-Policy")).toContain(`form-action 'self' ${stripe.url};`);
    const page = redirectOf(url, await post(url, { expectedAmount: "3000" }));
    expect(page).toMatch(new RegExp(`^${stripe.url}/c/pay/cs_test_`));
    expect(await payOn(page, DECLINES)).toMatchObject({ status: 200 });
    const { location } = await payOn(page, VISA);
    expect(location).toMatch(/^https:\/\/pay\.example\.com\/return\/[\w-]{95}$/);
    expect(await story.news()).toEqual(["customer.created", "checkout.created"]);

    const back = await get(here(location));
    expect([back.status, redirectOf(here(location), back)]).toEqual([303, here(checkout.url)]);
    expect(wordsOf((await get(url)).text)).toContain("Thank you");
    expect(await story.news()).toEqual([
      "payment.succeeded",
      "subscription.created",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
    expect(await story.statement()).toEqual(["0001 checkout paid 3000", "     pro 3000 2026-01-10 → 2026-02-10"]);
    expect(charges().at(-1)).toEqual([3000, 0, "usd", "succeeded"]);
    const { subscriptionId } = await story.ok(story.app.api("GET", `/checkouts/${checkout.id}`));
    subscription = await story.subscription(subscriptionId);
    const cards = await story.ok(story.app.manage("GET", `/customers/${subscription.customerId}/payment-methods`));
    expect(cards.data).toMatchObject([{ brand: "visa", last4: "4242", expMonth: 12, expYear: 2034, isDefault: true }]);
  });

  it("2026-01-10: notices of what is known already change nothing, and a forged one is refused", async () => {
    expect(await notify(["whsec_of_a_stranger"])).toEqual([400]);
    expect(await notify()).toEqual([200]);
    expect(await story.news()).toEqual([]);
    expect(await story.statement()).toEqual([]);
  });

  it("2026-02-10: the renewal is charged off-session to the card from Stripe's page", async () => {
    await story.travel("2026-02-11");
    expect(await story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual(["0002 renewal paid 3000", "     pro 3000 2026-02-10 → 2026-03-10"]);
    expect(stripe.requests.filter(({ body }) => body.includes("off_session=true")).map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/v1\/payment_intents\/pi_\w+\/confirm$/),
    ]);
    expect(await newest("/payments?limit=1")).toMatchObject({ trigger: "renewal", method: { last4: "4242" } });
  });

  it("2026-02-11: a part of the renewal is refunded to the card", async () => {
    const invoice = await newest(`/invoices?subscriptionId=${subscription.id}&limit=1`);
    const refund = await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 1000 }));
    await story.settle();
    expect(await story.news()).toEqual(["refund.created", "invoice.refunded"]);
    expect(await story.ok(story.app.manage("GET", `/refunds/${refund.id}`))).toMatchObject({
      status: "succeeded",
      amount: 1000,
    });
    expect(charges().at(-1)).toEqual([3000, 1000, "usd", "succeeded"]);
    expect(await story.statement()).toEqual([]);
    expect(await newest("/credit-notes?limit=1")).toMatchObject({ invoiceId: invoice.id, totalAmount: 1000 });
  });

  it("2026-02-12: a signed notice brings a dispute, and another one the bank's decision", async () => {
    await story.travel("2026-02-12");
    // Stripe tells of the renewal and of the refund. Billow knows of both.
    expect(await notify()).toEqual([200]);
    expect(await story.news()).toEqual([]);
    const renewal = [...stripe.book.charges.values()].at(-1)!;
    const dispute = stripe.operations.dispute(renewal.id, { reason: "fraudulent" });
    expect(await notify()).toEqual([200]);
    expect(await story.news()).toEqual(["dispute.created"]);
    const shown = await newest("/disputes?limit=1");
    expect(shown).toMatchObject({ status: "open", reason: "fraudulent", amount: 2000, currency: "usd" });
    stripe.operations.closeDispute(dispute.id, "won");
    expect(await notify()).toEqual([200]);
    expect(await story.news()).toEqual(["dispute.closed"]);
    expect(await story.ok(story.app.manage("GET", `/disputes/${shown.id}`))).toMatchObject({ status: "won" });
    expect(await story.statement()).toEqual([]);
  });

  it("2026-02-12: payments status, doctor and verify find no fault", async () => {
    const status = await billow("payments", "status");
    expect(status).toMatchObject({ code: 0, stderr: "" });
    expect(
      status.stdout
        .trim()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ["PROVIDER", "ACCOUNT", "MODE", "NOTICES", "KEY", "STATE"],
      ["stripe", stripe.accountId, "test", "inbound", "encrypted", "takes new payments"],
    ]);
    const { checks } = JSON.parse((await commands.billow(["doctor", "--json"])).stdout);
    const provider = checks.filter(({ name }: Json) => name === "provider");
    expect(provider.map(({ status: is, says }: Json) => [is, says.split(`${stripe.accountId}: `)[1]])).toEqual([
      ["ok", "the key is valid"],
      ["ok", "the key has all permissions"],
      ["ok", "the account can charge"],
    ]);
    expect(await billow("verify", "--json")).toMatchObject({ code: 0, stderr: "" });
  });

  it("2026-02-15: the operator disconnects the account, and the seller is told", async () => {
    await story.travel("2026-02-15");
    expect(await billow("payments", "disconnect", "stripe")).toEqual({
      code: 0,
      stdout:
        `stripe ${stripe.accountId} is disconnected.\n` +
        "Billow charges none of its cards and refunds none of its payments.\n",
      stderr: "",
    });
    expect(endpoints()).toEqual([]);
    expect(await story.news()).toEqual(["payment_account.disconnected"]);
    expect(await mail()).toMatchObject({ kind: "payments_disconnected" });
    expect((await billow("payments", "status")).stdout).toContain("The built-in provider takes new payments");
    expect(await notify()).toEqual([]);
    stripe.operations.chargeInDashboard(500, "usd");
    expect(await notify([stripe.webhookSecret])).toEqual([400]);
  });

  it("2026-03-10: the renewal waits, without dunning", async () => {
    // As in a process that does not remember the account.
    reachStripe(story.app, stripe);
    const before = charges();
    await story.app.manage("POST", "/sandbox/clock/advance", { to: "2026-03-11T09:00:00Z" });
    expect(await story.news()).toEqual(["subscription.renewed", "invoice.created", "payments.paused"]);
    expect(await story.statement()).toEqual(["0003 renewal open 3000", "     pro 3000 2026-03-10 → 2026-04-10"]);
    expect(charges()).toEqual(before);
  });

  it("2026-03-10: the account is connected again, and the renewal is charged once", async () => {
    const before = charges();
    expect(await connect()).toMatchObject({ code: 0 });
    reachStripe(story.app, stripe);
    await minutePasses(story.app);
    await story.settle();
    expect(await story.news()).toEqual([
      "payment_account.connected",
      "payments.resumed",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual(["0003 renewal paid 3000"]);
    expect(charges()).toEqual([...before, [3000, 0, "usd", "succeeded"]]);
    await story.travel("2026-03-11");
  });
});
