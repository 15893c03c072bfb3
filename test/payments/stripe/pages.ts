import type { Book } from "./book.ts";
import { cardByNumber } from "./cards.ts";
import { makePaymentMethod } from "./customers.ts";
import type { PaymentIntent, Session, SetupIntent } from "./objects.ts";
import { authenticatePayment } from "./payment-intents.ts";
import { completeIfDone, intentOf, submitCard } from "./sessions.ts";
import { authenticateSetup } from "./setup-intents.ts";

export type PageAnswer = { status: number; html: string } | { status: 303; location: string };

const SIGNS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => SIGNS[sign]!);

const page = (status: number, title: string, body: string): PageAnswer => ({
  status,
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`,
});

/** The pages for buyers. They work without script. Answers null for a path that is no page. */
export function pageOf(book: Book, method: string, path: string, form: URLSearchParams): PageAnswer | null {
  const [, kind, id = "", attempt = ""] = /^\/(c\/pay|3d_secure)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (kind === "c/pay") return checkoutPage(book, book.sessions.get(id), method === "POST" ? form : null);
  if (kind === "3d_secure") return securePage(book, id, attempt, method === "POST" ? form : null);
  return null;
}

function checkoutPage(book: Book, session: Session | undefined, form: URLSearchParams | null): PageAnswer {
  if (session === undefined)
    return page(404, "Something went wrong", "<p>The page you were looking for was not found.</p>");
  if (session.status === "complete") return { status: 303, location: successUrl(session) };
  if (session.status === "expired")
    return page(200, "This session has expired", "<p>Please go back and try again.</p>");
  if (form === null) {
    const intent = intentOf(book, session);
    return payForm(session, intent === null ? null : lastMessage(intent));
  }
  const typed = typedCard(book, form);
  if (typeof typed === "string") return payForm(session, typed);
  const message = submitCard(book, session, makePaymentMethod(book, typed.card, typed));
  if (message !== null) return payForm(session, message);
  const intent = intentOf(book, session)!;
  if (intent.next_action?.type === "redirect_to_url") {
    return { status: 303, location: intent.next_action.redirect_to_url.url };
  }
  return session.url === null ? { status: 303, location: successUrl(session) } : payForm(session, "Processing");
}

const lastMessage = (intent: PaymentIntent | SetupIntent): string | null =>
  (intent.object === "payment_intent" ? intent.last_payment_error : intent.last_setup_error)?.message ?? null;

const successUrl = (session: Session) => session.success_url!.replaceAll("{CHECKOUT_SESSION_ID}", session.id);

/** The typed card, or the message for the buyer. */
function typedCard(book: Book, form: URLSearchParams) {
  const number = (form.get("cardNumber") ?? "").replaceAll(/[ -]/g, "");
  const card = cardByNumber(number);
  if (card === undefined) return "Your card number is invalid.";
  const expiry = /^(\d{1,2})\s*\/\s*(\d{2})$/.exec(form.get("cardExpiry") ?? "");
  if (expiry === null) return "Your card's expiration date is incomplete.";
  const [expMonth, expYear] = [Number(expiry[1]), 2000 + Number(expiry[2])];
  if (expMonth < 1 || expMonth > 12) return "Your card's expiration date is invalid.";
  if (Date.UTC(expYear, expMonth) / 1000 <= book.now()) return "Your card's expiration date is in the past.";
  if (!/^\d{3,4}$/.test(form.get("cardCvc") ?? "")) return "Your card's security code is incomplete.";
  return { card, expMonth, expYear };
}

function payForm(session: Session, message: string | null): PageAnswer {
  const isPayment = session.mode === "payment";
  const title = isPayment ? `Pay ${session.amount_total} ${session.currency}` : "Save a card";
  const alert = message === null ? "" : `<p role="alert">${escaped(message)}</p>`;
  const back = session.cancel_url === null ? "" : `<p><a href="${escaped(session.cancel_url)}">Back</a></p>`;
  return page(
    200,
    title,
    `${alert}<form method="post">
<p><label>Card number <input name="cardNumber" inputmode="numeric" autocomplete="cc-number" required></label></p>
<p><label>Expiration <input name="cardExpiry" placeholder="MM / YY" autocomplete="cc-exp" required></label></p>
<p><label>CVC <input name="cardCvc" autocomplete="cc-csc" required></label></p>
<p><label>Cardholder name <input name="billingName" autocomplete="cc-name"></label></p>
<p><button type="submit">${isPayment ? "Pay" : "Save card"}</button></p>
</form>${back}`,
  );
}

function securePage(book: Book, id: string, attempt: string, form: URLSearchParams | null): PageAnswer {
  const intent = book.paymentIntents.get(id) ?? book.setupIntents.get(id);
  const action = intent?.next_action ?? null;
  const running = book.hidden.attempts.get(id);
  const url = action?.type === "redirect_to_url" ? action.redirect_to_url.url : action?.use_stripe_sdk.stripe_js;
  if (intent === undefined || running === undefined || url?.endsWith(`/${attempt}`) !== true) {
    return page(410, "This authentication is over", "<p>Please go back and try again.</p>");
  }
  const result = form?.get("result");
  if (result !== "complete" && result !== "fail") return secureForm();
  const passed = result === "complete";
  if (intent.object === "payment_intent") authenticatePayment(book, intent, passed ? "passed" : "failed");
  else authenticateSetup(book, intent, passed);
  const session = book.sessions.get(book.hidden.sessionOf.get(id) ?? "");
  if (session !== undefined) {
    completeIfDone(book, session);
    return { status: 303, location: session.url ?? successUrl(session) };
  }
  const { returnUrl } = running;
  if (returnUrl === null) return page(200, "Authentication done", "<p>You can close this page.</p>");
  return { status: 303, location: returnAddress(intent, returnUrl) };
}

const secureForm = () =>
  page(
    200,
    "3D Secure 2 Test Page",
    `<form method="post"><p>
<button name="result" value="complete">Complete</button>
<button name="result" value="fail">Fail</button>
</p></form>`,
  );

/** The address where the buyer goes on, with the parameters that Stripe appends. */
function returnAddress(intent: PaymentIntent | SetupIntent, returnUrl: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set(intent.object, intent.id);
  url.searchParams.set(`${intent.object}_client_secret`, intent.client_secret);
  url.searchParams.set("redirect_status", intent.status === "succeeded" ? "succeeded" : "failed");
  return url.href;
}
