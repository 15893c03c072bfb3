import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** `POST /manage/v1/subscriptions/{id}/resume/preview` (rules S8g, P8), and the next invoice of a pause (rule S8e). */
let story: Story;
let id: string;
let customerId: string;
const path = () => `/subscriptions/${id}/resume`;
const preview = (headers: Record<string, string> = {}) =>
  story.app.manage("POST", `${path()}/preview`, undefined, headers);
const pause = (body: object) => story.ok(story.app.manage("POST", `/subscriptions/${id}/pause`, body));
const list = async (name: string) => (await story.ok(story.app.manage("GET", `/${name}?limit=100`))).data;

/** All state that a preview must leave as it is. */
async function state(): Promise<unknown[]> {
  const { body, headers } = await story.app.api("GET", `/subscriptions/${id}`);
  const lists = ["events", "invoices", "payments", "benefit-grants", "emails"];
  return [body, headers.get("ETag"), await story.balance(customerId), ...(await Promise.all(lists.map(list)))];
}

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.plan("pro", 3000);
  await story.plan("team", 6000);
  const sold = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays);
  ({ id, customerId } = sold as { id: string; customerId: string });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const RENEWAL = { date: "2025-07-01T09:00:00.000Z", totalAmount: 3000 };

describe("the preview of a resume", () => {
  it("has no lines without a pause, and before the begin of one, which the resume undoes", async () => {
    const quiet = { lines: [], chargeAmount: 0, balanceChange: 0 };
    expect(await preview()).toMatchObject({ status: 200, body: { ...quiet, nextInvoice: RENEWAL } });
    await pause({ access: "revoke" });
    const before = await state();
    expect(await preview()).toMatchObject({ status: 200, body: { ...quiet, nextInvoice: RENEWAL } });
    expect(await state()).toEqual(before);
  });

  it("has the invoice that a resume makes now, the balance and the next invoice, and writes no row", async () => {
    await story.change(id, { productKey: "team", prorationBehavior: "next_period" });
    await story.travel("2025-08-10");
    const owed = { currency: "usd", amount: 400, reason: "Sorry" };
    await story.ok(story.app.manage("POST", `/customers/${customerId}/balance-adjustments`, owed));
    const before = await state();
    const { status, body } = await preview();
    const line = {
      description: "team",
      productId: expect.stringMatching(/^prd_/),
      quantity: 1,
      unitAmount: 6000,
      amount: 6000,
      discountAmount: 0,
      discountedPart: null,
      taxAmount: 0,
      taxRate: null,
      proration: false,
      creditedLineId: null,
    };
    const [now, then, last] = ["2025-08-10", "2025-09-10", "2025-10-10"].map((day) => `${day}T09:00:00.000Z`);
    expect([status, body]).toEqual([
      200,
      {
        lines: [{ ...line, periodStart: now, periodEnd: then }],
        chargeAmount: 5600,
        balanceChange: -400,
        effectiveAt: now,
        nextInvoice: { date: then, lines: [{ ...line, periodStart: then, periodEnd: last }], totalAmount: 6000 },
      },
    ]);
    expect(await state()).toEqual(before);
  });

  it("ignores Idempotency-Key and If-Match", async () => {
    const answer = await preview({ "Idempotency-Key": "again", "If-Match": '"old"' });
    expect([answer.status, answer.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
  });

  test("403 for a key of the public API, and 401 for none", async () => {
    const refused = await preview({ Authorization: `Bearer ${story.app.keys.public}` });
    expect(refused).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
    expect(await preview({ Authorization: "Bearer blw_wrong" })).toMatchObject({ status: 401 });
  });

  test("404 for a Subscription that does not exist", async () => {
    const answer = await story.app.manage("POST", `/subscriptions/${newId("sub")}/resume/preview`);
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("agrees with the resume", async () => {
    const previewed = (await preview()).body;
    expect(await story.app.manage("POST", path())).toMatchObject({ status: 200 });
    await story.settle();
    const [made] = await list("invoices");
    expect(made).toMatchObject({
      lines: previewed.lines,
      amountPaid: previewed.chargeAmount,
      balanceApplied: -previewed.balanceChange,
    });
    const { currentPeriodEnd } = await story.subscription(id);
    expect(previewed.nextInvoice.date).toBe(currentPeriodEnd);
  });

  test("409 while a change of the paused Subscription is being paid", async () => {
    await pause({ access: "keep" });
    await story.travel("2025-10-01");
    const [card] = await list(`customers/${customerId}/payment-methods`);
    await story.ok(story.app.manage("POST", `/sandbox/payment-methods/${card.id}/detach`));
    const without = (await preview()).body;
    expect(without).toMatchObject({ chargeAmount: 6000, nextInvoice: null });
    const asked = { productKey: "pro", prorationBehavior: "next_period" };
    const answer = await story.app.api("PATCH", `/subscriptions/${id}`, asked);
    expect(answer).toMatchObject({ status: 402, body: { code: "payment_method_required" } });
    const pay = { card: CARDS.asksBuyer };
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${answer.body.checkoutId}/pay`, pay));
    for (const each of [path(), `${path()}/preview`])
      expect(await story.app.manage("POST", each)).toMatchObject({
        status: 409,
        body: { code: "change_in_progress" },
      });
    await story.answerChallenge(true);
    expect((await preview()).body).toMatchObject({ chargeAmount: 3000 });
  });

  test("409 for one that has ended, as of the resume itself", async () => {
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`));
    for (const each of [path(), `${path()}/preview`])
      expect(await story.app.manage("POST", each)).toMatchObject({
        status: 409,
        body: { code: "subscription_canceled" },
      });
  });
});
