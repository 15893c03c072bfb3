import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../src/errors.ts";
import type { JsonSchema } from "../../src/http/json-schema.ts";
import { errorsOf, openApi } from "../../src/http/openapi.ts";
import { resolveResponse, type OpenApiDocument, type OpenApiOperation } from "../../src/http/openapi-document.ts";
import { PUBLIC_ENDPOINTS, surfacesOf } from "../../src/http/surfaces.ts";

const surfaces = surfacesOf({ publicBasePaths: ["/public/v2", "/billing/public/v2"] });
const documents = surfaces.map((surface) => openApi(surface, "https://billing.example.com"));
const ajv = () => new Ajv2020({ strict: false, validateFormats: false });

function operationsOf(document: OpenApiDocument): { name: string; operation: OpenApiOperation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
}

/** The answers of an operation, by status. */
function answersOf(document: OpenApiDocument, { responses }: OpenApiOperation) {
  return Object.entries(responses).map(([status, response]) => ({ status, ...resolveResponse(document, response) }));
}

/** Every `$ref` in the document. */
function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "$ref" in value && typeof value.$ref === "string" ? [value.$ref] : [];
  return [...own, ...Object.values(value).flatMap(references)];
}

function resolveSchema(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  return schema.$ref ? (resolve(document, schema.$ref) as JsonSchema) : schema;
}

function resolve(document: unknown, reference: string): unknown {
  const steps = reference.slice(2).split("/");
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], document);
}

/** Each value under this name, at any depth. */
function valuesOf(name: string, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [...(key === name ? [each] : []), ...valuesOf(name, each)]);
}

/**
 * The constructs that make a pattern's meaning differ between ECMA-262 with and without `u`, Python's `re` and RE2.
 * `\s`, `\w`, `\d` and `\b` mean ASCII in some of them and Unicode in others.
 */
