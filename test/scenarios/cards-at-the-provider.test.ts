import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeNotice } from "../../src/actions/notice/take.ts";
import type { EventRef } from "../../src/payments/provider.ts";
import type { Json } from "../support/app.ts";
import { openStripeShop, type StripeShop } from "../support/stripe-shop.ts";

let shop: StripeShop;
beforeEach(async () => {
  shop = await openStripeShop("2025-01-31T09:00:00Z");
  await shop.story.plan("pro", 3000);
});
afterEach(() => shop.close());

const ADA = { customer: { email: "ada@example.com", externalId: "ada" } };
const RENEWED = ["subscription.renewed", "invoice.created", "payment.succeeded", "invoice.paid"];

/** Ada has bought the plan, and the events of the purchase are read. */
async function sold(more: object = {}): Promise<{ sub: Json; card: string }> {
  const sub = await shop.buy({ productKey: "pro", ...ADA, ...more });
  await shop.notify();
  await shop.story.news();
  return { sub, card: shop.cards().at(-1)! };
}
const read = (path: string) => shop.story.ok(shop.story.app.manage("GET", path));
const onFile = async ({ customerId }: Json): Promise<Json[]> =>
  (await read(`/customers/${customerId}/payment-methods`)).data;
const cardEvents = async (): Promise<Json[]> =>
  (await shop.story.events()).filter(({ type }) => type.startsWith("payment_method."));
const noticesOf = async (status: string) => (await read(`/provider-notices?limit=100&status=${status}`)).data;
const textsOf = async ({ id }: Json): Promise<string[]> =>
  (await read(`/subscriptions/${id}/timeline?limit=100`)).data.map(({ text }: Json) => text);

describe.each(["notify", "poll"] as const)("by way of %s", (way) => {
  it("a replaced card makes one event, and pays the renewal", async () => {
    const { sub, card } = await sold();
    // A poll without a cursor begins with the present.
    await shop.poll();
    const [before] = await onFile(sub);

    // 20 February: the bank sends Ada a new card
    await shop.story.travel("2025-02-20");
    shop.stripe.operations.updateCard(card, { expMonth: 3, expYear: 2041, last4: "1881" });
    await shop[way]();
    expect(await shop.story.news()).toEqual(["payment_method.updated"]);
    const [after] = await onFile(sub);
    expect(after).toEqual({ ...before, expMonth: 3, expYear: 2041, last4: "1881" });
    expect(await cardEvents()).toMatchObject([{ sequence: 1, createdAt: "2025-02-20T09:00:00.000Z", data: after }]);
    expect(await textsOf(sub)).toContain(
      "The bank replaced the card. The new one is Visa ending in 1881, valid until 03/2041.",
    );

    // The same notices again, and a notice of a change that Billow does not keep
    shop.stripe.operations.updateCard(card, {});
    await shop.notify();
    await shop.poll();
    expect(await shop.story.news()).toEqual([]);

    // 28 February: the card pays the renewal
    await shop.story.travel("2025-02-28");
    await shop.story.settle();
    expect(await shop.story.news()).toEqual(RENEWED);
    expect(await noticesOf("unmatched")).toEqual([]);
  });

  it("a detached default card makes one event, and the renewal fails without a call to Stripe", async () => {
    const { sub, card } = await sold();
    await shop.poll();
    const [{ id }] = (await onFile(sub)) as [Json];

    // 20 February: Ada's card is detached
    await shop.story.travel("2025-02-20");
    shop.stripe.operations.updateCard(card, { expYear: 2042 });
    shop.stripe.operations.detachCard(card);
    await shop[way]();
    await shop.notify();
    await shop.poll();
    // Both notices were read when the card was detached already.
    expect(await shop.story.news()).toEqual(["payment_method.detached"]);
    const detached = { id, isDefault: true, detachedAt: "2025-02-20T09:00:00.000Z" };
    expect(await cardEvents()).toMatchObject([{ sequence: 1, data: detached }]);
    expect(await read(`/payment-methods/${id}`)).toMatchObject(detached);
    expect(await onFile(sub)).toEqual([]);
    expect(await textsOf(sub)).toContain("The card Visa ending in 4242 can't be charged any more.");

    // 28 February: the renewal fails, and dunning tells Ada
    const asked = shop.stripe.requests.length;
    await shop.story.travel("2025-02-28");
    expect(await shop.story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "invoice.payment_failed",
      "subscription.past_due",
    ]);
    expect(shop.stripe.requests.slice(asked).filter(({ path }) => path.includes("intents"))).toEqual([]);
    expect((await read(`/emails?customerId=${sub.customerId}&kind=payment_failed`)).data).toHaveLength(1);
  });
});

