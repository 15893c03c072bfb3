import type { Book } from "./book.ts";
import { invalid } from "./errors.ts";
import type { NextAction } from "./objects.ts";

/** The types of a new intent; undefined: those of the account's dashboard. */
export function typesOf(
  types: string[] | undefined,
  automatic: { enabled: boolean; allow_redirects: string | undefined } | undefined,
): string[] | undefined {
  if (types !== undefined && automatic?.enabled === true) {
    throw invalid("You may only specify one of these parameters: automatic_payment_methods, payment_method_types.", {
      code: "parameters_exclusive",
    });
  }
  for (const type of types ?? []) {
    if (type === "card" || type === "link") continue;
    throw invalid(`The payment method type "${type}" is invalid.`, { param: "payment_method_types" });
  }
  return automatic?.enabled === false || automatic?.allow_redirects === "never" ? (types ?? ["card"]) : types;
}

/** The fields that PaymentIntents and SetupIntents have in common. */
export const intentFields = (book: Book, id: string, types: string[] | undefined) => ({
  allowed_payment_method_types: null,
  application: null,
  automatic_payment_methods: types === undefined ? { allow_redirects: "always", enabled: true } : null,
  cancellation_reason: null,
  client_secret: `${id}_secret_${book.newId("s").slice(2)}`,
  created: book.now(),
  customer_account: null,
  excluded_payment_method_types: null,
  livemode: book.livemode,
  managed_payments: null,
  next_action: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: {
    card: { mandate_options: null, network: null, request_three_d_secure: "automatic" },
  },
  payment_method_types: types ?? ["card", "link"],
});

/** Begins an authentication: the page where the buyer passes or fails. Each beginning has a page of its own. */
export function nextAction(
  book: Book,
  intent: string,
  { paymentMethod, returnUrl, sdk }: { paymentMethod: string; returnUrl: string | null; sdk: boolean },
): NextAction {
  book.hidden.attempts.set(intent, { paymentMethod, returnUrl });
  const url = `${book.url()}/3d_secure/${intent}/${book.newId("payatt")}`;
  if (sdk || returnUrl === null) {
    return { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url } };
  }
  return { type: "redirect_to_url", redirect_to_url: { url, return_url: returnUrl } };
}

const intentHere = (book: Book, id: string) => (book.paymentIntents.get(id) ?? book.setupIntents.get(id))!;

/** An intent of a Checkout Session follows the Session alone: it is confirmed by the buyer and canceled by expiry. */
export function requireNoSession(book: Book, intent: string, operation: "cancel" | "confirm", kind: string): void {
  const session = book.hidden.sessionOf.get(intent);
  if (session === undefined) return;
  const isHeld = book.hidden.expiry === "holds" && intentHere(book, intent).status === "requires_action";
  if (book.sessions.get(session)!.status !== "open" && !isHeld) return;
  const code = kind === "PaymentIntent" ? "payment_intent_unexpected_state" : "setup_intent_unexpected_state";
  throw invalid(
    `You cannot ${operation} this ${kind} because it was created by a Checkout Session. To cancel, expire the ` +
      "Checkout Session instead.",
    { code },
  );
}
