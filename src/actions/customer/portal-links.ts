import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { MOST_LINKS_AN_EMAIL } from "../../domain/model/portal-session.ts";
import { listByEmail } from "../../store/customers.ts";
import type { Tx } from "../../store/driver/db.ts";
import { insertLink } from "../../store/portal.ts";
import { portalLinkUrl } from "../links.ts";
import { lockCustomer } from "../locked-customer.ts";
import { newSecret } from "../secret.ts";

export type PortalLink = { url: string; expiresAt: Instant };
/** `forSupport`: a person of the dashboard sends the link to the Customer. */
type Purpose = { returnUrl: string | null; emailId: string | null; forSupport?: boolean };

/**
 * Makes a link that signs a Customer in once, and only before `expiresAt`. `url` is the only copy of the link's secret.
 */
export async function createLink(
  ctx: Context,
  tx: Tx,
  { organizationId, id }: Customer,
  purpose: Purpose,
): Promise<PortalLink> {
  const { secret, digest } = newSecret();
  const expiresAt = await insertLink(tx, { organizationId, digest, customerId: id, forSupport: false, ...purpose });
  return { url: portalLinkUrl(ctx, organizationId, secret), expiresAt };
}

/** The name of an account. A person with several accounts tells the accounts apart by these names. */
function nameOf({ name, externalId, email }: Customer): string {
  if (externalId === null) return name ?? email;
  return name === null ? externalId : `${name} (${externalId})`;
}

/**
 * Makes a sign-in link for each Customer with this Customer's e-mail address, oldest Customer first. The links are made
 * when the e-mail is made, so that no unused link is left over. The list is empty if no Customer has the e-mail address
 * any more.
 */
export async function mailPortalLinks(
  ctx: Context,
  tx: Tx,
  { organizationId, emailKey: key }: Customer,
  emailId: string,
): Promise<{ name: string; url: string }[]> {
  const accounts: { name: string; url: string }[] = [];
  for (const customer of await listByEmail(tx, organizationId, key, MOST_LINKS_AN_EMAIL)) {
    // With the Customer locked, a Customer that is deleted or gets another e-mail address at this moment is left out.
    const locked = await lockCustomer(ctx, tx, organizationId, customer.id);
    if (locked?.customer.emailKey !== key) continue;
    const { url } = await createLink(ctx, tx, locked.customer, { returnUrl: null, emailId });
    accounts.push({ name: nameOf(locked.customer), url });
  }
  return accounts;
}
