import type { OpenApiDocument, OpenApiOperation } from "../src/http/openapi-document.ts";
import { importsFor } from "./client-files.ts";
import { answerOf, operationsOf, paramsOfList, queryOf, typeOf } from "./client-types.ts";

const HEADER = `// Generated from the OpenAPI document of the management API: npm run gen.

import { at } from "./calls.ts";
import type { Calls, List, ReadOptions } from "./calls.ts";
import type { ProductKey } from "./catalogue.ts";
import type { CallOptions } from "./transport.ts";
`;

const CLASS = `
/** The management API, by resource. */
export class Manage {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }
`;

/** Methods whose name by the rule would be longer than needed, or would not read well. */
const NAMES: Record<string, string> = {
  previewSubscriptionChange: "preview",
  redeliverToWebhookEndpoint: "redeliver",
  rotateWebhookSecret: "rotateSecret",
};

const INDENT = "    ";
const uncapitalized = (name: string) => name[0]!.toLowerCase() + name.slice(1);
export const camelCase = (words: string) => words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The operationId without the noun of its group: `listCustomerPaymentMethods` of `customers` is `listPaymentMethods`. */
export function nameOf({ operationId, tags }: OpenApiOperation): string {
  const plural = camelCase(`-${tags[0]!}`);
  const singular = plural.replace(/ies$/, "y").replace(/s$/, "");
  return NAMES[operationId] ?? uncapitalized(operationId.replace(new RegExp(`${plural}|${singular}`), ""));
}

type Found = ReturnType<typeof operationsOf>[number];

/** The parameter for the query or the body of an operation. */
function paramsOf({ operationId, requestBody, ...operation }: OpenApiOperation): string[] {
  const query = queryOf(operation);
  if (query && operationId.startsWith("list")) return [`params: ${paramsOfList(operationId, true)} = {}`];
  if (query) return [`params: ${typeOf(query, INDENT)}${query.required!.length > 0 ? "" : " = {}"}`];
  const body = requestBody?.content["application/json"]?.schema;
  return body ? [`params: ${typeOf(body, INDENT)}${requestBody!.required ? "" : " = {}"}`] : [];
}

/** The function of `Calls` for an operation with its own arguments, and the type of its answer. */
function callOf(
  document: OpenApiDocument,
  { method, operation }: Found,
  address: string,
): [call: string, type: string] {
  const answers = answerOf(document, operation);
  if (operation.operationId.startsWith("list")) {
    const item = typeOf(answers[0]!.properties!["data"]!.items!, INDENT);
    return [`list(${address}, params, options)`, `List<${item}>`];
  }
  const answer = answers.map((schema) => typeOf(schema, INDENT)).join(" | ") || "void";
  const hasParams = paramsOf(operation).length > 0;
  if (method === "put") return [`replace(${address}, params, options)`, `Promise<${answer}>`];
  if (method === "delete") return [`remove(${address}, ${hasParams ? "params" : "{}"}, options)`, `Promise<${answer}>`];
  if (method === "get")
    return answer === "void"
      ? [`file(${address}, options)`, "Promise<Uint8Array>"]
      : [hasParams ? `find(${address}, params, options)` : `read(${address}, options)`, `Promise<${answer}>`];
  const params = hasParams ? "params" : "null";
  return [`write("${method.toUpperCase()}", ${address}, ${params}, options)`, `Promise<${answer}>`];
}

function methodOf(document: OpenApiDocument, found: Found): string {
  const { path, method, operation } = found;
  const ids = operation.parameters.filter((parameter) => parameter.in === "path");
  const address = ids.length === 0 ? `"${path}"` : `at\`${path.replaceAll("{", "${")}\``;
  const options = `options?: ${method === "post" || method === "patch" ? "CallOptions" : "ReadOptions"}`;
  const parts = [...ids.map(({ name }) => `${name}: string`), ...paramsOf(operation), options];
  const [call, type] = callOf(document, found, address);
  return `${INDENT}/** ${operation.summary}. */
${INDENT}${nameOf(operation)}: (${parts.join(", ")}): ${type} => this.#calls.${call},${byKey(found, type)}`;
}

/** Lists that can be filtered by a key of the caller's choice also read by this key. */
function byKey({ path, operation }: Found, list: string): string {
  if (!operation.parameters.some(({ name }) => name === "key")) return "";
  const type = path === "/products" ? "ProductKey" : "string";
  return `
${INDENT}/** Reads by \`key\`. An unknown key is an \`ApiError\` with the code \`not_found\`. */
${INDENT}getByKey: (key: ${type}, options?: ReadOptions): ${list.replace("List", "Promise")} =>
${INDENT}  this.#calls.byKey("${path}", key, options),`;
}

/**
 * `client/src/manage.ts`: each operation of the management API as a method. `homes`: the files of the types.
 * @throws Error if two operations have one name
 */
export function clientManage(document: OpenApiDocument, homes: ReadonlyMap<string, string>): string {
  const groups = Map.groupBy(operationsOf(document), ({ operation }) => operation.tags[0]!);
  const namespaces = [...groups].map(([tag, operations]) => {
    const names = operations.map(({ operation }) => nameOf(operation));
    if (new Set(names).size < names.length) throw new Error(`${tag} has two methods of one name: ${names.join()}`);
    const methods = operations.map((operation) => methodOf(document, operation));
    return `\n  readonly ${camelCase(tag)} = {\n${methods.join("\n")}\n  };\n`;
  });
  const body = `${CLASS}${namespaces.join("")}}\n`;
  return `${HEADER}${importsFor(body, homes, "./types")}${body}`;
}
