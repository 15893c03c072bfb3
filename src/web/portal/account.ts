import { findWaitingChange } from "../../actions/customer/waiting-email-change.ts";
import { downloadUrl } from "../../actions/links.ts";
import type { Visitor } from "../../actions/customer/portal-sessions.ts";
import { readMovements, type Billed } from "../../actions/invoice/movements.ts";
import { readProspects } from "../../actions/subscription/outlook.ts";
import { findChangeable } from "../../actions/subscription/portal-plans.ts";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { Balance } from "../../domain/model/balance.ts";
import type { Unfinished } from "../../domain/checkout/unfinished-checkouts.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { limitsOf, type Product } from "../../domain/model/product.ts";
import type { QuantityRange, UnitName } from "../../domain/model/quantity.ts";
import type { Outlook } from "../../domain/subscription/outlook.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { presentBenefitGrant, type BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { presentPage } from "../../resources/page.ts";
import { readActiveGrants } from "../../store/benefit-grants.ts";
import { listInvoices } from "../../store/invoices.ts";
import { findCardOnFile, type CardOnFile } from "../../store/payment-methods.ts";
import { lastAttempt } from "../../store/payments.ts";
import { products } from "../../store/products.ts";
import type { Words } from "../../texts/words.ts";
import { listLive, listSubscriptions, subscriptions } from "../../store/subscriptions.ts";

const INVOICES_A_PAGE = 20;
const HOLDINGS_A_PAGE = 20;
const MOST_ENDED = 5;
const MOST_GRANTS = 100;

/**
 * A Subscription with the name of its Product, and the noun of the Product's unit. `outlook`: the payments to come;
 * null: the Subscription has ended. `hasPlans`: whether there is another plan to change to. `limits`: the quantities in
 * which the Product is sold.
 */
export type Holding = {
  subscription: Subscription;
  product: string;
  unitName: UnitName | null;
  limits: QuantityRange;
  outlook: Outlook | null;
  hasPlans: boolean;
};

/** A past-due Subscription. `attempt`: the newest attempt at its oldest owed invoice; null: there was no card. */
export type OverdueHolding = Holding & { outlook: Outlook; attempt: Payment | null };

/** The cursors of the pages of both lists; undefined: the first page. */
export type Pages = { invoices: string | undefined; holdings: string | undefined };

/**
 * A Customer's account as the portal shows it. `more` and `older`: the cursors of the next pages of holdings and
 * invoices.
 */
export type Account = {
  /** The Checkouts that are being paid, on any page. */
  unfinished: Unfinished[];
  /** All past-due Subscriptions, on any page. */
  overdue: OverdueHolding[];
  /** All Subscriptions that end unless the Customer agrees to a new price, on any page (rule N6). */
  awaiting: Holding[];
  holdings: Holding[];
  more: string | null;
  grants: BenefitGrantResource[];
  invoices: Billed[];
  older: string | null;
  /** The default card, also after its end. */
  card: CardOnFile | null;
  /** The balances that are not 0. */
  balances: Balance[];
  /** The new e-mail address that waits for its confirmation. */
  newEmail: string | null;
};

/** A page of the Subscriptions, with the parts of the account that are read together with it. */
type Held = Pick<Account, "unfinished" | "overdue" | "awaiting" | "holdings" | "balances" | "more">;

/** The person behind an account: `Ada Lovelace, ada@example.com`. */
export const requestOf = ({ frame }: Words, { name, email }: Customer) =>
  name === null ? email : frame.person({ name, email });

/** The Customer of an account, and the seller. */
export type Owner = { organization: Organization; visitor: Visitor };

/** One of this Customer's Subscriptions, also one that has ended; null for any other id. */
export async function findOwn(
  ctx: Context,
  { organization, visitor }: Owner,
  id: string,
): Promise<Subscription | null> {
  const subscription = await subscriptions.find(ctx.db.read, organization.id, id);
  return subscription?.customerId === visitor.customer.id ? subscription : null;
}

/** One of this Customer's Subscriptions that goes on; null for any other id. */
export async function findHolding(ctx: Context, owner: Owner, id: string): Promise<Holding | null> {
  const own = await findOwn(ctx, owner, id);
  return own && own.status !== "canceled" ? (await holdingsOf(ctx, owner, [own])).holdings[0]! : null;
}

/** The newest attempt at the oldest invoice that is owed and not held. */
async function attemptOf(ctx: Context, { open }: Outlook): Promise<Payment | null> {
  const owed = open.find(({ invoice }) => invoice.heldReason === null);
  if (!owed) return null;
  return owed.attempt ?? lastAttempt(ctx.db.read, owed.invoice.organizationId, owed.invoice.id);
}

