import { setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createContext, type OpenContext } from "../../src/context.ts";
import { sql } from "../../src/store/driver/db.ts";
import { payments } from "../../src/store/payments.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { startTestApp, type Json, type TestAnswer, type TestApp } from "../support/app.ts";
import { audit, readBook } from "../support/audit.ts";
import { letLeasesRunOut } from "../support/processes.ts";
import { moved } from "../support/sql-instants.ts";
import { ok } from "../support/story.ts";

const PAYS = "4242424242424242";
const ANSWER_LOST = "4000000000000507";
const TABS = 6;

let app: TestApp;
let other: OpenContext;
let buyers = 0;

beforeAll(async () => {
  app = await startTestApp();
  other = await createContext(app.ctx.config);
  const price = (amount: number) => [{ currency: "usd", amount }];
  const products = [
    { key: "starter", name: "Starter", interval: "month", prices: price(1000) },
    { key: "pro", name: "Pro", interval: "month", prices: price(3000) },
    { key: "trial", name: "Trial", interval: "month", trialDays: 14, prices: price(3000) },
    { key: "book", name: "Book", prices: price(500) },
  ];
  for (const product of products) await ok(app.manage("POST", "/products", product));
});

afterEach(async () => {
  await letLeasesRunOut(app.ctx.db);
  await app.runDue();
  expect(await audit(app.ctx.db, app.organization.id)).toEqual([]);
});

afterAll(async () => {
  await other.close();
  await app.close();
});

const email = () => `buyer-${(buyers += 1)}@example.com`;
const times = <T>(n: number, make: (n: number) => T): T[] => Array.from({ length: n }, (_, index) => make(index));
const someone = () => ({ customer: { email: email() } });
const checkout = (productKey: string, buyer: object = someone()) =>
  ok(app.api("POST", "/checkouts", { productKey, ...buyer }));
const pay = ({ id }: Json, body: object = {}) =>
  app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: PAYS, ...body });
const statuses = (answers: TestAnswer[]) => answers.map((answer) => answer.body.code ?? answer.body.status).sort();

async function subscribe(productKey: string): Promise<Json> {
  const { subscriptionId } = await ok(pay(await checkout(productKey)));
  return ok(app.api("GET", `/subscriptions/${subscriptionId}`));
}

async function chargesFor(filter: string): Promise<number> {
  const { data } = await ok(app.manage("GET", `/payments?${filter}`));
  const keys = new Set((await readBook(app.ctx.db, app.organization.id)).map((charge) => charge.key));
  const ids: string[] = data.map((payment: Json) => payment.id);
  const found = await Promise.all(ids.map((id) => payments.find(app.ctx.db.read, app.organization.id, id)));
  return found.filter((payment) => keys.has(payment!.providerKey)).length;
}

/**
 * Sends `n` requests at once with one key. Returns the answers, their distinct texts, and the answers that are no
 * repeat.
 */
async function sendAtOnce(n: number, method: string, path: string, body: (n: number) => object, key: string) {
  const headers = {
    Authorization: `Bearer ${app.keys.public}`,
    "Content-Type": "application/json",
    "Idempotency-Key": key,
  };
  const answers = await Promise.all(
    times(n, async (index) => {
      const response = await fetch(`${app.url}/public/v2${path}`, {
        method,
        headers,
        body: JSON.stringify(body(index)),
      });
      return {
        status: response.status,
        replayed: response.headers.has("Idempotency-Replayed"),
        text: await response.text(),
      };
    }),
  );
  const first = answers.filter(({ status, replayed }) => status < 300 && !replayed);
  return { answers, first, texts: new Set(answers.map(({ text }) => text)) };
}