describe("a card that ended", () => {
  it("has one event if the renewal finds the end first, and the notice comes later", async () => {
    const { sub, card } = await sold();
    shop.stripe.operations.detachCard(card);
    await shop.story.travel("2025-02-28");
    await shop.story.settle();
    expect(await shop.story.news()).toEqual([
      "subscription.renewed",
      "invoice.created",
      "payment.failed",
      "payment_method.detached",
      "invoice.payment_failed",
      "subscription.past_due",
    ]);
    await shop.notify();
    expect(await shop.story.news()).toEqual([]);
    expect((await noticesOf("taken")).map(({ type }: Json) => type)).toContain("payment_method.detached");
    expect(await onFile(sub)).toEqual([]);
  });

  it("ends a trial at its end, and access is planned to end with the trial", async () => {
    const { app, ok, plan } = shop.story;
    const { id: benefit } = await ok(app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }));
    await plan("tried", 2000, { trialDays: 14, benefitIds: [benefit] });
    const { card } = await sold({ productKey: "tried" });
    const endOfAccess = async () =>
      (await ok(app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data[0].expiresAt;
    expect(await endOfAccess()).toBeNull();
    shop.stripe.operations.detachCard(card);
    await shop.notify();
    expect(await shop.story.news()).toEqual(["payment_method.detached"]);
    expect(await endOfAccess()).toBe("2025-02-14T09:00:00.000Z");
    await shop.story.travel("2025-02-14");
    expect(await shop.story.news()).toEqual(["subscription.canceled", "benefit_grant.revoked"]);
  });

  it("that is not the default leaves the renewal alone", async () => {
    await shop.story.plan("extra", 500, { group: "extras" });
    const { sub, card: first } = await sold();
    await shop.buy({ productKey: "extra", ...ADA }, "4000 0000 0000 5126");
    await shop.notify();
    await shop.story.news();
    shop.stripe.operations.detachCard(first);
    await shop.notify();
    expect(await shop.story.news()).toEqual(["payment_method.detached"]);
    expect(await cardEvents()).toMatchObject([{ data: { last4: "4242", isDefault: false } }]);
    expect(await onFile(sub)).toMatchObject([{ last4: "5126", isDefault: true, detachedAt: null }]);
    await shop.story.travel("2025-02-28");
    await shop.story.settle();
    expect((await shop.story.news()).toSorted()).toEqual([...RENEWED, ...RENEWED].toSorted());
  });

  it("at Stripe can't be changed by the tools of a sandbox", async () => {
    const { sub } = await sold();
    const [{ id }] = (await onFile(sub)) as [Json];
    const { status } = await shop.story.app.manage("POST", `/sandbox/payment-methods/${id}/detach`);
    expect(status).toBe(404);
    expect(await cardEvents()).toEqual([]);
  });
});

describe("two readings of one card", () => {
  it("end with the later one, even if the earlier one is booked last", async () => {
    const { sub, card } = await sold();
    const { ctx, organization, url } = shop.story.app;
    const [secret] = [...shop.stripe.book.endpointSecrets.values()];
    const replace = async (expYear: number): Promise<string> => {
      shop.stripe.operations.updateCard(card, { expYear });
      await shop.stripe.deliver(`${url}/inbound/stripe/${organization.id}`, { secrets: [secret!] });
      return (await noticesOf("waiting"))[0].id;
    };
    const first = await replace(2041);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: isRead, resolve: noteRead } = Promise.withResolvers<void>();
    const { connected } = ctx.payments;
    ctx.payments.connected = async (...asked) => {
      const provider = (await connected(...asked))!;
      const look = async (organizationId: string, ref: EventRef) => {
        const found = await provider.notices!.look(organizationId, ref);
        noteRead();
        await gate;
        return found;
      };
      return { ...provider, notices: { ...provider.notices!, look } };
    };
    const slow = takeNotice(ctx, organization.id, first);
    await isRead;
    ctx.payments.connected = connected;
    expect(await takeNotice(ctx, organization.id, await replace(2042))).toBe(true);
    open();
    expect(await slow).toBe(true);
    expect(await cardEvents()).toMatchObject([{ type: "payment_method.updated", data: { expYear: 2042 } }]);
    expect(await onFile(sub)).toMatchObject([{ expYear: 2042 }]);
  });
});