async function holdingsOf(
  ctx: Context,
  { organization, visitor }: Owner,
  listed: readonly Subscription[],
): Promise<Omit<Held, "more">> {
  const ids = listed.map(({ id }) => id);
  const [{ outlooks, pastDue, awaiting, balances, unfinished }, changeable] = await Promise.all([
    readProspects(ctx, organization.id, visitor.customer.id, ids),
    findChangeable(ctx, organization, listed),
  ]);
  const late = pastDue.map((subscription) => ({ subscription, outlook: outlooks.get(subscription.id)! }));
  const productIds = [...new Set([...listed, ...pastDue, ...awaiting].map(({ productId }) => productId))];
  const [sold, attempts] = await Promise.all([
    productIds.length === 0 ? new Map<string, Product>() : products.findAll(ctx.db.read, organization.id, productIds),
    Promise.all(late.map(({ outlook }) => attemptOf(ctx, outlook))),
  ]);
  const holdingOf = (subscription: Subscription): Holding => {
    const { id, productId } = subscription;
    // A Product is never deleted.
    const product = sold.get(productId)!;
    return {
      subscription,
      product: product.name,
      unitName: product.unitName,
      limits: limitsOf(product),
      outlook: outlooks.get(id) ?? null,
      hasPlans: changeable.has(id),
    };
  };
  const overdue = late.map(({ subscription, outlook }, n) => {
    return { ...holdingOf(subscription), outlook, attempt: attempts[n] ?? null };
  });
  const holdings = listed.map(holdingOf);
  return { unfinished, overdue, awaiting: awaiting.map(holdingOf), holdings, balances };
}

/**
 * A page of the Subscriptions that have not ended. The last page also lists the newest Subscriptions that have ended.
 */
export async function listHoldings(ctx: Context, owner: Owner, cursor: string | undefined): Promise<Held> {
  const [organizationId, customerId] = [owner.organization.id, owner.visitor.customer.id];
  const [rows, ended] = await Promise.all([
    listLive(ctx.db.read, organizationId, customerId, { cursor, limit: HOLDINGS_A_PAGE }),
    listSubscriptions(ctx.db.read, organizationId, { customerId, status: "canceled", limit: MOST_ENDED }),
  ]);
  const { data: live, nextCursor: more } = presentPage(rows, HOLDINGS_A_PAGE, (row) => row);
  const listed = more === null ? [...live, ...ended.slice(0, MOST_ENDED)] : live;
  return { ...(await holdingsOf(ctx, owner, listed)), more };
}

/** The Customer's access now, oldest first: as sold. */
export async function listBenefits(ctx: Context, { organization, visitor }: Owner): Promise<BenefitGrantResource[]> {
  const grants = await readActiveGrants(ctx.db.read, organization.id, visitor.customer.id, MOST_GRANTS);
  return grants.reverse().map((grant) => {
    const link = (file: number) => downloadUrl(ctx, organization.id, grant.id, file, realNow());
    return presentBenefitGrant(grant, grant.benefit, { ...grant, downloadUrl: link });
  });
}

async function listBilled(
  ctx: Context,
  { organization, visitor }: Owner,
  cursor: string | undefined,
): Promise<Pick<Account, "invoices" | "older">> {
  const query = { customerId: visitor.customer.id, cursor, limit: INVOICES_A_PAGE };
  const rows = await listInvoices(ctx.db.read, organization.id, query);
  const { data, nextCursor: older } = presentPage(rows, INVOICES_A_PAGE, (row) => row);
  return { invoices: await readMovements(ctx, organization.id, data), older };
}

async function readCard(ctx: Context, { organization, visitor }: Owner): Promise<CardOnFile | null> {
  const id = visitor.customer.defaultPaymentMethodId;
  return id === null ? null : findCardOnFile(ctx.db.read, organization.id, id);
}

export async function readAccount(ctx: Context, owner: Owner, pages: Pages): Promise<Account> {
  const [held, grants, billed, card, waiting] = await Promise.all([
    listHoldings(ctx, owner, pages.holdings),
    listBenefits(ctx, owner),
    listBilled(ctx, owner, pages.invoices),
    readCard(ctx, owner),
    findWaitingChange(ctx, owner.visitor.customer),
  ]);
  return { ...held, ...billed, grants, card, newEmail: waiting?.newEmail ?? null };
}
