import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CustomerBilling, type LoadedBilling } from "../../src/domain/billing/customer-billing.ts";
import { OPEN_ITEMS, type Part } from "../../src/domain/billing/parts.ts";
import { storeChanges } from "../../src/store/customer-billing/changes.ts";
import type { KeyKind, RowKey } from "../../src/store/customer-billing/keys.ts";
import { loadBillings, loadParts } from "../../src/store/customer-billing/load.ts";
import { customers } from "../../src/store/customers.ts";
import { sql, type Tx } from "../../src/store/driver/db.ts";
import { linesOf } from "../../src/store/invoice-lines.ts";
import { invoices, openInvoicesOf } from "../../src/store/invoices.ts";
import { payments } from "../../src/store/payments.ts";
import { products } from "../../src/store/products.ts";
import { listBalances, liveOfCustomer, openPaymentsOf, waitingLines } from "../support/customer-rows.ts";
import { openEverything, type Everything } from "../support/everything.ts";
import { caller } from "../support/app.ts";
import { byId, withoutEntropy } from "../support/loaded-billing.ts";
import { undone } from "../support/undone.ts";
import { watched } from "../support/watched-tx.ts";

let everything: Everything;
let organizationId: string;
let ids: Record<string, string>;
/** Every Customer of the first Organization, and a Customer of another one. */
let everyone: RowKey[];
let stranger: RowKey;

const customersStatement = sql(
  "test.customers",
  `SELECT organization_id AS "organizationId", id FROM customers ORDER BY 1, 2`,
);

beforeAll(async () => {
  everything = await openEverything();
  ({ ids } = everything);
  const { app } = everything.story;
  organizationId = app.organization.id;
  await everything.story.change(ids["waits"]!, { productKey: "ten", prorationBehavior: "next_invoice" });
  const other = await app.otherOrganization();
  const { status } = await caller(`${app.url}/public/v2`, other.keys.public)("POST", "/customers", {
    email: "stranger@example.com",
  });
  expect(status).toBe(201);
  const all = await db().read.query<RowKey>(customersStatement);
  everyone = all.filter((key) => key.organizationId === organizationId);
  stranger = all.find((key) => key.organizationId === other.organization.id)!;
});
afterAll(() => everything.story.close());

const db = () => everything.story.app.ctx.db;
const links = { invoiceUrl: () => "/invoice", checkoutUrl: () => "/checkout", downloadUrl: () => "/download" };
const options = { hasProvider: () => true, limitsAt: () => ({ least: 50, step: 1 }) };
const own = (id: string): RowKey => ({ organizationId, id });

/** Runs `work` in a transaction that keeps no change. */
const tryOut = <T>(work: (tx: Tx) => Promise<T>) => undone(db(), work);

async function loadOne(
  tx: Tx,
  id: string,
  parts: readonly Part[] = [],
  by: KeyKind = "customer",
): Promise<LoadedBilling> {
  const [found] = await loadBillings(tx, by, [own(id)], { ...options, parts: [OPEN_ITEMS, ...parts] });
  return found!.loaded;
}

const idsOf = (rows: readonly { id: string }[]) => byId(rows).map(({ id }) => id);

const sequenceStatement = sql(
  "test.sequences",
  `SELECT invoice_sequence AS invoice, credit_note_sequence AS "creditNote" FROM customers WHERE id = $1`,
);
const cardsStatement = sql("test.cards", `SELECT id FROM payment_methods WHERE customer_id = $1 ORDER BY id`);

const analyseStatement = sql(
  "test.analyse",
  "ANALYZE customers, subscriptions, invoices, invoice_lines, payments, events",
);
const scansStatement = sql(
  "test.scans",
  // PostgreSQL reads a table with at most one row as a whole.
  "SELECT relname AS name, seq_scan AS scans FROM pg_stat_xact_user_tables WHERE seq_scan > 0 AND relname <> " +
    "'worker_heartbeat' ORDER BY 1",
);
/** A hundred copies of each chosen row of a table, with ids of their own. */
const multiply = (table: string, others: string) =>
  sql(
    `test.multiply_${table}`,
    `INSERT INTO ${table} SELECT (json_populate_record(t, json_build_object('id', t.id || n, ${others}))).*
     FROM ${table} t CROSS JOIN generate_series(1, 100) n WHERE t.organization_id = $1 AND t.id = ANY($2)`,
  );
const growStatements = [
  multiply("customers", `'id', right('cus_' || md5(t.id || n), 26), 'external_id', NULL, 'email_key', md5(t.id || n)`),
  multiply("subscriptions", `'group_key', NULL`),
  multiply("invoices", `'number', t.number || n, 'checkout_id', NULL, 'period_number', NULL`),
];

