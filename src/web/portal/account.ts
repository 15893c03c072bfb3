import { downloadUrl } from "../../actions/links.ts";
import type { Visitor } from "../../actions/customer/portal-sessions.ts";
import { readNextCharges } from "../../actions/subscription/next-charge.ts";
import { findChangeable } from "../../actions/subscription/portal-plans.ts";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/customer/customer.ts";
import type { Invoice } from "../../domain/invoice/invoice.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import type { RenewalPreview } from "../../domain/subscription/preview-renewal.ts";
import type { Subscription } from "../../domain/subscription/subscription.ts";
import { presentBenefitGrant, type BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { presentPage } from "../../resources/page.ts";
import { readActiveGrants } from "../../store/benefit-grants.ts";
import { listInvoices } from "../../store/invoices.ts";
import { findCardOnFile, type CardOnFile } from "../../store/payment-methods.ts";
import { products } from "../../store/products.ts";
import { listLive, listSubscriptions, subscriptions } from "../../store/subscriptions.ts";

const INVOICES_A_PAGE = 20;
const HOLDINGS_A_PAGE = 20;
const MOST_ENDED = 5;
const MOST_GRANTS = 100;

/**
 * A Subscription with the name of its Product. `next`: its renewal; null: no renewal will come. `hasPlans`: whether there
 * is another plan to change to.
 */
export type Holding = {
  subscription: Subscription;
  product: string;
  next: RenewalPreview | null;
  hasPlans: boolean;
};

/** The cursors of the pages of both lists; undefined: the first page. */
export type Pages = { invoices: string | undefined; holdings: string | undefined };

/**
 * A Customer's account as the portal shows it. `more` and `older`: the cursors of the next pages of holdings and
 * invoices.
 */
export type Account = {
  holdings: Holding[];
  more: string | null;
  grants: BenefitGrantResource[];
  invoices: Invoice[];
  older: string | null;
  /** The default card, also after its end. */
  card: CardOnFile | null;
};

/** The person behind an account: `Ada Lovelace, ada@example.com`. */
export const personOf = ({ name, email }: Customer) => (name === null ? email : `${name}, ${email}`);

type Owner = { organization: Organization; visitor: Visitor };

async function nameOf(ctx: Context, { organizationId, productId }: Subscription): Promise<string> {
  return (await products.find(ctx.db.read, organizationId, productId))?.name ?? "";
}

/** One of this Customer's Subscriptions that goes on; null for any other id. */
export async function findHolding(ctx: Context, owner: Owner, id: string): Promise<Holding | null> {
  const subscription = await subscriptions.find(ctx.db.read, owner.organization.id, id);
  const isTheirs = subscription?.customerId === owner.visitor.customer.id && subscription.status !== "canceled";
  return isTheirs ? (await holdingsOf(ctx, owner, [subscription]))[0]! : null;
}

async function holdingsOf(
  ctx: Context,
  { organization, visitor }: Owner,
  listed: readonly Subscription[],
): Promise<Holding[]> {
  const going = listed.filter(({ status, cancelAtPeriodEnd }) => status !== "canceled" && !cancelAtPeriodEnd);
  const [names, next, changeable] = await Promise.all([
    Promise.all(listed.map((subscription) => nameOf(ctx, subscription))),
    readNextCharges(ctx, organization.id, visitor.customer.id, going),
    findChangeable(ctx, organization, listed),
  ]);
  return listed.map((subscription, n) => ({
    subscription,
    product: names[n]!,
    next: next.get(subscription.id) ?? null,
    hasPlans: changeable.has(subscription.id),
  }));
}

/**
 * A page of the Subscriptions that have not ended. The last page also lists the newest Subscriptions that have ended.
 */
async function listHoldings(
  ctx: Context,
  owner: Owner,
  cursor: string | undefined,
): Promise<Pick<Account, "holdings" | "more">> {
  const [organizationId, customerId] = [owner.organization.id, owner.visitor.customer.id];
  const [rows, ended] = await Promise.all([
    listLive(ctx.db.read, organizationId, customerId, { cursor, limit: HOLDINGS_A_PAGE }),
    listSubscriptions(ctx.db.read, organizationId, { customerId, status: "canceled", limit: MOST_ENDED }),
  ]);
  const { data: live, nextCursor: more } = presentPage(rows, HOLDINGS_A_PAGE, (row) => row);
  const listed = more === null ? [...live, ...ended.slice(0, MOST_ENDED)] : live;
  return { holdings: await holdingsOf(ctx, owner, listed), more };
}

async function listBenefits(ctx: Context, { organization, visitor }: Owner): Promise<BenefitGrantResource[]> {
  const grants = await readActiveGrants(ctx.db.read, organization.id, visitor.customer.id, MOST_GRANTS);
  return grants.map((grant) => {
    const link = (file: number) => downloadUrl(ctx, organization.id, grant.id, file, realNow());
    return presentBenefitGrant(grant, grant.benefit, { ...grant, downloadUrl: link });
  });
}

async function readCard(ctx: Context, { organization, visitor }: Owner): Promise<CardOnFile | null> {
  const id = visitor.customer.defaultPaymentMethodId;
  return id === null ? null : findCardOnFile(ctx.db.read, organization.id, id);
}

export async function readAccount(ctx: Context, owner: Owner, pages: Pages): Promise<Account> {
  const { organization, visitor } = owner;
  const [{ holdings, more }, grants, rows, card] = await Promise.all([
    listHoldings(ctx, owner, pages.holdings),
    listBenefits(ctx, owner),
    listInvoices(ctx.db.read, organization.id, {
      customerId: visitor.customer.id,
      cursor: pages.invoices,
      limit: INVOICES_A_PAGE,
    }),
    readCard(ctx, owner),
  ]);
  const { data: invoices, nextCursor: older } = presentPage(rows, INVOICES_A_PAGE, (row) => row);
  return { holdings, more, grants, invoices, older, card };
}
