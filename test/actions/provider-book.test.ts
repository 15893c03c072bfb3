import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { HOUR } from "../../src/domain/calendar.ts";
import { importTransactions } from "../../src/actions/payment/import-transactions.ts";
import { reportRefund } from "../../src/actions/refund/report.ts";
import type { HistoryEntry, HistoryQuery } from "../../src/payments/provider.ts";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { startConnected, type Connected } from "../support/connected.ts";
import { OUTSIDE } from "../support/outside-provider.ts";
import { endPeriod, ok } from "../support/story.ts";

let world: Connected;
/** The payments by their roles, and the refunds. */
let ids: { bought: Json; renewed: Json; declined: Json; refund: Json };
let clean: HistoryEntry[];

const run = (name: string, text: string, values: unknown[] = []) =>
  world.app.ctx.db.tx((tx) => tx.query(sql(`test.provider_book_${name}`, text), values));

beforeAll(async () => {
  world = await startConnected();
  const { app, outside, sell } = world;
  const { ctx, organization, manage } = app;
  const ada = await sell("ada@example.com");
  const bob = await sell("bob@example.com");
  await endPeriod(ctx, organization.id, ada.id);
  await app.runDue();
  outside.decline(true);
  await endPeriod(ctx, organization.id, bob.id);
  await app.runDue();
  outside.decline(false);
  const [invoice] = (await ok(manage("GET", `/invoices?subscriptionId=${bob.id}&status=paid`))).data;
  await ok(manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 500 }));
  await ok(manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 100, to: "balance" }));
  await app.runDue();
  const keyed = await ctx.db.read.query<{ id: string; key: string; purpose: string; status: string }>(
    sql(
      "test.provider_book_keys",
      "SELECT id, provider_key AS key, purpose, status FROM payments WHERE organization_id = $1 ORDER BY id",
    ),
    [organization.id],
  );
  const [refund] = (await ok(manage("GET", "/refunds?to=card"))).data;
  ids = {
    bought: keyed.find(({ purpose }) => purpose === "checkout"),
    renewed: keyed.find(({ purpose, status }) => purpose === "renewal" && status === "succeeded"),
    declined: keyed.find(({ status }) => status === "failed"),
    refund,
  };
  await world.age();
  clean = structuredClone(outside.book);
});
afterEach(() => {
  Object.assign(world.outside, { book: structuredClone(clean), pageSize: 500 });
  world.logged.length = 0;
});
afterAll(async () => {
  await world.importAnew();
  await world.app.close();
});

const of = (key: string) => world.outside.book.find((entry) => entry.key === key)!;
const notices = async () => (await ok(world.app.manage("GET", "/organization"))).notices;
const metric = async () =>
  /^billow_provider_book_differences (\d+)$/m.exec(await (await fetch(`${world.app.url}/metrics`)).text())?.[1];

test("the history of charges, a decline and refunds agrees", async () => {
  await world.importAnew();
  expect(await world.differences()).toEqual([]);
  expect((await world.stored()).length).toBe(4);
  expect([await notices(), await metric(), world.logged]).toEqual([[], "0", []]);
});

/** Adds an entry like the one with this key. */
const add = (key: string, changed: Partial<HistoryEntry>) =>
  world.outside.book.push({ ...of(key), ref: "planted", ...changed });
const remove = (key: string) => world.outside.book.splice(world.outside.book.indexOf(of(key)), 1);

const PLANTED: [difference: string, plant: () => unknown, rule: string][] = [
  ["a charge with a key that we don't know", () => add(ids.bought.key, { key: "pay_copy" }), "book_charge_unknown"],
  ["no charge for a payment", () => remove(ids.renewed.key), "book_charge_missing"],
  ["another amount", () => (of(ids.renewed.key).amount -= 1), "book_charge_amount"],
  ["another currency", () => (of(ids.renewed.key).currency = "eur"), "book_charge_currency"],
  ["a charge for a failed payment", () => add(ids.renewed.key, { key: ids.declined.key }), "book_charge_open"],
  ["two charges with one key", () => add(ids.renewed.key, {}), "book_key_twice"],
  [
    "a refund that was made at the provider",
    () => add(ids.refund.id, { key: null, chargeKey: ids.renewed.key }),
    "book_refund_unknown",
  ],
  ["no refund for a refund", () => remove(ids.refund.id), "book_refund_missing"],
  ["another amount of a refund", () => (of(ids.refund.id).amount += 1), "book_refund_amount"],
  ["a refund of another charge", () => (of(ids.refund.id).chargeKey = ids.renewed.key), "book_refund_charge"],
  ["a refund with a key that we don't know", () => add(ids.refund.id, { key: "ref_copy" }), "book_refund_unknown"],
  ["two refunds with one key", () => add(ids.refund.id, {}), "book_key_twice"],
];

