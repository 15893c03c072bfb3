import type { CustomerBilling, BillingRows } from "../../domain/billing/customer-billing.ts";
import type { RowChanges } from "../../domain/billing/tracked-rows.ts";
import { isStanding } from "../../domain/model/dispute.ts";
import type { Redemption } from "../../domain/billing/rows.ts";
import { addBalances, balanceEntries } from "../balances.ts";
import { benefitGrants } from "../benefit-grants.ts";
import { holdSubscriptions } from "../catch-up.ts";
import { changes } from "../changes.ts";
import { checkouts } from "../checkouts.ts";
import { creditNotes } from "../credit-notes.ts";
import { countDocuments, customers } from "../customers.ts";
import type { Tx } from "../driver/db.ts";
import { countRedemptions, redemptions } from "../discounts.ts";
import { disputes } from "../disputes.ts";
import { queueAll } from "../email-queue.ts";
import { events } from "../events.ts";
import { invoiceLines } from "../invoice-lines.ts";
import { invoices } from "../invoices.ts";
import { ledger } from "../ledger.ts";
import { paymentMethods } from "../payment-methods.ts";
import { payments } from "../payments.ts";
import { refunds } from "../refunds.ts";
import { storeRepriced } from "../repriced-subscriptions.ts";
import { subscriptions, useTrials } from "../subscriptions.ts";
import type { Table } from "../driver/table.ts";
import { forgetCustomer } from "./forget.ts";
import { eventsOf, type Links } from "./events.ts";

type TableName = keyof BillingRows;
type Changes = { [Name in TableName]: RowChanges<BillingRows[Name]> };
/**
 * How changes of one table are written. `releases`: whether a changed row leaves a unique index. Such a row is written
 * before a row that takes its key in that index.
 */
type Writer<Name extends TableName> = {
  table: Pick<Table<BillingRows[Name]>, "insertAll" | "updateAll" | "deleteAll">;
  releases?: (row: BillingRows[Name]) => boolean;
};

/** Refuses changes of rows that no decision may change: a decision with such a change has a bug. */
const refuse = (name: string) => (_: Tx, rows: readonly unknown[]) => {
  if (rows.length > 0) throw new Error(`a decision has changed ${name}`);
};
const readOnly = (name: string) => ({ insertAll: refuse(name), updateAll: refuse(name), deleteAll: refuse(name) });
const appendOnly = <Row>(name: string, { insertAll }: Pick<Table<Row>, "insertAll">) => ({
  ...readOnly(name),
  insertAll,
});

// In the order of foreign keys: a row is written after the rows that it references.
const WRITERS: { [Name in TableName]?: Writer<Name> } = {
  products: { table: readOnly("Products") },
  benefits: { table: readOnly("Benefits") },
  cards: { table: paymentMethods },
  checkouts: { table: checkouts, releases: ({ status }) => status !== "processing" },
  subscriptions: { table: subscriptions, releases: ({ status }) => status === "canceled" },
  changes: { table: changes, releases: ({ status }) => status !== "pending" },
  invoices: { table: invoices },
  lines: { table: invoiceLines },
  payments: { table: payments, releases: ({ status }) => status === "failed" },
  refunds: { table: refunds },
  creditNotes: { table: appendOnly("credit notes", creditNotes) },
  disputes: { table: disputes, releases: (dispute) => !isStanding(dispute) },
  grants: { table: benefitGrants },
  redemptions: { table: redemptions },
  balanceEntries: { table: balanceEntries },
  transfers: { table: appendOnly("transfers", ledger) },
};
const ORDER = Object.keys(WRITERS) as TableName[];

/**
 * Writes the changes of any number of Customers, in one statement for each table and kind. All statements are sent
 * without waiting, so that they travel with COMMIT. Each Customer's billing must have been loaded in this transaction,
 * and be kept only once. If a row violates a constraint, the transaction fails, and the caller tries again with halves
 * of the batch.
 */
export function storeChanges(tx: Tx, accounts: readonly CustomerBilling[], links: Links): void {
  const all = changesOf(accounts);
  for (const name of ORDER.toReversed()) remove(tx, name, all);
  storeCustomers(tx, accounts);
  for (const name of ORDER) write(tx, name, all);
  storeCounts(tx, accounts, all);
  holdSubscriptions(tx, heldOf(accounts));
  storeRepriced(
    tx,
    accounts.map(({ repriced }) => repriced),
  );
  events.insertAll(tx, eventsOf(accounts, links));
  queueAll(
    tx,
    accounts.flatMap(({ emails }) => emails),
  );
  wakeWorkers(tx, accounts);
  for (const { isForgotten, customer } of accounts)
    if (isForgotten) forgetCustomer(tx, customer.organizationId, customer.id);
}

