import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { redirectOf } from "../support/hosted.ts";
import { wordsOf, type Page } from "../support/pages.ts";
import { signInTo, startPortalStory, type WebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

/** Dates mean 9:00, so dates are whole days apart. March has 31 days. */
describe("another quantity in the portal (rule Q9)", () => {
  let story: Story;
  let portal: string;
  let there: WebClient;
  let sold: Json;
  let buyers = 0;

  async function begin(): Promise<void> {
    const customer = { email: `seats-${(buyers += 1)}@example.com`, externalId: `seats-${buyers}` };
    sold = await story.buy({ productKey: "team", quantity: 5, customer }, CARDS.pays);
    there = await signInTo(story, sold.customerId);
    await story.news();
    await story.statement();
  }
  const path = () => `${portal}/subscriptions/${sold.id}/quantity`;
  const show = (quantity: number) => there.post(`${path()}/figures`, { quantity: `${quantity}` });
  const said = ({ text }: Page) => wordsOf(text).replaceAll("\u00a0", " ").replaceAll(" ,", ",");
  const fieldsOf = ({ text }: Page) =>
    Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
  const confirm = (page: Page) => there.post(path(), fieldsOf(page));
  const choose = async (quantity: number) => confirm(await show(quantity));
  const to = (page: Page) => [page.status, page.headers.get("Location")];
  const subscription = () => story.subscription(sold.id);
  const settings = (body: object) => story.ok(story.app.manage("PATCH", "/organization", body));

  beforeAll(async () => {
    ({ story, portal } = await startPortalStory());
    const unitName = { en: { one: "seat", other: "seats" } };
    await story.plan("team", 1240, { name: "Team", quantity: { minimum: 2, maximum: 50 }, unitName });
    await settings({ portal: { changeQuantity: true } });
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  it("1 March: the lines of a rise and a fall are those of the PATCH, and come back to the cent", async () => {
    await begin();
    expect(to(await choose(8))).toEqual([303, `${path()}?quantity=8`]);
    expect(await story.news()).toEqual([
      "checkout.created",
      "payment.succeeded",
      "subscription.updated",
      "invoice.created",
      "invoice.paid",
      "checkout.completed",
    ]);
    const risen = await story.statement();
    expect(to(await choose(5))).toEqual([303, `${path()}?quantity=5`]);
    expect(await subscription()).toMatchObject({ quantity: 5, amount: 6200 });
    expect(await story.balance(sold.customerId)).toBe(3720);

    await begin();
    await story.change(sold.id, { quantity: 8 });
    expect(await story.statement()).toEqual(risen);
  });

  it("11 March: the figures of the page are charged as of its instant, in the course of a period", async () => {
    await begin();
    await story.travel("2026-03-11");
    const page = await show(9);
    const due = /Confirm and pay US\$(\d+\.\d\d)/.exec(said(page))![1]!;
    await story.travel("2026-03-11T09:20:00Z");
    expect(to(await confirm(page))).toEqual([303, `${path()}?quantity=9`]);
    const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${sold.customerId}`));
    expect((data[0].amount / 100).toFixed(2)).toBe(due);
  });

  it("11 March: a fall waits for the end of the period if the seller says so, and can be withdrawn", async () => {
    await settings({ quantityFall: "next_period" });
    await begin();
    const page = await show(3);
    expect(said(page)).toContain("Due today US$0.00 Your plan changes on 11 April 2026. Takes effect 11 April 2026");
    await confirm(page);
    expect(await subscription()).toMatchObject({ quantity: 5, pendingChange: { quantity: 3, amount: 3720 } });
    expect(said(await show(3))).toContain("Your subscription changes to Team, 3 seats × US$12.40 on 11 April 2026.");
    const planned = await there.get(path());
    expect(said(planned)).toContain("Your plan changes to Team, 3 seats × US$12.40 on 11 April 2026. Keep 5 seats");
    expect((await there.post(`${path()}/keep`)).status).toBe(303);
    expect(await subscription()).toMatchObject({ quantity: 5, pendingChange: null });
    expect(said(await there.get(portal))).toContain("Your plan stays as it is.");
    // The rise has a default of its own.
    expect(said(await show(6))).toContain("Takes effect Today");
    await confirm(await show(3));
    await story.travel("2026-04-11T10:00:00Z");
    expect(await subscription()).toMatchObject({ quantity: 3, amount: 3720, pendingChange: null });
    await settings({ quantityFall: "invoice_now" });
  });

  it("11 April: a scheduled cancellation is undone, and the page says so before the click", async () => {
    await begin();
    await story.change(sold.id, { cancelAtPeriodEnd: true });
    expect(said(await there.get(path()))).toContain("If you change the quantity, it continues.");
    await choose(6);
    expect(await subscription()).toMatchObject({ quantity: 6, cancelAtPeriodEnd: false });
  });

  it("11 April: after a refusal at the bank, another card on the Checkout's page finishes the change", async () => {
    await begin();
    await story.newCard(sold.customerId, CARDS.asksBuyer);
    const page = redirectOf(story.app.url, await choose(10));
    await story.answerChallenge(false);
    expect(await subscription()).toMatchObject({ quantity: 5 });
    const id = /chk_\w{26}/.exec(page)![0];
    expect(await story.ok(story.app.api("GET", `/checkouts/${id}`))).toMatchObject({ quantity: 10, unitAmount: 1240 });
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.paysToo }));
    expect(await subscription()).toMatchObject({ quantity: 10, amount: 12_400 });
  });
});
