import type { JsonSchema } from "../src/http/json-schema.ts";
import type { OpenApiDocument, OpenApiOperation } from "../src/http/openapi-document.ts";
import { camelCase, nameOf } from "./client-manage.ts";
import { answerOf, operationsOf, queryOf, REFERENCE } from "./client-types.ts";
import { bodyOf, paramsNameOf } from "./python-schemas.ts";

const header = (api: string) => `# Generated from the OpenAPI document of ${api}: npm run gen.

from . import models
from .calls import Calls, Items, at
`;

const INDENT = "        ";
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const classCase = (tag: string) => camelCase(`-${tag}`);

/** The model of a schema. @throws Error for a schema without a name */
function modelOf(schema: JsonSchema): string {
  if (!schema.$ref?.startsWith(REFERENCE)) throw new Error(`no model: ${JSON.stringify(schema)}`);
  return `models.${schema.$ref.slice(REFERENCE.length)}`;
}

type Found = ReturnType<typeof operationsOf>[number];

/** The parameter for the query or the body, with its type. Only a required one has no default. */
function paramsOf(operation: OpenApiOperation, isManagement: boolean): string[] {
  const [query, body] = [queryOf(operation), bodyOf(operation)];
  const schema = query ?? body;
  if (!schema) return [];
  const type = schema.$ref ? modelOf(schema) : `models.${paramsNameOf(operation, isManagement)}`;
  const isRequired = query ? query.required!.length > 0 : operation.requestBody!.required;
  return [isRequired ? `params: ${type}` : `params: ${type} = {}`];
}

/** The function of `Calls` for an operation with its own arguments, and the type of its answer. */
function callOf(
  document: OpenApiDocument,
  { method, operation }: Found,
  address: string,
): [call: string, type: string] {
  const answers = answerOf(document, operation);
  const params = queryOf(operation) || bodyOf(operation) ? "params" : "None";
  if (operation.operationId.startsWith("list"))
    return [`items(${address}, params)`, `Items[${modelOf(answers[0]!.properties!["data"]!.items!)}]`];
  const answer = answers.map(modelOf).join(" | ") || "None";
  if (method === "put") return [`replace(${address}, ${params})`, answer];
  if (method === "delete") return [`remove(${address}, ${params})`, answer];
  if (method !== "get") return [`write("${method.toUpperCase()}", ${address}, ${params}, idempotency_key)`, answer];
  return answer === "None" ? [`file(${address})`, "bytes"] : [`read(${address}, ${params})`, answer];
}

function methodOf(document: OpenApiDocument, found: Found, isManagement: boolean): string {
  const { path, method, operation } = found;
  const ids = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
  const template = ids.reduce((text, id) => text.replace(`{${id}}`, "{}"), path);
  const address = ids.length === 0 ? `"${path}"` : `at("${template}", ${ids.map(snakeCase).join(", ")})`;
  const [call, type] = callOf(document, found, address);
  const key = method === "post" || method === "patch" ? ["*", "idempotency_key: str | None = None"] : [];
  const parts = ["self", ...ids.map((id) => `${snakeCase(id)}: str`), ...paramsOf(operation, isManagement), ...key];
  return `
    def ${snakeCase(nameOf(operation))}(${parts.join(", ")}) -> ${type}:
${INDENT}"""${operation.summary}."""
${INDENT}return self._calls.${call}
${byKey(found, type)}`;
}

/** Lists that can be filtered by a key of the caller's choice also read by this key. */
function byKey({ path, operation }: Found, items: string): string {
  if (!operation.parameters.some(({ name }) => name === "key")) return "";
  return `
    def get_by_key(self, key: str) -> ${items.slice("Items[".length, -1)}:
${INDENT}"""Read by \`key\`. An unknown key is an \`ApiError\` with the code \`not_found\`."""
${INDENT}return self._calls.by_key("${path}", key)
`;
}

/** Each operation of an API as a method of its resource, for the Python package. */
export function pythonCalls(document: OpenApiDocument, name: "PublicApi" | "ManagementApi"): string {
  const isManagement = name === "ManagementApi";
  const groups = [...Map.groupBy(operationsOf(document), ({ operation }) => operation.tags[0]!)];
  const classes = groups.map(([tag, operations]) => {
    const methods = operations.map((found) => methodOf(document, found, isManagement));
    return `

class ${classCase(tag)}:
    def __init__(self, calls: Calls) -> None:
${INDENT}self._calls = calls
${methods.join("")}`;
  });
  const parts = groups.map(([tag]) => `${INDENT}self.${tag.replaceAll("-", "_")} = ${classCase(tag)}(calls)\n`);
  const title = isManagement ? "the management API" : "the public API";
  return `${header(title)}${classes.join("")}

class ${name}:
    """Every operation of ${title}, by resource."""

    def __init__(self, calls: Calls) -> None:
${parts.join("")}`;
}
