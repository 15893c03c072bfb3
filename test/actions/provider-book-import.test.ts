import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { adopt, readInstallation } from "../../src/actions/installation.ts";
import { importTransactions } from "../../src/actions/payment/import-transactions.ts";
import { DAY, HOUR, instant, type Instant } from "../../src/domain/calendar.ts";
import type { HistoryEntry, HistoryQuery, PaymentProvider } from "../../src/payments/provider.ts";
import { sql, type Snapshot } from "../../src/store/driver/db.ts";
import { storeConnection, lockConnection } from "../../src/store/provider-connections.ts";
import { findMissing } from "../../src/store/verify/provider-transactions.ts";
import { takeSnapshot } from "../../src/store/verify/snapshot.ts";
import { startConnected, type Connected } from "../support/connected.ts";
import { OUTSIDE } from "../support/outside-provider.ts";
import { ok } from "../support/story.ts";

let world: Connected;
/** The charges of two purchases. */
let clean: HistoryEntry[];

const run = <Row>(name: string, text: string, values: unknown[] = []) =>
  world.app.ctx.db.tx((tx) => tx.query<Row>(sql(`test.provider_book_import_${name}`, text), values));

beforeAll(async () => {
  world = await startConnected();
  for (const name of ["ada", "bob"]) await world.sell(`${name}@example.com`);
  await world.age();
  clean = structuredClone(world.outside.book);
});
afterEach(() => {
  Object.assign(world.outside, { book: structuredClone(clean), pageSize: 500 });
  world.logged.length = 0;
});
afterAll(async () => {
  await world.importAnew();
  await world.app.close();
});

const MANY = 3_000;
/** Entries with keys of ours, spread over three days. */
const many = (): HistoryEntry[] =>
  Array.from({ length: MANY }, (_, n) => ({
    ...clean[0]!,
    ref: `many_${n}`,
    key: `pay_many_${n}`,
    createdAt: instant(clean[0]!.createdAt - ((n % 1000) * 3 * DAY) / 1000),
  }));
const countStored = async () => (await world.stored()).length;

test("holds one page at a time", async () => {
  const { outside } = world;
  Object.assign(outside, { book: [...clean, ...many()], pageSize: 100 });
  const { history } = outside.provider;
  const held: number[] = [];
  const spans = new Set<number>();
  let handed = new Set<string>();
  Object.assign(outside.provider, {
    history: async (query: Parameters<typeof history>[0]) => {
      // The entries that were handed out and are not stored.
      held.push(handed.size === 0 ? 0 : handed.size - (await countStored()));
      spans.add(query.to - query.from);
      const page = await history(query);
      handed = new Set([...handed, ...page.entries.map(({ ref }) => ref)]);
      return page;
    },
  });
  await world.importAnew();
  Object.assign(outside.provider, { history });
  expect(await countStored()).toBe(MANY + clean.length);
  expect(held.length).toBeGreaterThan(MANY / 100);
  expect(Math.max(...held)).toBe(0);
  expect(Math.max(...spans)).toBeLessThanOrEqual(DAY + HOUR);
});

test("goes on at the next page after a process has died", async () => {
  const { outside } = world;
  Object.assign(outside, { book: [...clean, ...many()], pageSize: 400 });
  const { history } = outside.provider;
  const asked: string[] = [];
  const deaf = Promise.withResolvers<Awaited<ReturnType<typeof history>>>();
  const hanging = Promise.withResolvers<void>();
  const spy = (dies: boolean) => async (query: Parameters<typeof history>[0]) => {
    const page = `${query.from} ${query.cursor}`;
    // The process dies at the third page of a span.
    if (dies && query.cursor === "800") {
      hanging.resolve();
      return deaf.promise;
    }
    expect(asked).not.toContain(page);
    asked.push(page);
    return history(query);
  };
  Object.assign(outside.provider, { history: spy(true) });
  await world.due(true);
  const dead = world.work();
  await hanging.promise;
  Object.assign(outside.provider, { history: spy(false) });
  await world.due();
  await world.work();
  expect(await countStored()).toBe(MANY + clean.length);
  // The late answer changes no row.
  deaf.resolve({ entries: [{ ...clean[0]!, ref: "late" }], next: null });
  await dead;
  Object.assign(outside.provider, { history });
  expect(await countStored()).toBe(MANY + clean.length);
});

