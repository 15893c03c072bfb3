import { parseInstant, type Instant } from "../../domain/calendar.ts";
import { cardNeed, type Checkout } from "../../domain/checkout/checkout.ts";
import type { Locale } from "../../domain/locale.ts";
import type { Billing } from "../../domain/tax/tax.ts";
import type { Submission } from "../../actions/checkout/submission.ts";
import { email as emailSchema, text } from "../../resources/fields.ts";
import type { Words } from "../../texts/words.ts";
import { BILLING_FIELDS } from "../components/address-fields.ts";
import { readCard } from "../components/card-fields.ts";
import { shownAgain } from "../components/field.ts";
import { LIKE_A_CARD, typedBilling } from "../components/read-billing.ts";
import type { HostedPageEntry } from "../../payments/provider.ts";

export const FIELDS = ["email", "name", ...BILLING_FIELDS, "code", "number", "expiry", "cvc"] as const;
export type FieldName = (typeof FIELDS)[number];
export type Faults = Partial<Record<FieldName, string>>;

/**
 * The values that a page repeats when it is shown again. The card's number and security code are not among them: a
 * page must not contain them, since a browser's history, its cache or a stranger at the same desk would reveal them.
 */
export type Typed = Record<Exclude<FieldName, "number" | "cvc">, string> & {
  /** For a trial with a hosted entry: whether the buyer wants to give a card. */
  withCard: boolean;
};

const NAME = text(256);

/** The typed values. A field that was not sent has the value that the Checkout knows. */
export function typedIn(form: URLSearchParams, { billing }: Pick<Checkout, "billing">): Typed {
  const kept = (name: string) => {
    const again = shownAgain(form.get(name) ?? "");
    return LIKE_A_CARD.test(again) ? "" : again;
  };
  return {
    ...typedBilling(form, billing),
    email: kept("email"),
    name: kept("name"),
    code: kept("code"),
    expiry: kept("expiry"),
    withCard: wantsCard(form),
  };
}

/** The choice between a trial with and without a card, if the provider takes the card on its own page. */
const wantsCard = (form: URLSearchParams) => form.get("withCard") !== "no";

function readBuyer(
  { fault }: Words,
  form: URLSearchParams,
  faults: Faults,
): { email: string | null; name: string | null } {
  const [typedEmail, typedName] = [(form.get("email") ?? "").trim(), (form.get("name") ?? "").trim()];
  const email = emailSchema.safeParse(typedEmail);
  const name = typedName === "" ? { success: true, data: null } : NAME.safeParse(typedName);
  if (!email.success) faults.email = typedEmail === "" ? fault.emailMissing : fault.emailWrong;
  if (LIKE_A_CARD.test(typedName)) faults.name = fault.nameCard;
  else if (!name.success) faults.name = fault.nameLong;
  return { email: email.data ?? null, name: name.data ?? null };
}

type Shown = { words: Words; locale: Locale | null; checkout: Checkout; hosted: HostedPageEntry | null };

/**
 * Reads the form of the Checkout as it was shown. The submission counts only if there are no faults. `billing`: the
 * place, if the page asked for it. With a hosted entry the page asks for no card, and typed details are ignored.
 */
export function readSubmission(
  form: URLSearchParams,
  { words, locale, checkout, hosted }: Shown,
  billing: Billing | null,
): { faults: Faults; submission: Submission } {
  const faults: Faults = {};
  const buyer =
    checkout.customerNamed || checkout.change ? { email: null, name: null } : readBuyer(words, form, faults);
  const need = cardNeed(checkout);
  const { faults: wrong, card } = hosted
    ? { faults: {}, card: need === "none" || (need === "optional" && !wantsCard(form)) ? null : ("hosted" as const) }
    : need === "none"
      ? { faults: {}, card: null }
      : readCard(form, need !== "optional", words);
  const agreement = { expectedAmount: expectedAmount(form), shownAt: shownAt(form) };
  const submission = { card, ...buyer, locale, billing, ...agreement };
  return { faults: { ...faults, ...wrong }, submission };
}

/**
 * The amount that the page showed as due today. A form without this field agreed to no amount. The field then counts as
 * −1, which equals no amount, so the buyer is asked to agree first.
 */
export const expectedAmount = (form: URLSearchParams): number => agreedAmount(form, "expectedAmount");

/** As `expectedAmount`, for the amount in another field. */
export function agreedAmount(form: URLSearchParams, name: string): number {
  const sent = form.get(name) ?? "";
  // A price has 12 digits at most, and tax comes on top.
  return /^\d{1,15}$/.test(sent) ? Number(sent) : -1;
}

/** The instant for which the page showed the amounts of a change. */
function shownAt(form: URLSearchParams): Instant | null {
  return parseInstant(form.get("shownAt") ?? "");
}
