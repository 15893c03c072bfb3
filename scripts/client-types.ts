import { errorsOf } from "../src/http/openapi.ts";
import { resolveResponse, type OpenApiDocument } from "../src/http/openapi-document.ts";
import { PUBLIC_ENDPOINTS } from "../src/http/surfaces.ts";
import { EVENT_TYPES } from "../src/domain/event.ts";
import { Schemas, type JsonSchema } from "../src/http/json-schema.ts";
import { dataSchemaOf } from "../src/resources/event.ts";

const HEADER = "// Generated from the OpenAPI document of the public API, and from what events show: npm run gen.\n";
const REFERENCE = "#/components/schemas/";

/** The types of problems, including the members that only some codes have. */
const PROBLEM = `/** One thing wrong with a request; \`pointer\` is a JSON Pointer in a body, a name elsewhere. */
export interface FieldError {
  in: "body" | "query" | "path" | "header";
  pointer: string;
  code: string;
  message: string;
}

/** An error's body: RFC 9457 and what Billow adds. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  requestId: string;
  errors?: FieldError[];
  /** The Customer in the way (\`customer_exists\`). */
  customerId?: string | null;
  /** The Subscription in the way (\`already_subscribed\`). */
  subscriptionId?: string | null;
  /** With 402: why the card was declined, and the hosted page where the buyer can pay. */
  declineCode?: string | null;
  checkoutId?: string | null;
  url?: string | null;
}
`;

function union(schemas: JsonSchema[], indent: string): string {
  return [...new Set(schemas.map((schema) => typeOf(schema, indent)))].join(" | ");
}

function typeOf(schema: JsonSchema, indent: string): string {
  if (schema.$ref) return schema.$ref.slice(REFERENCE.length);
  if (schema.anyOf ?? schema.oneOf) return union((schema.anyOf ?? schema.oneOf)!, indent);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, indent)).join(" | ");
  if (schema.type === "array") return array(typeOf(schema.items ?? {}, indent));
  if (schema.type === "object") return object(schema, indent);
  if (schema.type === "integer") return "number";
  return schema.type ?? "unknown";
}

const array = (item: string) => (/^\w+$/.test(item) ? `${item}[]` : `(${item})[]`);

function object(schema: JsonSchema, indent: string): string {
  if (!schema.properties) {
    const value =
      typeof schema.additionalProperties === "object" ? typeOf(schema.additionalProperties, indent) : "unknown";
    return `Record<string, ${value}>`;
  }
  const inner = `${indent}  `;
  const members = Object.entries(schema.properties).map(([name, property]) => {
    const comment = property.description ? `${inner}/** ${property.description} */\n` : "";
    const optional = schema.required?.includes(name) ? "" : "?";
    return `${comment}${inner}${name}${optional}: ${typeOf(property, inner)};`;
  });
  return `{\n${members.join("\n")}\n${indent}}`;
}

const capitalized = (name: string) => name[0]!.toUpperCase() + name.slice(1);

/** The query and the page of each list. They are not components of the document, but they are types of the client. */
function listTypes(document: OpenApiDocument): string[] {
  const lists = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => operation.operationId.startsWith("list"));
  return lists.flatMap(({ operationId, parameters, responses }) => {
    const query = parameters.filter((parameter) => parameter.in === "query");
    const properties = Object.fromEntries(
      query.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
    );
    const page = resolveResponse(document, responses["200"]!).content!["application/json"]!.schema;
    const name = capitalized(operationId);
    return [
      `export interface ${name}Params ${typeOf({ type: "object", properties }, "")}\n`,
      `export interface ${name}Page ${typeOf(page, "")}\n`,
    ];
  });
}

/** The resource in the events of each type, and the schemas of these resources. */
function eventData(): { type: string; schemas: Record<string, JsonSchema> } {
  const schemas = new Schemas();
  const properties = Object.fromEntries(
    EVENT_TYPES.map((type) => [JSON.stringify(type), schemas.add(dataSchemaOf(type), "output")]),
  );
  const type = typeOf({ type: "object", properties, required: Object.keys(properties) }, "");
  return {
    type: `/** What the events of each type show in \`data\`. */\nexport interface WebhookEventData ${type}\n`,
    schemas: schemas.components,
  };
}

/** `client/src/types.ts`: the schemas of the public API and of events as types, and the API's error codes. */
export function clientTypes(document: OpenApiDocument): string {
  const events = eventData();
  const schemas = Object.entries({ ...document.components.schemas, ...events.schemas }).filter(
    ([name]) => name !== "Problem",
  );
  const types = schemas.map(([name, schema]) => {
    const comment = schema.description ? `/** ${schema.description} */\n` : "";
    const type = typeOf(schema, "");
    return type.startsWith("{")
      ? `${comment}export interface ${name} ${type}\n`
      : `${comment}export type ${name} = ${type};\n`;
  });
  const codes = [...new Set(PUBLIC_ENDPOINTS.flatMap((endpoint) => errorsOf(endpoint, "public")))]
    .sort()
    .map((code) => `\n  | "${code}"`);
  return [
    HEADER,
    ...types,
    events.type,
    ...listTypes(document),
    `export type ErrorCode =${codes.join("")};\n`,
    PROBLEM,
  ].join("\n");
}
