import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { giveUpPayment } from "../../actions/give-up-payment.ts";
import { MAX_FAILED_ATTEMPTS, type SubmissionRefusal } from "../../actions/submission.ts";
import { submitCheckout } from "../../actions/submit-checkout.ts";
import { providerOf } from "../../actions/work.ts";
import type { Context } from "../../context.ts";
import { dueToday } from "../../domain/checkout.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { Attempts, readForm } from "../guards.ts";
import { layout, type Html } from "../layout.ts";
import { expectedAmount, readSubmission, typedIn, type Faults } from "./form.ts";
import { arrivalPage, expiredPage, GIVE_UP, obstaclePage, processingPage, progressOf, thanksPage, type Obstacle } from "./outcome.ts";
import { paymentForm, type Attempt } from "./payment-form.ts";
import { days } from "./terms.ts";
import { findView, withCheckout, type View } from "./view.ts";

/** Set when a buyer pays, gone once they were sent on: tells them from those who open the link again later. */
const VISIT = "billow_visit";
const VISIT_SECONDS = 2 * 60 * 60;

/** What keeps an open Checkout from being paid before anything is typed. */
function obstacleOf(ctx: Context, { checkout, product, organization }: View): Obstacle | null {
  if (product.archived) return "product_archived";
  if (checkout.failedAttempts >= MAX_FAILED_ATTEMPTS) return "too_many_attempts";
  return checkout.amount > 0 && !providerOf(ctx, organization) ? "no_provider" : null;
}

function formPage(ctx: Context, view: View, attempt?: Attempt): Html {
  const title = `${attempt ? "Error: " : ""}${view.checkout.productName}`;
  return layout(ctx, { organization: view.organization, title, body: paymentForm(view, attempt) });
}

/** An open Checkout as it stands: the last payment may have failed while the buyer was at their bank. */
function openPage(ctx: Context, view: View): Html {
  const obstacle = obstacleOf(ctx, view);
  if (obstacle) return obstaclePage(ctx, view, obstacle);
  const error = view.checkout.lastPaymentError;
  return formPage(ctx, view, error ? attemptAt(new URLSearchParams(), {}, { title: "Payment failed", text: error.message }) : undefined);
}

function attemptAt(form: URLSearchParams, faults: Faults, problem: Attempt["problem"] = null): Attempt {
  return { typed: typedIn(form), faults, problem };
}

function completedPage(ctx: Context, c: PageContext, view: View): Html {
  // Whoever comes back from their bank to see it completed is on the same visit, too.
  const isVisit = getCookie(c, VISIT) !== undefined || view.payment !== null;
  if (!isVisit) return thanksPage(ctx, view);
  deleteCookie(c, VISIT, { path: visitPath(view) });
  return arrivalPage(ctx, view);
}

function show(ctx: Context, c: PageContext, view: View): Html {
  switch (view.status) {
    case "open":
      return openPage(ctx, view);
    case "processing":
      return processingPage(ctx, view);
    case "completed":
      return completedPage(ctx, c, view);
    case "expired":
      return expiredPage(ctx, view);
  }
}

const visitPath = ({ self }: View) => self.slice(0, self.lastIndexOf("/"));

/** To the page itself, so that nothing is sent twice by loading it again. */
function backToPage(ctx: Context, c: PageContext, view: View): Response {
  const secure = ctx.config.publicOrigin.startsWith("https:");
  setCookie(c, VISIT, "1", { path: visitPath(view), httpOnly: true, sameSite: "Lax", secure, maxAge: VISIT_SECONDS });
  return c.redirect(view.self, 303);
}

/** The page as the buyer saw it: they may have been told already that there is no second trial for them. */
function asShown(view: View, form: URLSearchParams): View {
  const { checkout } = view;
  const toldOfNoTrial = checkout.trialDays !== null && expectedAmount(form) === checkout.amount;
  return toldOfNoTrial ? withCheckout(view, { ...checkout, trialDays: null }) : view;
}

