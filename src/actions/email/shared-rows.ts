import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { Email } from "../../domain/model/email.ts";
import type { RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { customers } from "../../store/customers.ts";
import { readOrganization, type OrganizationInTime } from "../../store/organizations.ts";
import { subscriptions } from "../../store/subscriptions.ts";

/** The rows that e-mails of one Organization name, by id, and the Organization itself. */
export type Shared = {
  inTime: OrganizationInTime;
  customers: ReadonlyMap<string, Customer>;
  subscriptions: ReadonlyMap<string, Subscription>;
  /** Next charges by Subscription id, if they were read for many e-mails at once. */
  ahead?: ReadonlyMap<string, RenewalPreview>;
};

/** Reads the rows that e-mails of one Organization name: three statements for any number of e-mails. */
export async function readShared(
  { db: { read: db } }: Context,
  organizationId: string,
  emails: readonly Email[],
): Promise<Shared> {
  const customerIds = emails.flatMap(({ customerId }) => customerId ?? []);
  const subscriptionIds = emails.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  const [inTime, itsCustomers, itsSubscriptions] = await Promise.all([
    readOrganization(db, organizationId),
    customers.findAll(db, organizationId, customerIds),
    subscriptions.findAll(db, organizationId, subscriptionIds),
  ]);
  return { inTime, customers: itsCustomers, subscriptions: itsSubscriptions };
}