test("that fails is postponed, and begins its span anew after three failures", async () => {
  const { outside } = world;
  Object.assign(outside, { book: [...clean, ...many()], pageSize: 400 });
  const { history } = outside.provider;
  let asked: (string | null)[] = [];
  Object.assign(outside.provider, {
    history: async (query: Parameters<typeof history>[0]) => {
      asked.push(query.cursor);
      if (query.cursor === "400") throw new Error("no such mark");
      return history(query);
    },
  });
  await world.importAnew();
  expect(asked.at(-1)).toBe("400");
  expect(world.logged).toMatchObject([{ msg: "due work failed", sweep: "provider-books" }]);
  asked = [];
  for (let nights = 0; nights < 3; nights += 1) {
    await world.work();
    await world.due();
    await world.work();
  }
  expect(asked).toEqual(["400", "400", null, "400"]);
  Object.assign(outside.provider, { history });
});

describe("of a book that was read two hours ago", () => {
  let asked = 0;
  beforeAll(async () => {
    await world.importAnew();
    const { payments } = world.app.ctx;
    const { connected } = payments;
    const { provider } = world.outside;
    const history: PaymentProvider["history"] = (query) => {
      asked += 1;
      return provider.history(query);
    };
    payments.connected = async () => ({ ...provider, history });
    return () => void (payments.connected = connected);
  });
  beforeEach(async () => {
    asked = 0;
    await run("earlier", "UPDATE provider_book_imports SET imported_until = imported_until - interval '2 hours'");
  });

  test("waits for the night", async () => {
    await world.app.runDue();
    expect(asked).toBe(0);
  });

  test("ends with the connection, and begins at once with the next one", async () => {
    const { ctx, organization } = world.app;
    const keep = async (isConnected: boolean) => {
      await ctx.db.tx(async (tx) => {
        const row = (await lockConnection(tx, { organizationId: organization.id, ...OUTSIDE }))!;
        storeConnection(tx, { ...row, disconnectedAt: isConnected ? null : row.connectedAt });
      });
      await world.app.runDue();
    };
    await keep(false);
    expect(asked).toBe(0);
    await keep(true);
    expect(asked).toBe(1);
  });

  test("begins at once after an adoption", async () => {
    // The first look makes the row of the installation.
    await readInstallation(world.app.ctx);
    await run("copied", "UPDATE installation SET database_oid = '0'");
    expect(await adopt(world.app.ctx)).toMatchObject({ isAdopted: true });
    await world.app.runDue();
    expect(asked).toBe(1);
  });
});

test("looks for requests that the adapter does not know, a day at a time, once they are a week old", async () => {
  const asked: HistoryQuery[] = [];
  const orphan = { amount: 3000, currency: "usd", status: "requires_confirmation", createdAt: clean[0]!.createdAt };
  const orphans: PaymentProvider["orphans"] = async (query) => {
    asked.push(query);
    if (asked.length > 2) return { orphans: [], next: null };
    if (query.cursor === null) return { orphans: [{ ...orphan, ref: "pi_lost", key: "pay_copy" }], next: "more" };
    // A known key, and the ref of a charge.
    const known = { ...orphan, ref: "pi_known", key: clean[0]!.key! };
    return { orphans: [known, { ...orphan, ref: clean[1]!.ref, key: "pay_copy" }], next: null };
  };
  const { payments } = world.app.ctx;
  const { connected } = payments;
  payments.connected = async () => ({ ...world.outside.provider, orphans });
  await world.importAnew();
  const spans = asked.filter(({ cursor }) => cursor === null);
  expect(asked.map(({ cursor }) => cursor).slice(0, 3)).toEqual([null, "more", null]);
  // Three days and an hour: the import begins an hour before the connection, ten days ago.
  expect(spans.map(({ from, to }) => Math.round((to - from) / HOUR))).toEqual([24, 24, 24, 1]);
  expect(spans.slice(1).map(({ from }) => from)).toEqual(spans.slice(0, -1).map(({ to }) => to));
  await world.due();
  await world.work();
  expect(asked.length).toBe(5);
  expect(await world.differences()).toEqual(["book_orphan"]);
  expect((await ok(world.app.manage("GET", "/organization"))).notices[0].text).toContain("unknown here: 1.");
  payments.connected = connected;
});

