import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { awaitWebhooks } from "../../actions/webhook/await-webhooks.ts";
import { readBought } from "../../actions/checkout/purchase.ts";
import { dropDiscount } from "../../actions/checkout/describe-purchase.ts";
import { giveUpPayment } from "../../actions/payment/give-up.ts";
import type { Submission, SubmissionRefusal } from "../../actions/checkout/submission.ts";
import { submitCheckout } from "../../actions/checkout/submit.ts";
import type { Context } from "../../context.ts";
import { cardNeed, dueToday } from "../../domain/model/checkout.ts";
import type { Payment } from "../../domain/model/payment.ts";
import type { FailureCode } from "../../domain/model/payment-outcome.ts";
import { acceptedLocales } from "../../texts/language.ts";
import { sentences, unitsOf } from "../../texts/phrases.ts";
import { CARD_FIELDS, cardFaultsOf } from "../components/card-fields.ts";
import { afterSubmission } from "../components/hosted-page.ts";
import type { FormProblem } from "../components/notice.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { policyLeadingTo, readForm, RequestLimit } from "../guards.ts";
import { layout, type Html } from "../layout.ts";
import { endVisit, isVisit, rememberVisit } from "../visit.ts";
import { asksCode } from "./code-field.ts";
import {
  ACTIONS,
  describeCode,
  describeNoCode,
  describeBilling,
  describeQuantity,
  Guesses,
  seenFaults,
  type Action,
} from "./describe.ts";
import {
  asksQuantity,
  expectedAmount,
  expectedQuantity,
  ON_FILE,
  readSubmission,
  typedIn,
  type Faults,
} from "./form.ts";
import { GIVE_UP_EARLIER, giveUpEarlier, takenAddress } from "./earlier-order.ts";
import { dropInput, writeInput, markBuyer, markOrder, readInput, readMark } from "./memory.ts";
import { obstacleOf, obstaclePage } from "./obstacle.ts";
import { arrivalPage, expiredPage, GIVE_UP, processingPage, progressOf, successUrl, thanksPage } from "./outcome.ts";
import { AT_CARD, OTHER_CARD, paymentForm, type FormInput } from "./payment-form.ts";
import { ownFaults } from "./own-values.ts";
import { presetCountry } from "./preset.ts";
import { findView, withPreset, withoutTax, withoutTrial, type View } from "./view.ts";

function formPage(ctx: Context, view: View, input?: FormInput): Html {
  const { words, checkout, organization } = view;
  const isWrong = input && (input.problem !== null || Object.keys(input.faults).length > 0);
  const { productName: product } = checkout;
  const plain = checkout.change ? words.checkout.changeTo({ product }) : product;
  const title = isWrong ? words.frame.errorTitle({ title: plain }) : plain;
  return layout(ctx, { words, organization, title, body: paymentForm(view, input) });
}

function inputOf(view: View, form: URLSearchParams, faults: Faults, problem: FormInput["problem"] = null): FormInput {
  return { typed: typedIn(form, view), faults, problem };
}

const problemPage = (ctx: Context, view: View, form: URLSearchParams, problem: FormProblem): Html =>
  formPage(ctx, view, inputOf(view, form, {}, problem));

/** The failure of the last payment, in the reader's words. */
function failureOf({ words, checkout }: View, code: FailureCode): FormInput["problem"] {
  const { fault, decline } = words;
  const isSaved = cardNeed(checkout) !== "charge";
  const text =
    isSaved && code === "authentication_failed" ? fault.cardUnconfirmed : (decline[code] ?? decline.card_declined);
  const title = code === "canceled" ? fault.paymentCanceled : isSaved ? fault.cardUnsaved : fault.paymentFailed;
  return { title, text, id: AT_CARD };
}

/** The form again after a failed payment, or the obstacle to another attempt. */
function failedPage(ctx: Context, view: View, form: URLSearchParams): Html {
  const obstacle = obstacleOf(view);
  if (obstacle) return obstaclePage(ctx, view, obstacle);
  const { lastPaymentError: error, failedAttempts } = view.checkout;
  // The charge without the buyer failed at the bank's question, so the buyer has not failed yet.
  if (view.onFile && failedAttempts === 0) return formPage(ctx, view);
  return formPage(ctx, view, error ? inputOf(view, form, {}, failureOf(view, error.code)) : undefined);
}

/** The purchase as this browser may see it. */
const boughtIn = (ctx: Context, c: PageContext, { checkout, benefits }: View) =>
  readBought(ctx, checkout, benefits, readMark(ctx, c, checkout));

