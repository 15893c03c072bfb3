import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import { customerExists, emailKey, type Customer, type NewCustomer } from "../../domain/model/customer.ts";
import { AppError, RETRY_SOON } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { presentCustomer, type CreateCustomerParams } from "../../resources/customer.ts";
import { customers, findAnyByEmail, findByEmail, findByExternalId, findEmailOwner } from "../../store/customers.ts";
import type { Tx } from "../../store/driver/db.ts";
import { events } from "../../store/events.ts";
import { billingNow } from "../../store/organizations.ts";
import type { Origin } from "../origin.ts";
import { recordCustomer } from "./record-customer.ts";

/**
 * Several ids are tried, because two Customers never share the eight characters that number their invoices (rule I1).
 */
const ID_ATTEMPTS = 5;

/** `POST /customers`. @throws Refusal 409 `customer_exists` with the `customerId` of the existing Customer */
export async function createCustomer(
  ctx: Context,
  origin: Origin<Customer>,
  params: CreateCustomerParams,
): Promise<Customer> {
  return origin.transaction(ctx, async (tx) => {
    const now = await billingNow(tx, origin.organizationId);
    const made = await insertCustomer(tx, origin.organizationId, params, now);
    if ("existing" in made) throw customerExists(made.existing, params);
    return made.customer;
  });
}

/**
 * Finds the existing Customer for these details. With an `externalId`, looks for that id; without one, looks for the
 * e-mail among Customers without an `externalId`. An address that an undo can give back counts as the address of its
 * former Customer, too (rule I11).
 */
export async function findSame(
  tx: Tx,
  organizationId: string,
  wanted: Pick<NewCustomer, "email" | "externalId">,
): Promise<Customer | null> {
  if (wanted.externalId !== null) return findByExternalId(tx, organizationId, wanted.externalId);
  const key = emailKey(wanted.email);
  return (await findByEmail(tx, organizationId, key)) ?? findEmailOwner(tx, organizationId, key);
}

function newCustomer(organizationId: string, wanted: NewCustomer, now: Instant): Customer {
  return {
    organizationId,
    id: newId("cus"),
    ...wanted,
    emailKey: emailKey(wanted.email),
    defaultPaymentMethodId: null,
    deletedAt: null,
    version: 1,
    eventSequence: 1,
    createdAt: now,
    updatedAt: now,
  };
}

function recordCreated(tx: Tx, customer: Customer): void {
  const { organizationId, id: resourceId, createdAt } = customer;
  const data = presentCustomer(customer);
  events.insert(tx, {
    organizationId,
    id: newId("evt"),
    type: "customer.created",
    resourceId,
    sequence: 1,
    data,
    createdAt,
  });
}

/**
 * Makes the Customer with its event, or finds the same Customer, even if another request makes it at the same moment.
 * If there is such a Customer, the caller undoes the transaction.
 */
export async function insertCustomer(
  tx: Tx,
  organizationId: string,
  wanted: NewCustomer,
  now: Instant,
): Promise<{ customer: Customer } | { existing: Customer }> {
  // A Customer that shares its mailbox since an upgrade holds no key that the insert would meet.
  const known = await findSame(tx, organizationId, wanted);
  if (known) return { existing: known };
  for (let attempt = 1; attempt <= ID_ATTEMPTS; attempt++) {
    const customer = newCustomer(organizationId, wanted, now);
    if (await customers.insertIfFree(tx, customer)) {
      // The insert has waited for a change of this address that was under way, so the owner is looked up afterwards.
      const emailOwner = wanted.externalId === null && (await findEmailOwner(tx, organizationId, customer.emailKey));
      if (emailOwner) return { existing: emailOwner };
      recordCreated(tx, customer);
      return { customer };
    }
    const existing = await findSame(tx, organizationId, wanted);
    if (existing) return { existing };
  }
  throw new AppError("unavailable", { headers: RETRY_SOON });
}

/**
 * Existing Customers for a description. `known` has the `externalId`. `unnamed` has the e-mail and no `externalId`.
 * `anyone` is the oldest Customer with the e-mail, or else the Customer that can get the e-mail back by an undo
 * (rule I11). `anyone` is looked up only without an `externalId`.
 */
export type Described = { known: Customer | null; unnamed: Customer | null; anyone: Customer | null };

/** Looks up the Customers for an e-mail and an optional `externalId`, in one trip. */
export async function findDescribed(
  tx: Tx,
  organizationId: string,
  { email, externalId }: NewCustomer,
): Promise<Described> {
  const key = emailKey(email);
  // One after the other on one connection: the owner of an address is seen even if its change was committed just now.
  const [known, unnamed, anyone, emailOwner] = await Promise.all([
    externalId === null ? null : findByExternalId(tx, organizationId, externalId),
    findByEmail(tx, organizationId, key),
    externalId === null ? findAnyByEmail(tx, organizationId, key) : null,
    externalId === null ? findEmailOwner(tx, organizationId, key) : null,
  ]);
  return { known, unnamed, anyone: anyone ?? emailOwner };
}

/**
 * Resolves an e-mail and an optional `externalId` to a Customer (contract, Customer). With an `externalId`: the
 * Customer with this `externalId`; else the Customer with the e-mail and without an `externalId`, which gets this
 * `externalId`; else a new Customer. Without an `externalId`: the Customer with the e-mail and without an `externalId`;
 * else the oldest Customer with the e-mail; else a new Customer. Other fields of an existing Customer stay unchanged.
 * The insert of a new Customer is sent without waiting: if another request makes the same Customer at this moment, the
 * transaction runs again and finds that Customer.
 */
export async function resolveCustomer(
  tx: Tx,
  organizationId: string,
  wanted: NewCustomer,
  { known, unnamed, anyone }: Described,
  now: Instant,
): Promise<{ found: Customer } | { made: Customer }> {
  const { externalId } = wanted;
  const found = known ?? (externalId === null ? (unnamed ?? anyone) : null);
  if (found) return { found };
  const locked = unnamed && (await customers.lock(tx, organizationId, unnamed.id));
  if (locked?.deletedAt === null && locked.externalId === null) {
    return { found: await recordCustomer(tx, { ...locked, externalId }, "customer.updated", now) };
  }
  if (locked?.externalId === externalId) return { found: locked };
  const made = newCustomer(organizationId, wanted, now);
  customers.insert(tx, made);
  recordCreated(tx, made);
  return { made };
}
