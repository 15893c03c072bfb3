import { html } from "hono/html";
import type * as z from "zod";
import { formOrigin } from "../../actions/team/form-origin.ts";
import type { Origin } from "../../actions/origin.ts";
import { changedBy } from "../../domain/team/audit.ts";
import { Refusal, type RefusalCode } from "../../domain/refusal.ts";
import { AppError, type Fault } from "../../errors.ts";
import { parse } from "../../resources/faults.ts";
import { findUnstorable } from "../../resources/unstorable-text.ts";
import type { Html } from "../layout.ts";
import { wordsOf } from "./refusal.ts";
import { TOKEN, tokenField } from "./token-field.ts";
import type { DashboardRequest } from "./request.ts";

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
  request: DashboardRequest;
  fields: URLSearchParams;
  once: string;
  refusal: { text: string | null; faults: readonly Fault[] } | null;
  isSent: boolean;
};

/** The name of the field that a fault is about: `/prices/0/amount` is `prices.0.amount`. */
const fieldOf = (pointer: string) => pointer.replace(/^\//, "").replaceAll("/", ".");

/** The hidden fields of every form that does an operation. */
export const hiddenFields = ({
  request,
  once,
}: Pick<Sent, "once"> & { request: Pick<DashboardRequest, "token"> }): Html =>
  html`${tokenField(request.token)}<input type="hidden" name="${ONCE}" value="${once}">`;

/**
 * A sent text without the spaces around it; empty: the field is empty or missing. A browser sends a line break as CR LF
 * and counts one character for `maxlength` (HTML, "constructing the entry list"), so the text gets LF alone.
 */
export const typed = ({ fields }: Pick<Sent, "fields">, name: string): string =>
  (fields.get(name) ?? "").replaceAll("\r\n", "\n").trim();

/** As `typed`, for a field that may be left empty. */
export const typedOrNull = (sent: Pick<Sent, "fields">, name: string): string | null => typed(sent, name) || null;

const isAt = (pointer: string, name: string) => `${fieldOf(pointer)}.`.startsWith(`${name}.`);

/** The faults of a field and of its parts, each sentence once, to stand below its input. */
export function faultAt({ refusal }: Pick<Sent, "refusal">, name: string): string | undefined {
  const faults = refusal?.faults.filter(({ pointer }) => isAt(pointer, name)) ?? [];
  return faults.length === 0 ? undefined : [...new Set(faults.map(({ message }) => message))].join(" ");
}

/**
 * The notice on top of a form that was refused, with the faults that belong to none of the named fields. `names`: the
 * fields that show their own faults.
 */
export function refusalNotice({ refusal }: Pick<Sent, "refusal">, names: readonly string[] = []): Html | "" {
  if (refusal === null) return "";
  const others = refusal.faults.filter(({ pointer }) => !names.some((name) => isAt(pointer, name)));
  const sentences = [
    ...(refusal.text === null ? [] : [refusal.text]),
    ...others.map(({ pointer, message }) => (pointer === "" ? message : `${fieldOf(pointer)}: ${message}`)),
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

/** The error if a person can do something about it, and the form is shown again. @throws every other error */
export function refusedOnly(error: unknown): Refusal | AppError {
  const isRefused = error instanceof Refusal || (error instanceof AppError && error.status < 500);
  if (isRefused) return error;
  throw error;
}

/** Own words of a form for reasons that its page has more to say about. */
export type OwnWords = Partial<Record<RefusalCode, string>>;

/** The refusal that an error means to the person. */
export function refusalOf(error: Refusal | AppError, words: OwnWords = {}): NonNullable<Sent["refusal"]> {
  if (error instanceof AppError) {
    const { errors = [], detail } = error.parts;
    return errors.length > 0 ? { text: null, faults: errors } : { text: detail ?? error.message, faults: [] };
  }
  const { text, faults } = wordsOf(error);
  return { text: words[error.code] ?? text, faults };
}

/** A refusal on a page without the fields of the form. */
export const inOneText = ({ text, faults }: NonNullable<Sent["refusal"]>): string =>
  text ?? faults.map(({ message }) => message).join(" ");

/**
 * `operation`: of the API, or the same kind of name for a change without one. `body`: the changed fields, for the audit
 * log.
 */
type FormOperation = { operation: string; resourceId?: string | null; customerId?: string | null; body?: unknown };

/** The origin of the change that a form makes: once for each form, with an entry in the audit log. */
export function originOf<Row>(
  { request, fields }: Sent,
  { operation, resourceId = null, customerId = null, body }: FormOperation,
): Origin<Row> {
  const { organization, by } = request;
  const sent = new URLSearchParams(fields);
  sent.delete(ONCE);
  sent.delete(TOKEN);
  const form = { path: `${operation} ${resourceId ?? ""}`, once: fields.get(ONCE) ?? "", fields: String(sent) };
  return formOrigin(organization.id, form, { ...by, operation, resourceId, customerId, ...changedBy(body) });
}

type Versioned = { version: number };

/** The hidden field with the version of the row that the page shows. */
export const versionField = ({ version }: Versioned): Html => hiddenValues({ version: String(version) });

/** Refuses a form if its page showed another version of the row. @throws Refusal `precondition_failed` */
export function requireSeen({ version }: Versioned, sent: Sent): void {
  if (typed(sent, "version") !== String(version)) throw new Refusal("precondition_failed");
}