async function completedPage(ctx: Context, c: PageContext, view: View): Promise<Html> {
  dropInput(ctx, c, view);
  // A buyer that comes back from their bank to the completed Checkout is on the same visit, too.
  const isArriving = isVisit(c) || view.payment !== null;
  const url = successUrl(view);
  if (!isArriving || !url) return thanksPage(ctx, view, await boughtIn(ctx, c, view));
  // The merchant's server should know of the purchase before the buyer opens the merchant's page.
  await awaitWebhooks(ctx, view.checkout, c.env.stopping);
  endVisit(c, view.self);
  return arrivalPage(ctx, view, url);
}

/** The state of the page as this browser sees it. */
async function progressIn(ctx: Context, c: PageContext, view: View): Promise<string> {
  return view.status === "completed" ? progressOf(view, await boughtIn(ctx, c, view)) : progressOf(view);
}

async function show(ctx: Context, c: PageContext, view: View): Promise<Html> {
  switch (view.status) {
    case "open":
      // The last payment may have failed while the buyer was at their bank.
      return failedPage(ctx, view, new URLSearchParams());
    case "processing":
      return processingPage(ctx, view);
    case "completed":
      return completedPage(ctx, c, view);
    case "expired":
      return expiredPage(ctx, view);
  }
}

/**
 * Redirects to the page itself, so that loading the page again does not send the form twice. A buyer who has just
 * submitted a payment with a hosted entry goes on to the provider's page instead.
 */
function backToPage(ctx: Context, c: PageContext, view: View, submitted: Payment | null = null): Response {
  rememberVisit(ctx, c, view.self);
  return c.redirect(afterSubmission(submitted, view.hosted, view.self), 303);
}

/** The page as the buyer saw it. That page may already have said that the buyer gets no second trial. */
function asShown(view: View, form: URLSearchParams): View {
  return form.get("trial") === "used" && view.checkout.trialDays !== null ? withoutTrial(view) : view;
}

/** The page with the amount due, which needs the buyer's agreement again (rule C3j). */
function lookAgain(ctx: Context, view: View, form: URLSearchParams, why: string): Html {
  const { fault } = view.words;
  const isCardRetained = [CHECK, ON_FILE].includes(form.get("action") ?? "");
  const isTyped = cardNeed(view.checkout) !== "none" && !view.hosted && !isCardRetained;
  const text = (isTyped ? fault.amountCard : fault.amount)({ amount: view.terms.today });
  const problem = { title: fault.amountTitle, text: sentences(view.words, why, text) };
  return formPage(ctx, view, inputOf(view, form, {}, problem));
}

/** Whether the Checkout has another quantity than the page showed: another tab has chosen it since (rule C3i). */
const isOtherQuantity = ({ checkout }: View, form: URLSearchParams) =>
  asksQuantity(checkout) && expectedQuantity(form) !== checkout.quantity;

const quantityIs = ({ words, checkout }: View) => words.fault.quantityIs({ units: unitsOf(words, checkout) });

/**
 * The amount due differs from the amount that the buyer saw, so the page shows the new one. `now`: the present state,
 * regardless of the page that the buyer saw.
 */
function amountChanged(ctx: Context, now: View, form: URLSearchParams): Html {
  const { trialDays } = now.checkout;
  const seen = asShown(now, form);
  if (isOtherQuantity(now, form)) return lookAgain(ctx, seen, form, quantityIs(now));
  if (trialDays === null) return lookAgain(ctx, now, form, "");
  // If the amount that the buyer saw is still right, the trial has changed: the buyer has a trial that the page did not
  // show, or lacks the trial that the page showed.
  const isTrial = expectedAmount(form) === dueToday(seen.checkout) ? seen.trialUsed : !seen.trialUsed;
  if (isTrial) return lookAgain(ctx, now, form, "");
  return lookAgain(ctx, withoutTrial(now), form, now.words.fault.trialUsed({ days: trialDays }));
}

type Tools = { find: () => Promise<View>; guesses: Guesses };

