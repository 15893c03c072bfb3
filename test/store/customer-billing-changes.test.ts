import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CustomerBilling, type BillingRows, type LoadedBilling } from "../../src/domain/billing/customer-billing.ts";
import { recordSubscription } from "../../src/domain/collection/record-subscription.ts";
import type { Part } from "../../src/domain/billing/parts.ts";
import type { TrackedRows } from "../../src/domain/billing/tracked-rows.ts";
import { newId } from "../../src/ids.ts";
import { storeChanges } from "../../src/store/customer-billing/changes.ts";
import type { RowKey } from "../../src/store/customer-billing/keys.ts";
import { loadBillings, loadParts } from "../../src/store/customer-billing/load.ts";
import { sql, type Statement, type Tx } from "../../src/store/driver/db.ts";
import { discounts } from "../../src/store/discounts.ts";
import { payments } from "../../src/store/payments.ts";
import { refunds } from "../../src/store/refunds.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { listBalances } from "../support/customer-rows.ts";
import { openEverything, type Everything } from "../support/everything.ts";
import { undone } from "../support/undone.ts";
import { billingRows, at } from "./customer-billing-rows.ts";

let everything: Everything;
let organizationId: string;
let ids: Record<string, string>;
let everyone: RowKey[];

const customersStatement = sql(
  "test.kept_customers",
  `SELECT organization_id AS "organizationId", id FROM customers WHERE deleted_at IS NULL ORDER BY 1, 2`,
);
beforeAll(async () => {
  everything = await openEverything();
  ({ ids } = everything);
  organizationId = everything.story.app.organization.id;
  everyone = await db().read.query<RowKey>(customersStatement);
});
afterAll(() => everything.story.close());

const db = () => everything.story.app.ctx.db;
const links = {
  invoiceUrl: ({ id }: RowKey) => `/invoices/${id}`,
  checkoutUrl: ({ id }: RowKey) => `/checkout/${id}`,
  downloadUrl: (_: string, id: string, file: number) => `/downloads/${id}/${file}`,
};
const options = { hasProvider: () => true, limitsAt: () => ({ least: 50, step: 1 }) };
const own = (id: string): RowKey => ({ organizationId, id });

/** Runs `work` in a transaction that keeps no change. */
const tryOut = <T>(work: (tx: Tx) => Promise<T>) => undone(db(), work);

async function load(tx: Tx, id: string): Promise<LoadedBilling> {
  return (await loadBillings(tx, "customer", [own(id)], options))[0]!.loaded;
}

const { newRows, stored } = billingRows(() => everything);

/** Checks the parts that bring rows of which a shop has few. */
async function expectParts(tx: Tx, loaded: LoadedBilling, rows: Awaited<ReturnType<typeof newRows>>): Promise<void> {
  const bring = async (name: keyof BillingRows, part: Part) => {
    const [found] = await loadParts(tx, [{ loaded, parts: [part] }]);
    return found!.rows[name];
  };
  const {
    changes: [change],
    invoices: [invoice],
    refunds: [refund],
  } = rows as never as {
    [Name in keyof BillingRows]: BillingRows[Name][];
  };
  expect(await bring("changes", { part: "change", id: change!.id })).toContainEqual(change);
  expect(await bring("trials", { part: "trials" })).toContainEqual(rows.trials![0]);
  expect(await bring("lines", { part: "given_back", invoiceId: invoice!.id })).toEqual(
    expect.arrayContaining(rows.lines!),
  );
  expect(await bring("disputes", { part: "given_back", invoiceId: invoice!.id })).toContainEqual(rows.disputes![0]);
  const period = { part: "period", subscriptionId: invoice!.subscriptionId!, end: rows.lines![0]!.periodEnd! } as const;
  expect(await bring("refunds", { ...period, end: invoice!.periodEnd! })).toContainEqual(refund);
  expect(await bring("lines", period)).toEqual(expect.arrayContaining(rows.lines!));
  refunds.update(tx, { ...refund!, status: "pending", checkAt: at, settledAt: null, creditNoteId: null });
  expect((await bring("refunds", { part: "unsettled_refunds" })).map(({ id }) => id)).toEqual([refund!.id]);
  expect(await bring("invoices", { part: "unsettled_refunds" })).toContainEqual(invoice);
  refunds.update(tx, refund!);
}

const rowsOf = (billing: CustomerBilling, name: keyof BillingRows) =>
  billing[name] as unknown as TrackedRows<{ id: string }>;