const UNPORTABLE: [what: string, where: RegExp][] = [
  ["look-around, a name or a flag", /\(\?(?!:)/],
  ["an escape that is not of two hexadecimal digits", /\\(?!x[0-9a-f]{2}|[.\\])/],
  ["a quantifier that is possessive or lazy", /[*+?}][+?]/],
  ["more repetitions than RE2 takes", /\{(?:\d+,)?(?:[1-9]\d{3,})/],
  ["an astral character, two units without `u`", /[\ud800-\udfff]/],
  ["set operators of `v`", /--|&&|\[\[/],
];

/** A schema with the components it refers to. */
function compile(document: OpenApiDocument, schema: object) {
  return ajv().compile({ ...schema, components: document.components });
}

test("the public surface is exactly six operations", () => {
  expect(PUBLIC_ENDPOINTS.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    "GET /benefit-grants",
    "GET /checkouts/{checkoutId}",
    "GET /subscriptions/{subscriptionId}",
    "PATCH /subscriptions/{subscriptionId}",
    "POST /checkouts",
    "POST /customers",
  ]);
});

const described = documents.map((document, n) => ({
  title: document.info.title,
  document,
  surface: surfaces[n]!,
  hasKeys: surfaces[n]!.scope !== null,
}));

describe.each(described)("$title", ({ document, surface, hasKeys }) => {
  const operations = operationsOf(document);

  test("says where it is and how to authenticate", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.servers[0]?.url).toMatch(/^https:\/\/billing\.example\.com\/(public\/v2|manage\/v1|licenses\/v1)$/);
    expect(document.security).toEqual(hasKeys ? [{ apiKey: [] }] : []);
    const bearer = { apiKey: expect.objectContaining({ type: "http", scheme: "bearer" }) };
    expect(document.components.securitySchemes).toEqual(hasKeys ? bearer : {});
  });

  test("has no reference that leads nowhere", () => {
    const broken = references(document).filter(
      (reference) => !reference.startsWith("#/") || resolve(document, reference) === undefined,
    );
    expect(broken).toEqual([]);
  });

  test("has patterns that mean the same in every language", () => {
    const patterns = new Set(valuesOf("pattern", document).filter((pattern) => typeof pattern === "string"));
    const faultsOf = (pattern: string) =>
      UNPORTABLE.filter(([, where]) => where.test(pattern)).map(([what]) => [pattern, what]);
    const found = [...patterns].flatMap(faultsOf);
    expect(found).toEqual([]);
    for (const pattern of patterns) {
      expect(() => [new RegExp(pattern), new RegExp(pattern, "u")]).not.toThrow();
      expect(pattern).toMatch(/^\^[^]*\$$/);
    }
  });

  test("says how a country and a currency are written", () => {
    // Leaves out the rules across fields, which only check that a field is there.
    const fields = JSON.parse(
      JSON.stringify(document, (name, value: unknown) => (name === "allOf" ? undefined : value)),
    ) as unknown;
    const countries = valuesOf("country", fields).filter((schema) => typeof schema === "object");
    const named = ["currency", "defaultCurrency"].flatMap((name) => valuesOf(name, fields));
    const currencies = named.filter((each) => typeof each === "object");
    const all = (schemas: unknown[]) =>
      schemas.flatMap((schema) => valuesOf("pattern", schema)).map((pattern) => new RegExp(String(pattern)));
    for (const pattern of all(countries))
      expect(["DE", "de", "DEU"].map((code) => pattern.test(code))).toEqual([true, false, false]);
    for (const pattern of all(currencies))
      expect(["usd", "USD", "us"].map((code) => pattern.test(code))).toEqual([true, false, false]);
    expect(all(countries)).toHaveLength(countries.length);
    expect(all(currencies)).toHaveLength(currencies.length);
  });

  test("says the unit of each amount in a request", () => {
    const bodies = operations.flatMap(({ operation }) => operation.requestBody?.content["application/json"] ?? []);
    const schemas = bodies.map(({ schema }) => resolveSchema(document, schema));
    const amounts = valuesOf("amount", schemas).filter((each) => typeof each === "object" && each !== null);
    const numbers = amounts.filter((each) => valuesOf("type", each).includes("integer"));
    expect(numbers.length > 0).toBe(document.info.title.includes("anagement"));
    for (const each of numbers) expect(each).toHaveProperty("description", expect.stringContaining("minor unit"));
  });

  test("has examples that fit their resource", () => {
    const contents = operations.flatMap(({ name, operation }) =>
      [operation.requestBody, ...answersOf(document, operation)].map((each) => ({ name, content: each?.content })),
    );
    const example = (content: unknown) => JSON.stringify(valuesOf("example", content));
    // Such a field has no example of its own: `src/http/example-texts.ts`.
    const withoutText = contents.flatMap(({ name, content }) =>
      [...example(content).matchAll(/"(\w+)":"text"/g)].map(([, field]) => `${name}: ${field}`),
    );
    expect(withoutText).toEqual([]);
    const exampleOf = (id: string, status: string) => {
      const found = operations.find(({ operation }) => operation.operationId === id);
      return found && answersOf(document, found.operation).find((each) => each.status === status)?.content;
    };
    const named = { createProduct: "Team plan", createBenefit: "Priority support", createApiKey: "Production backend" };
    for (const [id, name] of Object.entries(named)) {
      const content = exampleOf(id, "201");
      if (content) expect(content["application/json"]).toMatchObject({ example: { name } });
    }
  });

  test("has links that lead to operations, with all that their paths need", () => {
    const responses = operations.flatMap(({ operation }) => answersOf(document, operation));
    const declared = responses.flatMap(({ links = {}, content }) =>
      Object.values(links).map((link) => ({ ...link, content })),
    );
    for (const { operationId, parameters = {}, requestBody = {}, content } of declared) {
      const { operation: target } = operations.find(({ operation }) => operation.operationId === operationId)!;
      const names = (where: string) =>
        target.parameters.filter((parameter) => parameter.in === where).map(({ name }) => name);
      expect([...names("path"), ...names("query")]).toEqual(expect.arrayContaining(Object.keys(parameters)));
      expect(Object.keys(parameters)).toEqual(expect.arrayContaining(names("path")));
      const body = target.requestBody?.content["application/json"]?.schema ?? {};
      expect(Object.keys(resolveSchema(document, body).properties ?? {})).toEqual(
        expect.arrayContaining(Object.keys(requestBody)),
      );
      for (const expression of Object.values({ ...parameters, ...requestBody })) {
        const value = resolve(content!["application/json"]!.example, expression.replace("$response.body", ""));
        expect(value).toMatch(/^[a-z]+_[0-7][0-9a-z]{25}$/);
      }
    }
  });

  test("has each list of errors once, and no list that no operation has", () => {
    const errors = operations
      .flatMap(({ operation }) => Object.entries(operation.responses))
      .filter(([status]) => Number(status) >= 400);
    const written = Object.values(document.components.responses).map((response) => JSON.stringify(response));
    expect(new Set(written).size).toBe(written.length);
    const named = Object.keys(document.components.responses).map((name) => ({
      $ref: `#/components/responses/${name}`,
    }));
    const distinct = [...new Set(errors.map(([, response]) => JSON.stringify(response)))];
    expect(distinct.toSorted()).toEqual(named.map((reference) => JSON.stringify(reference)).toSorted());
    for (const name of Object.keys(document.components.responses)) expect(name).toMatch(/^[A-Z][A-Za-z]+$/);
  });

  test("has schemas that are schemas", () => {
    for (const schema of Object.values(document.components.schemas)) expect(ajv().validateSchema(schema)).toBe(true);
  });

  test("has an id for each operation, and each parameter of its path", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, operation } of operations) {
      const inPath = operation.parameters
        .filter((parameter) => parameter.in === "path")
        .map((parameter) => parameter.name);
      expect(Array.from(name.matchAll(/\{(\w+)\}/g), ([, id]) => id)).toEqual(inPath);
    }
  });

  describe.each(operations)("$name", ({ name, operation }) => {
    test("documents every status it can answer", () => {
      const writes = /^(POST|PATCH|PUT|DELETE)/.test(name);
      const always = ["400", "406", "408", "414", "422", "429", "431", "500", "503"];
      const expected = [...always, ...(hasKeys ? ["401", "403"] : []), ...(writes ? ["413", "415"] : [])];
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(expected));
      expect(Object.keys(operation.responses).some((status) => status.startsWith("2"))).toBe(true);
      if (name.includes("{")) expect(operation.responses).toHaveProperty("404");
      if (/^(POST|PATCH)/.test(name))
        expect(operation.parameters.map((parameter) => parameter.name)).toContain("Idempotency-Key");
    });

    test("documents the statuses and codes of its definition, and no others", () => {
      const defined = surface.endpoints.find((each) => `${each.method} ${each.path}` === name)!;
      const codes = answersOf(document, operation).flatMap(({ status, description, content }) => {
        const examples = content?.["application/problem+json"]?.examples ?? {};
        return Object.entries(examples).map(([code, { $ref }]) => {
          expect($ref).toBe(`#/components/examples/${code}`);
          expect(description).toContain(`\`${code}\``);
          return `${status} ${code}`;
        });
      });
      const expected = errorsOf(defined, surface.scope).map((code) => `${ERRORS[code][0]} ${code}`);
      expect(codes.toSorted()).toEqual(expected.toSorted());
      const statuses = Object.keys(operation.responses).filter((status) => status !== "304");
      const own = [...Object.keys(defined.responses), ...expected.map((each) => each.slice(0, 3))];
      expect(statuses.toSorted()).toEqual([...new Set(own)].toSorted());
    });

    test("has examples that its schemas take", () => {
      const bodies = [operation.requestBody, ...answersOf(document, operation)].map(
        (each) => each?.content?.["application/json"],
      );
      for (const body of bodies.filter((each) => each?.example !== undefined)) {
        const validate = compile(document, body!.schema);
        expect({ valid: validate(body!.example), errors: validate.errors }).toEqual({ valid: true, errors: null });
      }
      if (operation.requestBody) expect(operation.requestBody.content["application/json"]?.example).toBeDefined();
    });
  });

  test("shows each problem as it is sent", () => {
    const validate = compile(document, document.components.schemas["Problem"]!);
    expect(Object.keys(document.components.examples)).toEqual(Object.keys(ERRORS));
    for (const { value } of Object.values(document.components.examples)) expect(validate(value)).toBe(true);
  });
});

