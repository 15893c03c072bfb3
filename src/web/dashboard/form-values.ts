import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { AppError, type Fault } from "../../errors.ts";
import { parsed, typed, type Sent } from "./sent-form.ts";

/** A typed number; null: the field is empty. Another text stays, and the schema refuses it. */
export function typedNumber(sent: Pick<Sent, "fields">, name: string): number | string | null {
  const text = typed(sent, name);
  if (text === "") return null;
  return /^-?\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
}

export const fault = (name: string, message: string): Fault => ({
  in: "body",
  pointer: `/${name.replaceAll(".", "/")}`,
  code: "invalid",
  message,
});

/** A fault in an entry of the metadata stands at the field of all entries, and names its entry. */
export function mendMetadata(each: Fault): Fault {
  const [, name] = /^\/metadata\/(.+)$/s.exec(each.pointer) ?? [];
  if (name === undefined) return each;
  return fault("metadata", `“${name.replaceAll("~1", "/").replaceAll("~0", "~")}”: ${each.message}`);
}

type More = {
  /** The faults that the schema can't see. At their places, the schema's faults are left out. */
  faults?: readonly Fault[];
  /** The fault in the words of the form, if the form shows the value otherwise than the API. */
  mend?(fault: Fault): Fault;
};

function faultsIn(error: unknown): readonly Fault[] {
  if (error instanceof AppError && error.parts.errors !== undefined) return error.parts.errors;
  throw error;
}

/**
 * As `parsed`, with further faults.
 * @throws AppError `validation_failed`
 */
export function parsedForm<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  { faults = [], mend = (each) => each }: More = {},
): z.output<Schema> {
  const known = new Set(faults.map(({ pointer }) => pointer));
  const refuse = (others: readonly Fault[]): never => {
    const found = others.filter(({ pointer }) => !known.has(pointer)).map(mend);
    throw new AppError("validation_failed", { errors: [...faults, ...found] });
  };
  let value: z.output<Schema>;
  try {
    value = parsed(schema, body);
  } catch (error) {
    return refuse(faultsIn(error));
  }
  return faults.length > 0 ? refuse([]) : value;
}

/** A value with the line breaks of a sent text. The API stores CR LF as a caller sends them. */
function asSent(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\r\n?/g, "\n");
  if (Array.isArray(value)) return value.map(asSent);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asSent(each)]));
}

/** The body of a PATCH: the typed fields that differ from the current ones. Another kind of line break is no change. */
export function differing<Body extends object>(typedBody: Body, current: object): Partial<Body> {
  const differs = ([name, value]: [string, unknown]) =>
    !isDeepStrictEqual(asSent(value), asSent((current as Record<string, unknown>)[name]));
  return Object.fromEntries(Object.entries(typedBody).filter(differs)) as Partial<Body>;
}