describe("paying", () => {
  test.each(["starter", "trial", "book"])(
    "a Checkout of %s in several tabs at once: one of them does",
    async (productKey) => {
      const { id } = await checkout(productKey);
      const answers = await Promise.all(times(TABS, () => pay({ id })));
      expect(statuses(answers)).toEqual([...times(TABS - 1, () => "checkout_not_open"), "completed"]);
      expect(await chargesFor(`checkoutId=${id}`)).toBe(productKey === "trial" ? 0 : 1);
    },
  );

  test("while the first answer is lost", async () => {
    const { id } = await checkout("starter");
    const answers = await Promise.all(times(TABS, () => pay({ id }, { card: ANSWER_LOST })));
    expect(statuses(answers)).toEqual([...times(TABS - 1, () => "checkout_not_open"), "processing"]);
    await letLeasesRunOut(app.ctx.db);
    await Promise.all([app.runDue(), runOnce(other), pay({ id })]);
    expect(await ok(app.api("GET", `/checkouts/${id}`))).toMatchObject({ status: "completed" });
    expect(await chargesFor(`checkoutId=${id}`)).toBe(1);
  });

  test.each(["starter", "trial"])("several Checkouts of one Customer for %s: one Subscription", async (productKey) => {
    const customer = { email: email() };
    const made = await Promise.all(times(TABS, () => checkout(productKey, { customer })));
    const answers = await Promise.all(made.map((each) => pay(each)));
    expect(statuses(answers)).toEqual([...times(TABS - 1, () => "already_subscribed"), "completed"]);
    const { data } = await ok(app.manage("GET", `/subscriptions?customerId=${made[0].customerId}`));
    expect(data).toHaveLength(1);
  });

  test("by buyers that type the same new e-mail: one Customer, one Subscription", async () => {
    const typed = email();
    const made = await Promise.all(times(TABS, () => checkout("starter", {})));
    const answers = await Promise.all(made.map((each) => pay(each, { email: typed })));
    expect(statuses(answers)).toEqual([...times(TABS - 1, () => "already_subscribed"), "completed"]);
    const { data } = await ok(app.manage("GET", `/customers?search=${typed}`));
    expect(data).toHaveLength(1);
  });
});

test("Checkouts that give one new externalId to several Customers: one Customer gets it and them all", async () => {
  const emails = times(TABS, email);
  for (const each of emails) await ok(app.api("POST", "/customers", { email: each }));
  const externalId = "wanted-by-many";
  const sell = (each: string) =>
    app.api("POST", "/checkouts", { productKey: "starter", customer: { email: each, externalId } });
  const answers = await Promise.all(emails.map(sell));
  expect(answers.map((answer) => answer.status)).toEqual(times(TABS, () => 201));
  const { data } = await ok(app.manage("GET", `/customers?externalId=${externalId}`));
  expect(data).toHaveLength(1);
  expect(new Set(answers.map((answer) => answer.body.customerId))).toEqual(new Set([data[0].id]));
});

describe("an Idempotency-Key that is sent twenty times at once", () => {
  test("makes one Customer, and is answered with the same bytes", async () => {
    const body = { email: email() };
    const { first, texts } = await sendAtOnce(20, "POST", "/customers", () => body, "customer");
    expect([first.length, texts.size]).toEqual([1, 1]);
    expect((await ok(app.manage("GET", `/customers?search=${body.email}`))).data).toHaveLength(1);
  });

  test("makes one Checkout with its Customer", async () => {
    const body = { productKey: "starter", customer: { email: email() } };
    const { answers, first, texts } = await sendAtOnce(20, "POST", "/checkouts", () => body, "checkout");
    expect([first.length, texts.size]).toEqual([1, 1]);
    const { customerId } = JSON.parse(answers[0]!.text) as Json;
    expect((await ok(app.manage("GET", `/checkouts?customerId=${customerId}`))).data).toHaveLength(1);
  });

  test("charges one change", async () => {
    const { id } = await subscribe("starter");
    const { first, texts } = await sendAtOnce(
      20,
      "PATCH",
      `/subscriptions/${id}`,
      () => ({ productKey: "pro" }),
      "change",
    );
    expect([first.length, texts.size]).toEqual([1, 1]);
    expect(await chargesFor(`subscriptionId=${id}&trigger=product_change`)).toBe(1);
  });

  test("with two bodies stands for the one that came first", async () => {
    const bodies = [{ email: email() }, { email: email() }];
    const { answers, first } = await sendAtOnce(20, "POST", "/customers", (n) => bodies[n % 2]!, "two bodies");
    expect(first).toHaveLength(1);
    expect(answers.filter(({ text }) => text === first[0]!.text)).toHaveLength(10);
    expect(
      answers.filter(({ status, text }) => status === 422 && text.includes("idempotency_key_reused")),
    ).toHaveLength(10);
  });
});

