import type { Instant } from "./calendar.ts";
import type { Address, TaxId } from "./organization.ts";
import type { Metadata } from "./product.ts";

/** Who buys. Known by its `externalId`; without one, by its e-mail. */
export type Customer = {
  organizationId: string;
  id: string;
  email: string;
  emailKey: string;
  name: string | null;
  externalId: string | null;
  billingAddress: Address | null;
  taxId: TaxId | null;
  metadata: Metadata;
  defaultPaymentMethodId: string | null;
  /** How many invoices were numbered (rule I1). */
  invoiceSequence: number;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type NewCustomer = Pick<Customer, "email" | "name" | "externalId" | "billingAddress" | "taxId" | "metadata">;

/** What e-mail addresses are compared by: NFC, without case. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}

/** `PREFIX-<last 8 of the Customer's id>-0001` (rule I1); gapless per Customer, unique per Organization. */
export function invoiceNumber(prefix: string, customerId: string, sequence: number): string {
  return `${prefix}-${customerId.slice(-8).toUpperCase()}-${String(sequence).padStart(4, "0")}`;
}
