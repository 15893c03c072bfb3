import { isDeepStrictEqual } from "node:util";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { CustomerBilling } from "../../domain/billing/customer-billing.ts";
import { instant } from "../../domain/calendar.ts";
import { runDue } from "../../domain/collection/due.ts";
import type {
  ForeignCard,
  ForeignCustomer,
  ForeignSubscription,
  UpcomingInvoice,
} from "../../domain/import/foreign.ts";
import type { ImportFields, ImportKey, ImportRow } from "../../domain/import/import.ts";
import { importCards } from "../../domain/import/imported-cards.ts";
import {
  importSubscription,
  refreshImported,
  type ImportedSale,
  type ImportedTerms,
} from "../../domain/import/imported-subscription.ts";
import { heldDiscount, importedTerms, runningDiscount } from "../../domain/import/imported-terms.ts";
import { ownNextInvoice } from "../../domain/import/own-invoice.ts";
import { isExpired } from "../../domain/import/stay-reasons.ts";
import { totalCauses, type OwnInvoice } from "../../domain/import/totals.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { hasOtherBoundary } from "../../domain/model/imported-period.ts";
import { periodOf, type Product } from "../../domain/model/product.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import type { Connectable } from "../../payments/connectable-provider.ts";
import { customers, findByExternalId } from "../../store/customers.ts";
import type { Tx } from "../../store/driver/db.ts";
import { beginImport, findImport, moveState } from "../../store/imports.ts";
import { readOrganization } from "../../store/organizations.ts";
import { inBillingIfThere, inNewBilling } from "../customer-billing.ts";
import { insertCustomer } from "../customer/create-customer.ts";
import { customerFields, takenMetadata, type ExternalIdRule } from "./customer-fields.ts";
import { discountOf } from "./discount-rows.ts";

/** The other side of an import, and the rule for new Customers. `account`: at the provider. */
export type LoadFrom = {
  organizationId: string;
  connectable: Connectable;
  account: string;
  externalId: ExternalIdRule;
};

/** A subscription that moves, as it was just read. `product`: the Product of its price. */
export type Loadable = {
  customer: ForeignCustomer;
  subscription: ForeignSubscription;
  monthly: number;
  upcoming: UpcomingInvoice | null;
  product: Product;
};

/**
 * The part of a reading that later steps compare with. `defaultCard`: the ref of the Customer's default card.
 * `balance`: above zero if the seller owes the Customer. `price`: the id of the price, which the mapping led to the
 * Product.
 */
export type LoadSnapshot = {
  balance: number;
  defaultCard: string | null;
  latestInvoice: string | null;
  price: string;
};

/**
 * Why a subscription can't be imported here. `no_email`: its address is none that Billow takes. `customer_taken`: the
 * `externalId` belongs to a Customer with another id at the provider. `customer_deleted`: the Customer was deleted
 * here.
 */
export type Obstacle = "no_email" | "customer_taken" | "customer_deleted";

/**
 * A subscription after its transaction. `isNew`: it was not held before. `leftOut`: fields that Billow does not take.
 * `otherBoundary`: the zone of the Organization counts the next periods from another instant.
 */
export type Loaded =
  | {
      row: ImportRow;
      isNew: boolean;
      terms: ImportedTerms;
      own: OwnInvoice | null;
      leftOut: string[];
      otherBoundary: boolean;
    }
  /** Another process has brought the row further, or has given it up. */
  | { row: ImportRow; isNew: false; terms: null }
  | { obstacle: Obstacle };

class Blocked extends Error {
  readonly obstacle: Obstacle;
  constructor(obstacle: Obstacle) {
    super(obstacle);
    this.obstacle = obstacle;
  }
}

/** Another process has made the Customer while this one waited for the row. */
class CustomerMade extends Error {}

const SOURCE = "stripe";