/** The changes of all Customers, by table. */
function changesOf(accounts: readonly CustomerBilling[]): Changes {
  const names = [...ORDER, "discounts", "trials"] as const;
  const merge = <Name extends TableName>(name: Name): [Name, RowChanges<BillingRows[Name]>] => {
    const each = accounts.map((billing) =>
      (billing[name] as unknown as { changes(): RowChanges<BillingRows[Name]> }).changes(),
    );
    const inserted = each.flatMap((changed) => changed.inserted);
    const updated = each.flatMap((changed) => changed.updated);
    return [name, { inserted, updated, dropped: each.flatMap((changed) => changed.dropped) }];
  };
  return Object.fromEntries(names.map((name) => merge(name))) as Changes;
}

function remove<Name extends TableName>(tx: Tx, name: Name, all: Changes): void {
  (WRITERS[name] as Writer<Name>).table.deleteAll(tx, all[name].dropped);
}

/** Updates come first: only a payment that has failed makes room in the index for the next attempt. */
function write<Name extends TableName>(tx: Tx, name: Name, all: Changes): void {
  const { table, releases } = WRITERS[name] as Writer<Name>;
  const { inserted, updated } = all[name];
  if (inserted.length + updated.length === 0) return;
  const first = updated.filter(({ row }) => releases?.(row));
  const later = updated.filter(({ row }) => !releases?.(row));
  table.updateAll(tx, [...first, ...later]);
  table.insertAll(tx, inserted);
}

function storeCustomers(tx: Tx, accounts: readonly CustomerBilling[]): void {
  const changed = accounts.filter(({ customer, loaded }) => customer !== loaded.customer);
  customers.updateAll(
    tx,
    changed.map(({ customer, loaded }) => ({ row: customer, before: loaded.customer })),
  );
  const numbered = accounts.filter(
    ({ numbers, loaded }) =>
      numbers.invoice !== loaded.numbers.invoice || numbers.creditNote !== loaded.numbers.creditNote,
  );
  countDocuments(
    tx,
    numbered.map(({ customer, numbers }) => ({ ...numbers, organizationId: customer.organizationId, id: customer.id })),
  );
}

/**
 * Writes the figures that follow from rows: balances, the redemption counts of Discounts, and the groups with a used
 * trial.
 */
function storeCounts(tx: Tx, accounts: readonly CustomerBilling[], all: Changes): void {
  addBalances(tx, all.balanceEntries.inserted);
  const counted = (rows: readonly Redemption[], step: number) =>
    rows.map(({ organizationId, discountId }) => ({ organizationId, id: discountId, taken: step }));
  countRedemptions(tx, [...counted(all.redemptions.inserted, 1), ...counted(all.redemptions.dropped, -1)]);
  const used = accounts.flatMap(({ customer, trials }) => {
    const { organizationId, id: customerId } = customer;
    return trials
      .changes()
      .inserted.map(({ id, subscriptionId }) => ({ organizationId, customerId, groupKey: id, subscriptionId }));
  });
  useTrials(tx, used);
}

const heldOf = (accounts: readonly CustomerBilling[]) =>
  accounts.flatMap(({ held, organization }) => [...held].map((id) => ({ id, organization })));

/**
 * Wakes this process's workers for attempts, refunds and e-mails, but not during an advance. An advance settles the
 * attempts of its own steps, and its e-mails can wait. A worker that came at once would compete with the advance.
 */
function wakeWorkers(tx: Tx, accounts: readonly CustomerBilling[]): void {
  for (const billing of accounts.filter(({ organization }) => organization.clockTarget === null)) {
    const changed = <Row>({ inserted, updated }: RowChanges<Row>) => [...inserted, ...updated.map(({ row }) => row)];
    for (const { checkAt } of changed(billing.payments.changes())) tx.wakes("payments", checkAt);
    for (const { checkAt } of changed(billing.refunds.changes())) tx.wakes("refunds", checkAt);
    if (billing.emails.length > 0) tx.wakes("emails");
  }
}
