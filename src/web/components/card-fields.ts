import { html } from "hono/html";
import { realNow } from "../../clock.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { cardNumberFault, cvcLength, earliestExpiry } from "../../domain/payment/card-number.ts";
import type { CardDetails, CardFault } from "../../payments/provider.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import { acceptedBrands } from "./card-brand.ts";
import { required, type Check } from "./checks.ts";
import { field } from "./field.ts";
import { testCards } from "./test-cards.ts";

export const CARD_FIELDS = ["number", "expiry", "cvc"] as const;
export type CardField = (typeof CARD_FIELDS)[number];
export type CardFaults = Partial<Record<CardField, string>>;

const EXPIRY = /^(\d{1,2})\s*[/.\s-]?\s*(\d{4}|\d{2})$/;
const CVC = /^\d{3,4}$/;

/** `MM / YY` and common variants of it. */
function readExpiry(value: string): { expMonth: number; expYear: number } | null {
  const [, month, year] = EXPIRY.exec(value) ?? [];
  if (month === undefined || year === undefined || +month < 1 || +month > 12) return null;
  return { expMonth: +month, expYear: year.length === 2 ? 2000 + +year : +year };
}

function expiryFault(until: ReturnType<typeof readExpiry>, { card: texts }: Words): string | null {
  if (!until) return texts.expiryIncomplete;
  return until.expYear * 100 + until.expMonth < earliestExpiry(realNow()) ? texts.expiryPast : null;
}

function cvcFault(cvc: string, number: string, { card: texts }: Words): string | null {
  const length = cvcLength(number);
  if (length === null) return CVC.test(cvc) ? null : texts.cvcIncomplete;
  if (/^\d*$/.test(cvc) && cvc.length === length) return null;
  return cvc === "" ? texts.cvcIncomplete : length === 4 ? texts.cvcFour : texts.cvcThree;
}

/**
 * The typed card and its faults. The card counts only if there are no faults. Null: a required card has a faulty
 * expiry, or an optional card was left out.
 */
export function readCard(
  form: URLSearchParams,
  isRequired: boolean,
  words: Words,
): { faults: CardFaults; card: CardDetails | null } {
  const { card: texts } = words;
  const [typed = "", expiry = "", cvc = ""] = CARD_FIELDS.map((name) => (form.get(name) ?? "").trim());
  const number = typed.replace(/[\s-]/g, "");
  const faults: CardFaults = {};
  if (!isRequired && number + expiry + cvc === "") return { faults, card: null };
  const until = readExpiry(expiry);
  const [wrongNumber, wrongExpiry, wrongCvc] = [
    cardNumberFault(number),
    expiryFault(until, words),
    cvcFault(cvc, number, words),
  ];
  if (number === "") faults.number = texts.numberMissing;
  else if (wrongNumber) faults.number = wrongNumber === "wrong" ? texts.numberWrong : texts.numberIncomplete;
  if (wrongExpiry !== null) faults.expiry = wrongExpiry;
  if (wrongCvc !== null) faults.cvc = wrongCvc;
  return { faults, card: until && { number, ...until, cvc } };
}

/** The words for a fault that the provider found in a typed card. A sandbox takes only its test cards. */
export function cardFaultsOf(
  { cardFault }: Words,
  { field: name, code }: CardFault,
  { mode }: Pick<Organization, "mode">,
): CardFaults {
  const isTestCardWanted = code === "card_number_invalid" && mode === "sandbox";
  return { [name]: isTestCardWanted ? cardFault.sandboxNumber : cardFault[code] };
}

/**
 * The expiry is the only part of a card that a page may show again. A card number in the field of the expiry is left
 * out.
 */
export function typedExpiry(form: URLSearchParams): string {
  const typed = (form.get("expiry") ?? "").slice(0, 9);
  return /^[\d\s/.-]*$/.test(typed) && typed.replace(/\D/g, "").length <= 6 ? typed : "";
}

/** The fields that were filled in, and that the page does not repeat. `shown`: the expiry that the page repeats. */
export function emptiedIn(form: URLSearchParams, shown: string): CardField[] {
  return CARD_FIELDS.filter((name) => (form.get(name) ?? "").trim() !== "" && !(name === "expiry" && shown !== ""));
}

/** The typed card as a page repeats it: the expiry, and the fields that are empty now. */
export function typedCard(form: URLSearchParams): { expiry: string; emptied: CardField[] } {
  const expiry = typedExpiry(form);
  return { expiry, emptied: emptiedIn(form, expiry) };
}

/** The rules of a card that the page checks before the form is sent. */
function checksOfCard({ card }: Words): Record<CardField, Check[]> {
  return {
    number: [required(card.numberMissing), ["number", card.numberIncomplete, card.numberWrong]],
    expiry: [
      required(card.expiryIncomplete),
      ["expiry", card.expiryIncomplete, card.expiryPast, earliestExpiry(realNow())],
    ],
    cvc: [required(card.cvcIncomplete), ["cvc", card.cvcIncomplete, card.cvcThree, card.cvcFour]],
  };
}

type CardForm = {
  words: Words;
  legend: string;
  /** The hint beside an optional card; null: the card is required. */
  without: string | null;
  /** The expiry as it was typed before. */
  expiry: string;
  faults: CardFaults;
  /** The fields that were filled in before: each one says why it is empty now. */
  emptied?: readonly CardField[];
  sandbox: boolean;
};

export function cardFields({ words, legend, without, expiry, faults, emptied = [], sandbox }: CardForm): Html {
  const { card, frame: texts } = words;
  const checks = checksOfCard(words);
  const why = (name: CardField) =>
    emptied.includes(name) ? { hint: name === "number" ? card.emptied : card.emptiedToo } : {};
  const common = { inputmode: "numeric", required: without === null } as const;
  const number = {
    name: "number",
    label: card.number,
    autocomplete: "cc-number",
    maxlength: 23,
    placeholder: "1234 1234 1234 1234",
  };
  const until = {
    name: "expiry",
    label: card.expiry,
    autocomplete: "cc-exp",
    maxlength: 9,
    placeholder: card.expiryForm,
  };
  const cvc = { name: "cvc", label: card.cvc, autocomplete: "cc-csc", maxlength: 4, placeholder: card.cvcForm };
  return html`<fieldset data-notice="${texts.checkFields}" ${without === null ? "" : html`data-optional`}>
<legend>${legend}${without === null ? "" : html` <span class="optional">${texts.optional}</span>`}</legend>
${without === null ? "" : html`<p class="hint">${without}</p>`}
${acceptedBrands(words)}
${field({ ...common, ...number, ...why("number"), fault: faults.number, checks: checks.number })}
<div class="pair">
${field({ ...common, ...until, ...why("expiry"), value: expiry, fault: faults.expiry, checks: checks.expiry })}
${field({ ...common, ...cvc, ...why("cvc"), fault: faults.cvc, checks: checks.cvc })}
</div>
${sandbox ? testCards(words) : ""}
</fieldset>`;
}
