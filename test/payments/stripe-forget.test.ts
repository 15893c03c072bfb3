import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { challenged } from "./conformance.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf, payOnPage, saveOf } from "./stripe-requests.ts";
import { answerOnPage, openStripeWorld, ORGANIZATION, type StripeWorld } from "./stripe-world.ts";

let stripe: StripeServer;
let world: StripeWorld;
let warnings: string[];
let keys = 0;

beforeAll(async () => {
  stripe = await startStripe();
  const warn = (message: string) => void warnings.push(message);
  const settings = { baseUrl: stripe.url, installation: "inst_one", warn };
  world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0, settings });
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});
beforeEach(() => {
  warnings = [];
  permit("customer_read", "subscription_read", "payment_method_write");
});

const insert = sql(
  "test.stripe_forget_import",
  `INSERT INTO stripe_customers (organization_id, provider_account, customer_id, ref, payer_hash, created_at,
     updated_at)
   VALUES ($1, $2, $3, $4, '', statement_timestamp(), statement_timestamp())`,
);

const cardsOf = (ref: string) =>
  [...stripe.book.paymentMethods.values()].filter(({ customer }) => customer === ref).map(({ id }) => id);
const detailsOf = (ref: string) => {
  const { email, name } = stripe.book.customers.get(ref) ?? { email: "deleted", name: "deleted" };
  return [email, name];
};

/** A Customer of Billow with a card from Billow's page, and a card of other software. */
async function buyer(imported = false) {
  const customer = { id: `cus_forget_${++keys}`, email: "ada@example.com", name: "Ada" };
  if (imported) {
    const ref = stripe.operations.makeCustomer({ email: "ada@example.com", name: "Ada" });
    const values = [ORGANIZATION, stripe.accountId, customer.id, ref];
    await world.db.tx((tx) => tx.query(insert, values));
  }
  const asked = challenged(await world.provider.charge(chargeOf(null, { customer, presence: "buyer" })));
  await payOnPage(asked.url, "4242 4242 4242 4242");
  const { customer: ref, payment_method: own } = [...stripe.book.paymentIntents.values()].at(-1)!;
  const foreign = stripe.operations.attachCard(ref!);
  return { ...customer, ref: ref!, own: own!, foreign };
}
type Buyer = Awaited<ReturnType<typeof buyer>>;

const forget = ({ id }: { id: string }) => world.provider.forget(ORGANIZATION, id);
/** The next payment after a change of the Customer's name and e-mail. */
const rename = ({ id }: Buyer, name: string | null = "Ada Lovelace") =>
  world.provider.saveCard(saveOf("pm_card_visa", { customer: { id, email: "ada@lovelace.example", name } }));
const permit = (...permissions: string[]) => {
  for (const permission of permissions) stripe.operations.givePermission(stripe.key, permission);
};
const forbid = (...permissions: string[]) => {
  for (const permission of permissions) stripe.operations.takePermission(stripe.key, permission);
};

const BEFORE = ["ada@example.com", "Ada"];
const KEPT = "a Customer at Stripe was kept: other software uses this Customer";

/** Uses by other software, in which Billow must not touch the Customer. */
const USES: [use: string, imported: boolean, (of: Buyer) => unknown][] = [
  ["has a subscription there", false, ({ ref }) => stripe.operations.subscribe(ref)],
  ["has a trial there", false, ({ ref }) => stripe.operations.subscribe(ref, { status: "trialing" })],
  ["owes for a subscription there", false, ({ ref }) => stripe.operations.subscribe(ref, { status: "past_due" })],
  ["has a paused subscription there", false, ({ ref }) => stripe.operations.subscribe(ref, { status: "paused" })],
  ["was made by other software", true, () => undefined],
  ["was made by other software, with a subscription", true, ({ ref }) => stripe.operations.subscribe(ref)],
];