type Work = { ctx: Context; tx: Tx; from: LoadFrom; found: Loadable };
type Made = { customerId: string; subscription: Subscription; terms: ImportedTerms; own: OwnInvoice | null };
/** The Subscription of the row has ended here meanwhile. */
type Ended = { ended: true };

const defaultCardOf = ({ payment }: ForeignCustomer): ForeignCard | null =>
  payment?.type === "card" && !isExpired(payment, instant(realNow())) ? payment : null;

function snapshotBefore({ snapshot }: ImportRow): Partial<LoadSnapshot> {
  return (snapshot as Partial<LoadSnapshot> | null) ?? {};
}

/** Decides under the Customer's lock: the cards first, because the Subscription names one. */
function decide(
  billing: CustomerBilling,
  { from, found }: Work,
  row: ImportRow,
  given: Pick<ImportedTerms, "discount" | "metadata">,
): Made | Ended {
  const { customer, subscription, product } = found;
  runDue(billing);
  const held = row.subscriptionId === null ? null : billing.subscriptions.get(row.subscriptionId);
  if (row.subscriptionId !== null && (!held || held.status === "canceled")) return { ended: true };
  const at = { provider: from.connectable.name, providerAccount: from.account };
  const cards = {
    paying: subscription.payment as ForeignCard,
    byDefault: defaultCardOf(customer),
    before: snapshotBefore(row).defaultCard ?? null,
  };
  const paymentMethodId = importCards(billing, at, cards);
  const terms = importedTerms(SOURCE, subscription, { ...given, paymentMethodId });
  const sale: ImportedSale = { product, price: { currency: subscription.currency } };
  const made = held
    ? refreshImported(billing, held, terms, sale)
    : importSubscription(billing, sale, terms, { isHeld: true });
  return { customerId: billing.customer.id, subscription: made, terms, own: ownNextInvoice(billing, made) };
}

/** The Customer of this id at the provider, of the `externalId`, or of the row, locked. @throws Blocked */
async function knownCustomer(
  { tx, from, found }: Work,
  key: ImportKey,
  externalId: string | null,
): Promise<string | null> {
  const { organizationId, account, connectable } = from;
  const of = { organizationId, account };
  const byRef = await connectable.customerOfRef!(tx, of, found.customer.ref);
  if (byRef !== null) {
    if ((await customers.lock(tx, organizationId, byRef))?.deletedAt !== null) throw new Blocked("customer_deleted");
    return byRef;
  }
  const named = externalId === null ? null : await findByExternalId(tx, organizationId, externalId);
  const locked = named && (await customers.lock(tx, organizationId, named.id));
  if (locked && locked.deletedAt === null) {
    await adopt({ tx, from, found }, locked);
    return locked.id;
  }
  // The Customer of the row may have lost its id at the provider.
  const ofRow = (await findImport(tx, key))?.customerId ?? null;
  if (ofRow !== null) await customers.lock(tx, organizationId, ofRow);
  return ofRow;
}

/** @throws Blocked if our Customer has another Customer at the provider already */
async function adopt({ tx, from, found }: Pick<Work, "tx" | "from" | "found">, customer: Customer): Promise<void> {
  const { organizationId, account, connectable } = from;
  const of = { organizationId, account };
  const { id, email, name } = customer;
  await connectable.adoptCustomer!(tx, of, { id, email, name }, found.customer.ref);
  if ((await connectable.customerOfRef!(tx, of, found.customer.ref)) !== id) throw new Blocked("customer_taken");
}

