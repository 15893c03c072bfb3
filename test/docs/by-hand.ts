import type { Json } from "../support/app.ts";
import { bankOf, declines } from "../support/bank.ts";
import { CARDS } from "../support/story.ts";
import {
  ADA,
  askedEachTime,
  bought,
  cardOnFile,
  invoiceOf,
  opened,
  pastDue,
  patch,
  paymentOf,
  post,
  type Action,
  type Shop,
  type World,
} from "./world.ts";

const refund = async (world: World, body: object) => {
  await post(world, `/invoices/${(await invoiceOf(world)).id}/refunds`, body);
  await world.story.settle();
};

/** A renewal that the bank declined, though it would take the card now. */
const renewalDeclined = (before: (shop: Shop) => Promise<Json>) => async (shop: Shop) => {
  const bank = bankOf(shop.story.app);
  const found = await before(shop);
  bank.says(declines("insufficient_funds"));
  await shop.story.travel("2025-02-28");
  bank.says(null);
  return found;
};
const payByHand = (status: number) => async (world: World) => {
  const answer = await world.story.app.manage("POST", `/invoices/${(await invoiceOf(world)).id}/pay`);
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}`);
};

/** A purchase with a refund of 10.00 to the balance: credit from the charge. */
const withCredit = async (shop: Shop) => {
  const found = await bought()(shop);
  await post(shop, `/invoices/${(await invoiceOf(shop)).id}/refunds`, { to: "balance", amount: 1000 });
  return found;
};
const payOut = async (world: World) => {
  await post(world, `/customers/${world["sub"].customerId}/balance-refunds`, { currency: "usd" });
  await world.story.settle();
};

const deleteCustomer = ({ story, sub }: World) => story.ok(story.app.manage("DELETE", `/customers/${sub.customerId}`));

/** Rows of "By hand". */
export const BY_HAND: Record<string, Action> = {
  "a refund to the card": {
    operations: ["POST /invoices/{invoiceId}/refunds"],
    before: bought(),
    act: async (world) => {
      await post(world, `/invoices/${(await invoiceOf(world)).id}/refunds`, {});
      await world.story.settle();
    },
  },
  "a refund to the balance": {
    operations: ["POST /invoices/{invoiceId}/refunds"],
    before: bought(),
    act: async (world) => post(world, `/invoices/${(await invoiceOf(world)).id}/refunds`, { to: "balance" }),
  },
  "a refund to the card that the bank declines": {
    operations: ["POST /invoices/{invoiceId}/refunds"],
    before: bought(),
    act: async (world) => {
      bankOf(world.story.app).says(declines("card_declined"));
      await refund(world, {});
    },
  },
  "a refund to the card fails after it had succeeded": {
    operations: ["POST /sandbox/refunds/{refundId}/fail"],
    before: async (shop) => {
      const found = await bought()(shop);
      const made = await post(shop, `/invoices/${(await invoiceOf(shop)).id}/refunds`, {});
      await shop.story.settle();
      return { ...found, made };
    },
    act: async (world) => post(world, `/sandbox/refunds/${world["made"].id}/fail`),
  },
  "a refund is made at the payment provider, outside of Billow": {
    operations: ["POST /sandbox/payments/{paymentId}/refund"],
    before: bought(),
    act: async (world) => post(world, `/sandbox/payments/${(await paymentOf(world)).id}/refund`),
  },
  "a refund to the card that takes credit off the balance": {
    operations: ["POST /invoices/{invoiceId}/refunds"],
    before: withCredit,
    act: (world) => refund(world, { amount: 3000 }),
  },
  "credit of the balance is paid out to its card": {
    operations: ["POST /customers/{customerId}/balance-refunds"],
    before: withCredit,
    act: payOut,
  },
  "credit of the balance is paid out, and the bank declines": {
    operations: ["POST /customers/{customerId}/balance-refunds"],
    before: withCredit,
    act: async (world) => {
      bankOf(world.story.app).says(declines("card_declined"));
      await payOut(world);
    },
  },
  "a refund of a one-time purchase that revokes its grants": {
    operations: ["POST /invoices/{invoiceId}/refunds"],
    before: (shop) => bought(CARDS.pays, { interval: null, benefitIds: [shop.benefit] })(shop),
    act: (world) => refund(world, { revokeGrants: true }),
  },
  "a buyer disputes a payment at their bank": {
    operations: ["POST /sandbox/payments/{paymentId}/dispute"],
    before: bought(),
    act: async (world) => post(world, `/sandbox/payments/${(await paymentOf(world)).id}/dispute`),
  },
  "the bank asks about a payment, and then takes the money back": {
    operations: ["POST /sandbox/payments/{paymentId}/dispute", "POST /sandbox/disputes/{disputeId}/escalate"],
    before: bought(),
    async act(world) {
      const { id } = await post(world, `/sandbox/payments/${(await paymentOf(world)).id}/dispute`, { inquiry: true });
      return post(world, `/sandbox/disputes/${id}/escalate`);
    },
  },
  "the bank decides the dispute": {
    operations: ["POST /sandbox/disputes/{disputeId}/close"],
    before: async (shop) => {
      const found = await bought()(shop);
      return { ...found, dispute: await post(shop, `/sandbox/payments/${(await paymentOf(shop)).id}/dispute`) };
    },
    act: (world) => post(world, `/sandbox/disputes/${world["dispute"].id}/close`, { outcome: "won" }),
  },
  "a bank replaces a card": {
    operations: ["POST /sandbox/payment-methods/{paymentMethodId}/update"],
    before: bought(),
    act: async (world) => {
      const replaced = { expMonth: 4, expYear: 2031, last4: "1881" };
      return post(world, `/sandbox/payment-methods/${(await cardOnFile(world)).id}/update`, replaced);
    },
  },
  "the payment provider detaches a card": {
    operations: ["POST /sandbox/payment-methods/{paymentMethodId}/detach"],
    before: bought(),
    act: async (world) => post(world, `/sandbox/payment-methods/${(await cardOnFile(world)).id}/detach`),
  },
  "an open invoice is charged by hand and declined": {
    operations: ["POST /invoices/{invoiceId}/pay"],
    before: pastDue,
    act: payByHand(402),
  },
  "an open invoice is charged by hand and the bank asks the buyer to authenticate": {
    operations: ["POST /invoices/{invoiceId}/pay"],
    before: renewalDeclined(askedEachTime),
    act: payByHand(402),
  },
  "an open invoice is charged by hand and paid": {
    operations: ["POST /invoices/{invoiceId}/pay"],
    before: renewalDeclined(bought()),
    act: payByHand(200),
  },
  "an open invoice is marked paid": {
    operations: ["POST /invoices/{invoiceId}/mark-paid"],
    before: pastDue,
    act: async (world) => post(world, `/invoices/${(await invoiceOf(world)).id}/mark-paid`),
  },
  "an open invoice is voided": {
    operations: ["POST /invoices/{invoiceId}/void"],
    before: pastDue,
    act: async (world) => post(world, `/invoices/${(await invoiceOf(world)).id}/void`),
  },
  "PATCH of a Customer": {
    operations: ["PATCH /customers/{customerId}"],
    before: bought(),
    act: (world) => patch(world, `/customers/${world["sub"].customerId}`, { name: "Ada" }),
  },
  "a Customer without a Subscription is deleted": {
    operations: ["DELETE /customers/{customerId}"],
    before: async ({ story }) => ({
      sub: { customerId: (await story.ok(story.app.api("POST", "/customers", ADA))).id },
    }),
    act: deleteCustomer,
  },
  "a Customer with credit is deleted, and the credit is forfeited": {
    before: async (shop) => {
      const customer = await shop.story.ok(shop.story.app.api("POST", "/customers", ADA));
      await post(shop, `/customers/${customer.id}/balance-adjustments`, {
        currency: "usd",
        amount: 500,
        reason: "sorry",
      });
      return { customer };
    },
    act: ({ story, customer }) => story.ok(story.app.manage("DELETE", `/customers/${customer.id}?forfeitBalance=true`)),
  },
  "a Customer with an open Checkout is deleted": {
    before: async (shop) => ({ sub: { customerId: (await opened()(shop)).customer.id } }),
    act: deleteCustomer,
  },
  "a Customer with a Subscription is deleted": { before: bought(), act: deleteCustomer },
  "a Customer with a Subscription and an open invoice is deleted": { before: pastDue, act: deleteCustomer },
};
