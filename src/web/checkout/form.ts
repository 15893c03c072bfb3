import { cardNeed, type Checkout } from "../../domain/model/checkout.ts";
import type { Locale } from "../../domain/locale.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Billing } from "../../domain/tax/tax.ts";
import type { Submission } from "../../actions/checkout/submission.ts";
import { email as emailSchema, text } from "../../resources/fields.ts";
import type { Words } from "../../texts/words.ts";
import { readAgreed } from "../components/agreed-fields.ts";
import type { BillingField } from "../components/address-fields.ts";
import { CARD_FIELDS, emptiedIn, readCard, type CardField } from "../components/card-fields.ts";
import { LIKE_A_CARD } from "../components/card-number-pattern.ts";
import { shownAgain } from "../components/field.ts";
import { typedBilling } from "../components/read-billing.ts";
import { ownTyped, readOwn, type OwnName } from "./own-values.ts";
import type { HostedPageEntry } from "../../payments/provider.ts";

/** `OwnName`: the fields of the seller (rule C14). */
export type FieldName = "quantity" | "email" | "name" | BillingField | OwnName | "code" | CardField;
export type Faults = Partial<Record<FieldName, string>>;

/**
 * The values that a page repeats when it is shown again. The card's number and security code are not among them: a
 * page must not contain them, since a browser's history, its cache or a stranger at the same desk would reveal them.
 */
export type Typed = Record<Exclude<FieldName, "number" | "cvc">, string> & {
  /** For a trial with a hosted entry: whether the buyer wants to give a card. */
  withCard: boolean;
  /** The fields of the card that the buyer filled in before, and that the page does not repeat. */
  emptied: readonly CardField[];
};

/**
 * The typed values that the buyer's browser keeps while the buyer is away. `cardTyped`: whether a card was typed, too.
 * No field of the card is kept, and neither code nor quantity: if they can be used, the Checkout has them.
 */
export type RememberedInput = Omit<Typed, "quantity" | "code" | "expiry" | "emptied"> & { cardTyped: boolean };

/** The form's action that pays with the card on file. */
export const ON_FILE = "on-file";

/** The values beside the form: `remembered` are those that this browser has typed before, `preset` is a country. */
type Known = {
  checkout: Pick<Checkout, "billing" | "fields" | "quantity">;
  organization: Pick<Organization, "taxRates">;
  remembered: Partial<RememberedInput> | null;
  preset: string | null;
};

const NAME = text(256);

/** Whether the buyer may choose the quantity on the page (rule Q3). */
export const asksQuantity = ({ quantityChange: range, change }: Pick<Checkout, "quantityChange" | "change">): boolean =>
  range !== null && range.minimum < range.maximum && change === null;

/** The quantity that the page showed. NaN: the form agreed to no quantity. */
export const expectedQuantity = (form: URLSearchParams): number => readAgreed(form, ["quantity"]).figures.quantity;

/** Digits of any width: a Japanese keyboard often types wide ones. NaN: no whole number was typed. */
const wholeNumber = (typed: string): number => {
  const digits = typed.normalize("NFKC").trim();
  return /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN;
};

/**
 * The quantity that the buyer typed. Null: the field is as the page showed it, so the buyer chose no quantity. Another
 * tab may have chosen one since. NaN: no whole number was typed.
 */
export function typedQuantity(form: URLSearchParams): number | null {
  const typed = form.get("quantity");
  if (typed === null) return null;
  const quantity = wholeNumber(typed);
  return quantity === expectedQuantity(form) ? null : quantity;
}

/**
 * The typed values. A field that was not sent has the value that the browser has kept. If the tax depends on the place,
 * country and region are those of the Checkout: they decide the amounts on the page for every reader of the link.
 */
export function typedIn(form: URLSearchParams, { checkout, organization, remembered, preset }: Known): Typed {
  const again = (name: string, known = "") => {
    const typed = shownAgain(form.get(name) ?? known);
    return LIKE_A_CARD.test(typed) ? "" : typed;
  };
  const { country, state } = checkout.billing?.address ?? {};
  const address = organization.taxRates.length > 0 && country ? { country, state: state ?? null } : {};
  const chosen = typedQuantity(form);
  const expiry = again("expiry");
  const wasSent = CARD_FIELDS.some((name) => form.has(name));
  return {
    quantity: chosen === null || chosen === checkout.quantity ? String(checkout.quantity) : again("quantity"),
    email: again("email", remembered?.email),
    name: again("name", remembered?.name),
    ...typedBilling(form, { country: preset, ...remembered, ...address }),
    ...ownTyped(form, checkout.fields, remembered),
    code: again("code"),
    expiry,
    withCard: form.has("withCard") ? wantsCard(form) : (remembered?.withCard ?? true),
    emptied: wasSent ? emptiedIn(form, expiry) : remembered?.cardTyped ? CARD_FIELDS : [],
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

type FormContext = { words: Words; locale: Locale | null; checkout: Checkout; hosted: HostedPageEntry | null };

/**
 * Reads the form of the Checkout as it was shown. The submission counts only if there are no faults. `billing`: the
 * place, if the page asked for it. With a hosted entry the page asks for no card, and typed details are ignored.
 */
export function readSubmission(
  form: URLSearchParams,
  { words, locale, checkout, hosted }: FormContext,
  billing: Billing | null,
): { faults: Faults; submission: Submission } {
  const faults: Faults = {};
  const buyer =
    checkout.customerNamed || checkout.change ? { email: null, name: null } : readBuyer(words, form, faults);
  const need = cardNeed(checkout);
  const isOnFile = checkout.change && form.get("action") === ON_FILE;
  const { faults: wrong, card } = isOnFile
    ? { faults: {}, card: "on_file" as const }
    : hosted
      ? { faults: {}, card: need === "none" || (need === "optional" && !wantsCard(form)) ? null : ("hosted" as const) }
      : need === "none"
        ? { faults: {}, card: null }
        : readCard(form, need !== "optional", words);
  const agreed = readAgreed(form, asksQuantity(checkout) ? ["amountDue", "quantity"] : ["amountDue"]);
  const own = readOwn(form, { words, fields: checkout.fields });
  const submission = { card, ...buyer, locale, billing, agreed, fieldValues: own.values };
  return { faults: { ...faults, ...own.faults, ...wrong }, submission };
}

/** The amount that the page showed as due today. NaN: the form agreed to no amount, so the buyer is asked first. */
export const expectedAmount = (form: URLSearchParams): number => readAgreed(form, ["amountDue"]).figures.amountDue;
