import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startListening } from "../../src/actions/webhook/listen.ts";
import { openListener } from "../../src/actions/webhook/listener.ts";
import { sql } from "../../src/store/driver/db.ts";
import { startWorker } from "../../src/worker/worker.ts";
import { startOwnTestApp, type Json, type TestApp } from "../support/app.ts";
import { post } from "../support/pages.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { CARDS, ok } from "../support/story.ts";

const SHOP = "https://shop.example.com/thanks";

let app: TestApp;
let receiver: Receiver;
let worker: { stop(): Promise<void> };
/** The answers and pages of a test, in order. */
let seen: string[];

beforeEach(async () => {
  [app, receiver] = await Promise.all([startOwnTestApp({ trustedProxies: ["127.0.0.1"] }), startReceiver()]);
  seen = [];
  const { id } = await ok(app.manage("POST", "/benefits", { key: "sso", name: "Single sign-on", type: "feature" }));
  for (const [key, amount, interval] of [
    ["pro", 3000, "month"],
    ["free", 0, "month"],
    ["book", 4900, null],
  ] as const) {
    const prices = [{ currency: "usd", amount }];
    await ok(app.manage("POST", "/products", { key, name: key, interval, prices, benefitIds: [id] }));
  }
  worker = startWorker(app.ctx);
});
afterEach(async () => {
  await receiver.close();
  await worker.stop();
  await app.close();
});

const listen = (events: string[] = ["*"]) =>
  ok(app.manage("POST", "/webhook-endpoints", { url: receiver.url, events }));
const open = (productKey: string, more: object = { successUrl: SHOP }): Promise<Json> =>
  ok(app.api("POST", "/checkouts", { productKey, customer: { email: `${productKey}@example.com` }, ...more }));

type PaidPage = { url: string; cookie: string };
/** Pays as a browser does, up to the redirect back to the page. */
async function pay({ url, totalAmount }: Json, number: string = CARDS.pays): Promise<PaidPage> {
  const { status, headers } = await post(url, {
    number,
    expiry: "12 / 40",
    cvc: "123",
    expectedAmount: String(totalAmount),
  });
  expect(status).toBe(303);
  return {
    url,
    cookie: headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; "),
  };
}
async function arrive({ url, cookie }: PaidPage): Promise<string> {
  const text = await (await fetch(url, { headers: { Cookie: cookie, Accept: "text/html" } })).text();
  seen.push("page");
  return text;
}
const isRedirect = (text: string) => text.includes(`content="0; url=${SHOP}"`);

/** The receiver answers only after `release`. `asked` resolves when the first request waits. */
function hold(): { asked: Promise<void>; release: () => void } {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  receiver.react = async () => {
    asked.resolve();
    await gate.promise;
    seen.push("answer");
    return 200;
  };
  return { asked: asked.promise, release: gate.resolve };
}

describe("the way back to the shop", () => {
  test.each(["pro", "free", "book"])(
    "waits until the webhook endpoints have answered for all of the purchase: %s",
    async (product) => {
      await listen();
      const checkout = await open(product);
      const { asked, release } = hold();
      const page = arrive(await pay(checkout));
      await asked;
      expect(seen).toEqual([]);
      release();
      expect(isRedirect(await page)).toBe(true);
      expect(seen.at(-1)).toBe("page");
      const { data: log } = await ok(app.manage("GET", "/events?limit=100"));
      expect(log.map(({ id }: Json) => id).toSorted()).toEqual(
        [...log.filter(({ type }: Json) => type.startsWith("product.")), ...receiver.received.map(({ body }) => body)]
          .map(({ id }) => id)
          .toSorted(),
      );
      expect(receiver.story()).toEqual(expect.arrayContaining(["checkout.completed 2", "benefit_grant.granted 1"]));
    },
  );

  test("waits after a question of the bank, too", async () => {
    await listen();
    const checkout = await open("pro");
    const paid = await pay(checkout, CARDS.asksBuyer);
    const [payment] = (await ok(app.manage("GET", "/payments"))).data;
    const { asked, release } = hold();
    const answered = await post(payment.nextAction.url, { answer: "pass" });
    expect(answered.status).toBe(303);
    const page = arrive(paid);
    await asked;
    expect(seen).toEqual([]);
    release();
    expect(isRedirect(await page)).toBe(true);
    expect(seen.at(-1)).toBe("page");
  });

  test("waits only for a while for a receiver that never answers", { timeout: 180_000 }, async () => {
    await listen();
    const { asked, release } = hold();
    const page = arrive(await pay(await open("pro")));
    await asked;
    expect(isRedirect(await page)).toBe(true);
    expect(seen).toEqual(["page"]);
    release();
  });

  test("waits for one attempt, with any answer, and not for the events that a failed one holds back", async () => {
    await listen();
    receiver.react = () => {
      seen.push("answer");
      return 500;
    };
    const page = arrive(await pay(await open("book")));
    expect(isRedirect(await page)).toBe(true);
    const resources = new Set(receiver.received.map(({ body }) => body.data.id)).size;
    // At least the Customer, the Checkout, the invoice, the payment and the grant have an event. Each event comes
    // once, because the next attempt is 5 seconds away.
    expect(resources).toBeGreaterThanOrEqual(5);
    expect(seen).toEqual([...Array(receiver.received.length).fill("answer"), "page"]);
    expect(receiver.received).toHaveLength(resources);
  });
});

