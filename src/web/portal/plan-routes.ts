import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { ownOrigin } from "../../actions/origin.ts";
import { updateSubscription } from "../../actions/subscription/change.ts";
import { changeInPortal, quoteInPortal } from "../../actions/subscription/portal-change.ts";
import { findPlan, findUnderWay, listPlans } from "../../actions/subscription/portal-plans.ts";
import type { Context } from "../../context.ts";
import type { Product } from "../../domain/model/product.ts";
import { dueToday } from "../../domain/model/checkout.ts";
import type { AgreedInPortal } from "../../domain/change/portal-change.ts";
import { cardOfQuote, type PortalQuote } from "../../domain/change/portal-quote.ts";
import { Refusal } from "../../domain/refusal.ts";
import { UpdateSubscriptionParams } from "../../resources/subscription.ts";
import { findBenefits } from "../../store/benefits.ts";
import { products } from "../../store/products.ts";
import { readAgreed } from "../components/agreed-fields.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import type { Holding } from "./account.ts";
import { changedPage, changePage, obstaclePage, plansPath, type PlanRequest, type Surprise } from "./plan-change.ts";
import { plansPage } from "./plans.ts";
import { allowing } from "./limit.ts";
import { noteOperation } from "./notice.ts";
import { ROOT, type PortalGuard, type PortalRequest } from "./request.ts";

export const planRequestOf = (request: PortalRequest, { subscription }: Holding): PlanRequest => ({
  ...request,
  subscription,
});

export async function currentProductOf(ctx: Context, { organizationId, productId }: PlanRequest["subscription"]) {
  const product = (await products.find(ctx.db.read, organizationId, productId))!;
  return { product, benefits: await findBenefits(ctx.db.read, organizationId, product.benefitIds) };
}

/** The figures to which a Customer agrees (rule P11c). */
export const AGREED = ["amountDue", "price", "cardId", "endsAt", "effectiveAt"] as const;

async function showPlans(ctx: Context, c: PageContext, planRequest: PlanRequest): Promise<Response> {
  const { organization, subscription } = planRequest;
  const [{ product, benefits }, plans] = await Promise.all([
    currentProductOf(ctx, subscription),
    listPlans(ctx, organization, subscription),
  ]);
  const { name, description, unitName } = product;
  const currentPlan = { name, description, unitName, benefits };
  return c.html(plansPage(ctx, { ...planRequest, currentPlan, plans }));
}

/** The Customer has chosen this Product before: the Subscription has the Product, or is going to have it. */
const isChosen = ({ subscription: { productId, pendingChange, cancelAtPeriodEnd } }: PlanRequest, { id }: Product) =>
  !cancelAtPeriodEnd && (pendingChange?.productId ?? productId) === id;

/** The current plan is kept with a button of its own, on the page of all plans. */
const isCurrent = ({ subscription }: PlanRequest, { id }: Product) => subscription.productId === id;

async function showQuote(
  ctx: Context,
  c: PageContext,
  planRequest: PlanRequest,
  product: Product,
  quote: PortalQuote,
  surprise: Surprise | null = null,
): Promise<Response> {
  const currentProduct = await currentProductOf(ctx, planRequest.subscription);
  const benefits = await findBenefits(ctx.db.read, planRequest.organization.id, product.benefitIds);
  const lost = currentProduct.benefits.filter(({ id }) => !product.benefitIds.includes(id));
  const view = { ...planRequest, quote, benefits, lost, isQuantity: false };
  return c.html(changePage(ctx, view, surprise), surprise === null ? 200 : 409);
}

async function viewChange(ctx: Context, c: PageContext, planRequest: PlanRequest, product: Product): Promise<Response> {
  if (isChosen(planRequest, product)) return c.html(changedPage(ctx, planRequest, product));
  if (isCurrent(planRequest, product)) return c.redirect(plansPath(planRequest), 303);
  const quote = await quoteInPortal(ctx, planRequest.subscription, { productId: product.id });
  if ("refusal" in quote) return refusePlan(ctx, c, planRequest, product, quote.refusal);
  return showQuote(ctx, c, planRequest, product, quote);
}

/** As `refuse`. If the Product is not sold in the present quantity, the page of all plans says its limits. */
async function refusePlan(
  ctx: Context,
  c: PageContext,
  planRequest: PlanRequest,
  product: Product,
  refusal: Refusal,
): Promise<Response> {
  if (refusal.code === "quantity_not_offered") return c.redirect(plansPath(planRequest), 303);
  return refuse(ctx, c, planRequest, product.name, refusal);
}