describe("keeping", () => {
  test("inserts, updates and deletes rows of every table, each as it was put", async () => {
    await tryOut(async (tx) => {
      const loaded = await load(tx, ids["adaCustomer"]!);
      const rows = await newRows(tx, loaded);
      const billing = new CustomerBilling(loaded);
      for (const [name, list] of Object.entries(rows)) for (const row of list) rowsOf(billing, name as never).put(row);
      storeChanges(tx, [billing], links);
      expect(await stored(tx, rows, loaded.customer.id)).toEqual(rows);
      await expectParts(tx, loaded, rows);
      const {
        cards,
        checkouts: bought,
        subscriptions: live,
        changes: pending,
        invoices: billed,
        lines,
        payments: paid,
      } = rows;
      const changed = {
        cards: cards!.map((row) => ({ ...row, dead: true, dueAt: null })),
        checkouts: bought!.map((row) => ({
          ...row,
          metadata: { a: "1" },
          failedAttempts: 3,
          tax: null,
          successUrl: null,
        })),
        subscriptions: live!.map((row) => ({
          ...row,
          cancellationComment: 'Zu teuer\n"so"',
          version: 12,
          pendingChange: null,
        })),
        changes: pending!.map((row) => ({ ...row, status: "applied" as const, settledAt: at, idempotency: null })),
        invoices: billed!.map((row) => ({ ...row, nextAttemptAt: at, version: row.version + 1, balanceBasis: null })),
        lines: lines!.map((row) => ({ ...row, invoiceId: billed![0]!.id, position: row.position + 5 })),
        payments: paid!.map((row) => ({ ...row, abandoned: true })),
        refunds: rows.refunds!.map((row) => ({ ...row, reason: "" })),
        disputes: rows.disputes!.map((row) => ({ ...row, cardClearedAt: row.createdAt })),
        grants: rows.grants!.map((row) => ({ ...row, activations: 2, properties: { key: "ABC" } })),
      };
      const later = new CustomerBilling({ ...loaded, rows: { ...loaded.rows, ...rows } as LoadedBilling["rows"] });
      for (const [name, list] of Object.entries(changed)) for (const row of list) rowsOf(later, name as never).put(row);
      storeChanges(tx, [later], links);
      expect(await stored(tx, changed, loaded.customer.id)).toEqual(changed);
      const gone = new CustomerBilling({
        ...loaded,
        rows: { ...loaded.rows, ...rows, ...changed } as unknown as LoadedBilling["rows"],
      });
      for (const name of ["redemptions", "grants", "disputes", "changes"] as const) {
        for (const row of rows[name]!) rowsOf(gone, name).drop(row);
      }
      storeChanges(tx, [gone], links);
      const nothing = { redemptions: [null], grants: [null], disputes: [null], changes: [null] };
      const { redemptions, grants, disputes: disputed, changes: was } = rows;
      expect(
        await stored(tx, { redemptions, grants, disputes: disputed, changes: was } as never, loaded.customer.id),
      ).toEqual(nothing);
    });
  });

  test("counts balances, redemptions and numbers, and writes the Customer", async () => {
    await tryOut(async (tx) => {
      const loaded = await load(tx, ids["adaCustomer"]!);
      const rows = await newRows(tx, loaded);
      const before = await listBalances(tx, organizationId, loaded.customer.id);
      const discount = await discounts.find(tx, organizationId, ids["discount"]!);
      const billing = new CustomerBilling(loaded);
      const [entry] = rows.balanceEntries!;
      const lot = { source: "granted" } as const;
      for (const [currency, amount] of [
        ["eur", 100],
        ["usd", 5],
        ["usd", 6],
      ] as const) {
        billing.balanceEntries.put({ ...entry!, ...lot, id: newId("bal"), currency, amount, remaining: amount });
      }
      billing.checkouts.put(rows.checkouts![0]!);
      billing.redemptions.put(rows.redemptions![0]!);
      billing.numbers.invoice += 2;
      billing.customer = {
        ...billing.customer,
        defaultPaymentMethodId: rows.cards![0]!.id,
        taxId: { type: "eu_vat", value: "DE1" },
      };
      storeChanges(tx, [billing], links);
      const usd = before.find(({ currency }) => currency === "usd")?.amount ?? 0;
      expect(await listBalances(tx, organizationId, loaded.customer.id)).toEqual([
        { currency: "eur", amount: 100 },
        { currency: "usd", amount: usd + 11 },
      ]);
      expect(await discounts.find(tx, organizationId, ids["discount"]!)).toEqual({
        ...discount,
        redemptions: discount!.redemptions + 1,
      });
      const again = await load(tx, ids["adaCustomer"]!);
      expect(again.numbers).toEqual({ ...loaded.numbers, invoice: loaded.numbers.invoice + 2 });
      expect(again.customer).toEqual(billing.customer);
      const back = new CustomerBilling({ ...again, rows: { ...again.rows, redemptions: rows.redemptions! } });
      back.redemptions.drop(rows.redemptions![0]!);
      storeChanges(tx, [back], links);
      expect(await discounts.find(tx, organizationId, ids["discount"]!)).toEqual(discount);
    });
  });

  test.each([
    ["one server", false, ""],
    ["several nodes", true, "_distributed"],
  ])(
    "of many takes as many statements as of one, and writes the rows of each, on %s",
    async (_, isDistributed, form) => {
      await tryOut(async (open) => {
        const tx = { ...open, isDistributed };
        const found = await loadBillings(tx, "customer", everyone, options);
        const change = ({ loaded }: { loaded: LoadedBilling }): CustomerBilling => {
          const billing = new CustomerBilling(loaded);
          billing.balanceEntries.put({
            organizationId,
            id: newId("bal"),
            customerId: loaded.customer.id,
            currency: "jpy",
            amount: 9,
            remaining: 9,
            reason: "adjustment",
            source: "granted",
            paymentId: null,
            creditedLineId: null,
            note: null,
            invoiceId: null,
            refundId: null,
            createdAt: at,
          });
          const [live] = billing.subscriptions.where(() => true);
          if (live)
            recordSubscription(
              billing,
              { ...live, metadata: { seen: loaded.customer.id } },
              "subscription.updated",
              at,
            );
          return billing;
        };
        const sentBy = (accounts: readonly CustomerBilling[]) => {
          const sent: string[] = [];
          const note = ({ name }: Statement) => void sent.push(name.replace(/_\d+/, ""));
          storeChanges(
            { ...tx, send: (statement, values) => (note(statement), tx.send(statement, values)) },
            accounts,
            links,
          );
          return sent;
        };
        const ada = found.findIndex(({ loaded }) => loaded.customer.id === ids["adaCustomer"]);
        const one = sentBy([change(found[ada]!)]);
        const many = sentBy(found.toSpliced(ada, 1).map(change));
        expect(one).toEqual([
          "subscriptions.update_one",
          "balance_entries.insert",
          "balances.add_all",
          "events.record",
        ]);
        expect(many).toEqual([
          `subscriptions.update_all${form}`,
          "balance_entries.insert_all",
          "balances.add_all",
          `events.record_all${form}`,
        ]);
        for (const { loaded } of await loadBillings(tx, "customer", everyone, options)) {
          expect(loaded.balances.find(({ currency }) => currency === "jpy")).toEqual({ currency: "jpy", amount: 9 });
          const [live] = new CustomerBilling(loaded).subscriptions.where(() => true);
          if (live) expect(live.metadata).toEqual({ seen: loaded.customer.id });
        }
      });
    },
  );

  test("no change sends nothing", async () => {
    await tryOut(async (tx) => {
      const found = await loadBillings(tx, "customer", everyone, options);
      const refuse = (): never => {
        throw new Error("nothing is to be sent");
      };
      storeChanges(
        { kind: "tx", isDistributed: false, query: refuse, send: refuse, wakes: refuse },
        found.map(({ loaded }) => new CustomerBilling(loaded)),
        links,
      );
    });
  });

  test("lets a failed attempt make room for the next, and an ended Subscription for one of its group", async () => {
    await tryOut(async (tx) => {
      const loaded = await load(tx, ids["adaCustomer"]!);
      const {
        payments: [payment],
        subscriptions: [sold],
      } = (await newRows(tx, loaded)) as never as BillingRowsOf;
      const [live] = loaded.rows.subscriptions;
      const billing = new CustomerBilling(loaded);
      billing.subscriptions.put({ ...sold!, groupKey: live!.groupKey });
      billing.subscriptions.put({
        ...live!,
        status: "canceled",
        endedAt: at,
        dueAt: null,
        pendingChange: null,
        changeId: null,
      });
      const charge = (await payments.find(tx, organizationId, ids["payment"]!))!;
      const tried = new CustomerBilling({ ...loaded, rows: { ...loaded.rows, payments: [charge] } });
      const { sourceId, checkoutId, paymentMethodId } = charge;
      tried.payments.put({ ...payment!, sourceId, checkoutId, paymentMethodId });
      tried.payments.put({ ...charge, status: "failed" });
      storeChanges(tx, [billing, tried], links);
      expect((await payments.find(tx, organizationId, payment!.id))!.status).toBe("succeeded");
      expect((await subscriptions.find(tx, organizationId, sold!.id))!.groupKey).toBe(live!.groupKey);
    });
  });

  test("refuses a batch that redeems a Discount more often than it may be", async () => {
    const attempt = tryOut(async (tx) => {
      const loaded = await load(tx, ids["adaCustomer"]!);
      const discount = (await discounts.find(tx, organizationId, ids["discount"]!))!;
      discounts.update(tx, { ...discount, maxRedemptions: discount.redemptions + 1 });
      const accounts = [];
      for (let n = 0; n < 2; n += 1) {
        const rows = await newRows(tx, loaded);
        const billing = new CustomerBilling(loaded);
        billing.checkouts.put(rows.checkouts![0]!);
        billing.redemptions.put(rows.redemptions![0]!);
        accounts.push(billing);
      }
      storeChanges(tx, accounts, links);
      await tx.query(sql("test.one", "SELECT 1 AS one"));
    });
    await expect(attempt).rejects.toThrow(/discounts/);
  });

  test("refuses to change a Product", async () => {
    await tryOut(async (tx) => {
      const billing = new CustomerBilling(await load(tx, ids["adaCustomer"]!));
      billing.products.put({ ...billing.products.where(() => true)[0]!, name: "Another" });
      expect(() => storeChanges(tx, [billing], links)).toThrow("a decision has changed Products");
    });
  });
});

type BillingRowsOf = { payments: BillingRows["payments"][]; subscriptions: BillingRows["subscriptions"][] };
