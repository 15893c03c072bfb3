import { html } from "hono/html";
import {
  FIELD_TYPES,
  labelIn,
  LEAST_OPTIONS,
  MOST_FIELDS,
  MOST_OPTIONS,
  type CheckoutField,
  type FieldLabel,
  type FieldOption,
} from "../../../domain/model/checkout-field.ts";
import type { Fault } from "../../../errors.ts";
import { faultText } from "../../components/fault.ts";
import type { Html } from "../../layout.ts";
import { areaField, OPTIONAL, selectField, textField } from "../fields.ts";
import { fault } from "../form-values.ts";
import { EDIT, typed, type Sent } from "../sent-form.ts";

type Form = Pick<Sent, "fields">;
type FieldType = CheckoutField["type"];

const TYPE_NAMES = {
  text: "Text",
  number: "Number",
  choice: "Choice",
  checkbox: "Check box",
} satisfies Record<FieldType, string>;

const PARTS = ["label", "key", "type", "required", "options"] as const;
type Row = Record<(typeof PARTS)[number], string>;

/** The value of the button that adds a row. */
const ADD = "field";
/** Room for the most options, each with a value of 64 and a label of 200 characters. */
const MOST_CHARACTERS = MOST_OPTIONS * 270;

const at = (n: number, part: keyof Row) => `fields.${n}.${part}`;

/** The rows of a form that are filled in, in their order. A row without a label, key and options is left out. */
function filledRows(form: Form): Row[] {
  const read = (n: number) => Object.fromEntries(PARTS.map((part) => [part, typed(form, at(n, part))])) as Row;
  return [...Array(MOST_FIELDS).keys()]
    .map(read)
    .filter(({ label, key, options }) => label !== "" || key !== "" || options !== "");
}

const lineOf = ({ value, label }: FieldOption) => {
  const text = labelIn(label, null);
  return value === text && !value.includes("=") ? value : `${value} = ${text}`;
};

/**
 * One option on a line: `value = label`, or a label that is its value, too. `current`: the present options. The line of
 * one of them is that option, with its label in all languages.
 */
function optionsIn(text: string, current: readonly FieldOption[] = []): FieldOption[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const present = current.find((option) => lineOf(option) === line);
      if (present) return present;
      const [, value, label] = /^(.*?)=(.*)$/s.exec(line) ?? [null, line, line];
      return { value: value!.trim(), label: label!.trim() };
    });
}

const written = (field: CheckoutField): Row => ({
  label: labelIn(field.label, null),
  key: field.key,
  type: field.type,
  required: field.required ? "yes" : "no",
  options: field.type === "choice" ? field.options.map(lineOf).join("\n") : "",
});

/** The own fields of a row as the fields of its form. */
export const writtenFields = (fields: readonly CheckoutField[] | null): [string, string][] =>
  (fields ?? []).flatMap((field, n) =>
    Object.entries(written(field)).map(([part, value]): [string, string] => [at(n, part as keyof Row), value]),
  );

/** The form shows a label in one language. An unchanged one keeps its other languages. */
const kept = (text: string, current: FieldLabel | undefined): FieldLabel =>
  current !== undefined && labelIn(current, null) === text ? current : text;

/** The limits that the form does not show. */
function limitsOf(current: CheckoutField | undefined, type: FieldType): object {
  if (current?.type === "text" && type === "text") return { maxLength: current.maxLength };
  if (current?.type === "number" && type === "number") return { min: current.min, max: current.max };
  return {};
}

function bodyOf(row: Row, current: CheckoutField | undefined): object {
  const type = FIELD_TYPES.find((each) => each === row.type) ?? "text";
  const options = optionsIn(row.options, current?.type === "choice" ? current.options : []);
  return {
    type,
    key: row.key,
    label: kept(row.label, current?.label),
    required: row.required === "yes",
    ...limitsOf(current, type),
    ...(type === "choice" && { options }),
  };
}

