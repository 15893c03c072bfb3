import { hash } from "node:crypto";
import type { JsonSchema } from "../src/http/json-schema.ts";
import type { OpenApiDocument, OpenApiOperation } from "../src/http/openapi-document.ts";
import { errorCodes, eventData, merged } from "./client-files.ts";
import { operationsOf, paramsOfList, queryOf, REFERENCE } from "./client-types.ts";

type Schemas = Record<string, JsonSchema>;

const capitalized = (name: string) => name[0]!.toUpperCase() + name.slice(1);

/** The name of the type of an operation's query or written-out body. */
export function paramsNameOf({ operationId }: OpenApiOperation, isManagement: boolean): string {
  return operationId.startsWith("list") ? paramsOfList(operationId, isManagement) : `${capitalized(operationId)}Params`;
}

export const bodyOf = ({ requestBody }: OpenApiOperation): JsonSchema | undefined =>
  requestBody?.content["application/json"]?.schema;

/** Queries, and bodies without a name of their own. */
function ownParams(document: OpenApiDocument, isManagement: boolean): Schemas {
  const found = operationsOf(document).flatMap(({ operation }) => {
    const schema = queryOf(operation) ?? bodyOf(operation);
    return schema && !schema.$ref ? [[paramsNameOf(operation, isManagement), schema] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The whole event of each type. A type checker knows `data` once the program has compared `type`. */
function events(data: Schemas): Schemas {
  const text = { type: "string" };
  const each = Object.entries(data).map(([type, resource]) => {
    const name = `${type.split(/[._]/).map(capitalized).join("")}Event`;
    const properties = {
      id: { ...text, description: "The same in every delivery of the event." },
      type: { ...text, const: type },
      createdAt: { ...text, description: "The time of the event: RFC 3339 in UTC with milliseconds." },
      sequence: { type: "integer", description: "Counts the events of its resource: 1, 2, 3, …" },
      data: resource,
    };
    return [name, { type: "object", properties, required: Object.keys(properties) }] as const;
  });
  const anyOf = each.map(([name]) => ({ $ref: REFERENCE + name }));
  return { ...Object.fromEntries(each), WebhookEvent: { anyOf } };
}

const SHAPE = ["type", "$ref", "properties", "required", "items", "anyOf", "oneOf", "enum", "const", "description"];

/**
 * A schema without the limits of its values, which no Python type can state: a limit over several fields would become
 * a class for each combination.
 */
function shapeOf(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties, ...rest } = schema;
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => SHAPE.includes(name)));
  const each = (schemas: JsonSchema[]) => schemas.map(shapeOf);
  return {
    ...own,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, shapeOf(value)])),
    }),
    ...(items && { items: shapeOf(items) }),
    ...(anyOf && !properties && { anyOf: each(anyOf) }),
    ...(oneOf && !properties && { oneOf: each(oneOf) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: shapeOf(additionalProperties) }),
  };
}

/** The input of the generator of `clients/python/billow/models.py`: each schema of both APIs and of events, by name. */
export function pythonSchemas(publicApi: OpenApiDocument, management: OpenApiDocument): string {
  const { data, schemas } = eventData();
  const all = merged(
    publicApi.components.schemas,
    schemas,
    management.components.schemas,
    ownParams(publicApi, false),
    ownParams(management, true),
    events(data),
    { ErrorCode: { type: "string", enum: errorCodes() } },
  );
  // In reverse order, the generator meets `PaymentMethod` before it names the field `method` of a `Payment`.
  const names = Object.keys(all).sort().reverse();
  const shapes = Object.fromEntries(names.map((name) => [name, shapeOf(all[name]!)]));
  const info = { title: "Billow", version: "0" };
  return JSON.stringify({ openapi: "3.1.0", info, paths: {}, components: { schemas: shapes } }, null, 1);
}

/** The line of `models.py` that names the input from which the generator wrote the file. */
export const inputLine = (input: string) => `# Input: sha256 ${hash("sha256", input)}`;
