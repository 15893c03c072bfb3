import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BillingRows, LoadedBilling } from "../../src/domain/billing/customer-billing.ts";
import { OPEN_ITEMS, keyOf, type Part } from "../../src/domain/billing/parts.ts";
import type { KeyKind, RowKey } from "../../src/store/customer-billing/keys.ts";
import { loadBillings, loadParts } from "../../src/store/customer-billing/load.ts";
import { sql, type Snapshot, type Tx } from "../../src/store/driver/db.ts";
import { linesOf } from "../../src/store/invoice-lines.ts";
import { invoices } from "../../src/store/invoices.ts";
import { products } from "../../src/store/products.ts";
import { refundsOf } from "../../src/store/refunds.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { chargesOf } from "../../src/store/payments.ts";
import { allBalanceEntries, grantsOf } from "../support/customer-rows.ts";
import { openEverything, type Everything } from "../support/everything.ts";
import { caller } from "../support/app.ts";
import { untilLocked } from "../support/locks.ts";
import { byId, withoutEntropy } from "../support/loaded-billing.ts";
import { undone } from "../support/undone.ts";
import { watched } from "../support/watched-tx.ts";

let everything: Everything;
let organizationId: string;
let ids: Record<string, string>;
/** The Customer of another Organization. */
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
  const other = await app.otherOrganization();
  const { status } = await caller(`${app.url}/public/v2`, other.keys.public)("POST", "/customers", {
    email: "stranger@example.com",
  });
  expect(status).toBe(201);
  const all = await db().read.query<RowKey>(customersStatement);
  stranger = all.find((key) => key.organizationId === other.organization.id)!;
});
afterAll(() => everything.story.close());

const db = () => everything.story.app.ctx.db;
const options = { hasProvider: () => true, limitsAt: () => ({ least: 50, step: 1 }) };
const own = (id: string): RowKey => ({ organizationId, id });

const lockAllStatements = ["customers", "products", "benefits", "checkouts", "discounts"].map((table) =>
  sql(`test.lock_all_${table}`, `SELECT id FROM ${table} FOR UPDATE`),
);

/** Runs `work` in a transaction that keeps no change. */
const tryOut = <T>(work: (tx: Tx) => Promise<T>) => undone(db(), work);

async function loadOne(
  tx: Tx | Snapshot,
  id: string,
  parts: readonly Part[] = [],
  by: KeyKind = "customer",
): Promise<LoadedBilling> {
  const [found] = await loadBillings(tx, by, [own(id)], { ...options, parts: [OPEN_ITEMS, ...parts] });
  return found!.loaded;
}

const idsOf = (rows: readonly { id: string }[]) => byId(rows).map(({ id }) => id);

const creditingStatement = sql(
  "test.crediting",
  `SELECT DISTINCT c.invoice_id AS id FROM invoice_lines c JOIN invoice_lines b ON b.id = c.credited_line_id
   WHERE b.invoice_id = $1 AND c.invoice_id IS NOT NULL`,
);

