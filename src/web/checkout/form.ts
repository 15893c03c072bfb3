import { cardNeed, type CardNeed, type Checkout } from "../../domain/checkout.ts";
import type { Submission } from "../../actions/submission.ts";
import type { CardDetails } from "../../payments/provider.ts";
import { email as emailSchema, text } from "../../resources/fields.ts";

export const FIELDS = ["email", "name", "number", "expiry", "cvc"] as const;
export type FieldName = (typeof FIELDS)[number];
export type Faults = Partial<Record<FieldName, string>>;

/**
 * What a page that is shown again still holds. Neither the card's number nor its code is in here: they must not be written into a
 * page, where a browser's history, its cache or a stranger at the same desk would find them.
 */
export type Typed = { email: string; name: string; expiry: string };

export const NOTHING_TYPED: Typed = { email: "", name: "", expiry: "" };

const NAME = text(256);
const CARD_NUMBER = /^\d{12,19}$/;
const EXPIRY = /^(\d{1,2})\s*[/.\s-]?\s*(\d{4}|\d{2})$/;
const CVC = /^\d{3,4}$/;
/** A card's number in a field that is not for it is not shown again either. */
const LIKE_A_CARD = /(?:\d[\s-]*){12}/;

export function typedIn(form: URLSearchParams): Typed {
  const again = (name: string) => (form.get(name) ?? "").replace(/[\p{Cc}\p{Cs}]/gu, "").slice(0, 320);
  const kept = (name: string) => (LIKE_A_CARD.test(again(name)) ? "" : again(name));
  return { email: kept("email"), name: kept("name"), expiry: kept("expiry") };
}

/** `MM / YY` and what people write instead. Whether it is past is the provider's business. */
function readExpiry(value: string): { expMonth: number; expYear: number } | null {
  const [, month, year] = EXPIRY.exec(value) ?? [];
  if (month === undefined || year === undefined || +month < 1 || +month > 12) return null;
  return { expMonth: +month, expYear: year.length === 2 ? 2000 + +year : +year };
}

function readCard(form: URLSearchParams, need: CardNeed, faults: Faults): CardDetails | null {
  const of = (name: FieldName) => (form.get(name) ?? "").trim();
  const [number, expiry, cvc] = [of("number").replace(/[\s-]/g, ""), of("expiry"), of("cvc")];
  if (need === "none" || (need === "optional" && number + expiry + cvc === "")) return null;
  const until = readExpiry(expiry);
  if (!CARD_NUMBER.test(number)) faults.number = number === "" ? "Enter the card number." : "Enter the whole card number, 12 to 19 digits.";
  if (!until) faults.expiry = "Enter the month and year as on the card, such as 04 / 29.";
  if (!CVC.test(cvc)) faults.cvc = "Enter the security code, 3 or 4 digits.";
  return until && { number, ...until, cvc };
}

function readBuyer(form: URLSearchParams, faults: Faults): { email: string | null; name: string | null } {
  const [typedEmail, typedName] = [(form.get("email") ?? "").trim(), (form.get("name") ?? "").trim()];
  const email = emailSchema.safeParse(typedEmail);
  const name = typedName === "" ? { success: true, data: null } : NAME.safeParse(typedName);
  if (!email.success) faults.email = typedEmail === "" ? "Enter your e-mail address." : "Enter an e-mail address like name@example.com.";
  if (LIKE_A_CARD.test(typedName)) faults.name = "This looks like a card number. Enter your name, or nothing.";
  else if (!name.success) faults.name = "Enter a name of at most 256 letters.";
  return { email: email.data ?? null, name: name.data ?? null };
}

/** Reads what was typed for the Checkout as it was shown; a submission counts only where there are no faults. */
export function readSubmission(form: URLSearchParams, shown: Checkout): { faults: Faults; submission: Submission } {
  const faults: Faults = {};
  const buyer = shown.customerNamed ? { email: null, name: null } : readBuyer(form, faults);
  const card = readCard(form, cardNeed(shown), faults);
  return { faults, submission: { card, ...buyer, billing: null, expectedAmount: expectedAmount(form), shownAt: null } };
}

/** What the page showed as due today. A form without it agreed to nothing: no amount equals −1, so the buyer is asked first. */
export function expectedAmount(form: URLSearchParams): number {
  const sent = form.get("expectedAmount") ?? "";
  return /^\d{1,12}$/.test(sent) ? Number(sent) : -1;
}
