import { describe, expect, it } from "vitest";
import { bring, buy, control, manage, productId, raise, rows, story, tell, ada } from "../support/price-story.ts";

const archive = async (isArchived: boolean) => {
  await manage("PATCH", `/products/${productId}`, { archived: isArchived });
  await story.settle();
};
const later = (quantity: number) => story.change(ada["id"], { quantity, prorationBehavior: "next_period" });
/** The events of Subscriptions and of Products since the last call. */
const news = async () => (await story.news()).filter((type) => /^(subscription|product)\./.test(type));
const nextInvoice = async () =>
  (await manage("POST", `/subscriptions/${ada["id"]}/preview`, { cancelAtPeriodEnd: false }))["nextInvoice"];
const dropped = async () => (await manage("GET", "/emails?kind=change_dropped"))["data"];

/** Pro costs 30.00 a month. Ada's periods begin on the 10th. */
describe("a change of the quantity of an archived Product (rules P6, Q6a)", () => {
  tell();

  it("15 January: 2 units are planned after Pro was archived", async () => {
    await story.travel("2026-01-15");
    await archive(true);
    expect(await later(2)).toMatchObject({ pendingChange: { productId, quantity: 2, amount: 6000 } });
    expect(await nextInvoice()).toMatchObject({ date: "2026-02-10T09:00:00.000Z", totalAmount: 6000 });
    expect(await news()).toEqual(["product.updated", "subscription.updated"]);
  });

  it("10 February: the renewal bills 2 units, as the preview said", async () => {
    await story.travel("2026-02-11");
    expect(await news()).toEqual(["subscription.renewed"]);
    expect(await story.statement()).toEqual([
      "0002 renewal paid 6000",
      "     pro, 2 × US$30.00 6000 2026-02-10 → 2026-03-10",
    ]);
  });

  it("15 February: 3 units are planned, and then Pro is archived again: the change stays", async () => {
    await story.travel("2026-02-15");
    await archive(false);
    await later(3);
    await archive(true);
    expect(await story.subscription(ada["id"])).toMatchObject({ pendingChange: { quantity: 3, amount: 9000 } });
    expect(await news()).toEqual(["product.updated", "subscription.updated", "product.updated"]);
  });

  it("20 February: a pause with a planned resume takes the change along", async () => {
    await story.travel("2026-02-20");
    await manage("POST", `/subscriptions/${ada["id"]}/pause`, { access: "keep", resumesAt: "2026-04-01T09:00:00Z" });
    expect(await story.subscription(ada["id"])).toMatchObject({
      pendingChange: { quantity: 3, effectiveAt: "2026-04-01T09:00:00.000Z" },
    });
    await story.travel("2026-03-15");
    expect(await later(4)).toMatchObject({ status: "paused", pendingChange: { quantity: 4, amount: 12_000 } });
    const preview = await manage("POST", `/subscriptions/${ada["id"]}/resume/preview`);
    expect(preview["lines"]).toMatchObject([{ quantity: 4, amount: 12_000 }]);
    await news();
  });

  it("1 April: the resume bills 4 units", async () => {
    await story.travel("2026-04-02");
    expect((await news()).at(-1)).toBe("subscription.resumed");
    expect(await story.statement()).toEqual([
      "0003 renewal paid 12000",
      "     pro, 4 × US$30.00 12000 2026-04-01 → 2026-05-01",
    ]);
    expect(await dropped()).toEqual([]);
  });
});

describe("new prices of an archived Product (rules N5, P6, P7)", () => {
  tell();
  let round: string;

  it("15 January: 36.00 is to come on 10 March, and Pro is archived", async () => {
    await story.travel("2026-01-15");
    await raise(3600);
    round = await bring({ consent: "notice" });
    await archive(true);
    expect(await story.subscription(ada["id"])).toMatchObject({ priceChange: { amount: 3600 } });
  });

  it("1 March: 2 units from 10 March on have the new price", async () => {
    await story.travel("2026-03-01");
    await story.statement();
    expect(await later(2)).toMatchObject({ pendingChange: { quantity: 2, unitAmount: 3600, amount: 7200 } });
    expect(await nextInvoice()).toMatchObject({ date: "2026-03-10T09:00:00.000Z", totalAmount: 7200 });
  });

  it("10 March: the renewal bills 2 units at the new price", async () => {
    await story.travel("2026-03-11");
    expect(await story.statement()).toEqual([
      "0003 renewal paid 7200",
      "     pro, 2 × US$36.00 7200 2026-03-10 → 2026-04-10",
    ]);
    expect(await rows(round, "applied")).toHaveLength(1);
  });

  it("15 March: the catalogue's price of 40.00 is planned, and stays though Pro is archived afterwards", async () => {
    await story.travel("2026-03-15");
    await archive(false);
    await raise(4000);
    const asked = { productKey: "pro", price: "catalogue", prorationBehavior: "next_period" };
    expect(await story.change(ada["id"], asked)).toMatchObject({ pendingChange: { quantity: 2, amount: 8000 } });
    await archive(true);
    expect(await nextInvoice()).toMatchObject({ totalAmount: 8000 });
    await story.travel("2026-04-11");
    expect(await story.statement()).toEqual([
      "0004 renewal paid 8000",
      "     pro, 2 × US$40.00 8000 2026-04-10 → 2026-05-10",
    ]);
  });

  it("15 April: a round that was taken back leaves the planned quantity in place", async () => {
    await story.travel("2026-04-15");
    await archive(false);
    const ben = await buy("ben");
    await raise(5000);
    const second = await bring({ consent: "notice" });
    await story.change(ben["id"], { quantity: 3, prorationBehavior: "next_period" });
    await archive(true);
    await control(second, "withdraw");
    expect(await story.subscription(ben["id"])).toMatchObject({
      priceChange: null,
      pendingChange: { quantity: 3, amount: 12_000 },
    });
    expect(await dropped()).toEqual([]);
  });
});