test.each(PLANTED)("%s is found", async (_, plant, rule) => {
  plant();
  await world.importAnew();
  expect(await world.differences()).toEqual([rule]);
});

describe("a difference", () => {
  test("is a notice, a figure and one line of the log, until the books agree", async () => {
    add(ids.bought.key, { key: "pay_copy" });
    remove(ids.refund.id);
    await world.importAnew();
    const { id } = world.app.organization;
    const [notice] = await notices();
    expect(notice).toMatchObject({ type: "provider_book_differs", resourceId: id });
    expect(notice.text).toBe(
      "The payment provider's book and Billow's book have 2 differences. Run node bin/billow.mjs verify. " +
        "Charges with keys of " +
        "Billow that are unknown here: 1. A copy of the database may be charging, or the database was restored from " +
        "a backup.",
    );
    expect(await metric()).toBe("2");
    const line = {
      msg: "the payment provider's book differs from ours, see node bin/billow.mjs verify",
      organizationId: id,
      rules: { book_charge_unknown: 1, book_refund_missing: 1 },
    };
    expect(world.logged).toMatchObject([line]);
    await world.importAnew();
    expect(world.logged).toHaveLength(1);
    expect((await notices())[0].at).toBe(notice.at);
    Object.assign(world.outside, { book: structuredClone(clean) });
    await world.importAnew();
    expect([await notices(), await metric(), world.logged.length]).toEqual([[], "0", 1]);
  });

  test("changes the ETag of the Organization", async () => {
    const etag = async () => (await world.app.manage("GET", "/organization")).headers.get("ETag");
    const before = await etag();
    add(ids.bought.key, { key: "pay_copy" });
    await world.importAnew();
    expect(await etag()).not.toBe(before);
  });
});

describe("no difference is", () => {
  test("an unmatched charge on the same account", async () => {
    add(ids.bought.key, { key: null });
    await world.importAnew();
    expect(await world.differences()).toEqual([]);
    expect((await world.stored()).map(({ ref }) => ref)).not.toContain("planted");
  });

  test("a payment within the last hour of the imported span", async () => {
    remove(ids.renewed.key);
    const shift = (hours: number) =>
      run(
        "shift",
        "UPDATE payments SET created_at = created_at + $2 * interval '1 hour', " +
          "settled_at = settled_at + $2 * interval '1 hour' WHERE id = $1",
        [ids.renewed.id, hours],
      );
    await shift(2.5);
    await world.importAnew();
    expect(await world.differences()).toEqual([]);
    await shift(-2.5);
    expect(await world.differences()).toEqual(["book_charge_missing"]);
  });

  test("a payment before the imported span, or near its beginning", async () => {
    remove(ids.renewed.key);
    await world.importAnew();
    const from = (hours: number) =>
      run("from", "UPDATE provider_book_imports SET imported_from = imported_until - $1 * interval '1 hour'", [hours]);
    await from(3.5);
    expect(await world.differences()).toEqual([]);
    await from(5);
    expect(await world.differences()).toEqual(["book_charge_missing"]);
  });

  test("an unsettled attempt, until a day has passed", async () => {
    await world.importAnew();
    await run(
      "unsettled",
      "UPDATE payments SET status = 'unknown', settled_at = NULL, check_at = now() WHERE id = $1",
      [ids.renewed.id],
    );
    expect(await world.differences()).not.toContain("book_charge_open");
    await run("old", "UPDATE provider_book SET created_at = now() - interval '25 hours' WHERE key = $1", [
      ids.renewed.key,
    ]);
    expect(await world.differences()).toContain("book_charge_open");
    await run(
      "settled",
      "UPDATE payments SET status = 'succeeded', settled_at = created_at, check_at = NULL WHERE id = $1",
      [ids.renewed.id],
    );
  });

  test("a missing entry of a sandbox whose clock is set", async () => {
    remove(ids.renewed.key);
    await world.importAnew();
    expect(await world.differences()).toEqual(["book_charge_missing"]);
    await run("clock", "UPDATE organizations SET clock_at = now() WHERE id = $1", [world.app.organization.id]);
    expect(await world.differences()).not.toContain("book_charge_missing");
    await run("no_clock", "UPDATE organizations SET clock_at = NULL WHERE id = $1", [world.app.organization.id]);
  });
});

