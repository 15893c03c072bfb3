import { hash } from "node:crypto";
import { html, raw } from "hono/html";
import { ERRORS, type ErrorCode } from "../errors.ts";
import type { JsonSchema } from "./json-schema.ts";
import {
  resolveResponse,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiResponse,
} from "./openapi-document.ts";

type Html = ReturnType<typeof html>;
type Schemas = OpenApiDocument["components"]["schemas"];

const STYLE = `
:root {
  color-scheme: light dark;
  --soft: color-mix(in srgb, currentColor 8%, transparent);
  --line: 1px solid color-mix(in srgb, currentColor 20%, transparent);
}
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem 6rem; }
h1 { font-size: 1.8rem; margin-top: 0; }
h2 { margin-top: 3.5rem; }
h3 { margin: 2.5rem 0 .25rem; padding-top: 1rem; border-top: var(--line); }
code, pre { font: .875em/1.5 ui-monospace, monospace; background: var(--soft); }
code { padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { padding: 1rem; border-radius: 8px; overflow-x: auto; }
pre code { background: none; padding: 0; }
table { width: 100%; border-collapse: collapse; margin: .75rem 0; }
caption { text-align: left; font-weight: 600; padding: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: var(--line); }
tr:target { background: var(--soft); }
nav ul { columns: 2 18rem; padding-left: 1.1rem; }
summary { cursor: pointer; margin: .5rem 0; }
@media (min-width: 40rem) { td:first-child code { white-space: nowrap; } }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { border-top: var(--line); padding: .4rem 0; }
  td { border: 0; padding: .1rem 0; }
}
`;

/** The pages may load this one style sheet and no other resource. */
const POLICY = ["default-src", "frame-ancestors", "base-uri", "form-action"].map((what) => `${what} 'none'`).join("; ");
export const STYLE_HEADERS = {
  "Content-Security-Policy": `${POLICY}; style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
};

function page(title: string, content: Html): string {
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
${content}
</body>
</html>`);
}

/** Descriptions are plain text, except code in backticks. */
function prose(text: string): Html[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

function typeName(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeName).join(" | ");
  if (schema.type === "array") return `${schema.items ? typeName(schema.items) : "any"}[]`;
  const name = Array.isArray(schema.type) ? schema.type.join(" | ") : (schema.type ?? "any");
  return schema.format ? `${name} (${schema.format})` : name;
}

type Field = { name: string; type: string; required: boolean; description: string };

