import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { ownOrigin } from "../../actions/origin.ts";
import { updateSubscription } from "../../actions/subscription/change.ts";
import { changeInPortal, quoteInPortal, type ChosenInPortal } from "../../actions/subscription/portal-change.ts";
import { findPlan, findUnderWay, listPlans } from "../../actions/subscription/portal-plans.ts";
import type { Context } from "../../context.ts";
import { limitsOf, type Product } from "../../domain/model/product.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { nearestOffered } from "../../domain/model/quantity.ts";
import { dueToday } from "../../domain/model/checkout.ts";
import type { AgreedInPortal } from "../../domain/change/portal-change.ts";
import { cardOfQuote, type PortalQuote } from "../../domain/change/portal-quote.ts";
import { Refusal } from "../../domain/refusal.ts";
import { UpdateSubscriptionParams } from "../../resources/subscription.ts";
import { findBenefits } from "../../store/benefits.ts";
import { products } from "../../store/products.ts";
import { readAgreed } from "../components/agreed-fields.ts";
import { shownAgain } from "../components/field.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import type { Holding } from "./account.ts";
import {
  changedPage,
  changePage,
  obstaclePage,
  planPath,
  plansPath,
  type PlanRequest,
  type Surprise,
} from "./plan-change.ts";
import { plansPage } from "./plans.ts";
import { planQuantityPage } from "./quantity.ts";
import { limitsFault, quantityFault, readQuantity } from "./quantity-field.ts";
import { allowing, limitPage } from "./limit.ts";
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
export const AGREED = ["amountDue", "price", "quantity", "cardId", "endsAt", "effectiveAt"] as const;

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

/** A visit of the page of a change to another plan. `typed`: the text of its quantity; null: the page has none. */
type TargetRequest = PlanRequest & { product: Product; typed: string | null };

const typedIn = (form: URLSearchParams) => form.get("quantity")?.trim() ?? null;

const allowsQuantity = ({ organization }: PlanRequest) => portalAllows(organization, "changeQuantity");

/** The quantity that the page shows first: the planned or present one, or the nearest one that is sold (rule Q9e). */
function firstQuantity({ subscription, product }: TargetRequest): number {
  const { pendingChange, quantity } = subscription;
  const going = pendingChange?.productId === product.id ? pendingChange.quantity : quantity;
  return nearestOffered(limitsOf(product), going);
}

/** The plan with its quantity; null: the Product is not sold in the typed quantity. */
function chosenOf(request: TargetRequest): ChosenInPortal | null {
  const { product, typed } = request;
  // Where the seller allows no other quantity, the present one stays (rules Q6b, Q9d).
  if (!allowsQuantity(request)) return { productId: product.id };
  const quantity = typed === null ? firstQuantity(request) : readQuantity(product, typed);
  return quantity === null ? null : { productId: product.id, quantity };
}

/**
 * The page on which a form of another plan leads if it makes no change: the page of the plan if the Customer has chosen
 * the plan and quantity before, and all plans if the plan is the current one. Null: the form may make a change.
 */
function settledPage(request: TargetRequest, chosen: ChosenInPortal | null): string | null {
  const { subscription, product } = request;
  const { quantity } = subscription.pendingChange ?? subscription;
  const isSame = chosen !== null && (chosen.quantity ?? quantity) === quantity;
  if (isSame && isChosen(request, product)) return planPath(request, product.id);
  return isCurrent(request, product) ? plansPath(request) : null;
}

async function showQuote(
  ctx: Context,
  c: PageContext,
  request: TargetRequest,
  quote: PortalQuote,
  surprise: Surprise | null = null,
): Promise<Response> {
  const { product } = request;
  const { minimum, maximum } = limitsOf(product);
  const currentProduct = await currentProductOf(ctx, request.subscription);
  const benefits = await findBenefits(ctx.db.read, request.organization.id, product.benefitIds);
  const lost = currentProduct.benefits.filter(({ id }) => !product.benefitIds.includes(id));
  const asked = allowsQuantity(request) && minimum < maximum ? product : null;
  const view = { ...request, quote, benefits, lost, isQuantity: false, asked };
  return c.html(changePage(ctx, view, surprise), surprise === null ? 200 : 409);
}

async function viewChange(ctx: Context, c: PageContext, request: TargetRequest): Promise<Response> {
  const { product } = request;
  return isChosen(request, product) ? c.html(changedPage(ctx, request, product)) : showFigures(ctx, c, request);
}

/** Shows the figures of the change to the typed quantity of the plan, or else to the first one. */
async function showFigures(ctx: Context, c: PageContext, request: TargetRequest): Promise<Response> {
  const { product, words } = request;
  const chosen = chosenOf(request);
  const settled = settledPage(request, chosen);
  if (settled !== null) return c.redirect(settled, 303);
  if (chosen === null) return reject(ctx, c, request, limitsFault(words, product));
  const quote = await quoteInPortal(ctx, request.subscription, chosen);
  if ("refusal" in quote) return refusePlan(ctx, c, request, quote.refusal);
  return showQuote(ctx, c, request, quote);
}