describe("parts", () => {
  /** Each row has the Customer's name, the part, and the ids that the part brings, by table. */
  const expected = async (tx: Tx): Promise<[string, Part, Partial<Record<keyof BillingRows, string[]>>][]> => {
    const ada = ids["adaCustomer"]!;
    const sub = await subscriptions.find(tx, organizationId, ids["ada"]!);
    const first = await invoices.find(tx, organizationId, ids["first"]!);
    const linesIn = async (...invoiceIds: string[]) =>
      (await Promise.all(invoiceIds.map((id) => linesOf(tx, organizationId, id)))).flat().map(({ id }) => id);
    const crediting = (await tx.query<{ id: string }>(creditingStatement, [ids["renewal"]])).map(({ id }) => id);
    const refunded = (await refundsOf(tx, organizationId, first!.id)).map(({ id }) => id);
    const open = (await allBalanceEntries(tx, organizationId, ada)).filter(({ remaining }) => remaining !== 0);
    const entries = open.map(({ id }) => id);
    const [creditedLine] = await linesOf(tx, organizationId, ids["renewal"]!);
    const chargeOf = async (invoiceId: string) =>
      (await chargesOf(tx, organizationId, invoiceId)).map(({ paymentId }) => paymentId);
    const renewal = {
      invoices: [ids["renewal"]!, ...crediting],
      lines: await linesIn(ids["renewal"]!, ...crediting),
      payments: await chargeOf(ids["renewal"]!),
    };
    const grants = await grantsOf(tx, organizationId, ada, ids["ada"]!);
    const bought = await grantsOf(tx, organizationId, ids["readerCustomer"]!, ids["readerInvoice"]!);
    const adaDiscount = sub!.checkoutId!;
    const benefitIds = [...new Set(grants.map(({ benefitId }) => benefitId))];
    const product = (await products.find(tx, organizationId, sub!.productId))!;
    return [
      ["gone", { part: "subscription", id: ids["gone"]! }, { subscriptions: [ids["gone"]!] }],
      ["ada", { part: "invoice", id: first!.id }, { invoices: [first!.id], lines: await linesIn(first!.id) }],
      ["ada", { part: "given_back", invoiceId: ids["renewal"]! }, renewal],
      ["ada", { part: "credited", lineId: creditedLine!.id }, renewal],
      [
        "ada",
        { part: "given_back", invoiceId: first!.id },
        {
          invoices: [first!.id],
          lines: await linesIn(first!.id),
          refunds: refunded,
          payments: await chargeOf(first!.id),
        },
      ],
      [
        "ada",
        { part: "period", subscriptionId: ids["ada"]!, end: sub!.currentPeriodEnd },
        {
          invoices: [ids["restart"]!],
          lines: await linesIn(ids["restart"]!),
          payments: await chargeOf(ids["restart"]!),
        },
      ],
      ["ada", { part: "grants", sourceId: ids["ada"]! }, { grants: idsOf(grants), benefits: benefitIds }],
      [
        "reader",
        { part: "purchase_grants" },
        { grants: idsOf(bought), benefits: [...new Set(bought.map(({ benefitId }) => benefitId))] },
      ],
      [
        "ada",
        { part: "stale_grants", benefitId: ids["benefit"]!, shownVersion: 2 },
        { grants: idsOf(grants.filter(({ benefitId }) => benefitId === ids["benefit"])), benefits: [ids["benefit"]!] },
      ],
      ["ada", { part: "stale_grants", benefitId: ids["benefit"]!, shownVersion: 1 }, {}],
      ["quits", { part: "product", id: ids["ten"]! }, { products: [ids["ten"]!] }],
      ["ada", { part: "product_benefits", productId: product.id }, { benefits: product.benefitIds }],
      ["ada", { part: "checkout", id: ids["checkout"]! }, { checkouts: [ids["checkout"]!] }],
      ["looks", { part: "open_checkouts" }, { checkouts: [ids["open"]!] }],
      ["ada", { part: "payment", id: ids["payment"]! }, { payments: [ids["payment"]!] }],
      ["ada", { part: "attempts", sourceId: ids["checkout"]! }, { payments: [ids["payment"]!] }],
      ["ada", { part: "refund", id: ids["cardRefund"]! }, { refunds: [ids["cardRefund"]!] }],
      ["pending", { part: "dispute", id: ids["lost"]! }, { disputes: [ids["lost"]!] }],
      ["pending", { part: "disputes_of", paymentId: ids["lostPayment"]! }, { disputes: [ids["lost"]!] }],
      ["ada", { part: "unsettled_refunds" }, {}],
      ["ada", { part: "balances" }, {}],
      ["ada", { part: "open_entries" }, { balanceEntries: entries }],
      ["ada", { part: "refunds_of", paymentId: ids["payment"]! }, { refunds: [ids["cardRefund"]!] }],
      ["tries", { part: "trials" }, { trials: ["plans"] }],
      [
        "ada",
        { part: "discount", id: ids["discount"]!, holderId: adaDiscount },
        { discounts: [ids["discount"]!], redemptions: [adaDiscount] },
      ],
    ];
  };

  beforeAll(async () => {
    const { app, ok } = everything.story;
    const looking = await ok(app.manage("GET", "/customers?email=looks@example.com"));
    ids["looksCustomer"] = looking.data[0].id;
    const [bought] = (await ok(app.manage("GET", `/invoices?customerId=${ids["readerCustomer"]}`))).data;
    ids["readerInvoice"] = bought.id;
    ids["lostPayment"] = (await ok(app.manage("GET", `/disputes/${ids["lost"]}`))).paymentId;
  });

  test("bring their rows of the Customer, and of each table no row that was there is lost", async () => {
    await tryOut(async (tx) => {
      for (const [owner, part, rows] of await expected(tx)) {
        const id = ids[`${owner}Customer`]!;
        const before = await loadOne(tx, id);
        const loaded = await loadOne(tx, id, [part]);
        expect(loaded.parts, keyOf(part)).toEqual(new Set([keyOf(OPEN_ITEMS), keyOf(part)]));
        for (const [name, brought] of Object.entries(rows)) {
          const there = idsOf(loaded.rows[name as keyof BillingRows] as readonly { id: string }[]);
          const known = idsOf(before.rows[name as keyof BillingRows] as readonly { id: string }[]);
          expect(there, `${keyOf(part)}: ${name}`).toEqual([...new Set([...known, ...brought])].toSorted());
        }
        for (const name of Object.keys(before.rows) as (keyof BillingRows)[]) {
          if (!(name in rows)) expect(loaded.rows[name], `${keyOf(part)}: ${name}`).toEqual(before.rows[name]);
        }
        expect((await loadParts(tx, [{ loaded: before, parts: [part] }])).map(withoutEntropy)).toEqual([
          withoutEntropy(loaded),
        ]);
      }
    });
  });

  test("come to a snapshot without waiting for a lock, the same as to a transaction", async () => {
    const all = await tryOut(expected);
    const before = await tryOut((tx) =>
      Promise.all(all.map(([owner, part]) => loadOne(tx, ids[`${owner}Customer`]!, [part]))),
    );
    await tryOut(async (holder) => {
      for (const statement of lockAllStatements) expect(await holder.query(statement)).not.toEqual([]);
      for (const [n, [owner, part]] of all.entries()) {
        const seen = await db().snapshot((snapshot) => loadOne(snapshot, ids[`${owner}Customer`]!, [part]));
        expect(withoutEntropy(seen), keyOf(part)).toEqual(withoutEntropy(before[n]!));
      }
    });
  });

  test("of another Customer bring nothing", async () => {
    await tryOut(async (tx) => {
      const shared = new Set(["product", "product_benefits", "discount"]);
      const before = await loadOne(tx, ids["movedCustomer"] ?? ids["cutCustomer"]!);
      for (const [, part] of await expected(tx)) {
        if (shared.has(part.part) || Object.keys(part).length === 1) continue;
        const [loaded] = await loadParts(tx, [{ loaded: before, parts: [part] }]);
        expect(loaded!.rows, keyOf(part)).toEqual(before.rows);
      }
      const [foreign] = await loadBillings(tx, "customer", [stranger], options);
      for (const [, part] of await expected(tx)) {
        const [loaded] = await loadParts(tx, [{ loaded: foreign!.loaded, parts: [part] }]);
        expect(loaded!.rows, keyOf(part)).toEqual(foreign!.loaded.rows);
      }
    });
  });

  test.each([
    ["one server", false],
    ["several nodes", true],
  ])("of many come by as many statements as of one, each to its own, on %s", async (_, isDistributed) => {
    await tryOut(async (tx) => {
      const all = (await expected(tx)).map(([owner, part]) => ({ id: ids[`${owner}Customer`]!, part }));
      const loaded = await Promise.all(all.map(({ id }) => loadOne(tx, id)));
      const many = watched({ ...tx, isDistributed });
      const together = await loadParts(
        many.tx,
        all.map(({ part }, n) => ({ loaded: loaded[n]!, parts: [part] })),
      );
      expect(many.sent.length).toBe(new Set(many.sent).size);
      const manyNames = many.sent.filter((name) => name.includes("_of_many_"));
      expect(manyNames.length).toBeGreaterThan(0);
      expect(manyNames.filter((name) => name.endsWith("_distributed") !== isDistributed)).toEqual([]);
      for (const [n, { part }] of all.entries()) {
        const [alone] = await loadParts(tx, [{ loaded: loaded[n]!, parts: [part] }]);
        expect(withoutEntropy(together[n]!), keyOf(part)).toEqual(withoutEntropy(alone!));
      }
    });
  });

  test("a Product that is held shows the edit that it waited for, and its Benefits after that", async () => {
    const { app, ok } = everything.story;
    const added = await ok(app.manage("POST", "/benefits", { key: "late", type: "feature", name: "late" }));
    const { promise: isEdited, resolve: edited } = Promise.withResolvers<void>();
    const editing = db().tx(async (tx) => {
      const product = (await products.lock(tx, organizationId, ids["ten"]!))!;
      products.update(tx, { ...product, benefitIds: [added.id] });
      edited();
      await untilLocked(db().read);
      return product;
    });
    await isEdited;
    const loaded = await tryOut((tx) =>
      loadOne(tx, ids["cutCustomer"]!, [{ part: "product_benefits", productId: ids["ten"]! }]),
    );
    const before = await editing;
    await db().tx(async (tx) => products.update(tx, before));
    expect(loaded.rows.products.find(({ id }) => id === ids["ten"])!.benefitIds).toEqual([added.id]);
    expect(idsOf(loaded.rows.benefits)).toEqual([added.id]);
  });
});
