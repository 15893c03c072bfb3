import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { answerBank, BANK_PAGE, linksOf } from "../support/bank-page.ts";
import { redirectOf } from "../support/hosted.ts";
import { get, wordsOf, type Page } from "../support/pages.ts";
import { signInTo, startPortalStory, type WebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

const PAID = ["payment.succeeded", "subscription.updated", "invoice.created", "invoice.paid", "checkout.completed"];

/** Dates mean 9:00, so dates are whole days apart. March has 31 days. */
describe("another plan in the portal (rule P11)", () => {
  let story: Story;
  let portal: string;
  let there: WebClient;
  let sold: Json;
  let products: Record<string, string>;
  let buyers = 0;

  /** A new Customer with a Subscription, signed in to the portal. */
  async function begin(productKey = "pro", card: string = CARDS.pays): Promise<void> {
    const customer = { email: `plan-${(buyers += 1)}@example.com`, externalId: `plan-${buyers}` };
    sold = await story.buy({ productKey, customer }, card);
    there = await signInTo(story, sold.customerId);
    await story.news();
    await story.statement();
  }
  const pathTo = (key: string) => `${portal}/subscriptions/${sold.id}/plan/${products[key]}`;
  const show = (key: string) => there.get(pathTo(key));
  const fieldsOf = ({ text }: Page) =>
    Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
  const confirm = (key: string, page: Page) => there.post(pathTo(key), fieldsOf(page));
  const choose = async (key: string) => confirm(key, await show(key));
  const to = (page: Page) => [page.status, page.headers.get("Location")];
  const subscription = () => story.subscription(sold.id);
  const payments = async (): Promise<Json[]> =>
    (await story.ok(story.app.manage("GET", `/payments?customerId=${sold.customerId}`))).data;
  const prorates = (defaultProration: string) =>
    story.ok(story.app.manage("PATCH", "/organization", { defaultProration }));

  beforeAll(async () => {
    ({ story, portal } = await startPortalStory());
    await story.plan("basic", 1000, { name: "Basic" });
    await story.plan("team", 6000, { name: "Team" });
    await story.plan("year", 60_000, { name: "Team yearly", interval: "year" });
    await story.plan("free", 0, { name: "Free" });
    const { data } = await story.ok(story.app.manage("GET", "/products"));
    products = Object.fromEntries(data.map(({ key, id }: Json) => [key, id]));
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  it("1 March: the figures before the click are those of the PATCH, and the card on file pays them", async () => {
    await begin();
    const page = await show("team");
    const words = wordsOf(page.text);
    for (const said of [
      "Your current plan: Pro",
      "Pro, unused rest of the period −US$30.00",
      "Team, rest of the period US$60.00",
      "Due today US$30.00",
      "Visa •••• 4242",
      "Next charge US$60.00 on 1 April 2026",
    ])
      expect(words.replaceAll("\u00a0", " ")).toContain(said);
    expect(to(await confirm("team", page))).toEqual([303, pathTo("team")]);
    expect(await story.news()).toEqual(["checkout.created", ...PAID]);
    expect(wordsOf((await show("team")).text)).toContain("Your subscription is now Team");
    const changed = await story.statement();
    expect(changed).toEqual([
      "0002 product_change paid 3000",
      "     Pro, unused rest of the period -3000 2026-03-01 → 2026-04-01",
      "     Team, rest of the period 6000 2026-03-01 → 2026-04-01",
    ]);
    expect(await payments()).toMatchObject([{ amount: 3000, trigger: "checkout", status: "succeeded" }, {}]);

    await begin();
    await story.change(sold.id, { productKey: "team" });
    expect(await story.statement()).toEqual(changed);
  });

  it("1 March: a cheaper plan at once adds the rest to the balance, which pays the next charge", async () => {
    await begin();
    const words = wordsOf((await show("basic")).text);
    expect(words).toContain("Added to your balance US$20.00");
    expect(words).toContain("Due today US$0.00");
    expect(words).toContain("Next charge US$10.00 on 1 April 2026, paid from your balance");
    expect(to(await choose("basic"))).toEqual([303, pathTo("basic")]);
    expect(await subscription()).toMatchObject({ amount: 1000, pendingChange: null });
    expect(await story.balance(sold.customerId)).toBe(2000);
    expect(await payments()).toHaveLength(1);
  });

  it("1 March: another rhythm begins a new period", async () => {
    await begin();
    expect(wordsOf((await show("year")).text)).toContain("Next charge US$600.00 on 1 March 2027");
    await choose("year");
    expect(await story.statement()).toEqual([
      "0002 product_change paid 57000",
      "     Pro, unused rest of the period -3000 2026-03-01 → 2026-04-01",
      "     Team yearly 60000 2026-03-01 → 2027-03-01",
    ]);
  });

  it("1 March: a scheduled cancellation is undone, and the page says so before the click", async () => {
    await begin();
    await story.change(sold.id, { cancelAtPeriodEnd: true });
    const plans = await there.get(`${portal}/subscriptions/${sold.id}/plan`);
    expect(wordsOf(plans.text)).toContain("Your subscription ends on 1 April 2026. If you change your plan");
    const page = await show("team");
    expect(wordsOf(page.text)).toContain("Your cancellation is undone, and your subscription continues.");
    await confirm("team", page);
    expect(await subscription()).toMatchObject({ amount: 6000, cancelAtPeriodEnd: false });
  });

  it("1 March: the bank asks the buyer, who comes back to the portal with the new plan", async () => {
    await begin();
    await story.newCard(sold.customerId, CARDS.asksBuyer);
    const shown = await show("team");
    const page = redirectOf(story.app.url, await confirm("team", shown));
    expect(page).toMatch(/\/checkout\/chk_/);
    expect(await story.news()).toEqual(["checkout.created", "payment.action_required"]);
    expect(await subscription()).toMatchObject({ amount: 3000 });
    // A second click leads to the same page, and so does another request.
    expect(redirectOf(story.app.url, await confirm("team", shown))).toBe(page);
    const meanwhile = await show("year");
    expect([meanwhile.status, linksOf(meanwhile.text).includes(new URL(page).pathname)]).toEqual([409, true]);
    const [bank] = linksOf((await get(page)).text).filter((link) => BANK_PAGE.test(link));
    await answerBank(bank!, true);
    await story.settle();
    expect(wordsOf((await get(page)).text)).toContain("Your subscription is now Team");
    expect(await story.news()).toEqual(PAID);
    expect(await subscription()).toMatchObject({ amount: 6000 });
    expect((await payments())[0]).toMatchObject({ method: { last4: "3220" }, amount: 3000, status: "succeeded" });
  });

  it("1 March: the buyer refuses at the bank, and pays with another card on the Checkout's page", async () => {
    await begin();
    await story.newCard(sold.customerId, CARDS.asksBuyer);
    const page = redirectOf(story.app.url, await choose("team"));
    await story.answerChallenge(false);
    expect(await story.news()).toEqual([
      "checkout.created",
      "payment.action_required",
      "payment.failed",
      "checkout.payment_failed",
    ]);
    const id = /chk_\w{26}/.exec(page)![0];
    const failed = await story.ok(story.app.api("GET", `/checkouts/${id}`));
    expect(failed).toMatchObject({
      status: "open",
      totalAmount: 3000,
      lastPaymentError: { code: "authentication_failed" },
    });
    expect(failed.cancelUrl).toBe(`${story.app.url}${portal}/subscriptions/${sold.id}/plan`);
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.paysToo }));
    expect(await story.news()).toEqual(PAID);
    expect((await payments())[0]).toMatchObject({ method: { last4: "5556" }, status: "succeeded" });
  });

  it("1 March: two clicks at once make one change and one charge", async () => {
    await begin();
    const fields = fieldsOf(await show("team"));
    const both = await Promise.all([there.post(pathTo("team"), fields), there.post(pathTo("team"), fields)]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    await story.settle();
    expect(await story.news()).toEqual(["checkout.created", ...PAID]);
    expect(await payments()).toHaveLength(2);
    expect(to(await there.post(pathTo("team"), fields))).toEqual([303, pathTo("team")]);
    expect(await story.news()).toEqual([]);
  });

  it("1 March: no figures, no agreement", async () => {
    await begin();
    for (const fields of [{}, { expectedAmount: "x" }, { expectedAmount: "2999", expectedPrice: "6000" }]) {
      const answer = await there.post(pathTo("team"), fields);
      expect(answer.status).toBe(409);
      expect(wordsOf(answer.text)).toContain("US$30.00 is due today. You were not charged.");
    }
    expect(await story.news()).toEqual([]);
  });

  it("2 March: an amount is good for half an hour, then the page shows the new one first", async () => {
    await begin();
    const page = await show("team");
    await story.travel("2026-03-02");
    const again = await confirm("team", page);
    expect(again.status).toBe(409);
    expect(wordsOf(again.text)).toContain("US$29.03 is due today. You were not charged. If you agree, confirm.");
    expect(await subscription()).toMatchObject({ amount: 3000 });
    expect(to(await confirm("team", again))).toEqual([303, pathTo("team")]);
    expect((await payments())[0]).toMatchObject({ amount: 2903, status: "succeeded" });
  });

  it("1 March: a cancellation that came after the page is not undone without the Customer's agreement", async () => {
    await begin();
    const page = await show("team");
    await story.change(sold.id, { cancelAtPeriodEnd: true });
    await story.news();
    const asked = await confirm("team", page);
    expect(asked.status).toBe(409);
    expect(wordsOf(asked.text)).toMatch(/Your subscription is now set to end on \d+ April 2026\. With this change, it/);
    expect([await story.news(), await subscription()]).toMatchObject([[], { cancelAtPeriodEnd: true, amount: 3000 }]);
    await story.change(sold.id, { cancelAtPeriodEnd: false });
    const again = await confirm("team", asked);
    expect([again.status, wordsOf(again.text).includes("is no longer set to end")]).toEqual([409, true]);
    expect(to(await confirm("team", again))).toEqual([303, pathTo("team")]);
    expect(await subscription()).toMatchObject({ cancelAtPeriodEnd: false, amount: 6000 });
  });

  it("1 March: a card that came after the page is not charged without the Customer's agreement", async () => {
    await begin();
    const page = await show("team");
    await story.newCard(sold.customerId, CARDS.paysToo);
    await story.news();
    const asked = await confirm("team", page);
    expect([asked.status, await story.news()]).toEqual([409, []]);
    expect(wordsOf(asked.text)).toContain("Visa •••• 5556 is now on file. You were not charged");
    expect(await payments()).toHaveLength(1);
    expect(to(await confirm("team", asked))).toEqual([303, pathTo("team")]);
    expect((await payments())[0]).toMatchObject({ method: { last4: "5556" }, status: "succeeded" });
  });

  it("1 March: a cheaper plan names the card of later payments, and a free one no card", async () => {
    await begin();
    const cheaper = wordsOf((await show("basic")).text);
    expect(cheaper).not.toContain("Paid with");
    expect(cheaper).toContain("Later payments with Visa •••• 4242 Use another card");
    const free = wordsOf((await show("free")).text);
    for (const said of ["Paid with", "Later payments with", "4242"]) expect(free).not.toContain(said);
  });

  it("2 March: by the Organization's default, a change waits for the period's end, and can be withdrawn", async () => {
    await prorates("next_period");
    await begin();
    const page = await show("basic");
    expect(wordsOf(page.text)).toContain("Your plan changes on 2 April 2026.");
    expect(page.text).toContain("Change on 2 April 2026</button>");
    expect(to(await confirm("basic", page))).toEqual([303, pathTo("basic")]);
    expect(await story.news()).toEqual(["checkout.created", "subscription.updated", "checkout.completed"]);
    expect((await subscription()).pendingChange).toMatchObject({ productId: products["basic"], amount: 1000 });
    expect(wordsOf((await show("basic")).text)).toContain("Your subscription changes to Basic on 2 April 2026");
    const plans = `${portal}/subscriptions/${sold.id}/plan`;
    expect(wordsOf((await there.get(plans)).text)).toMatch(/From 2 April 2026/);
    expect((await there.post(`${plans}/keep`)).status).toBe(303);
    expect(await subscription()).toMatchObject({ amount: 3000, pendingChange: null });
    expect((await there.post(`${plans}/keep`)).status).toBe(303);
  });

  it("2 March: a price that changes before the click is shown first", async () => {
    await begin();
    const page = await show("basic");
    const price = (amount: number) =>
      story.ok(story.app.manage("PATCH", `/products/${products["basic"]}`, { prices: [{ currency: "usd", amount }] }));
    await price(1200);
    const again = await confirm("basic", page);
    expect([again.status, wordsOf(again.text).includes("Basic now costs US$12.00 every month.")]).toEqual([409, true]);
    expect((await subscription()).pendingChange).toBeNull();
    await confirm("basic", again);
    expect((await subscription()).pendingChange).toMatchObject({ amount: 1200 });
    await price(1000);
    await prorates("invoice_now");
  });

  it("2 March: without a card on file, the Checkout's page asks for one", async () => {
    await begin("free");
    const page = await show("pro");
    expect(wordsOf(page.text)).toContain("Due today US$30.00");
    const { headers } = await confirm("pro", page);
    const id = /chk_\w{26}/.exec(headers.get("Location")!)![0];
    expect(await story.ok(story.app.api("GET", `/checkouts/${id}`))).toMatchObject({ status: "open" });
    expect(await story.news()).toEqual(["checkout.created"]);
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
    expect(await subscription()).toMatchObject({ amount: 3000 });
  });

  it("3 April: while a payment is overdue, the change waits for the end of the period", async () => {
    await begin("pro", CARDS.failsLater);
    await story.travel("2026-04-03");
    expect(await subscription()).toMatchObject({ status: "past_due" });
    expect((await there.get(portal)).text).toContain(`/subscriptions/${sold.id}/plan"`);
    const page = await show("team");
    expect(page.status).toBe(200);
    for (const said of ["Due today US$0.00", "Takes effect 2 May 2026", "Next charge US$60.00 on 2 May 2026"])
      expect(wordsOf(page.text)).toContain(said);
    const atOnce = await there.post(pathTo("team"), { ...fieldsOf(page), expectedStart: "" });
    expect([atOnce.status, wordsOf(atOnce.text).includes("Takes effect: 2 May 2026")]).toEqual([409, true]);
    expect((await there.post(pathTo("team"), fieldsOf(atOnce))).status).toBe(303);
    expect(await subscription()).toMatchObject({ status: "past_due", pendingChange: { amount: 6000 } });
  });

  it("18 April: after the end of the period, the payment comes first", async () => {
    await story.plan("week", 500, { name: "Weekly", interval: "week" });
    await begin("week", CARDS.failsLater);
    await story.travel("2026-04-18");
    expect(await subscription()).toMatchObject({ status: "past_due", currentPeriodEnd: "2026-04-17T09:00:00.000Z" });
    expect((await there.get(portal)).text).not.toContain(`/subscriptions/${sold.id}/plan"`);
    const page = await show("year");
    expect([page.status, wordsOf(page.text).includes("A payment is outstanding")]).toEqual([409, true]);
  });
});
