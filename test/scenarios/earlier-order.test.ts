import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { openTab, type Tab } from "../support/cookies.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const EMAIL = "dora@example.com";
const card = (number: string) => ({ number, expiry: "12 / 40", cvc: "123", expectedAmount: "3000" });
const UNFINISHED = "Your earlier order is not finished";

describe("a buyer leaves the bank's page and begins again on another Checkout (rule C4)", () => {
  let story: Story;
  let first: Json;
  let second: Json;
  let tab: Tab;
  const open = () => story.ok(story.app.api("POST", "/checkouts", { productKey: "pro" }));
  const statusOf = async ({ id }: Json) => (await story.ok(story.app.api("GET", `/checkouts/${id}`))).status;
  const emailsToDora = async () =>
    (await story.ok(story.app.manage("GET", "/emails"))).data.filter(({ kind }: Json) => kind === "portal_sign_in");
  const pay = (by: Tab, { url }: Json, number: string) => by.post(url, { email: EMAIL, ...card(number) });
  const bankOf = async () =>
    (await story.ok(story.app.manage("GET", "/payments"))).data.find(
      ({ status }: Json) => status === "requires_action",
    );

  beforeAll(async () => {
    story = await startStory({ clock: "2026-06-01T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.news();
  });
  afterAll(() => story.close());
  beforeEach(async () => {
    [first, second, tab] = [await open(), await open(), openTab()];
  });

  it("2026-06-01: the same browser goes on there, or gives the earlier order up and pays here", async () => {
    expect((await pay(tab, first, CARDS.asksBuyer)).status).toBe(303);
    const refused = await pay(tab, second, CARDS.pays);
    const words = wordsOf(refused.text);
    expect([refused.status, words.split(UNFINISHED).length - 1]).toEqual([409, 1]);
    expect(words).toContain("The payment there still waits for your confirmation. You were not charged.");
    expect(words).not.toContain("already have a plan");
    expect(refused.text).toContain(`href="${new URL(first.url).pathname}"`);
    expect(refused.text).toContain(`value="${EMAIL}"`);
    expect(await emailsToDora()).toEqual([]);
    const given = await tab.post(second.url, { email: EMAIL, action: "give-up-earlier" });
    expect([given.status, wordsOf(given.text)]).toEqual([
      200,
      expect.stringContaining("Your earlier order was given up You were not charged for it. You can pay here now."),
    ]);
    expect([await statusOf(first), await statusOf(second)]).toEqual(["open", "open"]);
    expect((await pay(tab, second, CARDS.pays)).status).toBe(303);
    expect(await statusOf(second)).toBe("completed");
    expect(await story.news()).toEqual([
      "checkout.created",
      "checkout.created",
      "customer.created",
      "payment.action_required",
      "payment.failed",
      "checkout.payment_failed",
      "payment.succeeded",
      "subscription.created",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
    expect(await story.statement()).toEqual(["0001 checkout paid 3000", "     pro 3000 2026-06-01 → 2026-07-01"]);
    // A live plan is said once, too.
    const again = await pay(openTab(), await open(), CARDS.pays);
    const said = wordsOf(again.text);
    expect([again.status, said.split("already have a plan").length - 1]).toEqual([409, 1]);
    expect(said).toContain("The plan belongs to this e-mail address. You were not charged. Manage your plan");
    const { subscriptionId } = await story.ok(story.app.api("GET", `/checkouts/${second.id}`));
    await story.ok(story.app.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`, {}));
    await story.news();
  });

  it("2026-06-01: the payment that the bank has accepted in the meantime counts", async () => {
    await pay(tab, first, CARDS.asksBuyer);
    await pay(tab, second, CARDS.pays);
    await story.passAtBank();
    const given = await tab.post(second.url, { email: EMAIL, action: "give-up-earlier" });
    expect([given.status, given.headers.get("Location")]).toEqual([303, new URL(first.url).pathname]);
    expect([await statusOf(first), await statusOf(second)]).toEqual(["completed", "open"]);
    const { subscriptionId } = await story.ok(story.app.api("GET", `/checkouts/${first.id}`));
    await story.ok(story.app.manage("POST", `/subscriptions/${subscriptionId}/cancel-now`, {}));
  });

  it("2026-06-01: another browser learns of no order, can't give it up, and the address gets a link", async () => {
    await pay(tab, first, CARDS.asksBuyer);
    const stranger = openTab();
    const refused = await pay(stranger, second, CARDS.pays);
    const words = wordsOf(refused.text);
    expect([refused.status, words]).toEqual([
      409,
      expect.stringContaining("There is an earlier order with this e-mail address"),
    ]);
    expect(words).toContain(`You were not charged. We have sent a link to ${EMAIL} .`);
    expect(refused.text).not.toContain(first.id);
    expect(refused.text).not.toContain("give-up-earlier");
    await stranger.post(second.url, { email: EMAIL, action: "give-up-earlier" });
    // A mark of another browser is no key either: the cookie is sealed.
    stranger.cookies.set("billow_order", first.id);
    await stranger.post(second.url, { email: EMAIL, action: "give-up-earlier" });
    expect(await statusOf(first)).toBe("processing");
    await story.app.runDue();
    expect(await emailsToDora()).toHaveLength(1);
    expect(await bankOf()).toBeDefined();
    expect(await story.audit()).toEqual([]);
  });
});
