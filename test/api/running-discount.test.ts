import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** `POST /manage/v1/subscriptions/{id}/discount` and `…/discount/preview` (rule X4). */
let story: Story;
let id: string;
let proId: string;
const ids: Record<string, string> = {};
const PATHS = ["discount", "discount/preview"] as const;
const post = (what: (typeof PATHS)[number], body: object, headers: Record<string, string> = {}, of = id) =>
  story.app.manage("POST", `/subscriptions/${of}/${what}`, body, headers);
const give = (discountCode: string | null, of = id) => post("discount", { discountCode }, {}, of);
const TEN = { type: "percentage", basisPoints: 1000, duration: "forever" };
const discount = async (code: string, more: object = {}) => {
  ({ id: ids[code] } = (await story.ok(story.app.manage("POST", "/discounts", { code, ...TEN, ...more }))) as {
    id: string;
  });
};
const usesOf = async (code: string) =>
  (await story.ok(story.app.manage("GET", `/discounts/${ids[code]}`)))["redemptions"];
const buy = (email: string, more: object = {}) =>
  story.buy({ productKey: "pro", customer: { email }, ...more }, CARDS.pays);
const NEXT = "2025-07-01T09:00:00.000Z";

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  ({ id: proId } = (await story.plan("pro", 3000)) as { id: string });
  const { id: teamId } = await story.plan("team", 6000);
  await discount("ten");
  await discount("half", { basisPoints: 5000 });
  await discount("last", { maxRedemptions: 1 });
  await discount("early", { startsAt: "2025-06-02T00:00:00Z" });
  await discount("team", { productIds: [teamId] });
  await discount("only", { productIds: [proId] });
  await discount("euro", { type: "fixed", basisPoints: null, amount: 100, currency: "eur" });
  await discount("gone");
  await story.ok(story.app.manage("DELETE", `/discounts/${ids["gone"]}`));
  ({ id } = (await buy("ada@example.com")) as { id: string });
  await story.news();
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("a request for a discount of a running Subscription", () => {
  test.each<[name: string, body: object, code: string]>([
    ["no code", {}, "required"],
    ["an unknown field", { discountCode: null, discountId: null }, "unknown_field"],
    ["an unknown code", { discountCode: "nope" }, "unknown_discount"],
    ["a deleted Discount", { discountCode: "gone" }, "unknown_discount"],
    ["a Discount before its begin", { discountCode: "early" }, "discount_not_active"],
    ["a Discount for another Product", { discountCode: "team" }, "discount_not_for_product"],
    ["an amount in another currency", { discountCode: "euro" }, "discount_other_currency"],
  ])("is 422 with %s", async (_, body, code) => {
    for (const what of PATHS) {
      const answer = await post(what, body);
      expect(answer.status).toBe(422);
      expect(answer.body.errors.map((each: Json) => each.code)).toEqual([code]);
    }
    expect(await story.news()).toEqual([]);
  });

  test("403 for a key of the public API, 404 for another id, and 412 for another version", async () => {
    const [headers, body] = [{ Authorization: `Bearer ${story.app.keys.public}` }, { discountCode: "TEN" }];
    for (const what of PATHS) {
      expect(await post(what, body, headers)).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
      expect(await post(what, body, {}, newId("sub"))).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect(await post("discount", body, { "If-Match": '"old"' })).toMatchObject({ status: 412 });
  });

  it("is previewed with the next invoice before and after, and the preview writes no row", async () => {
    const before = await story.subscription(id);
    expect(await post("discount/preview", { discountCode: "TEN" })).toMatchObject({
      status: 200,
      body: {
        before: { date: NEXT, totalAmount: 3000, lines: [{ amount: 3000, discountAmount: 0 }] },
        after: { date: NEXT, totalAmount: 2700, lines: [{ amount: 3000, discountAmount: 300 }] },
      },
    });
    expect(await story.subscription(id)).toEqual(before);
    expect(await usesOf("ten")).toBe(0);
    expect(await story.news()).toEqual([]);
  });

  it("waits for the next period, and a repeat with the Idempotency-Key gets the same answer", async () => {
    const [headers, body] = [{ "Idempotency-Key": "ten" }, { discountCode: "ten" }];
    const answers = [await post("discount", body, headers), await post("discount", body, headers)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]!.headers.get("Idempotency-Replayed")).toBe("true");
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    const pendingDiscount = { discountId: ids["ten"], effectiveAt: NEXT };
    expect(answers[0]!.body).toMatchObject({ discountId: null, pendingDiscount });
    expect(await story.subscription(id)).toEqual(answers[0]!.body);
    expect(await give("TEN")).toMatchObject({ status: 200, body: { pendingDiscount } });
    expect(await usesOf("ten")).toBe(1);
    expect(await story.news()).toEqual(["subscription.updated"]);
  });

  it("takes one use for each Subscription, and gives none back", async () => {
    await story.ok(give("last"));
    const other = (await buy("eve@example.com")) as { id: string };
    const refused = await give("last", other.id);
    expect(refused.body.errors).toMatchObject([{ pointer: "/discountCode", code: "discount_exhausted" }]);
    expect(await story.ok(give(null))).toMatchObject({ pendingDiscount: null });
    await story.ok(give("last"));
    await story.ok(give("ten"));
    expect([await usesOf("last"), await usesOf("ten")]).toEqual([1, 1]);
    const sold = { productKey: "pro", customer: { email: "zoe@example.com" }, discountCode: "last" };
    expect(await story.app.api("POST", "/checkouts", sold)).toMatchObject({ status: 422 });
    await story.news();
  });

  it("needs a Discount for the Product of the pending change, and refuses the present one's alone", async () => {
    await story.change(id, { productKey: "team", prorationBehavior: "next_period" });
    expect((await give("only")).body.errors).toMatchObject([{ code: "discount_not_for_product" }]);
    expect(await story.ok(give("team"))).toMatchObject({ pendingDiscount: { discountId: ids["team"] } });
    await story.change(id, { productKey: "pro" });
    await story.ok(give("ten"));
  });

  it("shows the discount once its period has begun, and a request for it takes a change back", async () => {
    await story.travel("2025-07-02");
    expect(await story.subscription(id)).toMatchObject({ discountId: ids["ten"], pendingDiscount: null });
    await story.news();
    const later = { effectiveAt: "2025-08-01T09:00:00.000Z" };
    expect(await story.ok(give(null))).toMatchObject({
      discountId: ids["ten"],
      pendingDiscount: { discountId: null, ...later },
    });
    expect(await story.ok(give("half"))).toMatchObject({ pendingDiscount: { discountId: ids["half"], ...later } });
    expect(await story.ok(give("ten"))).toMatchObject({ discountId: ids["ten"], pendingDiscount: null });
    await story.ok(give("ten"));
    expect(await story.news()).toEqual(Array.from({ length: 3 }, () => "subscription.updated"));
    const { data } = await story.ok(story.app.manage("GET", `/subscriptions/${id}/timeline?limit=100`));
    const texts = data.map(({ text }: Json) => text);
    expect(texts).toContain("A discount was given from 1 August 2025 on.");
    expect(texts).toContain("The discount was taken off from 1 August 2025 on.");
    expect(texts).toContain("The planned change of the discount was canceled.");
  });

  it("is 409 while a change is being paid, and after the end", async () => {
    await story.newCard((await story.subscription(id))["customerId"], CARDS.asksBuyer);
    const asked = await story.app.api("PATCH", `/subscriptions/${id}`, { productKey: "team" });
    const pay = { card: CARDS.asksBuyer };
    await story.app.manage("POST", `/sandbox/checkouts/${asked.body.checkoutId}/pay`, pay);
    for (const what of PATHS)
      expect(await post(what, { discountCode: null })).toMatchObject({
        status: 409,
        body: { code: "change_in_progress" },
      });
    await story.answerChallenge(false);
    await story.ok(give("half"));
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`));
    expect(await story.subscription(id)).toMatchObject({ discountId: ids["ten"], pendingDiscount: null });
    for (const what of PATHS)
      expect(await post(what, { discountCode: null })).toMatchObject({
        status: 409,
        body: { code: "subscription_canceled" },
      });
  });
});
