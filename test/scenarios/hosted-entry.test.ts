import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { expireHostedPages, payHosted, redirectOf, takeHostedCards } from "../support/hosted.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const RENEWED = ["subscription.renewed", "invoice.created"];

/** The values of the hidden fields of a form. */
const hidden = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  );

describe("a Customer who pays on the provider's page", () => {
  let story: Story;
  let subscription: Json;
  let invoice: Json;
  beforeAll(async () => {
    story = await startStory({ clock: "2026-01-10T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
    await takeHostedCards(story.app);
    await story.plan("pro", 3000);
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  const onPage = async (fields: Record<string, string> = {}) => {
    const { text } = await get(invoice.url);
    const answer = await post(invoice.url, { ...hidden(text), ...fields });
    expect(answer.status, answer.text).toBe(303);
    return redirectOf(invoice.url, answer);
  };
  const due = async () => wordsOf((await get(invoice.url)).text);
  const attempts = async () =>
    (await story.ok(story.app.manage("GET", `/payments?invoiceId=${invoice.id}`))).data.map(
      ({ trigger, status, failureCode }: Json) => `${trigger} ${failureCode ?? status}`,
    );

  it("2026-01-10: buys, and the provider's page has taken the card", async () => {
    const params = { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } };
    const { id, url } = await story.ok(story.app.api("POST", "/checkouts", params));
    const page = redirectOf(url, await post(url, { expectedAmount: "3000" }));
    await get(await payHosted(page, CARDS.failsLater));
    const { subscriptionId } = await story.ok(story.app.api("GET", `/checkouts/${id}`));
    subscription = await story.subscription(subscriptionId);
    expect(await story.books()).toEqual({ paid: [3000], captured: [3000] });
    await story.news();
  });

  it("2026-02-10: the card is declined at the renewal", async () => {
    await story.travel("2026-02-11");
    const news = await story.news();
    expect(news.slice(0, 2)).toEqual(RENEWED);
    expect(news).toContain("subscription.past_due");
    [invoice] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data;
  });

  it("2026-02-11: the invoice's page has no field for a card, and leads to the provider", async () => {
    const { text, headers } = await get(invoice.url);
    expect(text).not.toContain('name="number"');
    expect(wordsOf(text)).toContain("You’ll pay on Sandbox Pay ’s page. Continue to payment");
    expect(headers.get("Content-Security-Policy")).toContain(`form-action 'self' ${story.app.url};`);
  });

  it("2026-02-11: a page of the provider that the buyer leaves changes nothing", async () => {
    const page = await onPage();
    expect(page).toContain("/sandbox/pay/");
    expect(await due()).toContain("Pay US$30.00 on Sandbox Pay’s page. You’ll then come back here.");
    const other = await onPage({ action: "give-up" });
    expect(other).toBe(invoice.url);
    expect(await due()).toContain("On 11 February 2026, your payment on Sandbox Pay’s page was not completed.");
    expect(await story.news()).toEqual(["payment.failed"]);
    expect(await attempts()).toEqual(["new_card canceled", "renewal card_declined"]);
    expect(wordsOf((await get(page)).text)).toContain("This page has expired");
  });

  it("2026-02-11: a second click on the button ends only the attempt that the page showed", async () => {
    await onPage();
    const { text } = await get(invoice.url);
    await post(invoice.url, { ...hidden(text), action: "give-up" });
    const page = await onPage();
    await post(invoice.url, { ...hidden(text), action: "give-up" });
    expect(await due()).toContain("Continue to payment");
    // Another form of an older page leads back to the page of the attempt that waits.
    const stale = await post(invoice.url, { instead: "", period: "0" });
    expect(redirectOf(invoice.url, stale)).toBe(invoice.url);
    expect((await get(page)).status).toBe(200);
    await story.news();
  });

  it("2026-02-11: a page whose time is over is no failed payment of the invoice", async () => {
    await expireHostedPages(story.app);
    expect(await due()).toContain("was not completed");
    expect(await story.news()).toEqual(["payment.failed"]);
    expect(await story.subscription(subscription.id)).toMatchObject({ status: "past_due" });
  });

  it("2026-02-13: a retry takes the place of a page that waits", async () => {
    const page = await onPage();
    await story.travel("2026-02-13T09:00:01Z");
    expect((await attempts()).slice(0, 2)).toEqual(["retry card_declined", "new_card canceled"]);
    expect(wordsOf((await get(page)).text)).toContain("This page has expired");
    expect(await story.news()).toContain("invoice.payment_failed");
  });

  it("2026-02-13: a new card on file takes the place of a page that waits", async () => {
    const page = await onPage();
    await story.newCard(subscription.customerId, CARDS.declined).catch(() => undefined);
    expect((await attempts())[0]).toBe("new_card requires_action");
    await story.newCard(subscription.customerId, CARDS.failsLater);
    expect((await attempts()).slice(0, 2)).toEqual(["new_card card_declined", "new_card canceled"]);
    expect(wordsOf((await get(page)).text)).toContain("This page has expired");
    await story.news();
  });

  it("2026-02-14: pays with another card on the provider's page", async () => {
    await story.travel("2026-02-14");
    const page = await onPage();
    expect(await payHosted(page, CARDS.declined)).toBe(page);
    const back = await payHosted(page, CARDS.paysToo);
    expect(redirectOf(back, await get(back))).toBe(invoice.url);
    expect(await due()).toContain("Paid on 14 February 2026");
    expect(await story.news()).toEqual(["payment.succeeded", "invoice.paid", "subscription.recovered"]);
    expect(await story.books()).toEqual({ paid: [3000, 3000], captured: [3000, 3000] });
  });

  it("2026-03-10: the card from the provider's page is charged without the buyer", async () => {
    await story.travel("2026-03-11");
    expect(await story.news()).toEqual([...RENEWED, "payment.succeeded", "invoice.paid"]);
    const [payment] = (await story.ok(story.app.manage("GET", "/payments?limit=1"))).data;
    expect(payment).toMatchObject({ trigger: "renewal", status: "succeeded", method: { last4: "5556" } });
  });
});

describe("a Customer who gives another card while the provider's page waits", () => {
  let story: Story;
  let customerId: string;
  let page: string;
  beforeAll(async () => {
    story = await startStory({ clock: "2026-01-10T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
    await takeHostedCards(story.app);
    await story.plan("pro", 3000);
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  it("2026-01-10 9:00: goes to the provider's page", async () => {
    const params = { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } };
    const { url, customerId: id } = await story.ok(story.app.api("POST", "/checkouts", params));
    customerId = id;
    page = redirectOf(url, await post(url, { expectedAmount: "3000" }));
    await story.news();
  });

  it("2026-01-10 9:05: gives a card, which is the default", async () => {
    await story.travel("2026-01-10T09:05:00Z");
    await story.newCard(customerId, CARDS.paysToo);
    expect(await story.news()).toEqual([]);
  });

  it("2026-01-10 9:10: pays on the page with a third card, and the default stays", async () => {
    await story.travel("2026-01-10T09:10:00Z");
    await get(await payHosted(page, CARDS.failsLater));
    expect(await story.books()).toEqual({ paid: [3000], captured: [3000] });
    expect(await story.news()).toContain("subscription.created");
  });

  it("2026-02-10: the default card pays the renewal", async () => {
    await story.travel("2026-02-11");
    expect(await story.news()).toEqual([...RENEWED, "payment.succeeded", "invoice.paid"]);
    const [payment] = (await story.ok(story.app.manage("GET", "/payments?limit=1"))).data;
    expect(payment).toMatchObject({ trigger: "renewal", status: "succeeded", method: { last4: "5556" } });
  });
});