describe("a deleted Customer of ours", () => {
  test("is deleted at Stripe, with the cards", async () => {
    const ada = await buyer();
    await forget(ada);
    expect([detailsOf(ada.ref), cardsOf(ada.ref), warnings]).toEqual([["deleted", "deleted"], [], []]);
    await forget(ada);
  });

  test.each(["canceled", "incomplete_expired"] as const)(
    "is deleted at Stripe after a subscription: %s",
    async (is) => {
      const ada = await buyer();
      stripe.operations.subscribe(ada.ref, { status: is });
      await forget(ada);
      expect(detailsOf(ada.ref)).toEqual(["deleted", "deleted"]);
    },
  );

  test.each(USES)("stays at Stripe without the card of Billow if the Customer %s", async (_, imported, use) => {
    const ada = await buyer(imported);
    use(ada);
    const subscriptions = structuredClone([...stripe.book.subscriptions.values()]);
    await forget(ada);
    expect([detailsOf(ada.ref), cardsOf(ada.ref)]).toEqual([BEFORE, [ada.foreign]]);
    expect([...stripe.book.subscriptions.values()]).toEqual(subscriptions);
    expect(warnings).toEqual([KEPT]);
    // Billow knows the Customer no more, so a repetition has no effect.
    await forget(ada);
    expect(warnings).toHaveLength(1);
  });

  test.each<[string, (of: Buyer) => unknown]>([
    ["of a subscription", ({ ref, own }) => stripe.operations.subscribe(ref, { default_payment_method: own })],
    [
      "by default",
      ({ ref, own }) => {
        stripe.operations.changeCustomer(ref, { invoice_settings: { default_payment_method: own } });
        stripe.operations.subscribe(ref);
      },
    ],
  ])("stays at Stripe with the card of Billow that other software charges: %s", async (_, use) => {
    const ada = await buyer();
    use(ada);
    await forget(ada);
    expect(cardsOf(ada.ref)).toEqual([ada.own, ada.foreign]);
  });

  test("stays at Stripe with the card that was there before Billow charged this card", async () => {
    const ada = await buyer(true);
    await world.provider.charge(chargeOf(ada.foreign, { customer: { ...ada } }));
    expect([...stripe.book.charges.values()].at(-1)).toMatchObject({ payment_method: ada.foreign, paid: true });
    await forget(ada);
    expect(cardsOf(ada.ref)).toEqual([ada.foreign]);
  });

  test.each(["subscription_read", "customer_read"])("stays as it is until the key may %s", async (permission) => {
    const ada = await buyer();
    forbid(permission);
    await expect(forget(ada)).rejects.toThrow(permission);
    expect([detailsOf(ada.ref), cardsOf(ada.ref)]).toEqual([BEFORE, [ada.own, ada.foreign]]);
    permit(permission);
    await forget(ada);
    expect(detailsOf(ada.ref)).toEqual(["deleted", "deleted"]);
  });

  test("loses the card as soon as the key may detach cards", async () => {
    const ada = await buyer(true);
    forbid("payment_method_write");
    await expect(forget(ada)).rejects.toThrow("payment_method_write");
    expect([detailsOf(ada.ref), cardsOf(ada.ref)]).toEqual([BEFORE, [ada.own, ada.foreign]]);
    await expect(forget(ada)).rejects.toThrow("payment_method_write");
    permit("payment_method_write");
    await forget(ada);
    expect([detailsOf(ada.ref), cardsOf(ada.ref)]).toEqual([BEFORE, [ada.foreign]]);
  });

  test("is forgotten later if Stripe refuses or does not answer", async () => {
    const ada = await buyer();
    stripe.fault("GET /v1/customers/:id", "403");
    await expect(forget(ada)).rejects.toThrow();
    stripe.fault("GET /v1/subscriptions", "before");
    await expect(forget(ada)).rejects.toThrow();
    expect(detailsOf(ada.ref)).toEqual(BEFORE);
    await forget(ada);
    expect(detailsOf(ada.ref)).toEqual(["deleted", "deleted"]);
  });
});

describe("a Customer with another name and e-mail", () => {
  test("has them at Stripe, too", async () => {
    const ada = await buyer();
    await rename(ada);
    expect(detailsOf(ada.ref)).toEqual(["ada@lovelace.example", "Ada Lovelace"]);
  });

  test.each(USES)("keeps the earlier ones at Stripe if the Customer %s", async (_, imported, use) => {
    const ada = await buyer(imported);
    use(ada);
    expect(await rename(ada)).toMatchObject({ status: "succeeded" });
    expect(detailsOf(ada.ref)).toEqual(BEFORE);
    // The change is remembered, so that later payments do not ask again.
    const asked = stripe.requests.length;
    await rename(ada);
    expect(stripe.requests.slice(asked).filter(({ path }) => path === "/v1/subscriptions")).toEqual([]);
  });

  test.each(["subscription_read", "customer_read"])("pays with a key that may not %s", async (permission) => {
    const ada = await buyer();
    forbid(permission);
    expect(await rename(ada)).toMatchObject({ status: "succeeded" });
    expect(detailsOf(ada.ref)).toEqual(BEFORE);
  });

  test("has them at Stripe after a lost answer", async () => {
    const ada = await buyer();
    stripe.fault("GET /v1/subscriptions", "before");
    expect(await rename(ada)).toMatchObject({ status: "succeeded" });
    expect(detailsOf(ada.ref)).toEqual(BEFORE);
    await rename(ada);
    expect(detailsOf(ada.ref)).toEqual(["ada@lovelace.example", "Ada Lovelace"]);
  });
});
