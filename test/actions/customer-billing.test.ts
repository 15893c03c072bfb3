import { afterAll, beforeAll, expect, test } from "vitest";
import { decideBillings, inBilling, readCustomerBilling, type Decide } from "../../src/actions/customer-billing.ts";
import { OPEN_ITEMS } from "../../src/domain/billing/parts.ts";
import { recordSubscription } from "../../src/domain/collection/record-subscription.ts";
import { Refusal } from "../../src/domain/refusal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let organizationId: string;
const bought: { id: string; customerId: string; checkoutId: string }[] = [];

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  organizationId = story.app.organization.id;
  await story.plan("ten", 1000);
  for (const name of ["ada", "ben", "eve"]) {
    const customer = { email: `${name}@example.com`, externalId: name };
    bought.push((await story.buy({ productKey: "ten", customer }, CARDS.pays)) as (typeof bought)[number]);
  }
});
afterAll(() => story.close());

const ctx = () => story.app.ctx;
const own = (id: string) => ({ organizationId, id });
const noted = async (id: string) => (await story.subscription(id)).metadata;

/** Writes `text` into the metadata of each Subscription of the billing. */
const note =
  (text: string): Decide<string> =>
  (billing) => {
    for (const live of billing.subscriptions.where(() => true)) {
      recordSubscription(billing, { ...live, metadata: { text } }, "subscription.updated", billing.now);
    }
    return billing.customer.id;
  };

test("a decision is kept, and answered; a read keeps nothing", async () => {
  const [{ id, customerId, checkoutId }] = bought as [(typeof bought)[number]];
  await story.news();
  expect(await readCustomerBilling(ctx(), own(customerId), note("looked"))).toBe(customerId);
  expect(await noted(id)).toEqual({});
  expect(await story.news()).toEqual([]);
  expect(await ctx().db.tx((tx) => inBilling(ctx(), tx, { ...own(checkoutId), by: "checkout" }, note("done")))).toBe(
    customerId,
  );
  expect(await noted(id)).toEqual({ text: "done" });
  expect(await story.news()).toEqual(["subscription.updated"]);
});

test("a decision is made again, from its start, with each part that it turns out to need", async () => {
  const [{ id, customerId, checkoutId }] = bought as [(typeof bought)[number]];
  let rounds = 0;
  const decide: Decide<string> = (billing) => {
    rounds += 1;
    note(`round ${rounds}`)(billing);
    billing.need({ part: "attempts", sourceId: checkoutId });
    const [attempt] = billing.payments.where(({ sourceId }) => sourceId === checkoutId);
    billing.need({ part: "invoice", id: attempt!.invoiceId! }, { part: "trials" });
    return billing.invoices.get(attempt!.invoiceId!)!.customerId;
  };
  await story.news();
  expect(await ctx().db.tx((tx) => inBilling(ctx(), tx, own(customerId), decide))).toBe(customerId);
  expect(rounds).toBe(3);
  expect(await noted(id)).toEqual({ text: "round 3" });
  expect(await story.news()).toEqual(["subscription.updated"]);
  const known = { part: "attempts", sourceId: checkoutId } as const;
  expect(await ctx().db.tx((tx) => inBilling(ctx(), tx, own(customerId), decide, { parts: [OPEN_ITEMS, known] }))).toBe(
    customerId,
  );
  expect(rounds).toBe(5);
  expect(await readCustomerBilling(ctx(), own(customerId), decide)).toBe(customerId);
  await expect(readCustomerBilling(ctx(), own(checkoutId), decide)).rejects.toMatchObject({ code: "not_found" });
});

test("a decision that never has enough is given up", async () => {
  let rounds = 0;
  const greedy: Decide<void> = (billing) => billing.need({ part: "payment", id: `pay_${(rounds += 1)}` });
  const deciding = ctx().db.tx((tx) => inBilling(ctx(), tx, own(bought[0]!.customerId), greedy));
  await expect(deciding).rejects.toThrow("a decision needs payment pay_20");
  expect(rounds).toBe(20);
});

test("a refused decision keeps nothing", async () => {
  const [{ id, customerId }] = bought as [(typeof bought)[number]];
  const before = await noted(id);
  const refuse: Decide<never> = (billing) => {
    note("refused")(billing);
    throw new Refusal("nothing_to_refund");
  };
  await expect(ctx().db.tx((tx) => inBilling(ctx(), tx, own(customerId), refuse))).rejects.toMatchObject({
    code: "nothing_to_refund",
  });
  expect(await noted(id)).toEqual(before);
});

test("another Organization's Customer is not found, and a deleted one only where that is asked for", async () => {
  const other = await story.app.otherOrganization();
  const [, , { customerId }] = bought as [unknown, unknown, (typeof bought)[number]];
  const name: Decide<string> = ({ customer }) => customer.id;
  const strange = { organizationId: other.organization.id, id: customerId };
  await expect(ctx().db.tx((tx) => inBilling(ctx(), tx, strange, name))).rejects.toMatchObject({ code: "not_found" });
  const gone = await story.ok(story.app.api("POST", "/customers", { email: "gone@example.com" }));
  expect((await story.app.manage("DELETE", `/customers/${gone.id}`)).status).toBe(204);
  await expect(ctx().db.tx((tx) => inBilling(ctx(), tx, own(gone.id), name))).rejects.toMatchObject({
    code: "not_found",
  });
  expect(await ctx().db.tx((tx) => inBilling(ctx(), tx, own(gone.id), name, { deleted: true }))).toBe(gone.id);
});

test("many Customers are decided apart, and a Customer is left out if its decision throws", async () => {
  const [ada, ben, eve] = bought as [(typeof bought)[number], (typeof bought)[number], (typeof bought)[number]];
  const before = await noted(ben.id);
  const decide: Decide<string> = (billing) => {
    note("batch")(billing);
    if (billing.customer.id === eve.customerId) billing.need({ part: "trials" });
    if (billing.customer.id === ben.customerId) throw new RangeError("not Ben");
    return "kept";
  };
  await story.news();
  const ids = [eve, ada, ben, ada].map(({ customerId }) => own(customerId));
  const decided = await ctx().db.tx((tx) => decideBillings(ctx(), tx, { ids: [...ids, own("cus_none")] }, decide));
  const expected = [
    { ...own(ada.customerId), value: "kept" },
    { ...own(ben.customerId), error: new RangeError("not Ben") },
    { ...own(eve.customerId), value: "kept" },
  ];
  expect(decided).toEqual(expected);
  expect(await Promise.all([ada, ben, eve].map(({ id }) => noted(id)))).toEqual([
    { text: "batch" },
    before,
    { text: "batch" },
  ]);
  expect(await story.news()).toEqual(["subscription.updated", "subscription.updated"]);
  expect(await ctx().db.tx((tx) => decideBillings(ctx(), tx, { ids: [] }, decide))).toEqual([]);
});
