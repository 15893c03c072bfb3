import { parseInstant, type Instant } from "../../domain/calendar.ts";
import { cardNeed, type Checkout } from "../../domain/checkout/checkout.ts";
import type { Locale } from "../../domain/locale.ts";
import { isCountry } from "../../domain/tax/country.ts";
import { typedTaxId } from "../../domain/tax/tax-id.ts";
import type { Billing, TaxRate } from "../../domain/tax/tax.ts";
import type { Submission } from "../../actions/checkout/submission.ts";
import { email as emailSchema, text } from "../../resources/fields.ts";
import type { Words } from "../../texts/words.ts";
import { CARD_FIELDS, emptiedIn, readCard, type CardField } from "../components/card-fields.ts";
import { shownAgain } from "../components/field.ts";
import type { HostedPageEntry } from "../../payments/provider.ts";

export const FIELDS = ["email", "name", "country", "state", "taxId", "code", "number", "expiry", "cvc"] as const;
export type FieldName = (typeof FIELDS)[number];
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
 * No field of the card is kept, and no code: a code that can be used is applied to the Checkout.
 */
export type Kept = Omit<Typed, "code" | "expiry" | "emptied"> & { cardTyped: boolean };

const NAME = text(256);
const STATE = text(128);
const TAX_ID = text(64);
/** A card number that was typed into another field is not shown again either. */
export const LIKE_A_CARD = /(?:\d[\s-]*){12}/;
/**
 * In the field for a tax ID, only 15 or more digits alone look like a card number. Tax IDs have up to 15 digits, and
 * seldom digits alone.
 */
export const JUST_LIKE_A_CARD = /^(?:\d[\s-]*){15,19}$/;

/**
 * The typed values. A field that was not sent has the value that the browser has kept. Country and region are those of
 * the Checkout, which decide the amounts on the page for every reader of the link.
 */
export function typedIn(
  form: URLSearchParams,
  { checkout, kept }: { checkout: Pick<Checkout, "billing">; kept: Kept | null },
): Typed {
  const again = (name: string, known: string | null = null) => shownAgain(form.get(name) ?? known ?? "");
  const unlikeCard = (name: string, known: string | null = null) =>
    LIKE_A_CARD.test(again(name, known)) ? "" : again(name, known);
  const place = checkout.billing?.address ?? kept;
  const taxId = again("taxId", kept?.taxId);
  const expiry = unlikeCard("expiry");
  const wasSent = CARD_FIELDS.some((name) => form.has(name));
  return {
    email: unlikeCard("email", kept?.email),
    name: unlikeCard("name", kept?.name),
    country: unlikeCard("country", place?.country),
    state: unlikeCard("state", place?.state),
    taxId: JUST_LIKE_A_CARD.test(taxId) ? "" : taxId,
    code: unlikeCard("code"),
    expiry,
    withCard: form.has("withCard") ? wantsCard(form) : (kept?.withCard ?? true),
    emptied: wasSent ? emptiedIn(form, expiry) : kept?.cardTyped ? CARD_FIELDS : [],
  };
}

/** The choice between a trial with and without a card, if the provider takes the card on its own page. */
const wantsCard = (form: URLSearchParams) => form.get("withCard") !== "no";

/** The typed place and its faults. A country with regional rates needs a region. */
export function readPlace(
  { fault }: Words,
  form: URLSearchParams,
  rates: readonly TaxRate[],
): { faults: Faults; billing: Billing | null } {
  const faults: Faults = {};
  const [country, typedState, typed] = ["country", "state", "taxId"].map((name) => (form.get(name) ?? "").trim()) as [
    string,
    string,
    string,
  ];
  const needsState = rates.some((rate) => rate.country === country && rate.region !== null);
  const state = typedState === "" ? { success: !needsState, data: null } : STATE.safeParse(typedState);
  const taxId = typed === "" ? { success: true, data: null } : TAX_ID.safeParse(typed);
  const read = taxId.data ? typedTaxId(country, taxId.data) : null;
  if (!isCountry(country)) faults.country = fault.countryMissing;
  if (LIKE_A_CARD.test(typedState)) faults.state = fault.regionCard;
  else if (!state.success) faults.state = typedState === "" ? fault.regionMissing : fault.regionLong;
  if (JUST_LIKE_A_CARD.test(typed)) faults.taxId = fault.taxIdCard;
  else if (!taxId.success) faults.taxId = fault.taxIdLong;
  else if (taxId.data && !read) faults.taxId = fault.taxIdWrong;
  if (Object.keys(faults).length > 0) return { faults, billing: null };
  const address = { country, line1: null, line2: null, postalCode: null, city: null, state: state.data ?? null };
  return { faults, billing: { address, taxId: read } };
}

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
