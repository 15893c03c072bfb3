import { afterAll, beforeAll, expect, test } from "vitest";
import { CustomerBilling, type LoadedBilling } from "../../src/domain/billing/customer-billing.ts";
import { OPEN_ITEMS } from "../../src/domain/billing/parts.ts";
import { recordCustomer, recordInvoice } from "../../src/domain/billing/record.ts";
import { recordSubscription } from "../../src/domain/collection/record-subscription.ts";
import { instant, type Instant } from "../../src/domain/calendar.ts";
import { deletedCustomer } from "../../src/domain/model/customer.ts";
import { presentInvoice } from "../../src/resources/invoice.ts";
import { presentSubscription } from "../../src/resources/subscription.ts";
import { storeChanges } from "../../src/store/customer-billing/changes.ts";
import { loadBillings } from "../../src/store/customer-billing/load.ts";
import type { RowKey } from "../../src/store/customer-billing/keys.ts";
import { sql, type Tx } from "../../src/store/driver/db.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";
import { undone } from "../support/undone.ts";

let story: Story;
let organizationId: string;
let ada: { id: string; customerId: string };
let ben: { id: string; customerId: string };

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  organizationId = story.app.organization.id;
  await story.plan("ten", 1000);
  ada = (await story.buy(
    { productKey: "ten", customer: { email: "ada@example.com", externalId: "ada" } },
    CARDS.pays,
  )) as never;
  ben = (await story.buy(
    { productKey: "ten", customer: { email: "ben@example.com", externalId: "ben" } },
    CARDS.pays,
  )) as never;
});
afterAll(() => story.close());

const db = () => story.app.ctx.db;
const links = {
  invoiceUrl: ({ id }: RowKey) => `/invoices/${id}`,
  checkoutUrl: ({ id }: RowKey) => `/checkout/${id}`,
  downloadUrl: (_: string, id: string, file: number) => `/downloads/${id}/${file}`,
};

/** Runs `work` in a transaction that keeps no change. */
const tryOut = <T>(work: (tx: Tx) => Promise<T>) => undone(db(), work);

async function load(tx: Tx, ...customerIds: string[]): Promise<LoadedBilling[]> {
  const keys = customerIds.map((id) => ({ organizationId, id }));
  return (
    await loadBillings(tx, "customer", keys, { hasProvider: () => true, limitsAt: () => ({ least: 50, step: 1 }) })
  ).map(({ loaded }) => loaded);
}

type EventRow = {
  id: string;
  type: string;
  resourceId: string;
  sequence: number;
  data: object;
  createdAt: Instant;
  isDispatched: boolean;
};
const eventsStatement = sql(
  "test.recorded",
  `SELECT id, type, resource_id AS "resourceId", sequence, data, created_at AS "createdAt",
    dispatch_at IS NOT NULL AS "isDispatched"
   FROM events WHERE organization_id = $1 AND id = ANY($2) ORDER BY id`,
);
const emailsStatement = sql(
  "test.queued",
  `SELECT id, kind, customer_id AS "customerId", status, attempts, attempt_at <= statement_timestamp() AS due, recipient
   FROM emails WHERE organization_id = $1 AND id = ANY($2) ORDER BY id`,
);
const heldStatement = sql("test.held", "SELECT held_at IS NOT NULL AS held FROM subscriptions WHERE id = $1");
const liveStatement = sql("test.go_live", "UPDATE organizations SET mode = 'live', clock_at = NULL WHERE id = $1");
const approveStatement = sql(
  "test.approve",
  "UPDATE organizations SET catch_up_approved_until = '2030-01-01' WHERE id = $1",
);
const textStatement = sql(
  "test.event_text",
  "SELECT string_agg(data::text, ' ') AS text FROM events WHERE organization_id = $1",
);

test("events of several Customers are written once, as they are shown, in the order of their ids", async () => {
  await tryOut(async (tx) => {
    const accounts = (await load(tx, ada.customerId, ben.customerId)).map((loaded) => new CustomerBilling(loaded));
    const renamed = (billing: CustomerBilling, name: string) => {
      const [live] = billing.subscriptions.where(() => true);
      return recordSubscription(billing, { ...live!, metadata: { name } }, "subscription.updated", billing.now);
    };
    const [one, other] = accounts as [CustomerBilling, CustomerBilling];
    const rows = [renamed(one, 'a "b" ü'), renamed(other, "b"), renamed(one, "c")];
    storeChanges(tx, [other, one], links);
    const ids = accounts.flatMap((account) => account.events.map(({ id }) => id));
    const found = await tx.query<EventRow>(eventsStatement, [organizationId, ids]);
    expect(found.map(({ id }) => id)).toEqual(ids.toSorted());
    const names = accounts.map(({ customer }) => customer);
    for (const [n, row] of rows.entries()) {
      const externalId = names.find(({ id }) => id === row.customerId)!.externalId;
      const event = {
        type: "subscription.updated",
        resourceId: row.id,
        sequence: row.eventSequence,
        isDispatched: false,
      };
      expect(found[n]).toMatchObject(event);
      expect(found[n]!.data).toEqual(presentSubscription(row, externalId));
    }
    const stored = await subscriptions.find(tx, organizationId, rows[2]!.id);
    expect(stored).toEqual(rows[2]);
  });
});

