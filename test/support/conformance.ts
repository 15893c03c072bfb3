import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import {
  resolveResponse,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiResponse,
} from "../../src/http/openapi-document.ts";

type Answer = { status: number; headers: Headers; body: unknown };
type Surface = { document: OpenApiDocument; ajv: Ajv2020; paths: [template: string, pattern: RegExp][] };

/** The RFC 3339 form of every answer: UTC, with milliseconds. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const ALWAYS = ["Request-Id", "Billow-Version"];
/**
 * Documented headers that not every answer of a status has. The function tells if this answer must have the header.
 */
const SOMETIMES: Record<string, (answer: Answer, method: string) => boolean> = {
  "Billow-Clock": () => false,
  "Billow-Data-Age": () => false,
  ETag: (_, method) => method === "GET",
  "Idempotency-Replayed": () => false,
  RateLimit: ({ headers }) => headers.has("RateLimit-Policy"),
  "RateLimit-Policy": ({ headers }) => headers.has("RateLimit"),
  "Retry-After": ({ status }) => status !== 409,
};
const surfaces = new Map<string, Promise<Surface>>();

/**
 * The schema without additional fields. A server of exactly this version sends no field that the schema does not name.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return copy["type"] === "object" && copy["properties"] ? { additionalProperties: false, ...copy } : copy;
}

async function load(base: string): Promise<Surface> {
  const document = closed(await (await fetch(`${base}/openapi.json`)).json()) as OpenApiDocument;
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    // A process uses each schema a few times only, so quick compiling pays.
    inlineRefs: false,
    code: { optimize: false },
    formats: { "date-time": TIMESTAMP, uri: URL.canParse, duration: true },
  });
  ajv.addSchema(document, "document");
  const fixed = (template: string) => template.split("{").length;
  const templates = Object.keys(document.paths).sort((one, other) => fixed(one) - fixed(other));
  return {
    document,
    ajv,
    paths: templates.map((template) => [template, new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`)]),
  };
}

/** The surface at this URL. Its document is read and its schemas are compiled once per process. */
function surfaceAt(base: string): Promise<Surface> {
  const { pathname } = new URL(base);
  const known = surfaces.get(pathname) ?? load(base);
  surfaces.set(pathname, known);
  return known;
}

function validator({ ajv }: Surface, ...pointer: string[]): ValidateFunction {
  const location = pointer
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  return ajv.getSchema(`document#/${location}`)!;
}

function faults(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return validate.errors!.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function checkHeaders(
  surface: Surface,
  method: string,
  { headers: documented }: OpenApiResponse,
  answer: Answer,
  what: string,
): void {
  for (const name of Object.keys(documented)) {
    const value = answer.headers.get(name);
    const typed = /^(Retry-After|Billow-Data-Age)$/.test(name) ? Number(value) : value;
    if (value === null)
      expect(SOMETIMES[name]?.(answer, method) ?? true, `${what}: its header ${name} is missing`).toBe(false);
    else
      expect(faults(validator(surface, "components", "headers", name, "schema"), typed), `${what}: ${name}`).toEqual(
        [],
      );
  }
  const known = Object.keys(surface.document.components.headers).filter((name) => answer.headers.has(name));
  expect(
    known.filter((name) => !(name in documented)),
    `${what}: undocumented headers`,
  ).toEqual([]);
}

function checkContent(
  surface: Surface,
  location: string[],
  { content = {} }: OpenApiResponse,
  answer: Answer,
  what: string,
): void {
  const type = answer.headers.get("Content-Type") ?? "";
  if (!(type in content)) return expect([type, answer.body], `${what}: undocumented content`).toEqual(["", ""]);
  const validate = validator(surface, ...location, "content", type, "schema");
  expect(faults(validate, answer.body), `${what}: ${JSON.stringify(answer.body)}`).toEqual([]);
  const { errors = [] } = (answer.body ?? {}) as { errors?: { message: string }[] };
  if (Array.isArray(errors))
    for (const { message } of errors) expect(message, `${what}: a fault's sentence`).not.toBe("");
  const { examples } = content[type]!;
  if (examples) expect(Object.keys(examples), what).toContain((answer.body as { code: string }).code);
}

function checkWithoutOperation(method: string, isPath: boolean, answer: Answer, what: string): void {
  if (!isPath)
    return expect([answer.status, (answer.body as { code?: string }).code], what).toEqual([404, "not_found"]);
  expect([answer.status, answer.headers.has("Allow")], what).toEqual([method === "OPTIONS" ? 204 : 405, true]);
}

/**
 * Checks an answer against the OpenAPI document of its surface. The document must list the status and each of Billow's
 * headers for the operation, and the body must match the schema exactly. `base`: the URL of the surface. `path`: the
 * path after `base`.
 */
export async function checkConformance(base: string, method: string, path: string, answer: Answer): Promise<void> {
  const surface = await surfaceAt(base);
  const [pathname] = path.split("?") as [string];
  if (pathname === "/openapi.json") return;
  const what = `${method} ${path} answered ${answer.status}`;
  for (const name of ALWAYS) expect(answer.headers.get(name), `${what}: ${name}`).not.toBeNull();
  expect(answer.headers.get("Cache-Control"), what).toBe("no-store");
  const template = surface.paths.find(([, pattern]) => pattern.test(pathname))?.[0];
  const name = (method === "HEAD" ? "GET" : method).toLowerCase();
  const operation: OpenApiOperation | undefined =
    template === undefined ? undefined : surface.document.paths[template]![name];
  if (!operation) return checkWithoutOperation(method, template !== undefined, answer, what);
  const given = operation.responses[answer.status];
  if (!given) return expect.fail(`${what}, which is not documented: ${JSON.stringify(answer.body)}`);
  const response = resolveResponse(surface.document, given);
  checkHeaders(surface, method, response, answer, what);
  if (method === "HEAD") return expect(answer.body, what).toBe("");
  const location =
    "$ref" in given ? given.$ref.split("/").slice(1) : ["paths", template!, name, "responses", String(answer.status)];
  checkContent(surface, location, response, answer, what);
}
