import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/*
 * Stripe's own description of its API, as far as the endpoints of the local server (`scripts/stripe-description.ts`).
 * Each request that the local server carries out, and each object that it shows, is held against the description.
 */

export const FOLDER = join(import.meta.dirname, "description");

/** JSON Schema, or the dialect of OpenAPI 3.0 with `nullable`. */
export type Schema = {
  $ref?: string;
  type?: string;
  enum?: readonly unknown[];
  nullable?: boolean;
  required?: readonly string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: readonly Schema[];
  "x-resourceId"?: string;
};
/** `endpoints`: by a name such as `POST /v1/customers/:id`. */
export type Description = {
  version: string;
  endpoints: Record<string, { parameters: Schema; answer: Schema }>;
  $defs: Record<string, Schema>;
};

type Part = "parameters" | "answer";

export const readDescription = (): Description =>
  JSON.parse(readFileSync(join(FOLDER, "description.json"), "utf8")) as Description;

let loaded: ReturnType<typeof load> | undefined;

function load() {
  const { endpoints, $defs } = readDescription();
  const isKnown = ([kind, name]: readonly string[]) => Object.hasOwn(kind === "$defs" ? $defs : endpoints, name!);
  const compilerOf = (isForm: boolean) => {
    const ajv = new Ajv2020({ allowUnionTypes: true, coerceTypes: isForm, strict: false, validateSchema: false });
    ajv.addSchema({ $id: "stripe:", $defs, endpoints });
    return ajv;
  };
  // A form has strings alone, so its numbers and truth values are read first.
  const compilers = { parameters: compilerOf(true), answer: compilerOf(false) };
  const validators = new Map<string, ValidateFunction>();
  return (part: Part, at: readonly string[]): ValidateFunction =>
    validators.getOrInsertComputed([part, ...at].join(" "), () => {
      if (!isKnown(at)) throw new Error(`Run scripts/stripe-description.ts: the description lacks ${at[1]}`);
      const escaped = at.map((each) => encodeURIComponent(each.replaceAll("~", "~0").replaceAll("/", "~1")));
      return compilers[part].compile({ $ref: `stripe:#/${escaped.join("/")}` });
    });
}

/** Throws an error with the differences of a value from the schema at this place. */
function hold(part: Part, at: readonly string[], value: unknown, what: string): void {
  loaded ??= load();
  const validate = loaded(part, at);
  if (validate(structuredClone(value))) return;
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
  throw new Error(`${what} is not as Stripe describes it:\n${[...new Set(faults)].join("\n")}`);
}

/** Throws unless Stripe describes each parameter of a request. */
export const holdRequest = (endpoint: string, params: unknown): void =>
  hold("parameters", ["endpoints", endpoint, "parameters"], params, `The request ${endpoint}`);

/** Throws unless Stripe describes each field of an answer. */
export function holdAnswer(endpoint: string, status: number, body: unknown): void {
  const at = status === 200 ? ["endpoints", endpoint, "answer"] : ["$defs", "error"];
  hold("answer", at, body, `The answer ${status} to ${endpoint}`);
}

/** Throws unless Stripe describes each field of an object, such as one in an event. */
export const holdObject = (object: { object?: unknown }): void =>
  hold("answer", ["$defs", String(object.object)], object, `This ${String(object.object)}`);