function rows(caption: string, fields: Field[]): Html | "" {
  if (fields.length === 0) return "";
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${fields.map(
    ({ name, type, required, description }) =>
      html`<tr><td><code>${name}</code>${required ? "" : " (optional)"}</td><td><code>${type}</code></td>
<td>${prose(description)}</td></tr>`,
  )}</tbody>
</table>`;
}

/** Merges the object schemas of a union into one schema with all of their fields. */
function merged(variants: JsonSchema[]): JsonSchema {
  const fields = Object.groupBy(
    variants.flatMap(({ properties = {} }) => Object.entries(properties)),
    ([name]) => name,
  );
  const entries = Object.entries(fields).map(([name, given = []]): [string, JsonSchema] => {
    const schemas = given.map(([, schema]) => schema);
    const { description } = schemas[0]!;
    const isSame = new Set(schemas.map(typeName)).size === 1;
    return [name, isSame ? schemas[0]! : { oneOf: schemas, ...(description && { description }) }];
  });
  return { properties: Object.fromEntries(entries), required: Object.keys(fields) };
}

/** The fields of an object and of the inline objects within it, which have no schema name. */
function fieldsOf(schema: JsonSchema, schemas: Schemas, prefix = ""): Field[] {
  const named = schema.$ref ? (schemas[typeName(schema)] ?? {}) : schema;
  const { properties = {}, required = [] } = named.oneOf ? merged(named.oneOf) : named;
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = prefix + key;
    const inner = [property, ...(property.anyOf ?? []), ...(property.items ? [property.items] : [])].find(
      (each) => each.properties,
    );
    const own = {
      name,
      type: typeName(property),
      required: required.includes(key),
      description: property.description ?? "",
    };
    return [own, ...(inner ? fieldsOf(inner, schemas, `${name}.`) : [])];
  });
}

function example(value: unknown): Html | "" {
  return value === undefined ? "" : html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

function codesOf({ content }: OpenApiResponse): Html[] {
  const codes = Object.keys(content?.["application/problem+json"]?.examples ?? {});
  return codes.map((code) => html`<a href="/docs/errors#${code}"><code>${code}</code></a> `);
}

function responses(operation: OpenApiOperation, document: OpenApiDocument): Html[] {
  const all = Object.entries(operation.responses).map(
    ([status, given]) => [status, resolveResponse(document, given)] as const,
  );
  const good = all.filter(([status]) => Number(status) < 400);
  const bad = all.filter(([status]) => Number(status) >= 400);
  return [
    ...good.map(([status, { description, content }]) => {
      const json = content?.["application/json"];
      const names = json ? [typeName(json.schema)] : Object.keys(content ?? {});
      const types = names.map((name) => html`<code>${name}</code>`);
      return html`<details><summary><code>${status}</code> ${prose(description)} ${types}</summary>
${json ? rows("Answer", fieldsOf(json.schema, document.components.schemas)) : ""}${example(json?.example)}</details>`;
    }),
    html`<details><summary>Errors</summary><table>
<thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>${bad.map(
      ([status, response]) => html`<tr><td><code>${status}</code></td><td>${codesOf(response)}</td></tr>`,
    )}</tbody>
</table></details>`,
  ];
}

function section(
  anchor: string,
  method: string,
  path: string,
  operation: OpenApiOperation,
  document: OpenApiDocument,
): Html {
  const { summary, description, parameters, requestBody } = operation;
  const body = requestBody?.content["application/json"];
  const fields = parameters.map(({ name, in: where, required, description: about = "", schema }) => {
    return { name, type: typeName(schema), required, description: `In the ${where}. ${about}` };
  });
  return html`<article>
<h3 id="${anchor}"><code>${method.toUpperCase()} ${path}</code></h3>
<p>${prose(`${summary}.`)} ${prose(description ?? "")}</p>
${rows("Parameters", fields)}
${body ? rows("Body", fieldsOf(body.schema, document.components.schemas)) : ""}
${example(body?.example)}
${responses(operation, document)}
</article>`;
}

function surface(document: OpenApiDocument, index: number): Html {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation,
      anchor: `${index}-${operation.operationId}`,
    })),
  );
  const base = document.servers.map(({ url }) => html`<code>${url}</code> `);
  return html`<h2>${document.info.title}</h2>
<p>${prose(document.info.description)} At ${base}·
<a href="${document.servers[0]?.url ?? ""}/openapi.json">OpenAPI 3.1</a></p>
<nav aria-label="${document.info.title}"><ul>${operations.map(
    ({ anchor, method, path }) => html`<li><a href="#${anchor}">${method.toUpperCase()} ${path}</a></li>`,
  )}</ul></nav>
${operations.map(({ anchor, method, path, operation }) => section(anchor, method, path, operation, document))}`;
}

/** The HTML page with every operation of the documents. */
export function renderReference(documents: readonly OpenApiDocument[]): string {
  const content = html`<main>
<h1>Billow API reference</h1>
<p>JSON over HTTPS. Send <code>Authorization: Bearer &lt;API key&gt;</code>; on a POST or PATCH also an
<code>Idempotency-Key</code>. <code>HEAD</code> works wherever <code>GET</code> does. Errors are problems (RFC 9457):
<a href="/docs/errors">all codes</a>.</p>
${documents.map(surface)}
</main>`;
  return page("Billow API reference", content);
}

/** The HTML page with every error code. Each code has the anchor that the `type` of its problem names. */
export function renderErrors(): string {
  const codes = Object.entries(ERRORS) as [ErrorCode, (typeof ERRORS)[ErrorCode]][];
  const content = html`<main>
<h1>Errors</h1>
<p>The <code>code</code> of a problem is stable. Its <code>detail</code> describes the single case. After a 401, stop
using that key. Send the same request again only after a 5xx, a 429 or <code>idempotency_in_progress</code>.
<a href="/docs">API reference</a></p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th>
<th scope="col">Next step</th></tr></thead>
<tbody>${codes.map(
    ([code, [status, title, advice]]) =>
      html`<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a></td><td>${status}</td>
<td>${title}</td><td>${prose(advice)}</td></tr>`,
  )}</tbody>
</table>
</main>`;
  return page("Billow errors", content);
}
