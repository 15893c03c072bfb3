import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

const END = "2025-06-15T09:00:00.000Z";

/** The end of access that grants and licenses show is the decision of the trial's end (rule C2). */
describe("a trial without a card", () => {
  let story: Story;
  let id: string;
  let customerId: string;
  let key: string;

  /** The end that the list of grants, the management API and the validation of the license show. */
  async function ends(): Promise<string | null> {
    const { app, ok } = story;
    const grants = (await ok(app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data;
    const managed = (await ok(app.manage("GET", `/benefit-grants?subscriptionId=${id}`))).data;
    const license = await ok(app.licenses("POST", "/validate", { organizationId: app.organization.id, key }));
    expect(license.valid).toBe(true);
    const shown = [grants[0], managed[0], license].map(({ expiresAt }) => expiresAt as string | null);
    expect(new Set(shown).size).toBe(1);
    return shown[0]!;
  }
  async function adjust(amount: number): Promise<void> {
    const body = { currency: "usd", amount, reason: "Sorry" };
    await story.ok(story.app.manage("POST", `/customers/${customerId}/balance-adjustments`, body));
  }

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const { app, ok } = story;
    const license = { key: "app", name: "App", type: "license_key", properties: { prefix: "APP", activationLimit: 2 } };
    const benefitIds = [(await ok(app.manage("POST", "/benefits", license))).id];
    await story.plan("pro", 3000, { trialDays: 14, trialCard: "optional", benefitIds });
    await story.plan("free", 0, { benefitIds });
    await story.plan("other", 2500, { group: "others" });
    const customer = { email: "ada@example.com", externalId: "ada" };
    const checkout = await ok(app.api("POST", "/checkouts", { productKey: "pro", customer }));
    ({ subscriptionId: id } = await ok(app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {})));
    ({ customerId } = await story.subscription(id));
    key = (await ok(app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data[0].properties.key;
  });
  afterAll(() => story.close());

  it("2025-06-01: ends at its end", async () => {
    expect(await ends()).toBe(END);
  });

  it("2025-06-02: goes on with a pending change to a free Product, until the change is withdrawn", async () => {
    await story.travel("2025-06-02");
    await story.change(id, { productKey: "free", prorationBehavior: "next_period" });
    expect(await ends()).toBeNull();
    await story.change(id, { productKey: "pro" });
    expect(await ends()).toBe(END);
  });

  it("2025-06-03: goes on while the balance pays the first period", async () => {
    await story.travel("2025-06-03");
    await adjust(2900);
    expect(await ends()).toBe(END);
    await adjust(100);
    expect(await ends()).toBeNull();
    await adjust(-100);
    expect(await ends()).toBe(END);
  });

  it("2025-06-04: goes on until another invoice uses the credit", async () => {
    await story.travel("2025-06-04");
    await adjust(100);
    expect(await ends()).toBeNull();
    await story.ok(story.app.manage("POST", "/subscriptions", { customerId, productKey: "other" }));
    expect(await story.balance(customerId)).toBe(500);
    expect(await ends()).toBe(END);
    await adjust(2500);
    expect(await ends()).toBeNull();
  });

  it("2025-06-05: ends at a scheduled end all the same", async () => {
    await story.travel("2025-06-05");
    await story.change(id, { cancelAtPeriodEnd: true });
    expect(await ends()).toBe(END);
    await story.change(id, { cancelAtPeriodEnd: false });
    expect(await ends()).toBeNull();
  });

  it("2025-06-15: goes on, as was shown", async () => {
    await story.travel("2025-06-15");
    expect(await story.subscription(id)).toMatchObject({ status: "active", amount: 3000 });
    expect(await story.balance(customerId)).toBe(0);
    expect(await ends()).toBeNull();
    expect(await story.audit()).toEqual([]);
  });

  it("2025-06-20: a trial with a card goes on as well", async () => {
    await story.travel("2025-06-20");
    const customer = { email: "ben@example.com", externalId: "ben" };
    expect(await story.buy({ productKey: "pro", customer }, CARDS.pays)).toMatchObject({ status: "trialing" });
    const [grant] = (await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=ben"))).data;
    expect(grant.expiresAt).toBeNull();
  });
});