describe("changes of one Subscription at once", () => {
  test("that name the same ETag: one is made", async () => {
    const { id } = await subscribe("starter");
    const { headers } = await app.api("GET", `/subscriptions/${id}`);
    const etag = { "If-Match": headers.get("ETag")! };
    const answers = await Promise.all(
      times(TABS, () => app.api("PATCH", `/subscriptions/${id}`, { productKey: "pro" }, etag)),
    );
    expect(statuses(answers).filter((code) => !["change_in_progress", "precondition_failed"].includes(code))).toEqual([
      "active",
    ]);
    expect(await chargesFor(`subscriptionId=${id}&trigger=product_change`)).toBe(1);
  });

  test("there and back: each is made whole or refused", async () => {
    const { id } = await subscribe("starter");
    const change = (n: number) =>
      app.api("PATCH", `/subscriptions/${id}`, n % 2 ? { productKey: "starter" } : { productKey: "pro" });
    const answers = await Promise.all(times(4 * TABS, change));
    expect(new Set(statuses(answers)).difference(new Set(["active", "change_in_progress"]))).toEqual(new Set());
    const { amount } = await ok(app.api("GET", `/subscriptions/${id}`));
    expect([1000, 3000]).toContain(amount);
  });

  test("and its end: the end waits for the charge", async () => {
    const { id } = await subscribe("starter");
    const change = app.api("PATCH", `/subscriptions/${id}`, { productKey: "pro" });
    await turn();
    const ends = times(TABS, () => app.manage("POST", `/subscriptions/${id}/cancel-now`, {}));
    const known = new Set(["active", "canceled", "change_in_progress", "subscription_canceled"]);
    expect(new Set(statuses(await Promise.all([change, ...ends]))).difference(known)).toEqual(new Set());
  });
});

const older = (by: string, ...columns: string[]) => columns.map((column) => `${column} = ${moved(column, by)}`).join();
const AGED = ["due_at", "anchor_at", "started_at", "current_period_start", "current_period_end"];
const ageStatement = sql(
  "test.age_subscriptions",
  `WITH aged AS (
     UPDATE subscriptions SET ${older("- interval '40 days'", ...AGED)}
     WHERE organization_id = $1 AND status = 'active' RETURNING id
   )
   UPDATE invoices SET ${older("- interval '40 days'", "period_start", "period_end")}
   FROM aged WHERE organization_id = $1 AND subscription_id = aged.id`,
);
const lapseStatement = sql(
  "test.lapse_checkouts",
  `UPDATE checkouts SET ${older("- interval '2 days'", "due_at", "expires_at")}
   WHERE organization_id = $1 AND status = 'open'`,
);

test("several workers do due work once", async () => {
  const owned = await Promise.all(times(10, () => subscribe("starter")));
  const lost = await Promise.all(times(10, async () => ok(pay(await checkout("starter"), { card: ANSWER_LOST }))));
  const left = await Promise.all(times(10, () => checkout("starter")));
  await app.ctx.db.tx((tx) => tx.query(ageStatement, [app.organization.id]));
  await app.ctx.db.tx((tx) => tx.query(lapseStatement, [app.organization.id]));
  await letLeasesRunOut(app.ctx.db);
  await Promise.all([app.ctx, other, app.ctx, other].map((ctx) => runOnce(ctx)));

  for (const { id } of owned) {
    const { data } = await ok(app.manage("GET", `/invoices?subscriptionId=${id}`));
    expect(data.map((invoice: Json) => `${invoice.reason} ${invoice.status}`)).toEqual([
      "renewal paid",
      "checkout paid",
    ]);
    expect(await chargesFor(`subscriptionId=${id}`)).toBe(2);
  }
  for (const { id } of lost)
    expect(await ok(app.api("GET", `/checkouts/${id}`))).toMatchObject({ status: "completed" });
  for (const { id } of left) {
    const { data } = await ok(app.manage("GET", `/events?resourceId=${id}`));
    expect(data.map((event: Json) => event.type)).toEqual(["checkout.created", "checkout.expired"]);
  }
});

test("work under way is no disagreement for an audit meanwhile", async () => {
  let buying = true;
  const looked: string[][] = [];
  const look = async () => {
    while (buying) looked.push(await audit(other.db, app.organization.id));
  };
  const buy = async (n: number) => {
    const { id } = await subscribe(n % 2 === 0 ? "starter" : "trial");
    await app.api("PATCH", `/subscriptions/${id}`, { productKey: "pro" });
    await pay(await checkout("book"), { card: ANSWER_LOST });
    await app.manage("POST", `/subscriptions/${id}/cancel-now`, {});
  };
  const bought = Promise.all(times(12, buy)).finally(() => (buying = false));
  await Promise.all([bought, look(), look(), runOnce(other)]);
  expect(new Set(looked.flat())).toEqual(new Set());
  expect(looked.length).toBeGreaterThan(1);
});
