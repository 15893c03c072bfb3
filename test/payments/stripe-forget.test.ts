import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf } from "./stripe-requests.ts";
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
  for (const permission of ["subscription_read", "payment_method_write"])
    stripe.operations.givePermission(stripe.key, permission);
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

/** A Customer of Billow with a card that Billow charged, and a card of other software. */
async function buyer(imported = false) {
  const customer = { id: `cus_forget_${++keys}`, email: "ada@example.com", name: "Ada" };
  if (imported) {
    const ref = stripe.operations.makeCustomer({ email: "ada@example.com", name: "Ada" });
    const values = [ORGANIZATION, stripe.accountId, customer.id, ref];
    await world.db.tx((tx) => tx.query(insert, values));
  }
  await world.provider.charge(chargeOf("pm_card_visa", { customer, presence: "buyer" }));
  const { customer: ref, payment_method: own } = [...stripe.book.paymentIntents.values()].at(-1)!;
  const foreign = stripe.operations.attachCard(ref!);
  return { id: customer.id, ref: ref!, own: own!, foreign };
}
const forget = ({ id }: { id: string }) => world.provider.forget(ORGANIZATION, id);

describe("a deleted Customer of ours", () => {
  test("is deleted at Stripe, with the cards", async () => {
    const ada = await buyer();
    await forget(ada);
    expect([detailsOf(ada.ref), cardsOf(ada.ref), warnings]).toEqual([["deleted", "deleted"], [], []]);
    await forget(ada);
  });

  test("stays at Stripe with a subscription there, without the card of Billow", async () => {
    const ada = await buyer();
    stripe.operations.subscribe(ada.ref);
    await forget(ada);
    expect([detailsOf(ada.ref), cardsOf(ada.ref)]).toEqual([["ada@example.com", "Ada"], [ada.foreign]]);
    expect(warnings).toEqual(["a Customer at Stripe was kept: other software uses this Customer"]);
    // Billow knows the Customer no more, so a repetition has no effect.
    await forget(ada);
    expect(warnings).toHaveLength(1);
  });

  test("stays at Stripe without name and e-mail if the key can't read subscriptions", async () => {
    const ada = await buyer();
    stripe.operations.subscribe(ada.ref);
    stripe.operations.takePermission(stripe.key, "subscription_read");
    await forget(ada);
    expect([detailsOf(ada.ref), cardsOf(ada.ref), warnings]).toEqual([[null, null], [ada.foreign], []]);
  });

  test("stays at Stripe if Billow did not make this Customer", async () => {
    const ada = await buyer(true);
    await forget(ada);
    expect([detailsOf(ada.ref), cardsOf(ada.ref)]).toEqual([["ada@example.com", "Ada"], [ada.foreign]]);
    expect(warnings).toHaveLength(1);
  });

  test("loses the card as soon as the key may detach cards", async () => {
    const ada = await buyer();
    for (const permission of ["subscription_read", "payment_method_write"])
      stripe.operations.takePermission(stripe.key, permission);
    await expect(forget(ada)).rejects.toThrow("payment_method_write");
    const kept = [ada.own, ada.foreign];
    expect([detailsOf(ada.ref), cardsOf(ada.ref)]).toEqual([[null, null], kept]);
    await expect(forget(ada)).rejects.toThrow("payment_method_write");
    stripe.operations.givePermission(stripe.key, "payment_method_write");
    await forget(ada);
    expect([detailsOf(ada.ref), cardsOf(ada.ref)]).toEqual([[null, null], [ada.foreign]]);
  });

  test("is forgotten later if Stripe refuses or does not answer", async () => {
    const ada = await buyer();
    stripe.fault("GET /v1/customers/:id", "403");
    await expect(forget(ada)).rejects.toThrow();
    stripe.fault("GET /v1/subscriptions", "before");
    await expect(forget(ada)).rejects.toThrow();
    expect(detailsOf(ada.ref)).toEqual(["ada@example.com", "Ada"]);
    await forget(ada);
    expect(detailsOf(ada.ref)).toEqual(["deleted", "deleted"]);
  });
});
