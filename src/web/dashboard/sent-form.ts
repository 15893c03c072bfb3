import { html } from "hono/html";
import type * as z from "zod";
import { formOrigin } from "../../actions/team/form-origin.ts";
import type { Origin } from "../../actions/origin.ts";
import { changedBy } from "../../domain/team/audit.ts";
import { AppError, ERRORS, sentenceAbout, type ErrorCode, type Fault } from "../../errors.ts";
import { parse } from "../../resources/faults.ts";
import { findUnstorable } from "../../resources/unstorable-text.ts";
import type { Html } from "../layout.ts";
import { TOKEN, tokenField } from "./token-field.ts";
import type { Visit } from "./request.ts";

/** The name of the hidden field with the key of one sending. */
export const ONCE = "once";
/**
 * The name of the buttons that show the fields again with the typed values, as in the Checkout. The value
 * says the reason.
 */
export const EDIT = "action";
/** The name of the hidden field of a page that shows the effect of a form with fields. */
export const CONFIRMED = "confirmed";

/**
 * A form as a page shows it. `fields`: the texts to show again; for a GET, the subject of the address. `once`: the key
 * of the next sending. `refusal`: the reason why the last sending changed no data; null: there is no refusal. `isSent`:
 * the fields come from the form, in which a box that is not checked sends no field.
 */
export type Sent = {
  visit: Visit;
  fields: URLSearchParams;
  once: string;
  refusal: { text: string | null; faults: readonly Fault[] } | null;
  isSent: boolean;
};

/** The name of the field that a fault is about: `/prices/0/amount` is `prices.0.amount`. */
const fieldOf = (pointer: string) => pointer.replace(/^\//, "").replaceAll("/", ".");

/** The hidden fields of every form that does a deed. */
export const hiddenFields = ({ visit, once }: Pick<Sent, "once"> & { visit: Pick<Visit, "token"> }): Html =>
  html`${tokenField(visit.token)}<input type="hidden" name="${ONCE}" value="${once}">`;

/** A sent text without the spaces around it; empty: the field is empty or missing. */
export const typed = ({ fields }: Pick<Sent, "fields">, name: string): string => (fields.get(name) ?? "").trim();

/** As `typed`, for a field that may be left empty. */
export const typedOrNull = (sent: Pick<Sent, "fields">, name: string): string | null => typed(sent, name) || null;

const isAt = (pointer: string, name: string) => `${fieldOf(pointer)}.`.startsWith(`${name}.`);

/** The first fault of a field, or of a part of the field, to stand below its input. */
export function faultAt({ refusal }: Pick<Sent, "refusal">, name: string): string | undefined {
  return refusal?.faults.find(({ pointer }) => isAt(pointer, name))?.message;
}

/** The names of the fields and of their parts that have a fault. */
export const faultyAt = ({ refusal }: Pick<Sent, "refusal">, names: readonly string[]): string[] =>
  (refusal?.faults ?? [])
    .filter(({ pointer }) => names.some((name) => isAt(pointer, name)))
    .map((each) => fieldOf(each.pointer));

/**
 * The notice on top of a form that was refused, with the faults that belong to none of the named fields. `names`: the
 * fields that show their own faults.
 */
export function refusalNotice({ refusal }: Pick<Sent, "refusal">, names: readonly string[] = []): Html | "" {
  if (refusal === null) return "";
  const others = refusal.faults.filter(({ pointer }) => !names.includes(fieldOf(pointer)));
  const sentences = [
    ...(refusal.text === null ? [] : [refusal.text]),
    ...others.map(({ pointer, message }) => sentenceAbout(pointer === "" ? "The form" : fieldOf(pointer), message)),
  ];
  const shown = sentences.length > 0 ? sentences : ["No change was made. Check the marked fields."];
  const paragraphs = shown.map((text) => html`<p>${text}</p>`);
  return html`<div class="notice" role="alert" tabindex="-1" autofocus>${paragraphs}</div>`;
}

/** A hidden field for each value. */
export const hiddenValues = (values: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;

/**
 * The values of a form as the schema of the API parses them.
 * @throws AppError `validation_failed`, with pointers that name the fields
 */
export function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const unstorable = findUnstorable(body, "body");
  if (unstorable.length > 0) throw new AppError("validation_failed", { errors: unstorable });
  const { value, faults } = parse(schema, body, "body");
  if (faults !== null) throw new AppError("validation_failed", { errors: faults });
  return value as z.output<Schema>;
}

/** The refusal of one field. `name` as in the form. */
export function refusedField(name: string, code: string, message: string): AppError {
  const pointer = `/${name.replaceAll(".", "/")}`;
  return new AppError("validation_failed", { errors: [{ in: "body", pointer, code, message }] });
}

/** The refusal that an error means to the person. `words`: own words for some errors of the action. */
export function refusalOf(
  error: AppError,
  words: Partial<Record<ErrorCode, string>> = {},
): NonNullable<Sent["refusal"]> {
  const { errors = [], detail } = error.parts;
  const own = words[error.code];
  if (own !== undefined) return { text: own, faults: errors };
  if (errors.length > 0) return { text: null, faults: errors };
  return { text: detail ?? `${ERRORS[error.code][1]}.`, faults: [] };
}

/** `operation`: of the API, or the same kind of name for a change without one. `body`: the changed fields, for the audit log. */
type Deed = { operation: string; resourceId?: string | null; customerId?: string | null; body?: unknown };

/** The origin of the change that a form makes: once for each form, with an entry in the audit log. */
export function originOf<Row>(
  { visit, fields }: Sent,
  { operation, resourceId = null, customerId = null, body }: Deed,
): Origin<Row> {
  const { organization, by } = visit;
  const sent = new URLSearchParams(fields);
  sent.delete(ONCE);
  sent.delete(TOKEN);
  const form = { path: `${operation} ${resourceId ?? ""}`, once: fields.get(ONCE) ?? "", fields: String(sent) };
  return formOrigin(organization.id, form, { ...by, operation, resourceId, customerId, ...changedBy(body) });
}

type Versioned = { version: number };

/** The hidden field with the version of the row that the page shows. */
export const versionField = ({ version }: Versioned): Html => hiddenValues({ version: String(version) });

/** Refuses a form if its page showed another version of the row. @throws AppError `precondition_failed` */
export function requireSeen({ version }: Versioned, sent: Sent): void {
  if (typed(sent, "version") !== String(version)) throw new AppError("precondition_failed");
}
