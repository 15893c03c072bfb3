import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import type { HistoryEntry } from "../../src/payments/provider.ts";
import { probeStripeKey } from "../../src/payments/stripe/stripe.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf } from "./stripe-requests.ts";
import { answerOnPage, openStripeWorld, ORGANIZATION, type StripeWorld } from "./stripe-world.ts";

const START = Date.UTC(2026, 5, 1);
let now = START;
let stripe: StripeServer;
let world: StripeWorld;

beforeAll(async () => {
  stripe = await startStripe({ now: () => now });
  const settings = { baseUrl: stripe.url, installation: "inst_one", now: () => now };
  world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0, settings });
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});

async function historyOf(from: number, to: number) {
  const entries: HistoryEntry[] = [];
  let pages = 0;
  for (let cursor: string | null = null; ; pages += 1) {
    const page = await world.provider.history({
      organizationId: ORGANIZATION,
      from: instant(from),
      to: instant(to),
      cursor,
    });
    entries.push(...page.entries);
    cursor = page.next;
    if (cursor === null) return { entries, pages };
  }
}

describe("the book by time", () => {
  it("has charges and refunds, ours and those of the dashboard", async () => {
    const card = await world.attached("pm_card_visa");
    const [kept, failing] = [
      chargeOf(card, { amount: 5000, currency: "isk" }),
      chargeOf(await world.attached("pm_card_refundFail")),
    ];
    await world.provider.charge(kept);
    await world.provider.charge(failing);
    await world.provider.charge(chargeOf(await world.attached("pm_card_chargeCustomerFail")));
    const refund = { organizationId: ORGANIZATION, key: `${kept.key}_refund`, chargeKey: kept.key, amount: 1000 };
    await world.provider.refund(refund);
    await world.provider.refund({ ...refund, key: `${failing.key}_refund`, chargeKey: failing.key, amount: 10 });
    stripe.operations.failRefund([...stripe.book.refunds.values()].at(-1)!.id);
    const intent = [...stripe.book.paymentIntents.values()].find(
      ({ metadata }) => metadata["billow_key"] === kept.key,
    )!;
    stripe.operations.refund(intent.id, 20_000);
    // A charge of another system of the seller, with a refund.
    stripe.operations.refund(stripe.operations.chargeInDashboard(900, "usd").id, 100);
    // A charge of another Organization of this installation.
    await world.provider.charge({ ...chargeOf("pm_card_visa"), organizationId: "org_other" });

    const { entries } = await historyOf(START, START + 1000);
    const shown = entries.map(({ kind, key, chargeKey, amount, currency }) => [kind, key, chargeKey, amount, currency]);
    expect(shown).toHaveLength(5);
    expect(shown).toEqual(
      expect.arrayContaining([
        ["charge", kept.key, null, 5000, "isk"],
        ["charge", failing.key, null, 1000, "usd"],
        ["charge", null, null, 900, "usd"],
        ["refund", refund.key, kept.key, 1000, "isk"],
        ["refund", null, kept.key, 200, "isk"],
      ]),
    );
    for (const { createdAt, ref } of entries) expect([createdAt, ref.length > 3]).toEqual([START, true]);
    expect((await historyOf(START + 1000, START + 2000)).entries).toEqual([]);
    expect((await historyOf(START - 1000, START)).entries).toEqual([]);
  });

  it("comes in pages", async () => {
    now = START + 86_400_000;
    const wanted = Array.from({ length: 130 }, () => stripe.operations.chargeInDashboard(900, "usd"));
    const { entries, pages } = await historyOf(now, now + 1000);
    expect([entries.length, new Set(entries.map(({ ref }) => ref)).size]).toEqual([wanted.length, wanted.length]);
    expect(pages).toBe(2);
  });
});

describe("a probe", () => {
  it("shows the account and its permissions, and changes nothing", async () => {
    const before = { events: stripe.events.length, endpoints: stripe.book.endpoints.size };
    const expected = {
      isValid: true,
      isOther: false,
      livemode: false,
      account: { id: stripe.accountId, chargesEnabled: true, defaultCurrency: "eur", statementPrefix: "BILLOW" },
    };
    const probed = await world.provider.probe();
    expect(probed).toMatchObject(expected);
    expect(probed.permissions).toHaveLength(11);
    expect(probed.permissions.every(({ granted }) => granted)).toBe(true);
    expect(await probeStripeKey(stripe.key, stripe.url)).toMatchObject(expected);
    expect({ events: stripe.events.length, endpoints: stripe.book.endpoints.size }).toEqual(before);
  });

  test.each([
    ["accounts_kyc_basic_read", "Account: read"],
    ["payment_intent_write", "PaymentIntents: write"],
    ["setup_intent_write", "SetupIntents: write"],
    ["checkout_session_write", "Checkout Sessions: write"],
    ["customer_write", "Customers: write"],
    ["charge_write", "Charges and Refunds: write"],
    ["charge_read", "Charges and Refunds: read"],
    ["dispute_read", "Disputes: read"],
    ["event_read", "Events: read"],
    ["payment_method_read", "PaymentMethods: read"],
    ["balance_transaction_source_read", "Balance transactions: read"],
  ])("finds that the permission %s is missing", async (permission, name) => {
    stripe.operations.takePermission(stripe.key, permission);
    const { permissions } = await world.provider.probe();
    stripe.operations.givePermission(stripe.key, permission);
    expect(permissions.filter(({ granted }) => !granted)).toEqual([
      { name, granted: false, says: expect.stringContaining(`rak_${permission}`) },
    ]);
  });

  test("of a key that is not valid, or of another account", async () => {
    expect(await world.another({ key: "rk_test_none" }).probe()).toMatchObject({
      isValid: false,
      account: null,
      permissions: [],
    });
    expect(await world.another({ account: "acct_other" }).probe()).toMatchObject({ isValid: true, isOther: true });
    stripe.operations.restrictAccount();
    expect((await world.provider.probe()).account).toMatchObject({ chargesEnabled: false });
    stripe.operations.liftRestriction();
  });
});

test("the rate is that of Stripe's documents", () => {
  expect(world.another({ key: "rk_live_1" }).limits).toEqual({ inFlight: 40, perSecond: 20 });
  expect(world.another({ key: "sk_test_1" }).limits).toEqual({ inFlight: 20, perSecond: 8 });
});