const lockStatement = sql("test.lock_deliveries", "LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE");
const loseStatement = sql("test.lose_deliveries", "ALTER TABLE webhook_deliveries RENAME TO lost");
const findStatement = sql("test.find_deliveries", "ALTER TABLE lost RENAME TO webhook_deliveries");

describe("a database that can't say how far deliveries are keeps no buyer from a purchase that is paid", () => {
  let paid: PaidPage;
  beforeEach(async () => {
    await worker.stop();
    await listen();
    paid = await pay(await open("book"));
  });

  test("since it does not answer", { timeout: 180_000 }, async () => {
    await app.ctx.db.tx(async (tx) => {
      await tx.query(lockStatement);
      expect(isRedirect(await arrive(paid))).toBe(true);
    });
  });

  test("since it answers with an error", async () => {
    await app.ctx.db.tx((tx) => tx.query(loseStatement));
    expect(isRedirect(await arrive(paid))).toBe(true);
    await app.ctx.db.tx((tx) => tx.query(findStatement));
  });
});

describe("a receiver that can't answer is not waited for", () => {
  const failingStatement = sql(
    "test.failing",
    "UPDATE webhook_endpoints SET failing_since = statement_timestamp() - interval '2 minutes'",
  );
  const pausedStatement = sql(
    "test.paused",
    "UPDATE webhook_endpoints SET paused_until = statement_timestamp() + interval '1 minute'",
  );
  const skippingStatement = sql("test.skipping", "UPDATE webhook_endpoints SET skip_until = statement_timestamp()");
  const forward = async () => {
    const opened = await openListener(app.ctx, {
      organizationId: app.organization.id,
      url: receiver.url,
      events: ["*"],
    });
    return startListening(app.ctx, opened, () => undefined);
  };

  test.each([
    [
      "an endpoint that has kept failing",
      async () => listen().then(() => app.ctx.db.tx((tx) => tx.query(failingStatement))),
    ],
    [
      "one that has asked for a pause",
      async () => listen().then(() => app.ctx.db.tx((tx) => tx.query(pausedStatement))),
    ],
    [
      "one with a backlog that is still to be skipped",
      async () => listen().then(() => app.ctx.db.tx((tx) => tx.query(skippingStatement))),
    ],
    ["a listener that was left", async () => (await forward()).stop()],
  ])("%s", async (_, begin) => {
    await worker.stop();
    await begin();
    await listen(["subscription.created"]);
    const other = arrive(await pay(await open("pro"))).then(() => seen.push("who waits"));
    expect(isRedirect(await arrive(await pay(await open("book"))))).toBe(true);
    expect(seen).toEqual(["page"]);
    await other;
  });

  test("but a listener that is there", async () => {
    await worker.stop();
    const listener = await forward();
    const checkout = await open("book");
    const { asked, release } = hold();
    const page = arrive(await pay(checkout));
    await asked;
    expect(seen).toEqual([]);
    release();
    expect(isRedirect(await page)).toBe(true);
    expect(seen.at(-1)).toBe("page");
    expect(seen).toContain("answer");
    await listener.stop();
  });
});

describe("there is no wait", () => {
  /** Without a worker no event is spread or sent, so a page that waits would wait to the end. */
  const alone = async (paid: PaidPage) => {
    await worker.stop();
    // Earlier events that are not spread yet would go to the new endpoint, too.
    await app.runDue();
    const slow = await open("pro");
    await listen();
    const others = arrive(await pay(slow)).then(() => seen.push("who waits"));
    const text = await arrive(paid);
    expect(seen).toEqual(["page"]);
    await others;
    return text;
  };

  test("where there is no endpoint", async () => {
    const paid = await pay(await open("book"));
    expect(isRedirect(await alone(paid))).toBe(true);
  });

  test("where no endpoint wants to hear of a purchase", async () => {
    await listen(["product.created"]);
    const paid = await pay(await open("book"));
    expect(isRedirect(await alone(paid))).toBe(true);
  });

  test("where the buyer stays on the page", async () => {
    const paid = await pay(await open("book", {}));
    expect(await alone(paid)).toContain("Thank you");
  });

  test("once the server is to stop", async () => {
    await worker.stop();
    await listen();
    const paid = await pay(await open("book"));
    const page = arrive(paid);
    await open("pro");
    const closing = app.close().then(() => seen.push("closed"));
    expect(isRedirect(await page)).toBe(true);
    await closing;
    expect(seen).toEqual(["page", "closed"]);
    app = await startOwnTestApp();
  });
});