test("links lead from a new Customer to its resources", () => {
  const linked = (operationId: string) =>
    documents
      .flatMap((document) => operationsOf(document).map(({ operation }) => ({ document, operation })))
      .filter(({ operation }) => operation.operationId === operationId)
      .map(({ document, operation }) => answersOf(document, operation).find(({ links }) => links)!.links!);
  const [created] = linked("createCustomer");
  expect(created).toEqual({
    createCheckout: { operationId: "createCheckout", requestBody: { customerId: "$response.body#/id" } },
    listBenefitGrants: { operationId: "listBenefitGrants", parameters: { customerId: "$response.body#/id" } },
  });
  const [bought] = linked("getCheckout");
  expect(bought).toMatchObject({
    getSubscription: { parameters: { subscriptionId: "$response.body#/subscriptionId" } },
  });
  for (const links of linked("createProduct"))
    expect(Object.keys(links)).toEqual(expect.arrayContaining(["getProduct", "updateProduct"]));
  for (const links of linked("listPayments"))
    expect(links["getPayment"]!.parameters).toEqual({ paymentId: "$response.body#/data/0/id" });
});

test("a webhook's secret is shown as such, not as an API key", () => {
  const shown = documents
    .flatMap((document) => operationsOf(document).map((each) => ({ document, ...each })))
    .filter(({ name }) => /^POST .*\/(webhook-endpoints|rotate-secret)$/.test(name))
    .map(({ document, operation }) => answersOf(document, operation).find(({ status }) => status.startsWith("2"))!)
    .map(({ content }) => (content!["application/json"]!.example as { secret: string }).secret);
  expect(shown).toEqual(Array(2).fill(expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)));
});
