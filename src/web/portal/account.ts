import { downloadUrl } from "../../actions/links.ts";
import { previewRenewal, type RenewalPreview } from "../../actions/preview-renewal.ts";
import type { Visitor } from "../../actions/portal-sessions.ts";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/customer.ts";
import type { Invoice } from "../../domain/invoice.ts";
import type { Organization } from "../../domain/organization.ts";
import type { PaymentMethod } from "../../domain/payment.ts";
import type { Subscription } from "../../domain/subscription.ts";
import { withDownloads, type BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { presentPage } from "../../resources/page.ts";
import { listActiveGrants } from "../../store/benefit-grants.ts";
import { listInvoices } from "../../store/invoices.ts";
import { paymentMethods } from "../../store/payment-methods.ts";
import { products } from "../../store/products.ts";
import { listSubscriptions, liveOfCustomer } from "../../store/subscriptions.ts";

const INVOICES_A_PAGE = 20;
const MOST_ENDED = 5;
const MOST_GRANTS = 100;

/** A Subscription with its Product's name; `next`: what its renewal comes to, where one is to come. */
export type Holding = { subscription: Subscription; product: string; next: RenewalPreview | null };

/** What a Customer has, as their portal shows it. `older`: the cursor of the next page of invoices. */
export type Account = {
  organization: Organization;
  visitor: Visitor;
  holdings: Holding[];
  grants: BenefitGrantResource[];
  invoices: Invoice[];
  older: string | null;
  card: PaymentMethod | null;
};

type Place = { organization: Organization; customer: Customer };

async function nameOf(ctx: Context, { organizationId, productId }: Subscription): Promise<string> {
  return (await products.find(ctx.db.read, organizationId, productId))?.name ?? "";
}

/** One of this Customer's Subscriptions that goes on; null for anything else. */
export async function findHolding(ctx: Context, place: Place, id: string): Promise<Holding | null> {
  const live = await liveOfCustomer(ctx.db.read, place.organization.id, place.customer.id);
  const subscription = live.find((each) => each.id === id);
  return subscription ? holdingOf(ctx, place, subscription) : null;
}

async function holdingOf(ctx: Context, place: Place, subscription: Subscription): Promise<Holding> {
  const goesOn = subscription.status !== "canceled" && !subscription.cancelAtPeriodEnd;
  const [product, next] = await Promise.all([
    nameOf(ctx, subscription),
    goesOn ? previewRenewal({ tx: ctx.db.read, ...place }, subscription) : null,
  ]);
  return { subscription, product, next };
}

async function listHoldings(ctx: Context, place: Place): Promise<Holding[]> {
  const [organizationId, customerId] = [place.organization.id, place.customer.id];
  const [live, ended] = await Promise.all([
    liveOfCustomer(ctx.db.read, organizationId, customerId),
    listSubscriptions(ctx.db.read, organizationId, { customerId, status: "canceled", limit: MOST_ENDED }),
  ]);
  return Promise.all([...live, ...ended.slice(0, MOST_ENDED)].map((subscription) => holdingOf(ctx, place, subscription)));
}

async function listBenefits(ctx: Context, { organization, customer }: Place): Promise<BenefitGrantResource[]> {
  const grants = await listActiveGrants(ctx.db.read, organization.id, { customerId: customer.id, limit: MOST_GRANTS });
  return (grants ?? []).map(({ id, type, body }) => {
    const linked = () => withDownloads(body, (file) => downloadUrl(ctx, organization.id, id, file, realNow()));
    return JSON.parse(type === "download" ? linked() : body) as BenefitGrantResource;
  });
}

/** `cursor`: where the page of invoices begins. */
export async function readAccount(
  ctx: Context,
  organization: Organization,
  visitor: Visitor,
  cursor: string | undefined,
): Promise<Account> {
  const { customer } = visitor;
  const place = { organization, customer };
  const cardId = customer.defaultPaymentMethodId;
  const [holdings, grants, rows, card] = await Promise.all([
    listHoldings(ctx, place),
    listBenefits(ctx, place),
    listInvoices(ctx.db.read, organization.id, { customerId: customer.id, cursor, limit: INVOICES_A_PAGE }),
    cardId === null ? null : paymentMethods.find(ctx.db.read, organization.id, cardId),
  ]);
  const { data: invoices, nextCursor: older } = presentPage(rows, INVOICES_A_PAGE, (row) => row);
  return { organization, visitor, holdings, grants, invoices, older, card: card?.dead === false ? card : null };
}