describe("the orphans of a day", () => {
  const PAGES = 45;
  const lost = (n: number) => ({
    ref: `pi_lost_${n}`,
    key: `pay_copy_${n}`,
    amount: 3000,
    currency: "usd",
    status: "requires_confirmation",
    createdAt: clean[0]!.createdAt,
  });
  let asked: HistoryQuery[] = [];
  let connected: typeof world.app.ctx.payments.connected;
  beforeEach(() => {
    asked = [];
    ({ connected } = world.app.ctx.payments);
  });
  afterEach(() => void (world.app.ctx.payments.connected = connected));

  /** Each page of the first span has one orphan. `dies`: at this page of the first span the provider fails. */
  function answer(dies: number | null): void {
    const orphans: NonNullable<PaymentProvider["orphans"]> = async (query) => {
      const first = asked[0]?.from ?? query.from;
      asked.push(query);
      const page = Number(query.cursor ?? 0);
      if (query.from !== first) return { orphans: [], next: null };
      if (page === dies) throw new Error("the provider is out of order");
      return { orphans: [lost(page)], next: page + 1 < PAGES ? String(page + 1) : null };
    };
    world.app.ctx.payments.connected = async () => ({ ...world.outside.provider, orphans });
  }
  const account = () => ({ organizationId: world.app.organization.id, ...OUTSIDE });
  const storedOrphans = async () => (await world.stored()).filter(({ ref }) => ref.startsWith("pi_lost")).length;

  test("are looked for in turns of twenty pages, so that other work gets its turn", async () => {
    answer(null);
    await world.due(true);
    const turns: number[] = [];
    for (let before = 0; await importTransactions(world.app.ctx, account()); before = asked.length)
      if (asked.length > before) turns.push(asked.length - before);
    expect(turns.slice(0, 3)).toEqual([20, 20, 5]);
    // Each page of a span names the same instants, though the clock went on between two turns.
    expect(new Set(asked.slice(0, PAGES).map(({ from, to }) => `${from} ${to}`)).size).toBe(1);
    expect(await storedOrphans()).toBe(PAGES);
  });

  test("are looked for at the next page after a failure", async () => {
    answer(30);
    await world.importAnew();
    expect(world.logged).toMatchObject([{ msg: "due work failed", sweep: "provider-books" }]);
    expect([asked.length, await storedOrphans()]).toEqual([31, 30]);
    const [first] = asked;
    answer(null);
    await world.due();
    await world.work();
    expect(asked[31]).toMatchObject({ from: first!.from, to: first!.to, cursor: "30" });
    expect(await storedOrphans()).toBe(PAGES);
  });
});

describe("entries that never come", () => {
  const DAYS = 12;
  const missing = async (night: number, lateUntil: Instant | null) => {
    const { ctx, organization } = world.app;
    const find = async (tx: Snapshot) =>
      findMissing(await takeSnapshot(tx, organization.id), { ...OUTSIDE, lateUntil }, night);
    return (await ctx.db.snapshot(find, Infinity)).map(({ createdAt }) => createdAt);
  };

  test("hide no other one: each is looked for in its first night, and again in one of the next nights", async () => {
    for (let n = 0; n < DAYS; n += 1) await world.sell(`missing-${n}@example.com`);
    const spread = await run<{ key: string; n: number }>(
      "spread",
      `UPDATE payments SET created_at = settled_at - n * interval '12 hours', settled_at = settled_at - n * interval
       '12 hours' FROM (SELECT p.id AS payment, row_number() OVER (ORDER BY p.id) AS n FROM payments p
       JOIN customers c ON c.organization_id = p.organization_id AND c.id = p.customer_id
       WHERE c.email LIKE 'missing-%') each WHERE id = each.payment RETURNING payments.provider_key AS key, n`,
    );
    const { outside } = world;
    const listed = outside.book.map((entry) => {
      const row = spread.find(({ key }) => key === entry.key);
      return row ? { ...entry, createdAt: instant(entry.createdAt - row.n * 12 * HOUR) } : entry;
    });
    outside.book = structuredClone(clean);
    const { provider } = outside;
    const { history } = provider;
    const spans: HistoryQuery[] = [];
    provider.history = (query) => {
      spans.push(query);
      return history(query);
    };
    await world.importAnew();
    provider.history = history;
    expect(await world.differences()).toEqual(["book_charge_missing"]);
    const all = await missing(0, null);
    expect(all).toHaveLength(DAYS);
    const late = spans.filter(({ from, to }) => to - from < 3 * HOUR);
    for (const at of all) expect(late.filter(({ from, to }) => from <= at && at < to)).toHaveLength(1);

    const [last] = all.toSorted((one, other) => other - one);
    const seen = new Set<number>();
    for (let night = 0; night < 30; night += 1) {
      const again = await missing(night, last!);
      expect(again).toHaveLength(10);
      for (const at of again) seen.add(at);
    }
    expect(seen).toEqual(new Set(all));
    // The entries come after all, before the books of the server are compared at its end.
    clean = listed;
  });
});

test("forgets entries older than 35 days", async () => {
  await world.importAnew();
  await run("forget", "UPDATE provider_book SET created_at = now() - interval '36 days' WHERE key = $1", [
    clean[1]!.key,
  ]);
  await world.app.runDue();
  expect((await world.stored()).map(({ key }) => key)).not.toContain(clean[1]!.key);
});