async function loadIn(work: Work, key: ImportKey): Promise<Exclude<Loaded, { obstacle: Obstacle }>> {
  const { ctx, tx, from, found } = work;
  const { customer, subscription, upcoming, product } = found;
  const { fields, leftOut } = customerFields(customer, from.externalId);
  if (fields === null) throw new Blocked("no_email");
  const known = await knownCustomer(work, key, fields.externalId);
  const at = instant(realNow());
  const { currency, nextChargeAt } = subscription;
  const first = { ref: subscription.ref, customerRef: customer.ref, currency, monthly: found.monthly, nextChargeAt };
  const row = await beginImport(tx, key, first, at);
  // The Customer's lock comes before the row's, so the transaction begins anew.
  if (known === null && row.customerId !== null) throw new CustomerMade();
  if (row.state !== "assessed" && row.state !== "imported") return { row, isNew: false, terms: null };
  const running = runningDiscount(subscription, upcoming);
  const discount = running && heldDiscount(await discountOf(tx, key.organizationId, SOURCE, running), running);
  const given = { discount, metadata: takenMetadata(subscription.metadata, leftOut) };
  const decideOn = (billing: CustomerBilling) => decide(billing, work, row, given);
  const inTime = await readOrganization(tx, key.organizationId);
  let made: Made | Ended | null;
  if (known !== null)
    made = await inBillingIfThere(ctx, tx, { organizationId: key.organizationId, id: known }, decideOn);
  else {
    const inserted = await insertCustomer(tx, key.organizationId, fields, inTime.now);
    if ("existing" in inserted) throw new Blocked("customer_taken");
    await adopt(work, inserted.customer);
    made = await inNewBilling(ctx, tx, { customer: inserted.customer, inTime }, decideOn);
  }
  if (made === null) throw new Blocked("customer_deleted");
  if ("ended" in made)
    return { row: (await moveState(tx, key, "imported", "left", {}, at))!, isNew: false, terms: null };
  const { terms, own } = made;
  const set = fieldsOf(found, made, row);
  const moved = await moveState(tx, key, row.state, "imported", set, at);
  const otherBoundary = hasOtherBoundary(terms, inTime.organization.timeZone, periodOf(product)!);
  return { row: moved!, isNew: row.state === "assessed", terms, own, leftOut, otherBoundary };
}

/** The columns of the row. The seller's consent to a difference ends with another difference. */
function fieldsOf(
  { customer, subscription, monthly, upcoming }: Loadable,
  { customerId, subscription: made, own }: Made,
  row: ImportRow,
): Partial<ImportFields> {
  const totals = {
    expectedTotal: upcoming?.total ?? null,
    ownTotal: own?.total ?? null,
    causes: totalCauses(upcoming, own),
  };
  const { expectedTotal, ownTotal, causes } = row;
  const isSame = isDeepStrictEqual(totals, { expectedTotal, ownTotal, causes });
  const snapshot: LoadSnapshot = {
    price: subscription.items[0]!.price.ref,
    latestInvoice: subscription.latestInvoice,
    balance: customer.balance,
    defaultCard: defaultCardOf(customer)?.ref ?? (subscription.payment as ForeignCard).ref,
  };
  const { currency, nextChargeAt } = subscription;
  return {
    ...totals,
    accepted: isSame && row.accepted,
    customerId,
    subscriptionId: made.id,
    reasons: [],
    currency,
    monthly,
    nextChargeAt,
    snapshot: { ...row.snapshot, ...snapshot },
    // The reading of the import is a first check of both sides.
    checkedAt: row.checkedAt ?? instant(realNow()),
  };
}

/**
 * Imports a subscription that moves, in one transaction with its Customer, cards and discount: held here, while the
 * other system bills it (rule V1). A repetition brings the held Subscription in line with the new reading.
 * @throws Refusal 409 `already_subscribed`, 422
 */
export async function loadSubscription(ctx: Context, from: LoadFrom, found: Loadable): Promise<Loaded> {
  const { organizationId, account } = from;
  const key = { organizationId, source: SOURCE, account, ref: found.subscription.ref } as const;
  for (;;)
    try {
      return await ctx.db.tx((tx) => loadIn({ ctx, tx, from, found }, key));
    } catch (error) {
      if (error instanceof Blocked) return { obstacle: error.obstacle };
      if (!(error instanceof CustomerMade)) throw error;
    }
}
