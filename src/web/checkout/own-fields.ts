import { html } from "hono/html";
import type { Checkout } from "../../domain/model/checkout.ts";
import { labelIn, type CheckoutField } from "../../domain/model/checkout-field.ts";
import { languageOf } from "../../texts/language.ts";
import { fieldNumber, namedIn } from "../../texts/own-field.ts";
import type { Words } from "../../texts/words.ts";
import { JUST_LIKE_A_CARD } from "../components/card-number-pattern.ts";
import { checksMark, lineOf, rejects, required, type Check } from "../components/checks.ts";
import { faultMark, faultText } from "../components/fault.ts";
import { field as textInput } from "../components/field.ts";
import { select } from "../components/select.ts";
import type { Html } from "../layout.ts";
import type { Faults, Typed } from "./form.ts";
import { missingIn, NUMBER_LENGTH, ownName, TICKED, type OwnName } from "./own-values.ts";

type Input = { typed: Typed; faults: Faults };

const needed = (words: Words, field: CheckoutField): Check[] =>
  field.required ? [required(missingIn(words, field))] : [];

/** The attributes that all kinds of inputs share. */
function commonOf(words: Words, field: CheckoutField, { typed, faults }: Input) {
  const name = ownName(field);
  return {
    name,
    label: labelIn(field.label, languageOf(words.locale)),
    ...(field.required ? {} : { mark: words.frame.optional }),
    autocomplete: "off",
    required: field.required,
    value: typed[name] ?? "",
    fault: faults[name],
  };
}

function textField(words: Words, field: CheckoutField & { type: "text" }, input: Input): Html {
  const { maxLength: most } = field;
  const common = commonOf(words, field, input);
  const { ownField } = words;
  const label = namedIn(words, field.label);
  const checks = [
    ...needed(words, field),
    rejects(ownField.likeCard({ label }), JUST_LIKE_A_CARD),
    ...lineOf(ownField.tooLong({ label, most }), most),
  ];
  return textInput({ ...common, inputmode: "text", maxlength: most, checks });
}

function numberField(words: Words, field: CheckoutField & { type: "number" }, input: Input): Html {
  const { min, max } = field;
  const limits =
    min !== null && max !== null ? { minimum: fieldNumber(words, min), maximum: fieldNumber(words, max) } : null;
  return textInput({
    ...commonOf(words, field, input),
    // The keys for decimals have no minus on a phone.
    inputmode: min !== null && min >= 0 ? "decimal" : "text",
    maxlength: NUMBER_LENGTH,
    hint: limits === null ? undefined : words.checkout.quantityLimits(limits),
    checks: needed(words, field),
  });
}

function choiceField(words: Words, field: CheckoutField & { type: "choice" }, input: Input): Html {
  const language = languageOf(words.locale);
  const options = field.options.map(({ value, label }) => ({ value, label: labelIn(label, language) }));
  const none = words.ownField.choose;
  return select({ ...commonOf(words, field, input), none, options, checks: needed(words, field) });
}

function checkbox(words: Words, field: CheckoutField, input: Input): Html {
  const { name, label, mark, required: isRequired, value, fault } = commonOf(words, field, input);
  return html`<div class="field">
<label class="option" for="${name}">
<input type="checkbox" id="${name}" name="${name}" value="${TICKED}"
 ${value === TICKED ? html`checked` : ""} ${isRequired ? html`required` : ""}
 ${checksMark(needed(words, field))} ${faultMark(name, fault)}>
<span dir="auto">${label}${mark === undefined ? "" : html` <span class="optional">${mark}</span>`}</span></label>
${faultText(name, fault)}
</div>`;
}

function inputOf(words: Words, field: CheckoutField, input: Input): Html {
  switch (field.type) {
    case "text":
      return textField(words, field, input);
    case "number":
      return numberField(words, field, input);
    case "choice":
      return choiceField(words, field, input);
    case "checkbox":
      return checkbox(words, field, input);
  }
}

/** The seller's own fields (rule C14); empty if there are none. No amount depends on them. */
export function ownFields(words: Words, fields: Checkout["fields"], input: Input): Html | "" {
  if (fields === null) return "";
  return html`<div class="group">${fields.map((field) => inputOf(words, field, input))}</div>`;
}

/** The inputs of `ownFields` in their order. */
export const ownFieldOrder = ({ fields }: Pick<Checkout, "fields">): OwnName[] => (fields ?? []).map(ownName);
