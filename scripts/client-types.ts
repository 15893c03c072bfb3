import { errorsOf } from "../src/http/openapi.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { resolveResponse, type OpenApiDocument, type OpenApiOperation } from "../src/http/openapi-document.ts";
import { MANAGEMENT_ENDPOINTS, PUBLIC_ENDPOINTS } from "../src/http/surfaces.ts";
import { EVENT_TYPES } from "../src/domain/event.ts";
import { Schemas, type JsonSchema } from "../src/http/json-schema.ts";
import { dataSchemaOf } from "../src/resources/event.ts";

const HEADER = "// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.\n";
const IMPORTS = 'import type { ProductKey } from "./catalogue.ts";\n';
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
  /** The most that can be given back, in minor units (\`credited\`, \`credit_spent\` and the like). */
  available?: number;
  /** The Customer's credit, in minor units (\`balance_left\`). */
  balances?: { currency: string; amount: number }[];
}
`;

function union(schemas: JsonSchema[], indent: string): string {
  return [...new Set(schemas.map((schema) => typeOf(schema, indent)))].join(" | ");
}

/** The TypeScript of a schema. Objects begin at `indent`. */
export function typeOf(schema: JsonSchema, indent: string): string {
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
    const type = typeOf(property, inner);
    return `${comment}${inner}${name}${optional}: ${name === "productKey" ? keyOfProduct(type) : type};`;
  });
  return `{\n${members.join("\n")}\n${indent}}`;
}

/** The keys of one's own Products, if they are declared. */
const keyOfProduct = (type: string) => type.replace("string", "ProductKey");

const capitalized = (name: string) => name[0]!.toUpperCase() + name.slice(1);

export const operationsOf = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The query of an operation as an object. */
export function queryOf({ parameters }: Pick<OpenApiOperation, "parameters">): JsonSchema | null {
  const query = parameters.filter((parameter) => parameter.in === "query");
  const properties = query.map(({ name, schema, description }) => {
    const isBoolean = schema.enum?.join() === "true,false";
    return [name, { ...(isBoolean ? { type: "boolean" } : schema), ...(description && { description }) }] as const;
  });
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
  return query.length === 0 ? null : { type: "object", properties: Object.fromEntries(properties), required };
}

/** The success of an operation that answers with a JSON body. */
export function answerOf(document: OpenApiDocument, { responses }: OpenApiOperation): JsonSchema[] {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return successes.flatMap(([, response]) => {
    const json = resolveResponse(document, response).content?.["application/json"];
    return json ? [json.schema] : [];
  });
}

/** The name of the type of a list's query. Both APIs list grants, with other filters. */
export function paramsOfList(operationId: string, isManagement: boolean): string {
  const name = `${capitalized(operationId)}Params`;
  return isManagement && operationId === "listBenefitGrants" ? name.replace("List", "ListManaged") : name;
}

/** The query of each list is no component of the document, but is a type of the client. */
function listTypes(document: OpenApiDocument, isManagement: boolean): string[] {
  const lists = operationsOf(document).filter(({ operation }) => operation.operationId.startsWith("list"));
  return lists.map(({ operation }) => {
    const params = paramsOfList(operation.operationId, isManagement);
    return `export interface ${params} ${typeOf(queryOf(operation)!, "")}\n`;
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
    type: `/** The content of each event type in \`data\`. */\nexport interface WebhookEventData ${type}\n`,
    schemas: schemas.components,
  };
}

/** The schemas of several sources by name. @throws Error if one name has two meanings */
function merged(...sources: Record<string, JsonSchema>[]): Record<string, JsonSchema> {
  const all: Record<string, JsonSchema> = {};
  for (const [name, schema] of sources.flatMap((source) => Object.entries(source))) {
    if (all[name] && typeOf(all[name], "") !== typeOf(schema, "")) throw new Error(`${name} has two meanings`);
    all[name] ??= schema;
  }
  return all;
}

/** `client/src/types.ts`: the schemas of both APIs and of events as types, and the error codes of both APIs. */
export function clientTypes(publicApi: OpenApiDocument, management: OpenApiDocument): string {
  const events = eventData();
  const { Problem: _own, ...schemas } = merged(
    publicApi.components.schemas,
    events.schemas,
    management.components.schemas,
  );
  const types = Object.entries(schemas).map(([name, schema]) => {
    const comment = schema.description ? `/** ${schema.description} */\n` : "";
    const type = typeOf(schema, "");
    return type.startsWith("{") && type.indexOf("\n}") === type.length - 2
      ? `${comment}export interface ${name} ${type}\n`
      : `${comment}export type ${name} = ${type};\n`;
  });
  const codesOf = (endpoints: readonly Endpoint[], surface: "public" | "manage") =>
    endpoints.flatMap((endpoint) => errorsOf(endpoint, surface));
  const codes = [...new Set([...codesOf(PUBLIC_ENDPOINTS, "public"), ...codesOf(MANAGEMENT_ENDPOINTS, "manage")])];
  return [
    HEADER,
    IMPORTS,
    ...types,
    events.type,
    ...listTypes(publicApi, false),
    ...listTypes(management, true),
    `export type ErrorCode =${codes
      .sort()
      .map((code) => `\n  | "${code}"`)
      .join("")};\n`,
    PROBLEM,
  ].join("\n");
}
