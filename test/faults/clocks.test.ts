import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { submitCheckout } from "../../src/actions/checkout/submit.ts";
import { formatInstant, HOUR, type Instant } from "../../src/domain/calendar.ts";
import { sql } from "../../src/store/driver/db.ts";
import { runOnce } from "../../src/worker/worker.ts";
import type { Json } from "../support/app.ts";
import { boughtAt } from "../support/downtime.ts";
import { begin, type Fault } from "../support/faults.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const SECONDS_PASS = ["payments", "refunds"].map((table) =>
  sql(
    `test.seconds_pass_${table}`,
    `UPDATE ${table} SET check_at = check_at - $1 * interval '1 second' WHERE check_at IS NOT NULL`,
  ),
);
const nowStatement = sql("test.now", `SELECT date_trunc('milliseconds', clock_timestamp()) AS now`);

let story: Story;
let buyers = 0;
beforeAll(async () => {
  story = await startStory({});
  await story.plan("monthly", 3000);
  await story.plan("daily", 100, { interval: "day", group: "daily" });
  await story.plan("book", 500, { interval: null });
});
afterAll(() => story.close());
afterEach(() => vi.restoreAllMocks());

const get = (path: string) => story.ok(story.app.manage("GET", path));
const someone = () => {
  buyers += 1;
  return { email: `buyer-${buyers}@example.com`, externalId: `buyer-${buyers}` };
};
const open = (productKey: string, more: object = {}): Promise<Json> =>
  story.ok(story.app.api("POST", "/checkouts", { productKey, customer: someone(), ...more }));
const statusOf = async ({ id }: Json) => (await story.ok(story.app.api("GET", `/checkouts/${id}`))).status;

/** Makes seconds pass on the database's clock, without waiting. */
async function secondsPass(seconds: number): Promise<void> {
  await story.app.ctx.db.tx(async (tx) => {
    for (const statement of SECONDS_PASS) await tx.query(statement, [seconds]);
  });
}

async function databaseNow(): Promise<string> {
  const [row] = await story.app.ctx.db.read.query<{ now: Instant }>(nowStatement);
  return formatInstant(row!.now);
}

/** Submits the payment of a Checkout, with this fault in its charge. */
async function pay({ id }: Json, fault: Fault): Promise<void> {
  const card = { number: CARDS.pays, expMonth: 12, expYear: 2999, cvc: "123" };
  const submission = {
    card,
    email: null,
    name: null,
    locale: null,
    billing: null,
    agreed: null,
    fieldValues: {},
  };
  await begin(story.app.ctx, "charge", fault, (ctx) => submitCheckout(ctx, story.app.organization.id, id, submission));
}

describe.each([
  ["an hour ahead", HOUR],
  ["an hour behind", -HOUR],
])("a process with a clock that is %s", (_how, off) => {
  const { now } = Date;
  beforeEach(() => void vi.spyOn(Date, "now").mockImplementation(() => now() + off));

  test("renews by the database's clock, charges at once, and does nothing else", async () => {
    const [due, early] = [
      await story.buy({ productKey: "daily", customer: someone() }, CARDS.pays),
      await story.buy({ productKey: "daily", customer: someone() }, CARDS.pays),
    ];
    await boughtAt(story.app.ctx, story.app.organization.id, due.id, now() - 24.5 * HOUR);
    await boughtAt(story.app.ctx, story.app.organization.id, early.id, now() - 23.5 * HOUR);
    await story.app.runDue();
    const invoicesOf = async ({ id }: Json) =>
      (await get(`/invoices?subscriptionId=${id}`)).data.map((each: Json) => `${each.reason} ${each.status}`);
    expect([await invoicesOf(due), await invoicesOf(early)]).toEqual([
      ["renewal paid", "checkout paid"],
      ["checkout paid"],
    ]);
  });

  test("dates its work by the database's clock", async () => {
    const before = await databaseNow();
    const { id, currentPeriodStart, createdAt } = await story.buy(
      { productKey: "monthly", customer: someone() },
      CARDS.pays,
    );
    const [invoice] = (await get(`/invoices?subscriptionId=${id}`)).data;
    const [payment] = (await get(`/payments?subscriptionId=${id}`)).data;
    const after = await databaseNow();
    for (const at of [currentPeriodStart, createdAt, invoice.paidAt, payment.createdAt]) {
      expect([before, at, after].toSorted()).toEqual([before, at, after]);
    }
  });

  test("takes and sells a Checkout that expires in half an hour", async () => {
    const checkout = await open("book", { expiresInMinutes: 30 });
    await story.app.runDue();
    expect(await statusOf(checkout)).toBe("open");
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.pays }));
    expect(await statusOf(checkout)).toBe("completed");
  });

  test("is left alone while it calls the provider, and no longer than its lease", async () => {
    const checkout = await open("book");
    await pay(checkout, (_send, { kill }) => kill());
    await story.app.runDue();
    expect(await statusOf(checkout)).toBe("processing");
    await secondsPass(10);
    await story.app.runDue();
    expect(await statusOf(checkout)).toBe("completed");
  });

  test("asks again after a second for an outcome that is not known", async () => {
    const checkout = await open("book");
    await pay(checkout, async (send) => {
      await send();
      return { status: "unknown" };
    });
    await secondsPass(1);
    await story.app.runDue();
    expect(await statusOf(checkout)).toBe("completed");
  });

  test("asks after a few seconds for the buyer's answer at the bank", async () => {
    const checkout = await open("book");
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: CARDS.asksBuyer }));
    await story.passAtBank();
    await secondsPass(4);
    await story.app.runDue();
    expect(await statusOf(checkout)).toBe("completed");
  });

  test("refunds at once, and asks again after a second", async () => {
    const { invoiceId } = await story.buy({ productKey: "book", customer: someone() }, CARDS.pays);
    const { id } = await story.ok(story.app.manage("POST", `/invoices/${invoiceId}/refunds`, {}));
    const lost: Fault = async () => ({ status: "unknown" });
    await begin(story.app.ctx, "refund", lost, runOnce);
    expect(await get(`/refunds/${id}`)).toMatchObject({ status: "unknown" });
    await secondsPass(1);
    await story.app.runDue();
    expect(await get(`/refunds/${id}`)).toMatchObject({ status: "succeeded" });
  });

  test("grants at once a Benefit that a Product has come to include", async () => {
    const key = off > 0 ? "ahead" : "behind";
    const product = await story.plan(key, 100, { group: key });
    const customer = someone();
    await story.buy({ productKey: key, customer }, CARDS.pays);
    const { id } = await story.ok(story.app.manage("POST", "/benefits", { key, name: key, type: "feature" }));
    await story.ok(story.app.manage("PATCH", `/products/${product.id}`, { benefitIds: [id] }));
    await story.app.runDue();
    expect(await story.access(customer.externalId)).toEqual([key]);
  });
});