/** What is due differs from what the buyer saw: they see it now, and have to agree again (rule C3). */
function amountChanged(ctx: Context, view: View, form: URLSearchParams): Html {
  const { checkout } = view;
  const usedTrial = checkout.trialDays !== null && expectedAmount(form) === dueToday(checkout);
  const now = usedTrial ? withCheckout(view, { ...checkout, trialDays: null }) : view;
  const why = usedTrial ? `The ${days(checkout.trialDays ?? 0)} free were used before with this e-mail address. ` : "";
  const text = `${why}${now.terms.today} is due today. Nothing was charged: if you agree, enter your card again and confirm.`;
  return formPage(ctx, now, attemptAt(form, {}, { title: "Please look at the amount again", text }));
}

/** Nothing was submitted: the page says why, at the field where it can. */
function refuse(ctx: Context, c: PageContext, view: View, form: URLSearchParams, refusal: SubmissionRefusal): Response | Promise<Response> {
  const again = (faults: Faults) => formPage(ctx, view, attemptAt(form, faults));
  switch (refusal.refused) {
    case "not_open":
      return backToPage(ctx, c, view);
    case "email_missing":
      return c.html(again({ email: "Enter your e-mail address." }), 422);
    case "card_missing":
      return c.html(again({ number: "Enter the card number." }), 422);
    case "card":
      return c.html(again({ [refusal.fault.field]: refusal.fault.message }), 422);
    case "amount_changed":
      return c.html(amountChanged(ctx, view, form), 409);
    case "billing_missing":
    case "change_refused":
    case "discount_exhausted":
      return backToPage(ctx, c, view);
    case "already_subscribed":
      if (view.checkout.customerNamed) return c.html(obstaclePage(ctx, view, refusal.refused), 409);
      return c.html(again({ email: "There is a subscription for this e-mail address already. Nothing was charged." }), 409);
    case "product_archived":
    case "too_many_attempts":
      return c.html(obstaclePage(ctx, view, refusal.refused), 409);
  }
}

async function pay(ctx: Context, c: PageContext, found: View): Promise<Response> {
  const form = await readForm(c);
  if (form.get("action") === GIVE_UP) await giveUpPayment(ctx, found.checkout.organizationId, found.checkout.id);
  if (found.status !== "open") return backToPage(ctx, c, found);
  if (obstacleOf(ctx, found)) return c.html(openPage(ctx, found), 409);
  const view = asShown(found, form);
  const { faults, submission } = readSubmission(form, view.checkout);
  if (Object.keys(faults).length > 0) return c.html(formPage(ctx, view, attemptAt(form, faults)), 422);
  const { organizationId, id, now, externalCustomerId } = view.checkout;
  const result = await submitCheckout(ctx, organizationId, id, submission);
  if ("refused" in result) return refuse(ctx, c, view, form, result);
  const error = result.checkout.status === "open" ? result.checkout.lastPaymentError : null;
  if (!error) return backToPage(ctx, c, view);
  const declined = withCheckout(view, { ...result.checkout, now, externalCustomerId });
  if (obstacleOf(ctx, declined)) return c.html(openPage(ctx, declined), 402);
  return c.html(formPage(ctx, declined, attemptAt(form, {}, { title: "Payment failed", text: error.message })), 402);
}

/** `/checkout/{checkoutId}/{secret}`: whoever has the whole link may see and pay this Checkout. */
export function checkoutPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const attempts = new Attempts();
  const find = async (c: PageContext) => {
    const view = await findView(ctx, c.req.param("checkoutId") ?? "", c.req.param("secret") ?? "");
    if (!view) throw new HTTPException(404);
    return view;
  };
  app.get("/checkout/:checkoutId/:secret", async (c) => c.html(show(ctx, c, await find(c))));
  app.get("/checkout/:checkoutId/:secret/status", async (c) => c.text(progressOf(await find(c))));
  app.post("/checkout/:checkoutId/:secret", async (c) => {
    attempts.count(c.env.clientAddress);
    return pay(ctx, c, await find(c));
  });
}