/** The submission was refused. The page gives the reason, at the field if there is one. */
async function refuse(
  ctx: Context,
  c: PageContext,
  { view, form, find }: { view: View; form: URLSearchParams } & Tools,
  refusal: SubmissionRefusal,
): Promise<Response> {
  const { fault, card } = view.words;
  const again = (faults: Faults) => formPage(ctx, view, inputOf(view, form, faults));
  switch (refusal.refused) {
    case "not_open":
      return backToPage(ctx, c, view);
    case "email_missing":
      return c.html(again({ email: fault.emailMissing }), 422);
    case "fields_faulty":
      return c.html(again(ownFaults(view.words, view.checkout.fields, refusal.faults)), 422);
    case "card_missing":
      if (view.hosted) return c.html(amountChanged(ctx, await find(), form), 409);
      return c.html(again({ number: card.numberMissing }), 422);
    case "card":
      return c.html(again(cardFaultsOf(view.words, refusal.fault, view.organization)), 422);
    case "billing_missing": {
      const now = await find();
      return c.html(formPage(ctx, now, inputOf(now, form, { country: fault.countryMissing })), 422);
    }
    case "amount_changed":
      return c.html(amountChanged(ctx, await find(), form), 409);
    case "discount_exhausted": {
      await dropDiscount(ctx, view.checkout);
      const code = view.checkout.discount?.code ?? "";
      return c.html(lookAgain(ctx, asShown(await find(), form), form, fault.codeUsedUp({ code })), 409);
    }
    case "already_subscribed":
      if (view.checkout.customerNamed) return c.html(obstaclePage(ctx, view, refusal), 409);
      return c.html(problemPage(ctx, view, form, await takenAddress(ctx, c, view, form, refusal.holder)), 409);
    case "change_refused":
      return c.html(obstaclePage(ctx, view, { refusal: refusal.error }), 409);
    case "product_archived":
    case "too_many_attempts":
      return c.html(obstaclePage(ctx, view, refusal.refused), 409);
  }
}

/** Applies the buyer's place, a quantity or a code. The page shows the new amount due. */
async function describe(
  ctx: Context,
  c: PageContext,
  found: View,
  form: URLSearchParams,
  action: Action,
  tools: Tools,
): Promise<Response> {
  const read = await describeBilling(ctx, found, form);
  if (action === "remove") await describeNoCode(ctx, found);
  const quantity = await describeQuantity(ctx, found, form);
  const code = action === "apply" ? await describeCode(ctx, c, found, form, tools.guesses) : null;
  const now = await tools.find();
  if (now.status !== "open" || obstacleOf(now)) return backToPage(ctx, c, now);
  const view = asShown(read.billing || !now.asksBilling ? now : withoutTax(now, read.taxFaults), form);
  const faults: Faults = {
    ...(action === "update" ? seenFaults(read, form) : {}),
    ...(code === null ? {} : { code }),
    ...(quantity.fault === null ? {} : { quantity: quantity.fault }),
  };
  return c.html(formPage(ctx, view, inputOf(view, form, faults)), Object.keys(faults).length > 0 ? 422 : 200);
}

/** A typed code is applied before the payment, and the buyer sees the new amount first. */
async function applyFirst(
  ctx: Context,
  c: PageContext,
  found: View,
  form: URLSearchParams,
  tools: Tools,
): Promise<Response> {
  const fault = await describeCode(ctx, c, found, form, tools.guesses);
  if (fault !== null) return c.html(formPage(ctx, asShown(found, form), inputOf(found, form, { code: fault })), 422);
  const now = await tools.find();
  if (now.status !== "open") return backToPage(ctx, c, now);
  return c.html(lookAgain(ctx, asShown(now, form), form, found.words.fault.codeApplied), 409);
}

/**
 * The form's action of `checks.js`: the fields except for the card, which the browser keeps until they have no fault.
 */
const CHECK = "check";

type Ready = { view: View; submission: Submission; faults: Faults };

/** The submission of the form, with the typed place and code applied, or the answer that comes first. */
async function prepare(
  ctx: Context,
  c: PageContext,
  found: View,
  form: URLSearchParams,
  tools: Tools,
): Promise<Ready | Response> {
  const read = await describeBilling(ctx, found, form);
  const quantity = await describeQuantity(ctx, found, form);
  const isTaxKnown = Object.keys(read.taxFaults).length === 0;
  const fresh = quantity.isNew || (isTaxKnown && found.asksBilling) ? await tools.find() : found;
  const located = isTaxKnown ? fresh : withoutTax(fresh, read.taxFaults);
  if (located.status !== "open") return backToPage(ctx, c, located);
  if (asksCode(located) && (form.get("code") ?? "").trim() !== "") return applyFirst(ctx, c, located, form, tools);
  const view = asShown(located, form);
  if (quantity.isNew) return c.html(lookAgain(ctx, view, form, quantityIs(view)), 409);
  const { faults: others, submission } = readSubmission(form, view, read.billing);
  const typed: Faults = quantity.fault === null ? {} : { quantity: quantity.fault };
  const faults = { ...typed, ...others, ...read.otherFaults, ...read.taxFaults };
  // A page that showed no amount due had no field for a card. An amount is due now: the balance has changed (rule C7).
  const isDueNow = expectedAmount(form) === 0 && dueToday(view.checkout) > 0;
  if (isDueNow && isTaxKnown) return c.html(amountChanged(ctx, view, form), 409);
  return { view, submission, faults };
}

