import { html } from "hono/html";
import type { Organization } from "../../domain/organization/organization.ts";
import type { CardDetails, CardFault } from "../../payments/provider.ts";
import type { Words } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import { acceptedBrands } from "./card-brand.ts";
import { field } from "./field.ts";
import { testCards } from "./test-cards.ts";

export const CARD_FIELDS = ["number", "expiry", "cvc"] as const;
export type CardFaults = Partial<Record<(typeof CARD_FIELDS)[number], string>>;

const CARD_NUMBER = /^\d{12,19}$/;
const EXPIRY = /^(\d{1,2})\s*[/.\s-]?\s*(\d{4}|\d{2})$/;
const CVC = /^\d{3,4}$/;

/** `MM / YY` and common variants of it. The provider decides whether the date is past. */
function readExpiry(value: string): { expMonth: number; expYear: number } | null {
  const [, month, year] = EXPIRY.exec(value) ?? [];
  if (month === undefined || year === undefined || +month < 1 || +month > 12) return null;
  return { expMonth: +month, expYear: year.length === 2 ? 2000 + +year : +year };
}

/**
 * The typed card and its faults. The card counts only if there are no faults. Null: a required card has a faulty
 * expiry, or an optional card was left out.
 */
export function readCard(
  form: URLSearchParams,
  required: boolean,
  { card: texts }: Words,
): { faults: CardFaults; card: CardDetails | null } {
  const [typed = "", expiry = "", cvc = ""] = CARD_FIELDS.map((name) => (form.get(name) ?? "").trim());
  const number = typed.replace(/[\s-]/g, "");
  const faults: CardFaults = {};
  if (!required && number + expiry + cvc === "") return { faults, card: null };
  const until = readExpiry(expiry);
  if (!CARD_NUMBER.test(number)) faults.number = number === "" ? texts.numberMissing : texts.numberIncomplete;
  if (!until) faults.expiry = texts.expiryIncomplete;
  if (!CVC.test(cvc)) faults.cvc = texts.cvcIncomplete;
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

type CardForm = {
  words: Words;
  legend: string;
  /** The hint beside an optional card; null: the card is required. */
  without: string | null;
  /** The expiry as it was typed before. */
  expiry: string;
  faults: CardFaults;
  sandbox: boolean;
};

export function cardFields({ words, legend, without, expiry, faults, sandbox }: CardForm): Html {
  const { card, frame: texts } = words;
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
  return html`<fieldset>
<legend>${legend}${without === null ? "" : html` <span class="optional">${texts.optional}</span>`}</legend>
${without === null ? "" : html`<p class="hint">${without}</p>`}
${acceptedBrands(words)}
${field({ ...common, ...number, fault: faults.number })}
<div class="pair">
${field({ ...common, ...until, value: expiry, fault: faults.expiry })}
${field({ ...common, ...cvc, fault: faults.cvc })}
</div>
${sandbox ? testCards(words) : ""}
</fieldset>`;
}
