import { domainToASCII } from "node:url";
import type { Instant } from "../calendar.ts";
import type { Locale } from "../locale.ts";
import type { Address } from "../tax/address.ts";
import type { TaxId } from "../tax/tax-id.ts";
import type { Metadata } from "./product.ts";
import { Refusal } from "../refusal.ts";

/** A buyer, identified by `externalId` or, without one, by e-mail. */
export type Customer = {
  organizationId: string;
  id: string;
  email: string;
  emailKey: string;
  name: string | null;
  /** The company for which the person buys (rule I2). */
  companyName: string | null;
  externalId: string | null;
  billingAddress: Address | null;
  taxId: TaxId | null;
  /** The language of pages and e-mails; null: not known. */
  locale: Locale | null;
  metadata: Metadata;
  defaultPaymentMethodId: string | null;
  /** The instant of the deletion; from then on the fields above are blank (rule I5m). */
  deletedAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};

export type NewCustomer = Pick<
  Customer,
  "email" | "name" | "companyName" | "externalId" | "billingAddress" | "taxId" | "locale" | "metadata"
>;

const NOT_ASCII = /[^ -~]/;

/**
 * The key by which e-mail addresses are compared: NFC, without case, and the domain in the form of DNS, as
 * `xn--bcher-kva.example` for `bücher.example`. A domain without such a form stays (rule I11j).
 */
export function emailKey(email: string): string {
  const plain = email.normalize("NFC").toLowerCase();
  const at = plain.lastIndexOf("@") + 1;
  const domain = plain.slice(at);
  if (at === 0 || !NOT_ASCII.test(domain)) return plain;
  return plain.slice(0, at) + (domainToASCII(domain) || domain);
}

/** The refusal with the id of the Customer that has the `externalId` or, without one, the e-mail. */
export const customerExists = ({ id: customerId }: Customer, { externalId }: Pick<NewCustomer, "externalId">) =>
  new Refusal("customer_exists", { field: externalId === null ? "/email" : "/externalId", customerId });

export type CustomerChange = Partial<NewCustomer>;
export type CustomerRefusal = { refusal: "external_id_fixed" | "billing_country_missing" };

/** The Customer with these fields. An `externalId` is set once; a tax id needs a billing address. */
export function changedCustomer(customer: Customer, change: CustomerChange): Customer | CustomerRefusal {
  const next = { ...customer, ...change, emailKey: emailKey(change.email ?? customer.email) };
  if (customer.externalId !== null && next.externalId !== customer.externalId) return { refusal: "external_id_fixed" };
  if (next.taxId !== null && next.billingAddress === null) return { refusal: "billing_country_missing" };
  return next;
}

/** The blank fields in every trace of a deleted Customer (rule I5m). */
export const BLANK_CUSTOMER = {
  email: "",
  name: null,
  companyName: null,
  externalId: null,
  billingAddress: null,
  taxId: null,
  locale: null,
  metadata: {},
} as const satisfies NewCustomer;

/** The row of a deleted Customer (rule I5m). */
export function deletedCustomer(customer: Customer, at: Instant): Customer {
  return { ...customer, ...BLANK_CUSTOMER, emailKey: "", defaultPaymentMethodId: null, deletedAt: at };
}

/** `PREFIX-<last 8 of the Customer's id>-0001` (rule I1): gapless per Customer, unique per Organization. */
export function invoiceNumber(prefix: string, customerId: string, sequence: number): string {
  return `${prefix}-${customerId.slice(-8).toUpperCase()}-${String(sequence).padStart(4, "0")}`;
}

/** Whether `invoiceNumber` made this number for the Customer's first invoice. */
export function isFirstInvoiceNumber(number: string): boolean {
  return number.endsWith("-0001");
}

/** `PREFIX-<last 8 of the Customer's id>-CN0001` (rule I3k): gapless per Customer, unique per Organization. */
export function creditNoteNumber(prefix: string, customerId: string, sequence: number): string {
  return `${prefix}-${customerId.slice(-8).toUpperCase()}-CN${String(sequence).padStart(4, "0")}`;
}
