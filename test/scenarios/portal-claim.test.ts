import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { openDashboard } from "../support/dashboard.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startWebClient, type WebClient } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** Eva typed her e-mail address at a Checkout. A stranger types the address, too. */
describe("purchases by the e-mail address of a signed-in Customer (rules C12, C13)", () => {
  let story: Story;
  let eva: WebClient;
  let portal: string;
  let customerId: string;
  const bought: Record<string, string> = {};

  async function buy(productKey: string, card: string | null): Promise<void> {
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey }));
    const body = { card, email: "eva@example.com" };
    const paid = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, body));
    bought[productKey] = paid.subscriptionId;
    ({ customerId } = await story.subscription(paid.subscriptionId));
  }
  const paid = async (key: string): Promise<string[]> =>
    (await story.ok(story.app.manage("GET", `/payments?subscriptionId=${bought[key]}`))).data.map(
      ({ trigger, status, method }: Json) => `${trigger} ${method.last4} ${status}`,
    );
  const page = async (path = "") => wordsOf((await eva.get(`${portal}${path}`)).text);
  const of = (key: string) => `/subscriptions/${bought[key]}`;
  const read = (key: string) => story.subscription(bought[key]!);
  const card = (number: string, more: Record<string, string> = {}) => ({
    number,
    expiry: "12 / 40",
    cvc: "123",
    ...more,
  });
  const seen = (...keys: string[]) => keys.map((key) => bought[key]).join(" ");

  beforeAll(async () => {
    story = await startStory({ clock: "2026-06-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
    const { id: sso } = await story.ok(
      story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
    );
    await story.plan("pro", 10000, { name: "Pro" });
    await story.plan("club", 500, { name: "Club", group: "club", benefitIds: [sso] });
    await story.plan("try", 700, { name: "Try", group: "try", trialDays: 60, trialCard: "optional" });
    await buy("pro", CARDS.pays);
    await buy("club", CARDS.failsLater);
    await buy("try", null);
    portal = `/portal/${story.app.organization.id}`;
    eva = await signInTo(story, customerId);
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  it("2026-06-01: the account says which card pays each of them, and offers the way out", async () => {
    const text = await page();
    expect(text).toContain("US$100.00 to Visa •••• 4242");
    expect(text).toContain("US$5.00 to Visa •••• 0341");
    expect(text).toContain("Visa •••• 4242 is your default card. Each subscription says which card is charged.");
    expect(text.match(/This was bought with your e-mail address/g)).toHaveLength(3);
    expect(text.match(/I don’t recognize this/g)).toHaveLength(3);
  });

  it("2026-06-01: the page of a card names each with its price", async () => {
    const text = await page("/card");
    expect(text).toMatch(/All subscriptions Only Pro ?, US\$100.00 .*Only Club ?, US\$5.00 .*Only Try ?, US\$7.00/);
    expect(text).toContain("Club was bought with your e-mail address. If you save a card for it, you agree to pay");
  });

  it("2026-06-01: a card does not pay for a purchase that the page did not name", async () => {
    const { status, text } = await eva.post(`${portal}/card`, card(CARDS.paysToo, { seen: seen("pro", "try") }));
    expect([status, wordsOf(text).includes("Your subscriptions have changed")]).toEqual([409, true]);
    const other = await eva.post(`${portal}/card`, card(CARDS.paysToo, { plan: "sub_01aaaaaaaaaaaaaaaaaaaaaaaa" }));
    expect(other.status).toBe(409);
    expect((await story.ok(story.app.manage("GET", `/customers/${customerId}/payment-methods`))).data).toHaveLength(2);
  });

  it("2026-06-10: a card for one of them pays for that alone", async () => {
    await story.travel("2026-06-10");
    const given = await eva.post(`${portal}/card`, card(CARDS.paysToo, { plan: bought["pro"]!, seen: "" }));
    expect([given.status, given.headers.get("Location")]).toEqual([303, portal]);
    const text = await page();
    expect(text).toContain("Your card is saved.");
    expect(text).toContain("US$100.00 to Visa •••• 5556");
    expect(text).toContain("US$5.00 to Visa •••• 0341");
    expect(text.match(/This was bought with your e-mail address/g)).toHaveLength(2);
    await story.travel("2026-07-02");
    expect(await paid("pro")).toEqual(["renewal 5556 succeeded", "checkout 4242 succeeded"]);
    expect(await paid("club")).toEqual(["renewal 0341 failed", "checkout 0341 succeeded"]);
    expect(await read("club")).toMatchObject({ status: "past_due" });
  });

  it("2026-07-02: a purchase that Eva does not recognize ends without a charge, and the seller is told", async () => {
    await story.news();
    await story.statement();
    expect(await page(`${of("club")}/disown`)).toContain("You don’t recognize Club?");
    const { status, headers } = await eva.post(`${portal}${of("club")}/disown`);
    expect([status, headers.get("Location")]).toEqual([303, portal]);
    expect(await page()).toContain("The subscription has ended. The seller sees that you did not recognize it.");
    expect(await story.news()).toEqual(["subscription.canceled", "invoice.voided", "benefit_grant.revoked"]);
    expect(await story.statement()).toEqual(["0004 renewal void 500"]);
    expect(await read("club")).toMatchObject({ status: "canceled", cancellationReason: "unrecognized" });
    const { data: entries } = await story.ok(story.app.manage("GET", `/subscriptions/${bought["club"]}/timeline`));
    expect(JSON.stringify(entries)).toContain("because the Customer did not recognize the purchase");
    const desk = await openDashboard(story.app);
    expect(wordsOf((await desk.get(`/dashboard/${story.app.organization.id}`)).text)).toContain(
      "Not recognized A Customer did not recognize a purchase by their e-mail address, and ended it on",
    );
    expect(await paid("club")).toEqual(["renewal 0341 failed", "checkout 0341 succeeded"]);
  });

  it("2026-07-02: the e-mail to Eva says why the purchase ended, and invites her to no other", async () => {
    await mailOnce(story.app.ctx);
    const query = `/emails?kind=canceled&customerId=${customerId}`;
    const { data } = await story.ok(story.app.manage("GET", query));
    expect(data).toMatchObject([{ to: "eva@example.com", status: "kept" }]);
    const { subject, text } = await story.ok(story.app.manage("GET", `/emails/${data[0].id}`));
    expect(subject).toBe("[Sandbox] Club has ended because you did not recognize the purchase");
    const said = text.replaceAll(/\s+/g, " ");
    expect(said).toContain(
      "Club was bought with your e-mail address. You told us that you do not recognize this purchase, so it ended on " +
        "2 July 2026. You will not be charged for it.",
    );
    expect(said).toContain(`If that was not you, please contact ${story.app.organization.name}.`);
    expect(said).not.toMatch(/subscribe again|Your subscription|cancel/);
  });

  it("2026-07-03: the default card pays for a trial without a card once Eva says so", async () => {
    await story.travel("2026-07-03");
    expect(await page()).toContain("but there is no card on file, so your access ends then");
    const { data } = await story.ok(story.app.manage("GET", `/customers/${customerId}/payment-methods`));
    const { id } = data.find(({ isDefault }: Json) => isDefault);
    expect(await page()).toContain("Charge it to Visa •••• 4242 Try");
    await eva.post(`${portal}${of("try")}/card`, { card: "pm_01aaaaaaaaaaaaaaaaaaaaaaaa" });
    expect(await page()).toContain("but there is no card on file");
    await eva.post(`${portal}${of("try")}/card`, { card: id });
    const text = await page();
    expect(text).toContain("The subscription is charged to your card from now on.");
    expect(text).toContain("US$7.00 to Visa •••• 4242");
    expect(text).not.toContain("I don’t recognize this");
    await story.travel("2026-08-01");
    expect(await paid("try")).toEqual(["renewal 4242 succeeded"]);
  });

  it("2026-08-02: a card for all of them takes the place of their own cards", async () => {
    await story.travel("2026-08-02");
    expect((await eva.post(`${portal}/card`, card(CARDS.pays))).status).toBe(303);
    expect(await page()).toContain("Your payments are charged to Visa •••• 4242.");
    await story.travel("2026-09-02");
    expect((await paid("pro"))[0]).toBe("renewal 4242 succeeded");
  });

  it("2026-09-02: a claimed Subscription can't be disowned, only canceled", async () => {
    const there = await eva.get(`${portal}${of("pro")}/disown`);
    expect(there.headers.get("Location")).toBe(`${portal}${of("pro")}/cancel`);
    expect((await eva.post(`${portal}${of("pro")}/disown`)).status).toBe(303);
    expect(await read("pro")).toMatchObject({ status: "active" });
    const stranger = startWebClient(story.app.url);
    expect((await stranger.post(`${portal}${of("try")}/disown`)).headers.get("Location")).toBe(portal);
  });

  it("2026-09-03: the card of a stranger is the default card no more, once its purchase is disowned", async () => {
    await story.travel("2026-09-03");
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro" }));
    const typed = { card: CARDS.pays, email: "kim@example.com" };
    const { subscriptionId } = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, typed));
    const { customerId: kim } = await story.subscription(subscriptionId);
    const client = await signInTo(story, kim);
    await client.post(`${portal}/subscriptions/${subscriptionId}/disown`);
    expect(await story.subscription(subscriptionId)).toMatchObject({ cancellationReason: "unrecognized" });
    expect(wordsOf((await client.get(portal)).text)).toContain("There is no card on file.");
    expect(await story.balance(kim)).toBe(0);
  });
});