describe("plans", () => {
  test("that were made for small tables look up rows of large ones by an index", async () => {
    await tryOut(async (tx) => {
      const scans = () => tx.query<{ name: string; scans: number }>(scansStatement);
      const work = async () => {
        const [found] = await loadBillings(tx, "subscription", [own(ids["ada"]!)], options);
        const parts: Part[] = [
          { part: "given_back", invoiceId: ids["renewal"]! },
          { part: "grants", sourceId: ids["ada"]! },
        ];
        const [loaded] = await loadParts(tx, [{ loaded: found!.loaded, parts }]);
        const billing = new CustomerBilling(loaded!);
        for (const row of billing.subscriptions.where(() => true)) billing.subscriptions.put({ ...row });
        for (const row of billing.invoices.where(() => true)) billing.invoices.put({ ...row });
        storeChanges(tx, [billing], links);
      };
      await tx.query(analyseStatement);
      for (let n = 0; n < 8; n += 1) await work();
      const grown = [ids["adaCustomer"], ...Object.values(ids).filter((id) => !id.startsWith("cus_"))];
      for (const statement of growStatements) await tx.query(statement, [organizationId, grown]);
      const before = await scans();
      await work();
      expect(await scans()).toEqual(before);
    });
  });
});

describe("loading", () => {
  test("brings the same rows of every Customer as single reads", async () => {
    await tryOut(async (tx) => {
      const found = await loadBillings(tx, "customer", [...everyone, stranger], options);
      expect(found.map(({ loaded }) => loaded.customer.id).toSorted()).toEqual(
        [...everyone, stranger].map(({ id }) => id).toSorted(),
      );
      let seen = { open: 0, waiting: 0, unsettled: 0, standing: 0 };
      for (const { loaded } of found) {
        const { organizationId: owner, id } = loaded.customer;
        expect(loaded.customer).toEqual(await customers.find(tx, owner, id));
        expect(loaded.organization.id).toBe(owner);
        expect([loaded.numbers]).toEqual(await tx.query(sequenceStatement, [id]));
        expect(loaded.balances).toEqual(await listBalances(tx, owner, id));
        const live = await liveOfCustomer(tx, owner, id);
        expect(byId(loaded.rows.subscriptions)).toEqual(live);
        const wanted = live.flatMap(({ productId, pendingChange }) => [
          productId,
          pendingChange?.productId ?? productId,
        ]);
        expect(idsOf(loaded.rows.products)).toEqual([...new Set(wanted)].toSorted());
        for (const product of loaded.rows.products) expect(product).toEqual(await products.find(tx, owner, product.id));
        const open = (await Promise.all(live.map((each) => openInvoicesOf(tx, owner, each.id)))).flat();
        for (const invoice of open)
          expect(loaded.rows.invoices.find((each) => each.id === invoice.id)).toEqual(invoice);
        for (const invoice of loaded.rows.invoices) {
          expect(invoice).toEqual(await invoices.find(tx, owner, invoice.id));
          const lines = loaded.rows.lines.filter((line) => line.invoiceId === invoice.id);
          expect(byId(lines)).toEqual(byId(await linesOf(tx, owner, invoice.id)));
        }
        const waiting = (await Promise.all(live.map((each) => waitingLines(tx, owner, each.id)))).flat();
        expect(byId(loaded.rows.lines.filter((line) => line.invoiceId === null))).toEqual(byId(waiting));
        expect(idsOf(loaded.rows.cards)).toEqual(
          (await tx.query<{ id: string }>(cardsStatement, [id])).map((row) => row.id),
        );
        const unsettled = await openPaymentsOf(tx, owner, id);
        expect(byId(loaded.rows.payments.filter(({ settledAt }) => settledAt === null))).toEqual(unsettled);
        for (const { paymentId, status } of loaded.rows.disputes) {
          expect(status).not.toBe("won");
          expect(loaded.rows.payments.find((each) => each.id === paymentId)).toEqual(
            await payments.find(tx, owner, paymentId),
          );
        }
        seen = {
          open: seen.open + open.length,
          waiting: seen.waiting + waiting.length,
          unsettled: seen.unsettled + unsettled.length,
          standing: seen.standing + loaded.rows.disputes.length,
        };
      }
      expect(seen.open).toBeGreaterThan(0);
      expect(seen.waiting).toBeGreaterThan(0);
      expect(seen.unsettled).toBeGreaterThan(0);
      expect(seen.standing).toBeGreaterThan(1);
    });
  });

  test("of many is the loading of each, by as many statements as of one", async () => {
    await tryOut(async (tx) => {
      const many = watched(tx);
      const found = await loadBillings(many.tx, "customer", [stranger, ...everyone.toReversed(), ...everyone], options);
      const order = found.map(({ loaded }) => `${loaded.customer.organizationId} ${loaded.customer.id}`);
      expect(order).toEqual(order.toSorted());
      expect(order).toHaveLength(everyone.length + 1);
      const ofOne = watched({ ...tx, isDistributed: true });
      const alone = await loadBillings(ofOne.tx, "customer", everyone, options);
      const names = many.sent.map((name) =>
        name === "accounts.settings" ? "accounts.cluster_settings" : `${name}_distributed`,
      );
      expect(ofOne.sent).toEqual(names);
      const ofOwn = found.filter(({ loaded }) => loaded.customer.organizationId === organizationId);
      expect(alone.map(({ loaded }) => withoutEntropy(loaded))).toEqual(
        ofOwn.map(({ loaded }) => withoutEntropy(loaded)),
      );
      for (const { loaded, asked } of found) {
        const one = watched(tx);
        const key = { organizationId: loaded.customer.organizationId, id: loaded.customer.id };
        const [single] = await loadBillings(one.tx, "customer", [key], options);
        expect(withoutEntropy(single!.loaded)).toEqual(withoutEntropy(loaded));
        expect(one.sent.map((name) => name.replace("_one_", "_many_"))).toEqual(many.sent);
        expect(asked).toEqual([key.id]);
      }
    });
  });

  test.each([
    ["subscription", "ada"],
    ["invoice", "first"],
    ["payment", "payment"],
    ["refund", "cardRefund"],
    ["dispute", "lost"],
    ["checkout", "checkout"],
  ] as const)("finds a Customer by a %s, in the trip in which all is read", async (by, name) => {
    const owner = name === "lost" ? "pendingCustomer" : "adaCustomer";
    await tryOut(async (tx) => {
      let trips = 0;
      const isWaiting = { now: false };
      const counting: Tx = {
        ...tx,
        query: (statement, values) => {
          if (!isWaiting.now) {
            trips += 1;
            isWaiting.now = true;
            void Promise.resolve().then(() => (isWaiting.now = false));
          }
          return tx.query(statement, values);
        },
      };
      const [found, ...more] = await loadBillings(counting, by, [own(ids[name]!), own(ids[name]!)], options);
      expect(trips).toBe(1);
      expect(more).toEqual([]);
      expect(found!.asked).toEqual([ids[name]]);
      expect(withoutEntropy(found!.loaded)).toEqual(withoutEntropy(await loadOne(tx, ids[owner]!)));
      expect(
        await loadBillings(tx, by, [{ organizationId: stranger.organizationId, id: ids[name]! }], options),
      ).toEqual([]);
      expect(await loadBillings(tx, by, [own("nothing")], options)).toEqual([]);
    });
  });

  test("of several Organizations is refused where these may stand on several nodes", async () => {
    const load = (tx: Tx) => loadBillings({ ...tx, isDistributed: true }, "customer", [...everyone, stranger], options);
    await expect(tryOut(load)).rejects.toThrow("a batch of a distributed database is of several Organizations");
  });

  test("of several Customers is by their own ids", async () => {
    const keys = [own(ids["ada"]!), own(ids["quits"]!)];
    await expect(tryOut((tx) => loadBillings(tx, "subscription", keys, options))).rejects.toThrow("by their own ids");
  });

  test("finds no Customer of another Organization, nor of a Checkout without a Customer", async () => {
    const { app, ok } = everything.story;
    const { id } = await ok(app.api("POST", "/checkouts", { productKey: "ten" }));
    await tryOut(async (tx) => {
      const elsewhere = everyone.map((key) => ({ ...key, organizationId: stranger.organizationId }));
      expect(await loadBillings(tx, "customer", elsewhere, options)).toEqual([]);
      expect(await loadBillings(tx, "checkout", [own(id)], options)).toEqual([]);
      expect(await loadBillings(tx, "customer", [], options)).toEqual([]);
    });
  });

  test("finds a deleted Customer", async () => {
    const { customer } = await tryOut((tx) => loadOne(tx, ids["deletedCustomer"]!));
    expect(customer.deletedAt).not.toBeNull();
  });

  test("leaves out those that another transaction holds, where it is told to", async () => {
    const [held, ...free] = everyone;
    await tryOut(async (holder) => {
      await customers.lock(holder, organizationId, held!.id);
      const found = await tryOut((tx) => loadBillings(tx, "customer", everyone, { ...options, skipLocked: true }));
      expect(found.map(({ loaded }) => loaded.customer.id)).toEqual(free.map(({ id }) => id));
      expect(withoutEntropy(found[0]!.loaded)).toEqual(withoutEntropy(await loadOne(holder, free[0]!.id)));
    });
  });

  test("locks in one order, for keys in any order: no transaction is run twice", async () => {
    let runs = 0;
    const load = (keys: readonly RowKey[]) =>
      db().tx(async (tx) => {
        runs += 1;
        await loadBillings(tx, "customer", keys, options);
      });
    await Promise.all(Array.from({ length: 24 }, (_, n) => load(n % 2 === 0 ? everyone : everyone.toReversed())));
    expect(runs).toBe(24);
  });
});
