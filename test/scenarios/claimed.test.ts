import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { signInTo, type WebClient } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let buyers = 0;

/** Buys at a Checkout that names no Customer, by a typed e-mail address. */
async function buyByAddress(productKey: string, body: { card?: string; email?: string; [more: string]: unknown }) {
  const email = body.email ?? `eva-${(buyers += 1)}@example.com`;
  const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey }));
  const paid = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { ...body, email }));
  const { customerId } = await story.subscription(paid.subscriptionId);
  return { id: paid.subscriptionId as string, customerId: customerId as string, email };
}
const manage = (method: string, path: string, body?: object): Promise<Json> =>
  story.ok(story.app.manage(method, path, body));
/** The payments of a Subscription with their cards, latest first. */
const paid = async (id: string): Promise<string[]> =>
  (await manage("GET", `/payments?subscriptionId=${id}`)).data.map(
    ({ trigger, status, method }: Json) => `${trigger} ${method.last4} ${status}`,
  );
const invoicesOf = async (id: string): Promise<Json[]> => (await manage("GET", `/invoices?subscriptionId=${id}`)).data;
/** The tax of an invoice, and the buyer's company and country. */
const taxed = ({ taxAmount, buyer }: Json) => [taxAmount, buyer.companyName, buyer.address?.country ?? null];
const cardOf = async (customerId: string, last4: string): Promise<Json> =>
  (await manage("GET", `/customers/${customerId}/payment-methods`)).data.find((card: Json) => card.last4 === last4);

beforeAll(async () => {
  story = await startStory({ clock: "2026-06-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await story.plan("pro", 10000);
  await story.plan("team", 30000);
  await story.plan("trial", 10000, { group: "trial", trialDays: 14, trialCard: "optional" });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("the card that a Customer gives after a purchase by an e-mail address (rule C12e)", () => {
  it("pays for renewals and upgrades, also after the bank has ended the card of the purchase", async () => {
    const { id, customerId } = await buyByAddress("pro", { card: CARDS.pays });
    await story.newCard(customerId, CARDS.paysToo);
    await story.travel("2026-07-01");
    expect(await paid(id)).toEqual(["renewal 5556 succeeded", "checkout 4242 succeeded"]);
    await manage("POST", `/sandbox/payment-methods/${(await cardOf(customerId, "4242")).id}/detach`);
    await story.change(id, { productKey: "team", prorationBehavior: "invoice_now" });
    expect((await paid(id))[0]).toBe("product_change 5556 succeeded");
    await story.travel("2026-08-01");
    expect((await paid(id))[0]).toBe("renewal 5556 succeeded");
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
  });

  it("lets a trial without a card become a paid Subscription", async () => {
    const { id, customerId } = await buyByAddress("trial", {});
    await story.newCard(customerId, CARDS.pays);
    await story.travel("2026-08-16");
    expect(await story.subscription(id)).toMatchObject({ status: "active", cancellationReason: null });
    expect(await paid(id)).toEqual(["renewal 4242 succeeded"]);
  });

  it("pays an overdue purchase at once", async () => {
    const { id, customerId } = await buyByAddress("pro", { card: CARDS.failsLater });
    await story.travel("2026-09-16");
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
    await story.newCard(customerId, CARDS.pays);
    expect(await story.subscription(id)).toMatchObject({ status: "active" });
    expect((await paid(id))[0]).toBe("new_card 4242 succeeded");
  });

  it("pays in the place of the purchase's card, once that card has ended", async () => {
    const { id, customerId } = await buyByAddress("pro", { card: CARDS.paysToo });
    await story.buy({ productKey: "trial", customerId }, CARDS.pays);
    await manage("PATCH", `/customers/${customerId}`, { name: "Eva" });
    await story.travel("2026-10-16");
    expect((await paid(id))[0]).toBe("renewal 5556 succeeded");
    await manage("POST", `/sandbox/payment-methods/${(await cardOf(customerId, "5556")).id}/detach`);
    await story.travel("2026-11-16");
    expect((await paid(id))[0]).toBe("renewal 4242 succeeded");
  });
});

describe("with tax rates", () => {
  const AT = { country: "AT" };
  beforeAll(async () => {
    const rate = { basisPoints: 1900, name: "USt" };
    await manage("PATCH", "/organization", {
      taxRates: [
        { ...rate, country: "DE" },
        { ...rate, country: "AT", basisPoints: 2000 },
      ],
    });
  });

  it("the seller's edit of the Customer counts for later invoices (rules C12b, X3j)", async () => {
    const { id, customerId } = await buyByAddress("pro", { card: CARDS.pays, billingAddress: AT });
    await manage("PATCH", `/customers/${customerId}`, { billingAddress: { country: "DE" }, companyName: "Eva GmbH" });
    await story.travel("2026-12-16");
    expect((await invoicesOf(id)).map(taxed)).toEqual([
      [1900, "Eva GmbH", "DE"],
      [2000, null, "AT"],
    ]);
  });

  it("the Customer's edit in the portal counts for later invoices and changes (rule I12)", async () => {
    const { id, customerId } = await buyByAddress("pro", { card: CARDS.pays, billingAddress: AT });
    const client: WebClient = await signInTo(story, customerId);
    const portal = `/portal/${story.app.organization.id}`;
    expect((await client.post(`${portal}/details`, { name: "Eva", country: "DE" })).status).toBe(303);
    const preview = await manage("POST", `/subscriptions/${id}/preview`, { productKey: "team" });
    expect(preview.nextInvoice.lines.map(({ taxAmount }: Json) => taxAmount)).toEqual([5700]);
    await story.travel("2027-01-16");
    expect((await invoicesOf(id)).map(taxed)).toEqual([
      [1900, null, "DE"],
      [2000, null, "AT"],
    ]);
  });

  it("typed data become the data of a Customer without an address, so no tax is lost (rule C12c)", async () => {
    const { id: customerId, email } = await story.ok(
      story.app.api("POST", "/customers", { email: "known@example.com" }),
    );
    const { id } = await buyByAddress("pro", { card: CARDS.pays, billingAddress: AT, companyName: "Eva GmbH", email });
    expect(await manage("GET", `/customers/${customerId}`)).toMatchObject({ billingAddress: null, companyName: null });
    await manage("PATCH", `/customers/${customerId}`, { name: "Eva", billingAddress: null });
    expect(await manage("GET", `/customers/${customerId}`)).toMatchObject({
      name: "Eva",
      billingAddress: AT,
      companyName: "Eva GmbH",
    });
    await story.travel("2027-02-16");
    expect((await invoicesOf(id)).map(taxed)).toEqual([
      [2000, "Eva GmbH", "AT"],
      [2000, "Eva GmbH", "AT"],
    ]);
  });

  it("an edit does not charge the Customer's card for a purchase that has no card (rule C12d)", async () => {
    const { id, customerId } = await buyByAddress("pro", { card: CARDS.pays, billingAddress: AT });
    const trial = await buyByAddress("trial", {
      email: (await manage("GET", `/customers/${customerId}`)).email,
      billingAddress: AT,
    });
    expect(trial.customerId).toBe(customerId);
    await manage("PATCH", `/customers/${customerId}`, { name: "Eva" });
    await story.travel("2027-03-16");
    expect(await story.subscription(trial.id)).toMatchObject({ status: "canceled" });
    expect(await paid(trial.id)).toEqual([]);
    expect((await paid(id))[0]).toBe("renewal 4242 succeeded");
  });
});