/** Answers the form as a submission would, as far as the fields without the card decide. */
async function check(
  ctx: Context,
  c: PageContext,
  found: View,
  form: URLSearchParams,
  tools: Tools,
): Promise<Response> {
  const ready = await prepare(ctx, c, found, form, tools);
  if (ready instanceof Response) return ready;
  const { view } = ready;
  const faults = Object.fromEntries(
    Object.entries(ready.faults).filter(([name]) => !CARD_FIELDS.some((field) => field === name)),
  );
  if (Object.keys(faults).length > 0) return c.html(formPage(ctx, view, inputOf(view, form, faults)), 422);
  // The amount of a change counts as of the instant at which the page was shown (rule C6).
  const isOther =
    (!view.checkout.change && expectedAmount(form) !== dueToday(view.checkout)) || isOtherQuantity(view, form);
  return isOther ? c.html(amountChanged(ctx, view, form), 409) : c.html(formPage(ctx, view, inputOf(view, form, {})));
}

async function pay(ctx: Context, c: PageContext, found: View, form: URLSearchParams, tools: Tools): Promise<Response> {
  const ready = await prepare(ctx, c, found, form, tools);
  if (ready instanceof Response) return ready;
  const { view, submission, faults } = ready;
  if (Object.keys(faults).length > 0) return c.html(formPage(ctx, view, inputOf(view, form, faults)), 422);
  const { organizationId, id } = view.checkout;
  const result = await submitCheckout(ctx, organizationId, id, submission);
  if ("refused" in result) return refuse(ctx, c, { view, form, ...tools }, result);
  const { checkout, payment } = result;
  if (checkout.status === "open" && checkout.lastPaymentError)
    return c.html(failedPage(ctx, await tools.find(), form), 402);
  const { email, name } = submission;
  markBuyer(ctx, c, view, { paymentId: payment?.id ?? null, email, name });
  if (payment?.status === "requires_action") markOrder(ctx, c, view);
  return backToPage(ctx, c, view, payment);
}

async function take(ctx: Context, c: PageContext, tools: Tools): Promise<Response> {
  const found = await tools.find();
  const form = await readForm(c);
  const action = form.get("action");
  if (action === GIVE_UP) await giveUpPayment(ctx, found.checkout.organizationId, found.checkout.id);
  if (found.status !== "open") return backToPage(ctx, c, found);
  const obstacle = obstacleOf(found);
  if (obstacle) return c.html(obstaclePage(ctx, found, obstacle), 409);
  writeInput(ctx, c, found, form);
  if (action === GIVE_UP_EARLIER) {
    const outcome = await giveUpEarlier(ctx, c, found);
    return "page" in outcome ? c.redirect(outcome.page, 303) : c.html(problemPage(ctx, found, form, outcome.problem));
  }
  if (action === CHECK) return check(ctx, c, found, form, tools);
  const wanted = ACTIONS.find((each) => each === action);
  return wanted ? describe(ctx, c, found, form, wanted, tools) : pay(ctx, c, found, form, tools);
}

/** `/checkout/{checkoutId}/{secret}`: the holder of the whole link may see and pay this Checkout. */
export function checkoutPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const submissions = new RequestLimit();
  const guesses = new Guesses();
  const find = async (c: PageContext) => {
    const accepted = acceptedLocales(c.req.header("Accept-Language"));
    const view = await findView(ctx, c.req.param("checkoutId") ?? "", c.req.param("secret") ?? "", accepted);
    if (!view) throw new HTTPException(404);
    if (view.hosted) c.header("Content-Security-Policy", policyLeadingTo(view.hosted.origin));
    const onFile = c.req.query("card") === OTHER_CARD ? null : view.onFile;
    const known = { ...view, onFile, remembered: readInput(ctx, c, view.checkout) };
    return withPreset(known, presetCountry(accepted));
  };
  app.get("/checkout/:checkoutId/:secret", async (c) => c.html(await show(ctx, c, await find(c))));
  app.get("/checkout/:checkoutId/:secret/status", async (c) => c.text(await progressIn(ctx, c, await find(c))));
  app.post("/checkout/:checkoutId/:secret", async (c) => {
    submissions.count(c.env.client);
    return take(ctx, c, { find: () => find(c), guesses });
  });
}
