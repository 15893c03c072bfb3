import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { redirectOf } from "../support/hosted.ts";
import { wordsOf, type Page } from "../support/pages.ts";
import { signInTo, startPortalStory, type WebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

describe("another plan and another quantity in one step (rule Q9e)", () => {
  let story: Story;
  let portal: string;
  let there: WebClient;
  let sold: Json;
  let studio: Json;
  let buyers = 0;

  async function begin(): Promise<void> {
    const customer = { email: `both-${(buyers += 1)}@example.com`, externalId: `both-${buyers}` };
    sold = await story.buy({ productKey: "team", quantity: 5, customer }, CARDS.pays);
    there = await signInTo(story, sold.customerId);
    await story.news();
    await story.statement();
  }
  const plans = () => `${portal}/subscriptions/${sold.id}/plan`;
  const path = () => `${plans()}/${studio.id}`;
  const show = (quantity: number) => there.post(`${path()}/figures`, { quantity: `${quantity}` });
  const said = ({ text }: Page) => wordsOf(text).replaceAll("\u00a0", " ").replaceAll(" ,", ",");
  const quantityIn = ({ text }: Page) => /<input id="quantity"[^>]*? value="([^"]*)"/.exec(text)?.[1] ?? "";
  const fieldsOf = (page: Page) => ({
    ...Object.fromEntries(
      [...page.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    ),
    quantity: quantityIn(page),
  });
  const confirm = (page: Page) => there.post(path(), fieldsOf(page));
  const choose = async (quantity: number) => confirm(await show(quantity));
  const to = (page: Page) => [page.status, page.headers.get("Location")];
  const subscription = () => story.subscription(sold.id);
  const settings = (body: object) => story.ok(story.app.manage("PATCH", "/organization", body));

  beforeAll(async () => {
    ({ story, portal } = await startPortalStory());
    const unitName = { en: { one: "seat", other: "seats" } };
    await story.plan("team", 1200, { name: "Team", quantity: { minimum: 2, maximum: 50 }, unitName });
    studio = await story.plan("studio", 1000, { name: "Studio", quantity: { minimum: 8, maximum: 20 }, unitName });
    await settings({ portal: { changeQuantity: true } });
    // June has 30 days.
    await story.travel("2026-06-01T00:00:00Z");
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  it("16 June: the variant of chapter Q: 8 seats at first, then 12, and one click pays both", async () => {
    await begin();
    await story.travel("2026-06-16T00:00:00Z");
    await story.news();
    const first = await there.get(path());
    expect(quantityIn(first)).toBe("8");
    expect(said(first)).toContain("Confirm and pay US$10.00");
    const page = await show(12);
    for (const each of [
      "Change to Studio, 12 seats × US$10.00",
      "Team, 5 seats × US$12.00, unused rest of the period −US$30.00",
      "Studio, 12 seats × US$10.00, rest of the period US$60.00",
      "Confirm and pay US$30.00",
    ])
      expect(said(page)).toContain(each);
    expect(to(await confirm(page))).toEqual([303, path()]);
    expect(await story.news()).toEqual([
      "checkout.created",
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
    const { productId, quantity, amount } = await subscription();
    expect([productId, quantity, amount]).toEqual([studio.id, 12, 12_000]);
  });

  it("16 June: the lines are those of a PATCH of the Product and the quantity", async () => {
    await begin();
    expect(to(await choose(12))).toEqual([303, path()]);
    const inPortal = await story.statement();
    await begin();
    await story.change(sold.id, { productKey: "studio", quantity: 12 });
    expect(await story.statement()).toEqual(inPortal);
  });

  it("16 July: by the Organization's default, both wait for the end of the period, and can be withdrawn", async () => {
    await settings({ defaultProration: "next_period", quantityRise: "invoice_now" });
    await begin();
    const page = await show(12);
    expect(said(page)).toContain("Due today US$0.00");
    expect(said(page)).toContain("Next charge US$120.00 on 16 July 2026");
    await confirm(page);
    const pendingChange = { productId: studio.id, quantity: 12, amount: 12_000 };
    expect(await subscription()).toMatchObject({ quantity: 5, pendingChange });
    expect(said(await there.get(path()))).toContain("changes to Studio, 12 seats × US$10.00 on 16 July 2026.");
    expect((await there.post(`${plans()}/keep`)).status).toBe(303);
    expect(await subscription()).toMatchObject({ quantity: 5, pendingChange: null });
    await choose(12);
    await choose(14);
    await story.travel("2026-07-16T01:00:00Z");
    expect(await subscription()).toMatchObject({ productId: studio.id, quantity: 14, amount: 14_000 });
    await settings({ defaultProration: "invoice_now" });
  });

  it("16 July: a price that changes before the click is shown first, at the typed quantity", async () => {
    await begin();
    const page = await show(12);
    const price = (amount: number) =>
      story.ok(story.app.manage("PATCH", `/products/${studio.id}`, { prices: [{ currency: "usd", amount }] }));
    await price(1100);
    const again = await confirm(page);
    expect([again.status, quantityIn(again)]).toEqual([409, "12"]);
    expect(said(again)).toContain("Studio, 12 seats × US$11.00");
    await price(1000);
    expect(await subscription()).toMatchObject({ quantity: 5 });
  });

  it("16 July: after a refusal at the bank, another card on the Checkout's page finishes both", async () => {
    await begin();
    await story.newCard(sold.customerId, CARDS.asksBuyer);
    const page = redirectOf(story.app.url, await choose(12));
    // Another quantity of the plan is another change, and this one is being paid.
    const blocked = await show(14);
    expect([blocked.status, said(blocked)]).toEqual([409, expect.stringContaining("Continue to payment")]);
    await story.answerChallenge(false);
    expect(await subscription()).toMatchObject({ quantity: 5 });
    const id = /chk_\w{26}/.exec(page)![0];
    expect(await story.ok(story.app.api("GET", `/checkouts/${id}`))).toMatchObject({ quantity: 12, unitAmount: 1000 });
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.paysToo }));
    expect(await subscription()).toMatchObject({ productId: studio.id, quantity: 12, amount: 12_000 });
  });
});
