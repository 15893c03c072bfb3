import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { PortalVisit } from "../../domain/model/portal-session.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CreatePortalSessionParams } from "../../resources/portal-session.ts";
import { customers, findByExternalId } from "../../store/customers.ts";
import { deleteSession, findLink, findSession, findSpent, insertSession, useLink } from "../../store/portal.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { lockCustomer } from "../locked-customer.ts";
import type { Origin } from "../origin.ts";
import { digestOf, newSecret } from "../secret.ts";
import { createLink, type PortalLink } from "./portal-links.ts";

/**
 * `POST /customers/{id}/portal-sessions`: makes a portal link for a Customer that the caller has already authenticated.
 * `forSupport`: the link is good for a day, so that a person of the dashboard can send it.
 * @throws Refusal 404
 */
export async function createCustomerPortalSession(
  ctx: Context,
  origin: Origin<PortalLink>,
  id: string,
  returnUrl: string | null,
  forSupport = false,
): Promise<PortalLink> {
  return origin.transaction(ctx, async (tx) => {
    const locked = await lockCustomer(ctx, tx, origin.organizationId, id);
    if (!locked) throw new Refusal("not_found");
    return createLink(ctx, tx, locked.customer, { returnUrl, emailId: null, forSupport });
  });
}

/**
 * `POST /portal-sessions`: the same for the Customer that the body names.
 * @throws Refusal 422
 */
export async function createPortalSession(
  ctx: Context,
  origin: Origin<PortalLink>,
  { customerId, externalCustomerId, returnUrl }: CreatePortalSessionParams,
): Promise<PortalLink> {
  const { organizationId } = origin;
  return origin.transaction(ctx, async (tx) => {
    const id = customerId ?? (await findByExternalId(tx, organizationId, externalCustomerId!))?.id;
    const locked = id === undefined ? null : await lockCustomer(ctx, tx, organizationId, id);
    if (!locked) {
      const field = customerId === null ? "/externalCustomerId" : "/customerId";
      throw new Refusal("unknown_customer", { field, canCreate: false });
    }
    return createLink(ctx, tx, locked.customer, { returnUrl, emailId: null });
  });
}

/** A Customer that is signed in to an Organization's portal, and the URL to which the portal leads back. */
export type Visitor = { customer: Customer; returnUrl: string | null };

async function visitorOf<Visit extends PortalVisit>(
  ctx: Context,
  organizationId: string,
  secret: string,
  find: (db: Queryable, key: { organizationId: string; digest: Uint8Array }) => Promise<Visit | null>,
): Promise<(Visit & Visitor) | null> {
  const visit = await find(ctx.db.read, { organizationId, digest: digestOf(secret) });
  const customer = visit && (await customers.find(ctx.db.read, organizationId, visit.customerId));
  return customer?.deletedAt === null ? { ...visit!, customer } : null;
}

/**
 * The Customer that a link would sign in; null if the link is not valid, or no longer valid. `isDirect`: the merchant's
 * backend made the link for a browser that the backend sends there at once.
 */
export function findInvited(
  ctx: Context,
  organizationId: string,
  secret: string,
): Promise<(Visitor & { isDirect: boolean }) | null> {
  return visitorOf(ctx, organizationId, secret, findLink);
}

/** The Customer of a link that is used or expired; null if the link is unknown or was forgotten meanwhile. */
export function findFormerlyInvited(ctx: Context, organizationId: string, secret: string): Promise<Visitor | null> {
  return visitorOf(ctx, organizationId, secret, findSpent);
}

/** The Customer of a session; null if the session is unknown or over. */
export function findVisitor(ctx: Context, organizationId: string, session: string): Promise<Visitor | null> {
  return visitorOf(ctx, organizationId, session, findSession);
}

/**
 * Signs a Customer in, after which the link is no longer valid. Returns the secret of the session, which only the
 * browser gets; null if the link is not valid. `former`: the browser's session before, which ends; null: there is none.
 */
export async function signIn(
  ctx: Context,
  organizationId: string,
  secret: string,
  former: string | null,
): Promise<string | null> {
  const key = { organizationId, digest: digestOf(secret) };
  return ctx.db.tx(async (tx) => {
    const seen = await findLink(tx, key);
    // The Customer is locked first, as in every transaction: a Customer that is deleted at this moment is not signed
    // in.
    const locked = seen && (await lockCustomer(ctx, tx, organizationId, seen.customerId));
    const visit = locked && (await useLink(tx, key));
    if (!visit) return null;
    if (former !== null) await deleteSession(tx, { organizationId, digest: digestOf(former) });
    const session = newSecret();
    insertSession(tx, { organizationId, digest: session.digest, ...visit });
    return session.secret;
  });
}

/** Ends the session. A copy of the session's cookie is worthless from then on. */
export async function signOut(ctx: Context, organizationId: string, session: string): Promise<void> {
  await ctx.db.tx((tx) => deleteSession(tx, { organizationId, digest: digestOf(session) }));
}