test("ids of events follow their instants across Customers; one Customer's keep the order of decisions", async () => {
  await tryOut(async (tx) => {
    const [one, other] = (await load(tx, ada.customerId, ben.customerId)).map(
      (loaded) => new CustomerBilling(loaded),
    ) as [CustomerBilling, CustomerBilling];
    const change = (billing: CustomerBilling, name: string, hours: number) => {
      const [live] = billing.subscriptions.where(() => true);
      recordSubscription(
        billing,
        { ...live!, metadata: { name } },
        "subscription.updated",
        instant(billing.now + hours * 3_600_000),
      );
    };
    change(one, "second", 2);
    change(one, "third", 3);
    change(other, "first", 1);
    change(other, "fourth", 4);
    storeChanges(tx, [one, other], links);
    const ids = [one, other].flatMap((account) => account.events.map(({ id }) => id));
    const found = await tx.query<EventRow>(eventsStatement, [organizationId, ids]);
    const names = found.map(({ data }) => (data as { metadata: { name: string } }).metadata.name);
    expect(names).toEqual(["first", "second", "third", "fourth"]);
  });
});

test("events wait to be spread where somebody listens, and e-mails to be sent", async () => {
  const url = "https://example.com/hook";
  const endpoint = await story.ok(story.app.manage("POST", "/webhook-endpoints", { url, events: ["*"] }));
  await tryOut(async (tx) => {
    const [loaded] = await load(tx, ada.customerId);
    const billing = new CustomerBilling(loaded!);
    const [live] = billing.subscriptions.where(() => true);
    recordSubscription(billing, live!, "subscription.renewal_upcoming", billing.now);
    storeChanges(tx, [billing], links);
    const found = await tx.query<EventRow>(eventsStatement, [organizationId, billing.events.map(({ id }) => id)]);
    expect(found.map(({ isDispatched }) => isDispatched)).toEqual([true]);
    const emails = await tx.query(emailsStatement, [organizationId, billing.emails.map(({ id }) => id)]);
    const [{ id }] = billing.emails as unknown as [{ id: string }];
    const queued = {
      id,
      kind: "renewal_upcoming",
      customerId: ada.customerId,
      status: "queued",
      attempts: 0,
      due: true,
      recipient: null,
    };
    expect(emails).toEqual([queued]);
  });
  expect((await story.app.manage("DELETE", `/webhook-endpoints/${endpoint.id}`)).status).toBe(204);
});

test("an invoice's event names no deleted buyer; earlier events are blank; the invoice keeps the buyer", async () => {
  await tryOut(async (tx) => {
    const [loaded] = await load(tx, ada.customerId);
    const billing = new CustomerBilling(loaded!);
    billing.isForgotten = true;
    recordCustomer(billing, deletedCustomer(billing.customer, billing.now), "customer.deleted", billing.now);
    storeChanges(tx, [billing], links);
    const [{ text }] = (await tx.query<{ text: string }>(textStatement, [organizationId])) as [{ text: string }];
    expect(text).not.toContain("ada@example.com");
    expect(text).toContain("ben@example.com");
    const [gone] = await load(tx, ada.customerId);
    expect(gone!.customer).toMatchObject({ email: "", externalId: null, deletedAt: billing.now });
    const { data } = await story.ok(story.app.manage("GET", `/invoices?customerId=${ada.customerId}`));
    const [found] = await loadBillings(tx, "invoice", [{ organizationId, id: data[0].id }], {
      hasProvider: () => false,
      limitsAt: () => ({ least: 50, step: 1 }),
      parts: [OPEN_ITEMS, { part: "invoice", id: data[0].id }],
    });
    const late = new CustomerBilling(found!.loaded);
    const invoice = late.invoices.get(data[0].id)!;
    const lines = late.lines.where(({ invoiceId }) => invoiceId === invoice.id);
    const next = recordInvoice(late, { ...invoice, metadata: { late: "yes" } }, lines, "invoice.refunded", late.now);
    storeChanges(tx, [late], links);
    const [event] = await tx.query<EventRow>(eventsStatement, [organizationId, [late.events[0]!.id]]);
    const blank = { name: null, companyName: null, email: null, address: null, taxId: null };
    expect(event!.data).toEqual(presentInvoice({ ...next, buyer: blank }, lines, `/invoices/${invoice.id}`));
    expect(next.buyer.email).toBe("ada@example.com");
  });
});

test("a Subscription is held, but not where something was approved since it was read", async () => {
  for (const isApproved of [false, true]) {
    await tryOut(async (tx) => {
      await tx.query(liveStatement, [organizationId]);
      const [loaded] = await load(tx, ben.customerId);
      if (isApproved) await tx.query(approveStatement, [organizationId]);
      const billing = new CustomerBilling(loaded!);
      billing.held.add(ben.id);
      storeChanges(tx, [billing], links);
      expect(await tx.query(heldStatement, [ben.id])).toEqual([{ held: !isApproved }]);
    });
  }
});
