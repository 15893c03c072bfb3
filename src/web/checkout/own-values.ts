import { answersTo, type CheckoutField, type FaultyField } from "../../domain/model/checkout-field.ts";
import { fieldNumber, namedIn, typedFieldNumber } from "../../texts/own-field.ts";
import type { Words } from "../../texts/words.ts";
import { JUST_LIKE_A_CARD } from "../components/card-number-pattern.ts";
import { shownAgain } from "../components/field.ts";

/** The name and the id of the input of an own field. */
export type OwnName = `own-${string}`;
type OwnValues = Record<OwnName, string>;
type OwnFaults = Partial<OwnValues>;

export const ownName = ({ key }: Pick<CheckoutField, "key">): OwnName => `own-${key}`;

/** The value of a ticked box in the form. */
export const TICKED = "yes";

/** The most characters that a number may be typed with: sign, 12 digits, mark and 4 decimals. */
export const NUMBER_LENGTH = 18;

const lengthOf = (field: CheckoutField) => (field.type === "text" ? field.maxLength : 100);

/** A typed value on one line, without the signs that no line holds. */
const lineIn = (form: URLSearchParams, field: CheckoutField): string =>
  (form.get(ownName(field)) ?? "").replace(/\p{Cc}+/gu, " ").trim();

/**
 * The typed values of own fields, for the page that is shown again. `remembered`: those that the browser has kept. A
 * form that was sent without a box has the box unticked.
 */
export function ownTyped(
  form: URLSearchParams,
  fields: readonly CheckoutField[] | null,
  remembered: Partial<OwnValues> | null,
): OwnValues {
  const again = (field: CheckoutField) => {
    const sent = form.size > 0 && (field.type === "checkbox" || form.has(ownName(field)));
    const typed = sent ? lineIn(form, field) : (remembered?.[ownName(field)] ?? "");
    return JUST_LIKE_A_CARD.test(typed) ? "" : shownAgain(typed, 2 * lengthOf(field));
  };
  return Object.fromEntries((fields ?? []).map((field) => [ownName(field), again(field)]));
}

function faultIn(words: Words, field: CheckoutField, faulty: FaultyField): string {
  const label = namedIn(words, field.label);
  const { ownField } = words;
  switch (faulty.fault) {
    case "too_long":
      return ownField.tooLong({ label, most: faulty.limit });
    case "too_small":
      return ownField.tooSmall({ label, least: fieldNumber(words, faulty.limit) });
    case "too_large":
      return ownField.tooLarge({ label, most: fieldNumber(words, faulty.limit) });
    case "no_number":
      return ownField.noNumber({ label, example: fieldNumber(words, 12.5) });
    default:
      return missingIn(words, field);
  }
}

/** The words for a field without a value. */
export function missingIn(words: Words, field: CheckoutField): string {
  const label = namedIn(words, field.label);
  const { ownField } = words;
  if (field.type === "checkbox") return ownField.unticked({ label });
  return field.type === "choice" ? ownField.unchosen({ label }) : ownField.missing({ label });
}

/** The faults of own fields in the reader's words, by the names of the inputs. */
export function ownFaults(
  words: Words,
  fields: readonly CheckoutField[] | null,
  faults: readonly FaultyField[],
): OwnFaults {
  const entries = faults.flatMap((faulty) => {
    const field = fields?.find(({ key }) => key === faulty.key);
    return field ? [[ownName(field), faultIn(words, field, faulty)]] : [];
  });
  return Object.fromEntries(entries) as OwnFaults;
}

/** Reads the own fields of the form. The values go to the submission, which checks them again (rule C14c). */
export function readOwn(
  form: URLSearchParams,
  { words, fields }: { words: Words; fields: readonly CheckoutField[] | null },
): { faults: OwnFaults; values: Record<string, unknown> } {
  const valueOf = (field: CheckoutField) => {
    const typed = lineIn(form, field);
    if (field.type === "checkbox") return typed === TICKED;
    return field.type === "number" && typed !== "" ? typedFieldNumber(words, typed) : typed;
  };
  const values = Object.fromEntries((fields ?? []).map((field) => [field.key, valueOf(field)]));
  const read = answersTo(fields, values);
  const cards = (fields ?? []).filter((field) => JUST_LIKE_A_CARD.test(lineIn(form, field)));
  const said = (field: CheckoutField) => words.ownField.likeCard({ label: namedIn(words, field.label) });
  const asCards = cards.map((field) => [ownName(field), said(field)]);
  const faults = "faults" in read ? ownFaults(words, fields, read.faults) : {};
  return { faults: { ...faults, ...(Object.fromEntries(asCards) as OwnFaults) }, values };
}
