import type { JsonSchema } from "./json-schema.ts";
import type { OpenApiDocument, OpenApiLink, OpenApiOperation } from "./openapi-document.ts";

/**
 * An id in an answer. `name`: the name under which operations take the id. `pointer`: the position in the answer.
 * `own`: true for the id of the answered resource itself.
 */
type Found = { name: string; pointer: string; own: boolean };
type Names = ReadonlyMap<string, string>;

const prefixOf = ({ pattern = "", anyOf = [] }: JsonSchema): string | null =>
  /^\^([a-z]+)_\[0-7\]/.exec(pattern)?.[1] ?? anyOf.map(prefixOf).find((prefix) => prefix !== null) ?? null;

class Links {
  readonly #document: OpenApiDocument;
  readonly #operations: OpenApiOperation[];
  readonly #names: Names;
  /** The operation that reads a resource, by the name of the resource's id. */
  readonly #reads: ReadonlyMap<string, OpenApiOperation>;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    this.#names = this.#namesOfIds();
    this.#reads = new Map(
      Object.entries(document.paths).flatMap(([path, { get }]) => {
        const name = /^\/[^/]+\/\{(\w+)\}$/.exec(path)?.[1];
        return get && name !== undefined ? [[name, get] as const] : [];
      }),
    );
  }

  addAll(): void {
    for (const operation of this.#operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if ("$ref" in response || !status.startsWith("2")) continue;
        const found = this.#idsIn(response.content?.["application/json"]?.schema);
        const links = found.flatMap((id) => (id.own ? this.#fromOwn(operation, id) : this.#fromOther(operation, id)));
        if (links.length > 0) response.links = Object.fromEntries(links.map((link) => [link.operationId, link]));
      }
    }
  }

  #fromOwn(from: OpenApiOperation, id: Found): OpenApiLink[] {
    return this.#operations.flatMap((operation) => (operation === from ? [] : fromOwn(this.#resolved(operation), id)));
  }

  /**
   * Links the id of another resource to the operation that reads this resource. If there is no such operation, links
   * the id to lists that can be filtered by the id.
   */
  #fromOther(from: OpenApiOperation, { name, pointer }: Found): OpenApiLink[] {
    const reading = this.#reads.get(name);
    const lists = this.#operations.filter(
      (operation) => named(operation, "path").length === 0 && named(operation, "query").includes(name),
    );
    const targets = (reading ? [reading] : lists).filter((operation) => operation !== from);
    return targets.map(({ operationId }) => ({ operationId, parameters: { [name]: pointer } }));
  }

  #resolve(schema: JsonSchema = {}): JsonSchema {
    const name = schema.$ref?.split("/").at(-1);
    return name === undefined ? schema : (this.#document.components.schemas[name] ?? {});
  }

  #resolved(operation: OpenApiOperation): Target {
    const { properties = {} } = this.#resolve(operation.requestBody?.content["application/json"]?.schema);
    return { operation, fields: new Set(Object.keys(properties)) };
  }

  /** The name for each prefix of an id, such as `customerId` for `cus`. Parameters are searched before fields. */
  #namesOfIds(): Names {
    const paths = this.#operations.flatMap(({ parameters }) =>
      parameters.map(({ name, schema }) => ({ name, schema })),
    );
    const fields = Object.values(this.#document.components.schemas).flatMap(({ properties = {} }) =>
      Object.entries(properties).map(([name, schema]) => ({ name, schema })),
    );
    const names = new Map<string, string>();
    for (const { name, schema } of [...paths, ...fields]) {
      const prefix = name.endsWith("Id") ? prefixOf(schema) : null;
      if (prefix !== null && !names.has(prefix)) names.set(prefix, name);
    }
    return names;
  }

  /** All ids in a resource. In a page of a list, only the own id of the first resource. */
  #idsIn(schema: JsonSchema | undefined): Found[] {
    const { properties = {} } = this.#resolve(schema);
    const isPage = properties["data"] !== undefined && properties["nextCursor"] !== undefined;
    const fields = isPage ? (this.#resolve(properties["data"]!.items).properties ?? {}) : properties;
    const at = isPage ? "/data/0" : "";
    return Object.entries(fields).flatMap(([field, value]) => {
      const own = field === "id";
      const name = own ? this.#names.get(prefixOf(value) ?? "") : prefixOf(value) === null ? undefined : field;
      return name === undefined || (isPage && !own) ? [] : [{ name, pointer: `$response.body#${at}/${field}`, own }];
    });
  }
}

type Target = { operation: OpenApiOperation; fields: ReadonlySet<string> };

const named = ({ parameters }: OpenApiOperation, where: "path" | "query") =>
  parameters.filter((parameter) => parameter.in === where).map(({ name }) => name);

/** Whether this id is the only id in the operation's path. */
const isAbout = (operation: OpenApiOperation, name: string) => named(operation, "path").join() === name;

/** Links the resource's own id to operations that take the id in the path, as a field of the body, or as a filter. */
function fromOwn({ operation, fields }: Target, { name, pointer }: Found): OpenApiLink[] {
  const { operationId } = operation;
  if (isAbout(operation, name)) return [{ operationId, parameters: { [name]: pointer } }];
  if (named(operation, "path").length > 0) return [];
  if (fields.has(name)) return [{ operationId, requestBody: { [name]: pointer } }];
  return named(operation, "query").includes(name) ? [{ operationId, parameters: { [name]: pointer } }] : [];
}

/**
 * Adds links from each answer of the document to the operations that take an id in the answer. A name such as
 * `customerId` means the same in all operations.
 */
export function addLinks(document: OpenApiDocument): void {
  new Links(document).addAll();
}