/** The change is not possible now. A change that is being paid has a page on which the buyer goes on. */
export async function refuse(
  ctx: Context,
  c: PageContext,
  planRequest: PlanRequest,
  productName: string,
  refusal: Refusal,
): Promise<Response> {
  const isOpen = refusal.code === "change_in_progress";
  const url = isOpen ? await findUnderWay(ctx, planRequest.subscription) : null;
  const obstacle = refusal.code === "payment_provider_missing" ? ("no_provider" as const) : { refusal };
  const onward = url && pathOf(url);
  return c.html(obstaclePage(ctx, planRequest, { obstacle, productName, onward }), 409);
}

/** The part of the page before that is no longer so. */
export function surpriseOf(quote: PortalQuote, { figures }: AgreedInPortal): Surprise {
  const { price, amountDue, endsAt, effectiveAt, cardId } = figures;
  if (quote.endsAt !== endsAt) return "end";
  const due = dueToday(quote.checkout);
  if (quote.scheduledFor !== effectiveAt && due === amountDue) return "start";
  if (quote.checkout.amount !== price && due === 0) return "price";
  const isCard = due === amountDue && (cardOfQuote(quote)?.id ?? null) !== cardId;
  return isCard ? "card" : "amount";
}

/** The state changed after the page was shown: shows the present one, which needs the Customer's agreement again. */
async function askAgain(
  ctx: Context,
  c: PageContext,
  planRequest: PlanRequest,
  product: Product,
  agreed: AgreedInPortal,
): Promise<Response> {
  const quote = await quoteInPortal(ctx, planRequest.subscription, { productId: product.id });
  if ("refusal" in quote) return refusePlan(ctx, c, planRequest, product, quote.refusal);
  return showQuote(ctx, c, planRequest, product, quote, surpriseOf(quote, agreed));
}

/** Makes the change, and leads to its page: in the portal, or of the Checkout that the buyer has yet to pay. */
async function change(ctx: Context, c: PageContext, planRequest: PlanRequest, product: Product): Promise<Response> {
  if (isChosen(planRequest, product)) return c.redirect(`${plansPath(planRequest)}/${product.id}`, 303);
  if (isCurrent(planRequest, product)) return c.redirect(plansPath(planRequest), 303);
  const form = await readForm(c);
  const agreed = readAgreed(form, AGREED);
  const result = await changeInPortal(ctx, planRequest.subscription, { productId: product.id }, agreed);
  if ("refused" in result) return askAgain(ctx, c, planRequest, product, agreed);
  if ("refusal" in result) return refusePlan(ctx, c, planRequest, product, result.refusal);
  return c.redirect("checkout" in result ? pathOf(result.checkout) : `${plansPath(planRequest)}/${product.id}`, 303);
}

/** Clears the planned change (rule P6). A planned change that is made or gone by now stays so. */
export async function dropPendingChange(
  ctx: Context,
  c: PageContext,
  planRequest: PlanRequest,
  productName: string,
): Promise<Response> {
  const { organizationId, id, productId, pendingChange } = planRequest.subscription;
  if (pendingChange === null) return c.redirect(planRequest.self, 303);
  try {
    await updateSubscription(ctx, ownOrigin(organizationId), id, UpdateSubscriptionParams.parse({ productId }));
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.code === "not_found") throw refusal;
    return refuse(ctx, c, planRequest, productName, refusal);
  }
  noteOperation(ctx, c, planRequest.self, "keepPlan");
  return c.redirect(planRequest.self, 303);
}

/** `{portal}/subscriptions/{id}/plan`: a Customer changes to another plan of the Subscription's group (rule P11). */
export function planPages(ctx: Context, app: Hono<PageEnvironment>, { onHolding }: PortalGuard): void {
  const submissions = new RequestLimit();
  const path = `${ROOT}/subscriptions/:subscriptionId/plan`;
  const onOwn = (answer: (c: PageContext, request: PortalRequest, holding: Holding) => Promise<Response>) =>
    onHolding(allowing(ctx, "changePlan", answer));
  /** @throws HTTPException 404 for a Product that is no plan of the Subscription */
  const onPlan = (answer: (c: PageContext, planRequest: PlanRequest, product: Product) => Promise<Response>) =>
    onOwn(async (c, request, holding) => {
      const planRequest = planRequestOf(request, holding);
      const product = await findPlan(
        ctx,
        planRequest.organization,
        planRequest.subscription,
        c.req.param("productId") ?? "",
      );
      if (!product) throw new HTTPException(404);
      return answer(c, planRequest, product);
    });
  app.get(
    path,
    onOwn((c, request, holding) => showPlans(ctx, c, planRequestOf(request, holding))),
  );
  app.post(
    `${path}/keep`,
    onOwn((c, request, holding) => dropPendingChange(ctx, c, planRequestOf(request, holding), holding.product)),
  );
  app.get(
    `${path}/:productId`,
    onPlan((c, planRequest, product) => viewChange(ctx, c, planRequest, product)),
  );
  app.post(
    `${path}/:productId`,
    onPlan((c, planRequest, product) => {
      submissions.count(c.env.client);
      return change(ctx, c, planRequest, product);
    }),
  );
}
