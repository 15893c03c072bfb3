import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { get, wordsOf } from "../support/pages.ts";
import { signInTo } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;

beforeEach(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await story.plan("pro", 3000, { name: "Pro" });
  await story.plan("team", 6000, { name: "Team" });
});
afterEach(async () => {
  await story.settle();
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const ADA = { email: "ada@example.com", externalId: "ada" };
const manage = (method: string, path: string, body?: object): Promise<Json> =>
  story.ok(story.app.manage(method, path, body));
const buy = (productKey: string, card: string = CARDS.pays, more: object = {}) =>
  story.buy({ productKey, customer: ADA, ...more }, card);
const credit = (customerId: string, amount: number) =>
  manage("POST", `/customers/${customerId}/balance-adjustments`, { currency: "usd", amount, reason: "By hand" });

/** The words of the portal's home page. */
async function read(customerId: string): Promise<string> {
  const there = await signInTo(story, customerId);
  return wordsOf((await there.get(`/portal/${story.app.organization.id}`)).text)
    .replaceAll("\u00a0", " ")
    .replaceAll(" .", ".");
}

describe("the portal tells the history of the invoices", () => {
  it("of a credit, which is not paid but added to the balance, as the invoice says", async () => {
    await story.plan("credit-from", 6000, { name: "More" });
    await story.plan("credit-to", 500, { name: "Less" });
    const { id, customerId } = await story.buy(
      { productKey: "credit-from", customer: { email: "credit@example.com" } },
      CARDS.pays,
    );
    await story.change(id, { productKey: "credit-to", prorationBehavior: "invoice_now" });
    const words = await read(customerId);
    expect(words).toContain("−US$55.00 Added to your account balance");
    const [invoice] = (await manage("GET", `/invoices?customerId=${customerId}`)).data;
    const page = wordsOf((await get(story.app.url + new URL(invoice.url).pathname)).text);
    expect(page).toMatch(/Credited on \d+ \w+ 2026/);
    for (const said of ["Paid on", "Amount paid"]) expect(page).not.toContain(said);
  });

  it("with the card that paid, and each refund with its credit note", async () => {
    const sold = await buy("pro");
    const [invoice] = (await manage("GET", `/invoices?subscriptionId=${sold.id}`)).data;
    expect(await read(sold.customerId)).toContain("Paid with Visa •••• 4242");
    const refund = (body: object) => manage("POST", `/invoices/${invoice.id}/refunds`, body);
    await refund({ amount: 500 });
    await story.settle();
    await refund({ amount: 300, to: "balance" });
    const words = await read(sold.customerId);
    const notes = (await manage("GET", `/credit-notes?invoiceId=${invoice.id}`)).data.reverse();
    expect(words).toContain("Partly refunded · Paid with Visa •••• 4242");
    expect(words).toContain(`Refunded US$5.00 to Visa •••• 4242 on 1 March 2026 · Credit note ${notes[0].number}`);
    expect(words).toContain(
      `Refunded US$3.00 to your account balance on 1 March 2026 · Credit note ${notes[1].number}`,
    );
    await refund({});
    await story.settle();
    expect(await read(sold.customerId)).toContain("Refunded · Paid with Visa •••• 4242");
  });

  it("which the balance paid, or which became void", async () => {
    await story.plan("add-on", 2000, { name: "Add-on", group: "add-ons" });
    const sold = await buy("pro");
    await credit(sold.customerId, 2000);
    await buy("add-on", CARDS.pays, { customer: undefined, customerId: sold.customerId });
    expect(await read(sold.customerId)).toContain("Paid from your account balance");
    await story.newCard(sold.customerId, CARDS.failsLater);
    await story.travel("2026-04-02");
    await manage("POST", `/subscriptions/${sold.id}/cancel-now`, {});
    expect(await read(sold.customerId)).toContain("Void");
  });
});
