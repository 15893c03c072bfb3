import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/http/json-schema.ts";
import { openApi } from "../../src/http/openapi.ts";
import type { OpenApiDocument, OpenApiOperation } from "../../src/http/openapi-document.ts";
import { surfacesOf } from "../../src/http/surfaces.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";

// The faults of every operation are told in Billow's words and with their places: its body and its query are sent with
// values of each wrong kind.
let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
afterAll(() => app.close());

const [publicApi, management, licenses] = surfacesOf({ publicBasePaths: ["/public/v2"] }).map((surface) =>
  openApi(surface, "https://billing.example.com"),
) as [OpenApiDocument, OpenApiDocument, OpenApiDocument];

/** A value of each kind, the limits of texts, lists and numbers, and their absence. */
const WRONG: unknown[] = [
  7,
  -1.5,
  1e15,
  "",
  "wrong",
  "x".repeat(6000),
  true,
  null,
  [],
  [{}],
  {},
  { wrong: [] },
  undefined,
];

function resolve(document: OpenApiDocument, { $ref, ...schema }: JsonSchema): JsonSchema {
  return $ref === undefined ? schema : (document.components.schemas[$ref.split("/").at(-1)!] as JsonSchema);
}

/** The variants of an object, or the item of a list, with `value` in the place of each of their innermost parts. */
function filled(document: OpenApiDocument, part: JsonSchema, value: unknown, depth: number): unknown[] {
  const { properties, items, anyOf, oneOf, const: constant } = resolve(document, part);
  const variants = anyOf ?? oneOf;
  if (constant !== undefined) return [constant];
  if (variants) return variants.flatMap((each) => filled(document, each, value, depth));
  if (items && depth > 0) return filled(document, items, value, depth - 1).map((item) => [item]);
  if (!properties || depth === 0) return [value];
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, filled(document, field, value, depth - 1)] as const,
  );
  const most = Math.max(...fields.map(([, values]) => values.length));
  return Array.from({ length: most }, (_, n) =>
    Object.fromEntries(fields.map(([name, values]) => [name, values[n % values.length]])),
  );
}

const NAMELESS =
  /\b(invalid|expected|received|unrecognized key|not valid\.|discriminator|nan|undefined|too (big|small)|pattern)\b/i;
const SENTENCES = /^[A-Z`].*[.?]$/s;

/** The problem names each place that it describes, and uses no word of a library. */
function judge({ detail, errors }: Json): void {
  for (const { message } of errors) expect(message).toMatch(SENTENCES);
  expect(JSON.stringify([detail, errors.map((fault: Json) => fault.message)])).not.toMatch(NAMELESS);
  for (const { pointer, in: where } of errors.slice(0, 3)) expect(detail).toContain(pointer || `The ${where}`);
  if (errors.length > 3) expect(detail).toMatch(/ (is 1 more fault|are \d+ more faults) in `errors`\.$/);
}

/** The operation's path with ids of no resource. They are looked for only after the body and the query. */
const pathOf = (path: string) => path.replaceAll(/\{\w+\}/g, "none");

const operations = [publicApi, management, licenses].flatMap((document, n) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, OpenApiOperation>).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      call: (on: TestApp, query: string, body?: unknown) =>
        [on.api, on.manage, on.licenses][n]!(method.toUpperCase(), pathOf(path) + query, body),
      document,
      operation,
    })),
  ),
);

const bodies = operations.flatMap(({ operation, ...rest }) => {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  return schema ? [{ ...rest, schema }] : [];
});

describe("the faults of a body are told in plain words and with their places", () => {
  test.each(bodies)("$name", async ({ call, document, schema }) => {
    let refused = 0;
    const sent = new Set<string>();
    for (const value of WRONG) {
      for (const depth of [0, 1, 2, 3])
        for (const body of filled(document, schema, value, depth)) sent.add(JSON.stringify(body) ?? "{}");
    }
    for (const body of sent) {
      const answer = await call(app, "", body);
      if (answer.status !== 422) continue;
      refused += 1;
      judge(answer.body);
    }
    expect(refused).toBeGreaterThan(3);
  });
});

describe("the faults of a query are told in plain words and with their places", () => {
  const queries = operations.filter(({ operation }) =>
    operation.parameters.some((parameter) => parameter.in === "query"),
  );

  test.each(queries)("$name", async ({ call, operation }) => {
    const names = operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
    let refused = 0;
    for (const value of ["", "-1", "1.5", "wrong", "x".repeat(400), "%00"]) {
      const query = names.map((name) => `${name}=${value}`).join("&");
      const answer = await call(app, `?${query}&wrongName=1`);
      refused += answer.status === 422 ? 1 : 0;
      judge(answer.body);
    }
    expect(refused).toBe(6);
  });
});
