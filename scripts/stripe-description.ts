import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROUTES } from "../test/payments/stripe/api.ts";
import { API_VERSION } from "../test/payments/stripe/book.ts";
import { FOLDER, type Description, type Schema } from "../test/payments/stripe/description.ts";

/*
 * Writes the part of Stripe's own description that the tests' local Stripe server is held against. The description is
 * `openapi/spec3.json` of https://github.com/stripe/openapi, under the MIT licence. Stripe's server of examples,
 * github.com/stripe/stripe-mock, embeds a copy: v0.203.0 has the version 2026-08-26.dahlia.
 *
 * Usage: node scripts/stripe-description.ts SPEC.json LICENSE
 */

type Operation = {
  parameters?: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
};
type Spec = {
  info: { version: string };
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
};

/** The objects that the local server has. Others stay ids, or objects without described fields. */
const OBJECTS = new Set(
  (
    "account balance_transaction card charge checkout.session coupon customer customer_balance_transaction " +
    "deleted_customer deleted_webhook_endpoint discount dispute event invoice invoiceitem item line_item " +
    "payment_intent payment_method price product refund setup_intent source subscription subscription_item " +
    "subscription_schedule tax_id tax_rate webhook_endpoint"
  ).split(" "),
);

const [specFile, licence] = process.argv.slice(2);
if (specFile === undefined || licence === undefined)
  throw new Error("Usage: node scripts/stripe-description.ts SPEC.json LICENSE");
const spec = JSON.parse(readFileSync(specFile, "utf8")) as Spec;
if (spec.info.version !== API_VERSION)
  throw new Error(`This describes the version ${spec.info.version}, and the server speaks ${API_VERSION}.`);

const { schemas } = spec.components;
/** Payment methods that the local server lacks. */
const lacking = new Set(
  (schemas["payment_method"]!.properties!["type"]!.enum as string[]).filter((type) => !/^(card|link)$/.test(type)),
);
const reached = new Map<string, Schema>();

/** A schema as JSON Schema, with the constraints that matter to a program: no texts, lengths or formats. */
function reduced(given: Schema): Schema {
  const { $ref, nullable } = given;
  if ($ref !== undefined) return refTo($ref.split("/").at(-1)!);
  const schema: Schema = {};
  if (given.type !== undefined) schema.type = given.type;
  if (given.enum !== undefined) schema.enum = given.enum;
  if (given.required !== undefined) schema.required = given.required;
  if (given.items !== undefined) schema.items = reduced(given.items);
  if (given.anyOf !== undefined) schema.anyOf = given.anyOf.map(reduced);
  if (given.properties !== undefined) {
    const kept = Object.entries(given.properties).filter(([name]) => !lacking.has(name));
    schema.properties = Object.fromEntries(kept.map(([name, each]) => [name, reduced(each)]));
  }
  const { additionalProperties: more } = given;
  if (typeof more === "object") schema.additionalProperties = reduced(more);
  // A field that the description does not name is an invention of the local server.
  else if (given.properties !== undefined) schema.additionalProperties = false;
  return nullable === true ? { anyOf: [schema, { type: "null" }] } : schema;
}

function refTo(name: string): Schema {
  const schema = schemas[name]!;
  if (schema["x-resourceId"] !== undefined && !OBJECTS.has(name)) return { type: "object" };
  if (!reached.has(name)) {
    reached.set(name, {});
    reached.set(name, reduced(schema));
  }
  return { $ref: `#/$defs/${name}` };
}

const FORM = "application/x-www-form-urlencoded";

/** The parameters of a request in its query or its body, as one schema. */
function parametersOf({ parameters = [], requestBody }: Operation): Schema {
  const inQuery = parameters.filter((each) => each.in === "query");
  const body = requestBody?.content[FORM]?.schema;
  return reduced({
    type: "object",
    properties: { ...Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])), ...body?.properties },
    required: [...inQuery.filter(({ required }) => required).map(({ name }) => name), ...(body?.required ?? [])],
  });
}

/** The operation of an endpoint such as `POST /v1/customers/:id`. Named parts of a path differ in their names. */
function operationOf(endpoint: string): Operation {
  const [method, path] = endpoint.split(" ") as [string, string];
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, String.raw`\{\w+\}`)}$`);
  const found = Object.keys(spec.paths).find((each) => pattern.test(each) && spec.paths[each]![method.toLowerCase()]);
  if (found === undefined) throw new Error(`Stripe does not describe ${endpoint}`);
  return spec.paths[found]![method.toLowerCase()]!;
}

const answerOf = ({ responses }: Operation) => reduced(responses["200"]!.content["application/json"]!.schema);

const endpoints = Object.fromEntries(
  ROUTES.map(({ endpoint }) => {
    const operation = operationOf(endpoint);
    return [endpoint, { parameters: parametersOf(operation), answer: answerOf(operation) }];
  }),
);
for (const name of [...OBJECTS, "error"]) refTo(name);
const $defs = Object.fromEntries([...reached].sort(([a], [b]) => (a < b ? -1 : 1)));
const description: Description = { version: spec.info.version, endpoints, $defs };

/** One line for each schema, so that a change of one schema is a change of one line. */
const linesOf = (of: Record<string, unknown>) =>
  Object.entries(of)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(",\n");
writeFileSync(
  join(FOLDER, "description.json"),
  `{\n"version": ${JSON.stringify(description.version)},\n"endpoints": {\n${linesOf(endpoints)}\n},\n` +
    `"$defs": {\n${linesOf($defs)}\n}\n}\n`,
);
writeFileSync(join(FOLDER, "LICENSE"), readFileSync(licence));
