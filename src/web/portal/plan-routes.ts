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
import { AppError } from "../../errors.ts";
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
import { ROOT, type PortalGuard, type Visit } from "./request.ts";

const placeOf = (visit: Visit, { subscription }: Holding): PlanRequest => ({ ...visit, subscription });

async function presentOf(ctx: Context, { organizationId, productId }: PlanRequest["subscription"]) {
  const product = (await products.find(ctx.db.read, organizationId, productId))!;
  return { product, benefits: await findBenefits(ctx.db.read, organizationId, product.benefitIds) };
}

async function showPlans(ctx: Context, c: PageContext, place: PlanRequest): Promise<Response> {
  const { organization, subscription } = place;
  const [{ product, benefits }, plans] = await Promise.all([
    presentOf(ctx, subscription),
    listPlans(ctx, organization, subscription),
  ]);
  const present = { name: product.name, description: product.description, benefits };
  return c.html(plansPage(ctx, { ...place, present, plans }));
}

/** The Customer has chosen this Product before: the Subscription has the Product, or is going to have it. */
const isChosen = ({ subscription: { productId, pendingChange, cancelAtPeriodEnd } }: PlanRequest, { id }: Product) =>
  !cancelAtPeriodEnd && (pendingChange?.productId ?? productId) === id;

/** The present plan is kept with a button of its own, on the page of all plans. */
const isPresent = ({ subscription }: PlanRequest, { id }: Product) => subscription.productId === id;

async function showQuote(
  ctx: Context,
  c: PageContext,
  place: PlanRequest,
  product: Product,
  quote: PortalQuote,
  surprise: Surprise | null = null,
): Promise<Response> {
  const present = await presentOf(ctx, place.subscription);
  const benefits = await findBenefits(ctx.db.read, place.organization.id, product.benefitIds);
  const lost = present.benefits.filter(({ id }) => !product.benefitIds.includes(id));
  return c.html(changePage(ctx, { ...place, quote, benefits, lost }, surprise), surprise === null ? 200 : 409);
}

async function viewChange(ctx: Context, c: PageContext, place: PlanRequest, product: Product): Promise<Response> {
  if (isChosen(place, product)) return c.html(changedPage(ctx, place, product.name));
  if (isPresent(place, product)) return c.redirect(plansPath(place), 303);
  const quote = await quoteInPortal(ctx, place.subscription, product.id);
  if ("refusal" in quote) return refuse(ctx, c, place, product.name, quote.refusal);
  return showQuote(ctx, c, place, product, quote);
}

/** The change is not possible now. A change that is being paid has a page on which the buyer goes on. */
async function refuse(
  ctx: Context,
  c: PageContext,
  place: PlanRequest,
  productName: string,
  refusal: AppError,
): Promise<Response> {
  const isOpen = refusal.code === "change_in_progress";
  const url = isOpen ? await findUnderWay(ctx, place.subscription) : null;
  const obstacle = refusal.code === "payment_provider_missing" ? ("no_provider" as const) : { refusal };
  const onward = url && pathOf(url);
  return c.html(obstaclePage(ctx, place, { obstacle, productName, onward }), 409);
}

/** The part of the page before that is no longer so. */
function surpriseOf(quote: PortalQuote, { figures }: AgreedInPortal): Surprise {
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
  place: PlanRequest,
  product: Product,
  agreed: AgreedInPortal,
): Promise<Response> {
  const quote = await quoteInPortal(ctx, place.subscription, product.id);
  if ("refusal" in quote) return refuse(ctx, c, place, product.name, quote.refusal);
  return showQuote(ctx, c, place, product, quote, surpriseOf(quote, agreed));
}

/** Makes the change, and leads to its page: in the portal, or of the Checkout that the buyer has yet to pay. */
async function change(ctx: Context, c: PageContext, place: PlanRequest, product: Product): Promise<Response> {
  if (isChosen(place, product)) return c.redirect(`${plansPath(place)}/${product.id}`, 303);
  if (isPresent(place, product)) return c.redirect(plansPath(place), 303);
  const form = await readForm(c);
  const agreed = readAgreed(form, ["amountDue", "price", "cardId", "endsAt", "effectiveAt"]);
  const result = await changeInPortal(ctx, place.subscription, product.id, agreed);
  if ("refused" in result) return askAgain(ctx, c, place, product, agreed);
  if ("refusal" in result) return refuse(ctx, c, place, product.name, result.refusal);
  return c.redirect("checkout" in result ? pathOf(result.checkout) : `${plansPath(place)}/${product.id}`, 303);
}

/** Clears the planned change (rule P6). A planned change that is made or gone by now stays so. */
async function dropPendingChange(ctx: Context, c: PageContext, place: PlanRequest, present: string): Promise<Response> {
  const { organizationId, id, productId, pendingChange } = place.subscription;
  if (pendingChange === null) return c.redirect(place.self, 303);
  try {
    await updateSubscription(ctx, ownOrigin(organizationId), id, UpdateSubscriptionParams.parse({ productId }));
  } catch (refusal) {
    if (!(refusal instanceof AppError) || refusal.status !== 409) throw refusal;
    return refuse(ctx, c, place, present, refusal);
  }
  noteOperation(ctx, c, place.self, "keepPlan");
  return c.redirect(place.self, 303);
}

/** `{portal}/subscriptions/{id}/plan`: a Customer changes to another plan of the Subscription's group (rule P11). */
export function planPages(ctx: Context, app: Hono<PageEnvironment>, { onHolding }: PortalGuard): void {
  const submissions = new RequestLimit();
  const path = `${ROOT}/subscriptions/:subscriptionId/plan`;
  const onOwn = (answer: (c: PageContext, visit: Visit, holding: Holding) => Promise<Response>) =>
    onHolding(allowing(ctx, "changePlan", answer));
  /** @throws HTTPException 404 for a Product that is no plan of the Subscription */
  const onPlan = (answer: (c: PageContext, place: PlanRequest, product: Product) => Promise<Response>) =>
    onOwn(async (c, visit, holding) => {
      const place = placeOf(visit, holding);
      const product = await findPlan(ctx, place.organization, place.subscription, c.req.param("productId") ?? "");
      if (!product) throw new HTTPException(404);
      return answer(c, place, product);
    });
  app.get(
    path,
    onOwn((c, visit, holding) => showPlans(ctx, c, placeOf(visit, holding))),
  );
  app.post(
    `${path}/keep`,
    onOwn((c, visit, holding) => dropPendingChange(ctx, c, placeOf(visit, holding), holding.product)),
  );
  app.get(
    `${path}/:productId`,
    onPlan((c, place, product) => viewChange(ctx, c, place, product)),
  );
  app.post(
    `${path}/:productId`,
    onPlan((c, place, product) => {
      submissions.count(c.env.client);
      return change(ctx, c, place, product);
    }),
  );
}