/** The faults of a row in the words of the form. */
function faultsOf(row: Row, n: number): Fault[] {
  const options = row.type === "choice" ? optionsIn(row.options) : null;
  const isBlank = options?.some(({ value, label }) => value === "" || label === "");
  return [
    ...(row.label === "" ? [fault(at(n, "label"), "Enter the question that the buyer sees.")] : []),
    ...(row.key === "" ? [fault(at(n, "key"), "Enter a key, such as company.")] : []),
    ...(options !== null && options.length < LEAST_OPTIONS
      ? [fault(at(n, "options"), "Write at least two options, each on its own line.")]
      : []),
    ...(isBlank ? [fault(at(n, "options"), "Write a value and a label around each “=”.")] : []),
  ];
}

/**
 * Reads the rows. `current`: the present fields of the row, whose languages and limits stay. The faults count the
 * filled rows, and so do the rows of a form that is shown again.
 */
export function readFields(
  form: Form,
  current: readonly CheckoutField[] | null,
): { fields: object[] | null; faults: Fault[] } {
  const rows = filledRows(form);
  const fields = rows.map((row) =>
    bodyOf(
      row,
      current?.find(({ key }) => key === row.key),
    ),
  );
  return { fields: fields.length === 0 ? null : fields, faults: rows.flatMap(faultsOf) };
}

function fieldRow(sent: Sent, n: number): Html {
  return html`<fieldset class="own-field"><legend>Field ${n + 1}</legend>
<div class="pair">
${textField(sent, at(n, "label"), { label: "Question", maxlength: 200 })}
${textField(sent, at(n, "key"), { label: "Key", maxlength: 64, hint: "The name of the value, such as company." })}
</div>
<div class="pair">
${selectField(sent, at(n, "type"), { label: "Type", options: FIELD_TYPES.map((type) => [type, TYPE_NAMES[type]]) })}
${selectField(sent, at(n, "required"), {
  label: "Answer",
  options: [
    ["no", "May be left out"],
    ["yes", "Is required"],
  ],
})}
</div>
<div class="options">${areaField(sent, at(n, "options"), {
    label: "Options of a choice",
    maxlength: MOST_CHARACTERS,
    hint: "One option on each line, such as Berlin, or ber = Berlin with the value ber in your data.",
  })}</div>
</fieldset>`;
}

/** The rows of the own fields, and a button that adds a row, also without a script. */
export function ownFields(sent: Sent): Html {
  const filled = filledRows(sent);
  const isAdded = sent.fields.get(EDIT) === ADD && filled.length < MOST_FIELDS;
  const count = filled.length + (isAdded ? 1 : 0);
  const fields = new URLSearchParams(
    filled.flatMap((row, n) => PARTS.map((part): [string, string] => [at(n, part), row[part]])),
  );
  const shown = { ...sent, fields };
  const ofAll = sent.refusal?.faults.find(({ pointer }) => pointer === "/fields")?.message;
  const add = html`<button class="button small other" type="submit" name="${EDIT}" value="${ADD}">Add a field</button>`;
  return html`<fieldset class="own-fields"><legend>Own fields <span class="optional">${OPTIONAL}</span></legend>
<p class="hint">Up to ${MOST_FIELDS} questions to the buyer in the Checkout. Clear the question, key and options of a
field to remove the field.</p>
${[...Array(count).keys()].map((n) => fieldRow(shown, n))}
${faultText("fields", ofAll)}
${count < MOST_FIELDS ? add : ""}
</fieldset>`;
}

/** The questions of a row, for its page. */
export const fieldList = (fields: readonly CheckoutField[]): Html =>
  html`<ul>${fields.map(
    ({ key, label, type, required }) => html`<li><bdi>${labelIn(label, null)}</bdi> <code>${key}</code>
(${TYPE_NAMES[type].toLowerCase()}${required ? ", required" : ""})</li>`,
  )}</ul>`;

/** The inputs that show their own faults. */
export const fieldNames = (form: Form): string[] =>
  filledRows(form).flatMap((_, n) => PARTS.map((part) => at(n, part)));
