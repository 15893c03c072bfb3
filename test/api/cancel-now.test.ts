import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** `POST /manage/v1/subscriptions/{id}/cancel-now/preview`. */
let story: Story;
let subscription: Json;
const path = () => `/subscriptions/${subscription.id}/cancel-now`;
const preview = (body?: object, headers: Record<string, string> = {}) =>
  story.app.manage("POST", `${path()}/preview`, body, headers);
const list = async (name: string) => (await story.ok(story.app.manage("GET", `/${name}?limit=100`))).data;

/** All state that a preview must leave as it is. */
async function state(): Promise<unknown[]> {
  const { body, headers } = await story.app.api("GET", `/subscriptions/${subscription.id}`);
  const balance = await story.balance(subscription.customerId);
  const lists = ["events", "invoices", "payments", "benefit-grants", "emails"];
  return [body, headers.get("ETag"), balance, ...(await Promise.all(lists.map(list)))];
}

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const { id: sso } = await story.ok(
    story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
  );
  await story.plan("pro", 3000, { benefitIds: [sso] });
  await story.plan("max", 9000, { benefitIds: [sso] });
  subscription = await story.buy(
    { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } },
    CARDS.pays,
  );
  await story.travel("2025-06-16");
  await story.change(subscription.id, { productKey: "max", prorationBehavior: "next_invoice" });
  const owed = { currency: "usd", amount: 400, reason: "Sorry" };
  await story.ok(story.app.manage("POST", `/customers/${subscription.customerId}/balance-adjustments`, owed));
  await story.travel("2025-06-21");
});
afterAll(() => story.close());

describe("the preview of cancel-now", () => {
  it("has every field, and writes nothing", async () => {
    const before = await state();
    const { status, body } = await preview();
    const line = {
      discountAmount: 0,
      taxAmount: 0,
      taxRate: null,
      proration: true,
      periodStart: "2025-06-16T09:00:00.000Z",
    };
    const until = { periodEnd: "2025-06-21T09:00:00.000Z" };
    const products = await list("products");
    const [pro, max] = ["pro", "max"].map((key) => products.find((each: Json) => each.key === key).id);
    const cut = { ...line, ...until, discountedPart: null };
    const creditedLineId = expect.stringMatching(/^iln_/);
    expect([status, body]).toEqual([
      200,
      {
        lines: [
          {
            description: "pro, unused rest of the period up to the cancellation",
            productId: pro,
            quantity: 1,
            unitAmount: 3000,
            amount: -500,
            ...cut,
            creditedLineId,
          },
          {
            description: "max, rest of the period up to the cancellation",
            productId: max,
            quantity: 1,
            unitAmount: 9000,
            amount: 1500,
            ...cut,
            creditedLineId: null,
          },
        ],
        chargeAmount: 600,
        balanceChange: -400,
        effectiveAt: "2025-06-21T09:00:00.000Z",
        nextInvoice: null,
      },
    ]);
    expect(await state()).toEqual(before);
  });

  it("takes the body of cancel-now, and no other", async () => {
    const said = await preview({ cancellationReason: "unused", cancellationComment: "Bye" });
    expect(said).toMatchObject({ status: 200, body: { chargeAmount: 600 } });
    for (const body of [{ cancellationReason: "bored" }, { cancelAtPeriodEnd: true }]) {
      expect(await preview(body)).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    }
  });

  it("ignores Idempotency-Key and If-Match: it is computed anew, and the key is free for cancel-now", async () => {
    const headers = { "Idempotency-Key": "end", "If-Match": '"old"' };
    for (const body of [{}, { cancellationReason: "unused" }]) {
      const previewed = await preview(body, headers);
      expect([previewed.status, previewed.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
    }
    expect(await story.app.manage("POST", path(), {}, headers)).toMatchObject({ status: 412 });
  });

  test("403 for a key of the public API", async () => {
    const answer = await story.app.manage(
      "POST",
      `${path()}/preview`,
      {},
      { Authorization: `Bearer ${story.app.keys.public}` },
    );
    expect(answer).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
  });

  test("404 for a Subscription that does not exist", async () => {
    const answer = await story.app.manage("POST", `/subscriptions/${newId("sub")}/cancel-now/preview`);
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("agrees with the later cancel-now, which a repeat of the request does not do again", async () => {
    const previewed = (await preview()).body;
    const ends = [];
    for (let n = 0; n < 2; n++) ends.push(await story.app.manage("POST", path(), {}, { "Idempotency-Key": "end" }));
    expect(ends.map(({ status }) => status)).toEqual([200, 200]);
    expect(ends[1]!.body).toEqual(ends[0]!.body);
    await story.settle();
    const [last, ...others] = await list("invoices");
    expect(others).toHaveLength(1);
    expect(last).toMatchObject({
      lines: previewed.lines,
      amountPaid: previewed.chargeAmount,
      balanceApplied: -previewed.balanceChange,
    });
  });

  test("409 for one that has ended, as of cancel-now itself", async () => {
    const before = await state();
    for (const end of [path(), `${path()}/preview`]) {
      expect(await story.app.manage("POST", end)).toMatchObject({
        status: 409,
        body: { code: "subscription_canceled" },
      });
    }
    expect(await state()).toEqual(before);
  });
});
