import type { Address } from "../tax/address.ts";
import type { Instant } from "../calendar.ts";
import type { SwitchedEmailKind } from "../email/email.ts";
import type { ProrationBehavior } from "../subscription/proration.ts";
import type { TaxId } from "../tax/tax-id.ts";
import type { TaxRate } from "../tax/tax.ts";

/** Colours and name of the hosted pages. `accentColor`: `#rrggbb`. */
export type Branding = { displayName: string | null; accentColor: string | null; logoUrl: string | null };

/** The tenant: whose keys, data and clock these are. */
export type Organization = {
  id: string;
  name: string;
  mode: "live" | "sandbox";
  /** IANA zone that new Subscriptions are anchored in (rule T2). */
  timeZone: string;
  defaultCurrency: string;
  defaultProration: ProrationBehavior;
  /** Days after the first failure on which a charge is tried again (rule D3a). */
  retryDays: number[];
  /** Days after the first failure until grants are revoked (rule D4). */
  graceDays: number;
  taxRates: TaxRate[];
  branding: Branding;
  /** Kinds of e-mail that buyers do not get. */
  emailsOff: SwitchedEmailKind[];
  invoicePrefix: string;
  legalName: string | null;
  address: Address | null;
  taxId: TaxId | null;
  /** Billing time once a sandbox clock was set; null: real time (rule T1). */
  clockAt: Instant | null;
  clockTarget: Instant | null;
  clockLeaseUntil: Instant | null;
  clockDone: number;
  /** Of a live one: from when on the clock had jumped, until an operator approves what became due meanwhile (rule T4). */
  catchUpSince: Instant | null;
  /** What was due by then is carried out however late. */
  catchUpApprovedUntil: Instant | null;
  version: number;
  createdAt: Instant;
  updatedAt: Instant;
};

/** The name that buyers know the Organization by. */
export function displayName({ name, branding }: Pick<Organization, "name" | "branding">): string {
  return branding.displayName ?? name;
}

export const DEFAULT_DUNNING = { retryDays: [3, 7, 14, 21], graceDays: 7 } as const;
