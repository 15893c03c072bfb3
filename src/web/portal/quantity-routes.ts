import type { Hono } from "hono";
import { changeInPortal, quoteInPortal } from "../../actions/subscription/portal-change.ts";
import type { Context } from "../../context.ts";
import type { AgreedInPortal } from "../../domain/change/portal-change.ts";
import type { PortalQuote } from "../../domain/change/portal-quote.ts";
import type { Product } from "../../domain/model/product.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { readAgreed } from "../components/agreed-fields.ts";
import { shownAgain } from "../components/field.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import { allowing } from "./limit.ts";
import { changedPage, changePage, quantityPath, type PlanRequest, type Surprise } from "./plan-change.ts";
import { AGREED, currentProductOf, dropPendingChange, planRequestOf, refuse, surpriseOf } from "./plan-routes.ts";
import { quantityPage } from "./quantity.ts";
import { limitsFault, quantityFault, readQuantity } from "./quantity-field.ts";
import { ROOT, type PortalGuard } from "./request.ts";

/** A visit of the pages of the quantity. `typed`: the text of the field. */
type QuantityRequest = PlanRequest & { product: Product; typed: string };

/** The Customer has chosen this quantity before: the Subscription has it, or is going to have it. */
function isChosen({ subscription, product }: QuantityRequest, quantity: number): boolean {
  const { pendingChange, cancelAtPeriodEnd } = subscription;
  const going = pendingChange ?? subscription;
  return !cancelAtPeriodEnd && going.productId === product.id && going.quantity === quantity;
}

const reject = (ctx: Context, c: PageContext, request: QuantityRequest, fault: string): Response | Promise<Response> =>
  c.html(quantityPage(ctx, request, request.product, { typed: shownAgain(request.typed), fault }), 422);

/** A refusal that another quantity mends stands at the field. Others have a page. */
function refuseQuantity(ctx: Context, c: PageContext, request: QuantityRequest, refusal: Refusal) {
  const fault = quantityFault(request.words, request.product, refusal);
  return fault === null ? refuse(ctx, c, request, request.product.name, refusal) : reject(ctx, c, request, fault);
}

function showQuote(
  ctx: Context,
  c: PageContext,
  request: QuantityRequest,
  quote: PortalQuote,
  surprise: Surprise | null = null,
): Response | Promise<Response> {
  const view = { ...request, quote, benefits: [], lost: [], isQuantity: true, asked: null };
  return c.html(changePage(ctx, view, surprise), surprise === null ? 200 : 409);
}

/**
 * The page after a change has its quantity in the address. Any other quantity of an address is left out: a link of a
 * stranger must not choose an amount beside a button that charges the amount.
 */
function showQuantity(ctx: Context, c: PageContext, request: QuantityRequest): Response | Promise<Response> {
  const quantity = readQuantity(request.product, request.typed);
  const isMade = quantity !== null && isChosen(request, quantity);
  return c.html(isMade ? changedPage(ctx, request, request.product) : quantityPage(ctx, request, request.product));
}

/** Shows the figures of the change to the typed quantity. */
async function showFigures(ctx: Context, c: PageContext, request: QuantityRequest): Promise<Response> {
  const { subscription, product, words } = request;
  const quantity = readQuantity(request.product, request.typed);
  if (quantity !== null && isChosen(request, quantity)) return c.html(changedPage(ctx, request, product));
  if (quantity === null) return reject(ctx, c, request, limitsFault(words, product));
  // The present quantity is kept with a button of its own.
  if (quantity === subscription.quantity) return c.redirect(quantityPath(request), 303);
  const quote = await quoteInPortal(ctx, subscription, { productId: product.id, quantity });
  return "refusal" in quote ? refuseQuantity(ctx, c, request, quote.refusal) : showQuote(ctx, c, request, quote);
}

/** The state changed after the page was shown: shows the present one, which needs the Customer's agreement again. */
async function askAgain(
  ctx: Context,
  c: PageContext,
  request: QuantityRequest,
  quantity: number,
  agreed: AgreedInPortal,
): Promise<Response> {
  const quote = await quoteInPortal(ctx, request.subscription, { productId: request.product.id, quantity });
  if ("refusal" in quote) return refuseQuantity(ctx, c, request, quote.refusal);
  return showQuote(ctx, c, request, quote, surpriseOf(quote, agreed));
}

/** Makes the change, and leads to its page: in the portal, or of the Checkout that the buyer has yet to pay. */
async function change(
  ctx: Context,
  c: PageContext,
  request: QuantityRequest,
  form: URLSearchParams,
): Promise<Response> {
  const { subscription, product, words } = request;
  const quantity = readQuantity(request.product, request.typed);
  if (quantity === null) return reject(ctx, c, request, limitsFault(words, product));
  const page = `${quantityPath(request)}?quantity=${quantity}`;
  if (isChosen(request, quantity)) return c.redirect(page, 303);
  if (quantity === subscription.quantity) return c.redirect(quantityPath(request), 303);
  const agreed = readAgreed(form, AGREED);
  const result = await changeInPortal(ctx, subscription, { productId: product.id, quantity }, agreed);
  if ("refused" in result) return askAgain(ctx, c, request, quantity, agreed);
  if ("refusal" in result) return refuseQuantity(ctx, c, request, result.refusal);
  return c.redirect("checkout" in result ? pathOf(result.checkout) : page, 303);
}

/** `{portal}/subscriptions/{id}/quantity`: a Customer changes the quantity of the current Product (rule Q9b). */
export function quantityPages(ctx: Context, app: Hono<PageEnvironment>, { onHolding }: PortalGuard): void {
  const submissions = new RequestLimit();
  const path = `${ROOT}/subscriptions/:subscriptionId/quantity`;
  const requestOf = async (planRequest: PlanRequest, typed: string | null): Promise<QuantityRequest> => {
    const { product } = await currentProductOf(ctx, planRequest.subscription);
    return { ...planRequest, product, typed: (typed ?? "").trim() };
  };
  app.get(
    path,
    onHolding(
      allowing(ctx, "changeQuantity", async (c, request, holding) =>
        showQuantity(ctx, c, await requestOf(planRequestOf(request, holding), c.req.query("quantity") ?? null)),
      ),
    ),
  );
  app.post(
    `${path}/figures`,
    onHolding(
      allowing(ctx, "changeQuantity", async (c, request, holding) => {
        const form = await readForm(c);
        return showFigures(ctx, c, await requestOf(planRequestOf(request, holding), form.get("quantity")));
      }),
    ),
  );
  app.post(
    path,
    onHolding(
      allowing(ctx, "changeQuantity", async (c, request, holding) => {
        submissions.count(c.env.client);
        const form = await readForm(c);
        return change(ctx, c, await requestOf(planRequestOf(request, holding), form.get("quantity")), form);
      }),
    ),
  );
  app.post(
    `${path}/keep`,
    onHolding(
      allowing(ctx, "changeQuantity", (c, request, holding) =>
        dropPendingChange(ctx, c, planRequestOf(request, holding), holding.product),
      ),
    ),
  );
}
