import { EVENT_TYPES } from "../src/domain/event.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { Schemas, type JsonSchema } from "../src/http/json-schema.ts";
import { errorsOf } from "../src/http/openapi.ts";
import type { OpenApiDocument, OpenApiOperation } from "../src/http/openapi-document.ts";
import { MANAGEMENT_ENDPOINTS, PUBLIC_ENDPOINTS } from "../src/http/surfaces.ts";
import { dataSchemaOf } from "../src/resources/event.ts";
import { answerOf, operationsOf, paramsOfList, queryOf, REFERENCE, typeOf } from "./client-types.ts";

const HEADER = "// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.\n";

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
  /** The price change in the way (\`price_change_unfinished\`). */
  priceChangeId?: string | null;
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

/** A type of the client. `home`: the file in `client/src/types`, named by the resource that first has the type. */
type Declaration = { name: string; home: string; text: string };

/** The query of each list is no component of the document, but is a type of the client. */
function listTypes(document: OpenApiDocument, isManagement: boolean): Declaration[] {
  const lists = operationsOf(document).filter(({ operation }) => operation.operationId.startsWith("list"));
  return lists.map(({ operation }) => {
    const name = paramsOfList(operation.operationId, isManagement);
    const text = `export interface ${name} ${typeOf(queryOf(operation)!, "")}\n`;
    return { name, home: operation.tags[0]!, text };
  });
}

/** The resource in the events of each type, and the schemas of these resources. */
export function eventData(): { data: Record<string, JsonSchema>; schemas: Record<string, JsonSchema> } {
  const schemas = new Schemas();
  const data = Object.fromEntries(EVENT_TYPES.map((type) => [type, schemas.add(dataSchemaOf(type), "output")]));
  return { data, schemas: schemas.components };
}

function eventDataType(data: Record<string, JsonSchema>): Declaration {
  const properties = Object.fromEntries(Object.entries(data).map(([type, schema]) => [JSON.stringify(type), schema]));
  const type = typeOf({ type: "object", properties, required: Object.keys(properties) }, "");
  const text = `/** The content of each event type in \`data\`. */\nexport interface WebhookEventData ${type}\n`;
  return { name: "WebhookEventData", home: "events", text };
}

/** The schemas of several sources by name. @throws Error if one name has two meanings */
export function merged(...sources: Record<string, JsonSchema>[]): Record<string, JsonSchema> {
  const all: Record<string, JsonSchema> = {};
  for (const [name, schema] of sources.flatMap((source) => Object.entries(source))) {
    if (all[name] && typeOf(all[name], "") !== typeOf(schema, "")) throw new Error(`${name} has two meanings`);
    all[name] ??= schema;
  }
  return all;
}

/** The names of the schemas to which a part of a document refers. */
function namesIn(part: unknown): string[] {
  if (part === null || typeof part !== "object") return [];
  const { $ref } = part as { $ref?: string };
  const own = $ref?.startsWith(REFERENCE) ? [$ref.slice(REFERENCE.length)] : [];
  return [...own, ...Object.values(part).flatMap(namesIn)];
}

/**
 * The file of the types that an operation is the first one to use. An export refers to most resources, and some of them
 * refer to a Customer: with the export in the file of the Customers, the files would import each other.
 */
const homeOfOperation = ({ operationId, tags }: OpenApiOperation): string =>
  operationId.startsWith("export") ? "exports" : tags[0]!;

/** The resource of each schema: that of the first operation that takes or answers the schema. */
function homesOf(schemas: Record<string, JsonSchema>, documents: readonly OpenApiDocument[]): Map<string, string> {
  const homes = new Map<string, string>();
  const settle = (name: string, home: string) => {
    if (homes.has(name)) return;
    homes.set(name, home);
    for (const part of namesIn(schemas[name])) settle(part, home);
  };
  for (const document of documents)
    for (const { operation } of operationsOf(document))
      for (const name of namesIn([operation.requestBody, answerOf(document, operation)]))
        settle(name, homeOfOperation(operation));
  return homes;
}

function declarationOf(name: string, schema: JsonSchema, home: string): Declaration {
  const comment = schema.description ? `/** ${schema.description} */\n` : "";
  const type = typeOf(schema, "");
  const isInterface = type.startsWith("{") && type.indexOf("\n}") === type.length - 2;
  const text = isInterface ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`;
  return { name, home, text: comment + text };
}

/** The codes of both APIs. */
export function errorCodes(): string[] {
  const codesOf = (endpoints: readonly Endpoint[], surface: "public" | "manage") =>
    endpoints.flatMap((endpoint) => errorsOf(endpoint, surface));
  const codes = new Set([...codesOf(PUBLIC_ENDPOINTS, "public"), ...codesOf(MANAGEMENT_ENDPOINTS, "manage")]);
  return [...codes].sort();
}

/** The codes of both APIs, and the problem in which they stand. */
function problems(): Declaration[] {
  const union = errorCodes().map((code) => `\n  | "${code}"`);
  return [
    { name: "ErrorCode", home: "problems", text: `export type ErrorCode =${union.join("")};\n` },
    { name: "Problem", home: "problems", text: PROBLEM },
  ];
}

const importLine = (names: readonly string[], from: string) =>
  `import type { ${names.toSorted().join(", ")} } from "${from}";\n`;

/** The imports of the types that a text uses. `folder`: where the files of the types are. `self`: the text's own file. */
export function importsFor(text: string, homes: ReadonlyMap<string, string>, folder: string, self = ""): string {
  const code = text.replaceAll(/\/\*\*[^]*?\*\/|"[^"\n]*"/g, "");
  const used = new Set(code.match(/\b[A-Z]\w*/g));
  const found = [...used].filter((name) => homes.has(name) && homes.get(name) !== self);
  const files = Map.groupBy(found, (name) => homes.get(name)!);
  return [...files.keys()]
    .sort()
    .map((home) => importLine(files.get(home)!, `${folder}/${home}.ts`))
    .join("");
}

/** The types of the client: the schemas of both APIs and of events, and the error codes of both APIs. */
export type ClientTypes = { files: Map<string, string>; homes: ReadonlyMap<string, string> };

/** `client/src/types`: a file for each resource. */
export function clientTypes(publicApi: OpenApiDocument, management: OpenApiDocument): ClientTypes {
  const events = eventData();
  const { Problem: _own, ...schemas } = merged(
    publicApi.components.schemas,
    events.schemas,
    management.components.schemas,
  );
  const homeOf = homesOf(schemas, [publicApi, management]);
  const declarations = [
    ...Object.entries(schemas).map(([name, schema]) => declarationOf(name, schema, homeOf.get(name) ?? "events")),
    eventDataType(events.data),
    ...listTypes(publicApi, false),
    ...listTypes(management, true),
    ...problems(),
  ];
  const homes = new Map(declarations.map(({ name, home }) => [name, home]));
  const texts = Map.groupBy(declarations, ({ home }) => home);
  const files = [...texts].map(([home, all]) => {
    const body = all.map(({ text }) => text).join("\n");
    const catalogue = /\bProductKey\b/.test(body) ? importLine(["ProductKey"], "../catalogue.ts") : "";
    const imports = catalogue + importsFor(body, homes, ".", home);
    return [`client/src/types/${home}.ts`, [HEADER, ...(imports && [imports]), body].join("\n")] as const;
  });
  return { files: new Map(files), homes };
}