test("a refund that was made at the provider is a difference until the provider reports it", async () => {
  const { ctx, organization } = world.app;
  add(ids.refund.id, { key: null, chargeKey: ids.renewed.key, amount: 700 });
  await world.importAnew();
  expect(await world.differences()).toEqual(["book_refund_unknown"]);
  const { ref, amount, currency, createdAt } = world.outside.book.find((entry) => entry.ref === "planted")!;
  const fact = { ref, key: null, chargeKey: ids.renewed.key, amount, currency, createdAt, failureCode: null };
  const report = (status: "succeeded" | "failed") => reportRefund(ctx, organization.id, OUTSIDE, { ...fact, status });
  expect(await report("succeeded")).toMatchObject({ status: "succeeded", providerRef: ref, amount });
  expect(await world.differences()).toEqual([]);
  // The bank fails it later, so the provider does not list it any more.
  expect(await report("failed")).toMatchObject({ status: "failed", failedLate: true });
  expect(await world.differences()).toEqual([]);
  Object.assign(world.outside, { book: structuredClone(clean) });
  await world.importAnew();
  expect(await world.differences()).toEqual([]);
});

describe("an entry that the provider lists only days after its beginning enters the book", () => {
  test.each([
    ["of a charge", () => ids.renewed.key, "book_charge_missing"],
    ["of a refund", () => ids.refund.id, "book_refund_missing"],
  ])("%s", async (_, keyOf, rule) => {
    const key: string = keyOf();
    const entry = clean.find((each) => each.key === key)!;
    remove(key);
    await world.importAnew();
    expect(await world.differences()).toEqual([rule]);

    Object.assign(world.outside, { book: structuredClone(clean), pageSize: 1 });
    const { provider } = world.outside;
    const { history } = provider;
    const asked: HistoryQuery[] = [];
    provider.history = (query) => {
      asked.push(query);
      return history(query);
    };
    await world.due();
    await world.work();
    provider.history = history;
    expect(await world.differences()).toEqual([]);
    expect(await metric()).toBe("0");
    // Only the hours around the beginning are read again, a page at a time.
    for (const { from, to } of asked) {
      expect(to - from).toBeLessThan(3 * HOUR);
      expect(entry.createdAt).toBeGreaterThanOrEqual(from);
      expect(entry.createdAt).toBeLessThan(to);
    }
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, ...clean.slice(1).map((_each, n) => String(n + 1))]);
  });

  test("in turns of twenty pages, so that other work gets its turn", async () => {
    const { app, outside, due } = world;
    const unmatched = Array.from({ length: 45 }, (_, n) => ({
      ...of(ids.renewed.key),
      ref: `unmatched_${n}`,
      key: null,
    }));
    remove(ids.renewed.key);
    await world.importAnew();
    Object.assign(outside, { book: [...structuredClone(clean), ...unmatched], pageSize: 1 });
    const { provider } = outside;
    const { history } = provider;
    let pages = 0;
    provider.history = (query) => {
      pages += 1;
      return history(query);
    };
    await due();
    const turns: number[] = [];
    while (await importTransactions(app.ctx, { organizationId: app.organization.id, ...OUTSIDE })) {
      turns.push(pages);
      pages = 0;
    }
    provider.history = history;
    expect(turns).toEqual([20, 20, clean.length + unmatched.length - 40]);
    expect(await world.differences()).toEqual([]);
  });
});

test("an outcome that has been unknown for a day is reported", async () => {
  await world.importAnew();
  const age = (hours: number) =>
    run(
      "unknown",
      `UPDATE payments SET status = 'unknown', settled_at = NULL, check_at = now(), created_at = now() - $2
         * interval '1 hour' WHERE id = $1`,
      [ids.renewed.id, hours],
    );
  await age(23);
  expect(await world.differences()).not.toContain("unknown_payments");
  await age(25);
  expect(await world.differences()).toContain("unknown_payments");
  await run(
    "known",
    `UPDATE payments SET status = 'succeeded', created_at = now() - interval '3 hours',
       settled_at = now() - interval '3 hours', check_at = NULL WHERE id = $1`,
    [ids.renewed.id],
  );
});