/** Asks for the quantity again, with the fault of the typed one. */
async function reject(ctx: Context, c: PageContext, request: TargetRequest, fault: string): Promise<Response> {
  const typed = request.typed === null ? String(firstQuantity(request)) : shownAgain(request.typed);
  const { product: present } = await currentProductOf(ctx, request.subscription);
  return c.html(planQuantityPage(ctx, request, { present, wanted: request.product }, { typed, fault }), 422);
}

/**
 * As `refuse`. A fault of the quantity stands at its field. Where the seller allows no other quantity, the page of all
 * plans says the limits of a Product that is not sold in the present quantity.
 */
async function refusePlan(ctx: Context, c: PageContext, request: TargetRequest, refusal: Refusal): Promise<Response> {
  const { words, product } = request;
  const fault = allowsQuantity(request) ? quantityFault(words, product, refusal) : null;
  if (fault !== null) return reject(ctx, c, request, fault);
  if (refusal.code === "quantity_not_offered") return c.redirect(plansPath(request), 303);
  return refuse(ctx, c, request, product.name, refusal);
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
  const { price, amountDue, quantity, endsAt, effectiveAt, cardId } = figures;
  if (quote.endsAt !== endsAt) return "end";
  const due = dueToday(quote.checkout);
  if (quote.scheduledFor !== effectiveAt && due === amountDue) return "start";
  if (quote.checkout.quantity !== quantity && due === amountDue) return "quantity";
  if (quote.checkout.amount !== price && due === 0) return "price";
  const isCard = due === amountDue && (cardOfQuote(quote)?.id ?? null) !== cardId;
  return isCard ? "card" : "amount";
}

/** The state changed after the page was shown: shows the present one, which needs the Customer's agreement again. */
async function askAgain(
  ctx: Context,
  c: PageContext,
  request: TargetRequest,
  chosen: ChosenInPortal,
  agreed: AgreedInPortal,
): Promise<Response> {
  const quote = await quoteInPortal(ctx, request.subscription, chosen);
  if ("refusal" in quote) return refusePlan(ctx, c, request, quote.refusal);
  return showQuote(ctx, c, request, quote, surpriseOf(quote, agreed));
}

/** Makes the change, and leads to its page: in the portal, or of the Checkout that the buyer has yet to pay. */
async function change(ctx: Context, c: PageContext, request: TargetRequest, form: URLSearchParams): Promise<Response> {
  const { subscription, product, words, typed } = request;
  // The page was opened before the seller's switch was turned off (rule I10e).
  const isForbidden = !allowsQuantity(request) && typed !== null && typed !== String(subscription.quantity);
  if (isForbidden) return c.html(limitPage(ctx, request), 403);
  const chosen = chosenOf(request);
  const settled = settledPage(request, chosen);
  if (settled !== null) return c.redirect(settled, 303);
  if (chosen === null) return reject(ctx, c, request, limitsFault(words, product));
  const agreed = readAgreed(form, AGREED);
  const result = await changeInPortal(ctx, subscription, chosen, agreed);
  if ("refused" in result) return askAgain(ctx, c, request, chosen, agreed);
  if ("refusal" in result) return refusePlan(ctx, c, request, result.refusal);
  return c.redirect("checkout" in result ? pathOf(result.checkout) : planPath(request, product.id), 303);
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

/** `{portal}/subscriptions/{id}/plan`: a Customer changes to another plan of the Subscription's group (rules P11, Q9e). */
export function planPages(ctx: Context, app: Hono<PageEnvironment>, { onHolding }: PortalGuard): void {
  const submissions = new RequestLimit();
  const path = `${ROOT}/subscriptions/:subscriptionId/plan`;
  const onOwn = (answer: (c: PageContext, request: PortalRequest, holding: Holding) => Promise<Response>) =>
    onHolding(allowing(ctx, "changePlan", answer));
  /** @throws HTTPException 404 for a Product that is no plan of the Subscription */
  const targetOf = async (c: PageContext, request: PortalRequest, holding: Holding): Promise<TargetRequest> => {
    const planRequest = planRequestOf(request, holding);
    const { organization, subscription } = planRequest;
    const product = await findPlan(ctx, organization, subscription, c.req.param("productId") ?? "");
    if (!product) throw new HTTPException(404);
    return { ...planRequest, product, typed: null };
  };
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
    onOwn(async (c, request, holding) => viewChange(ctx, c, await targetOf(c, request, holding))),
  );
  app.post(
    `${path}/:productId`,
    onOwn(async (c, request, holding) => {
      const target = await targetOf(c, request, holding);
      submissions.count(c.env.client);
      const form = await readForm(c);
      return change(ctx, c, { ...target, typed: typedIn(form) }, form);
    }),
  );
  app.post(
    `${path}/:productId/figures`,
    onOwn(
      allowing(ctx, "changeQuantity", async (c, request, holding: Holding) => {
        const target = await targetOf(c, request, holding);
        return showFigures(ctx, c, { ...target, typed: typedIn(await readForm(c)) });
      }),
    ),
  );
}
