import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/**
 * A buyer that only types a Customer's e-mail at a Checkout may not be the Customer, and never pays with the
 * Customer's card.
 */
describe("a buyer that types the e-mail of a Customer", () => {
  let story: Story;
  let ada: Json;
  const bought: Record<string, string> = {};

  /** Pays a Checkout that names no Customer. Returns the Subscription. */
  async function buyUnclaimed(productKey: string, email: string, card: string | null): Promise<Json> {
    const { id, customerId } = await story.ok(story.app.api("POST", "/checkouts", { productKey }));
    expect(customerId).toBeNull();
    const paid = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card, email }));
    expect(paid).toMatchObject({ status: "completed" });
    return story.subscription(paid.subscriptionId);
  }
  /** The payments of a Subscription with their cards, latest first. */
  async function paymentsOf(name: string): Promise<string[]> {
    const { data: payments } = await story.ok(story.app.manage("GET", `/payments?subscriptionId=${bought[name]}`));
    return payments.map(({ trigger, status, method }: Json) => `${trigger} ${method.last4} ${status}`);
  }
  const status = async (name: string) => (await story.subscription(bought[name]!)).status;

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.plan("addon", 500, { group: "addons" });
    await story.plan("support", 700, { group: "support" });
    await story.plan("extra", 100, { group: "extra", interval: "year" });
    const { id: sso } = await story.ok(
      story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
    );
    await story.plan("taster", 2000, { group: "taster", trialDays: 14, trialCard: "optional", benefitIds: [sso] });
    await story.plan("sample", 2500, { group: "sample", trialDays: 14, trialCard: "optional" });
    ada = await story.buy({ productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } }, CARDS.pays);
    bought["pro"] = ada.id;
  });
  afterAll(() => story.close());

  it("2025-06-01: gets the paid Product, and those that cost nothing yet", async () => {
    for (const [productKey, card] of [
      ["taster", null],
      ["sample", CARDS.failsLater],
      ["addon", CARDS.failsLater],
    ] as const) {
      const subscription = await buyUnclaimed(productKey, "ada@example.com", card);
      expect(subscription.customerId).toBe(ada.customerId);
      bought[productKey] = subscription.id;
    }
    expect((await story.books()).captured).toEqual([500, 3000]);
  });

  it("2025-06-10: a card that the Customer gives elsewhere is not for their trial", async () => {
    const grants = async () => (await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data;
    expect(await grants()).toMatchObject([{ expiresAt: "2025-06-15T09:00:00.000Z" }]);
    await story.travel("2025-06-10");
    await story.buy({ productKey: "extra", customer: { email: "ada@example.com", externalId: "ada" } }, CARDS.pays);
    expect(await grants()).toMatchObject([{ expiresAt: "2025-06-15T09:00:00.000Z" }]);
  });

  it("2025-06-15: at its end a trial without a card is over, one with a card is charged to that", async () => {
    await story.travel("2025-06-15");
    expect(await story.subscription(bought["taster"]!)).toMatchObject({
      status: "canceled",
      cancellationReason: "payment_failed",
    });
    expect(await paymentsOf("taster")).toEqual([]);
    expect(await status("sample")).toBe("past_due");
    expect(await paymentsOf("sample")).toEqual(["renewal 0341 failed"]);
    expect((await story.books()).captured).toEqual([100, 500, 3000]);
  });

  it("2025-07-01: their purchase renews on their card, the Customer's purchase on the Customer's card", async () => {
    await story.travel("2025-07-01");
    expect(await status("addon")).toBe("past_due");
    expect(await paymentsOf("addon")).toEqual(["renewal 0341 failed", "checkout 0341 succeeded"]);
    expect(await status("pro")).toBe("active");
    expect(await paymentsOf("pro")).toEqual(["renewal 4242 succeeded", "checkout 4242 succeeded"]);
    expect((await story.books()).captured).toEqual([100, 500, 3000, 3000]);
  });

  it("2025-07-02: a card that the Customer gives for all plans pays all debts", async () => {
    await story.travel("2025-07-02");
    await story.newCard(ada.customerId, CARDS.pays);
    expect([await status("addon"), await status("sample")]).toEqual(["active", "active"]);
    await story.travel("2025-08-01");
    expect((await paymentsOf("addon")).slice(0, 2)).toEqual(["renewal 4242 succeeded", "new_card 4242 succeeded"]);
    expect((await story.books()).captured).toEqual([100, 500, 500, 500, 2500, 2500, 3000, 3000, 3000]);
    expect(await story.audit()).toEqual([]);
  });

  it("2025-08-02: keeps their card for themselves also where it was the Customer's first", async () => {
    await story.travel("2025-08-02");
    const { id: customerId } = await story.ok(
      story.app.api("POST", "/customers", { email: "grace@example.com", externalId: "grace" }),
    );
    bought["support"] = (await buyUnclaimed("support", "grace@example.com", CARDS.failsLater)).id;
    await story.buy({ productKey: "extra", customerId }, CARDS.pays);
    await story.travel("2025-09-02");
    expect(await paymentsOf("support")).toEqual(["renewal 0341 failed", "checkout 0341 succeeded"]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a buyer that types the e-mail of a Customer, and leaves at the bank (rule C4)", () => {
  let story: Story;
  const open = async (body: object) => (await story.ok(story.app.api("POST", "/checkouts", body))).id as string;
  const pay = (id: string, body: object) => story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, body);
  const read = (id: string) => story.ok(story.app.api("GET", `/checkouts/${id}`));
  /** Leaves a Checkout for Team at the bank. */
  async function leave(email: string): Promise<string> {
    const id = await open({ productKey: "team" });
    expect((await pay(id, { card: CARDS.asksBuyer, email })).body).toMatchObject({ status: "processing" });
    return id;
  }
  const named = (name: string) => ({ customer: { email: `${name}@example.com`, externalId: name } });

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.plan("team", 6000);
    for (const name of ["ada", "grace", "kim"])
      await story.ok(story.app.api("POST", "/customers", named(name).customer));
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  it("does not keep the Customer from buying in the application", async () => {
    const left = await leave("ada@example.com");
    const { id } = await story.buy({ productKey: "pro", ...named("ada") }, CARDS.pays);
    expect(await story.subscription(id)).toMatchObject({ status: "active", amount: 3000 });
    expect(await read(left)).toMatchObject({ status: "open", subscriptionId: null });
    expect(await story.books()).toEqual({ paid: [3000], captured: [3000] });
    const again = await pay(left, { card: CARDS.pays, email: "ada@example.com" });
    expect(again).toMatchObject({ status: 409, body: { code: "already_subscribed" } });
  });

  it("has bought the plan, if the bank has accepted the payment in the meantime", async () => {
    const left = await leave("grace@example.com");
    const own = await open({ productKey: "pro", ...named("grace") });
    await story.passAtBank();
    const refused = await pay(own, { card: CARDS.pays });
    expect(refused).toMatchObject({ status: 409, body: { code: "already_subscribed" } });
    const { status, subscriptionId } = await read(left);
    expect([status, refused.body.subscriptionId]).toEqual(["completed", subscriptionId]);
  });

  it("keeps the group against another buyer who only types the address", async () => {
    await leave("kim@example.com");
    const other = await open({ productKey: "pro" });
    const refused = await pay(other, { card: CARDS.pays, email: "kim@example.com" });
    expect(refused).toMatchObject({ status: 409, body: { code: "already_subscribed" } });
  });
});
