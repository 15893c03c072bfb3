import { resolveResponse, type OpenApiDocument, type OpenApiOperation } from "../src/http/openapi-document.ts";
import type { JsonSchema } from "../src/http/json-schema.ts";

export const REFERENCE = "#/components/schemas/";

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
