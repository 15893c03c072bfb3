import { html } from "hono/html";
import type * as z from "zod";
import { formOrigin } from "../../actions/team/form-origin.ts";
import type { Origin } from "../../actions/origin.ts";
import { changedBy } from "../../domain/team/audit.ts";
import { AppError, ERRORS, sentenceAbout, type ErrorCode, type Fault } from "../../errors.ts";
import { parse } from "../../resources/faults.ts";
import { findUnstorable } from "../../resources/unstorable.ts";
import type { Html } from "../layout.ts";
import { TOKEN, tokenField } from "./token-field.ts";
import type { Visit } from "./visit.ts";

/** The name of the hidden field with the key of one sending. */
export const ONCE = "once";
/** The name of the button that shows a page again with the typed values, and makes no change. */
export const LOOK = "look";

/**
 * A form as a page shows it. `fields`: the texts to show again; for a GET, the subject of the address. `once`: the key
 * of the next sending. `refusal`: the reason why the last sending changed no data; null: the form was not sent yet.
 */
export type Sent = {
  visit: Visit;
  fields: URLSearchParams;
  once: string;
  refusal: { text: string | null; faults: readonly Fault[] } | null;
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

/** The fault of one field, to stand below its input. */
export function faultAt({ refusal }: Pick<Sent, "refusal">, name: string): string | undefined {
  return refusal?.faults.find(({ pointer }) => fieldOf(pointer) === name)?.message;
}

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
