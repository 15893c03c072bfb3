import * as z from "zod";
import { exampleTextOf } from "./example-texts.ts";

/** The part of JSON Schema (2020-12) that our schemas use. */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  not?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
  pattern?: string;
  format?: string;
  contentMediaType?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  examples?: unknown[];
  description?: string;
  additionalProperties?: boolean | JsonSchema;
};

type WholeSchema = JsonSchema & { $schema: string; $defs?: Record<string, JsonSchema> };

const DEFINITIONS = "#/$defs/";
const COMPONENTS = "#/components/schemas/";

/** Collects schemas with an id as components. References point to the components. */
export class Schemas {
  readonly components: Record<string, JsonSchema> = {};

  /** `input`: the schema for callers. `output`: the schema of answers, to which a newer server may add fields. */
  add(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const whole = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ jsonSchema }) => {
        if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        if (io === "output" && jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (io === "output" && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    });
    const text = JSON.stringify(whole).replaceAll(DEFINITIONS, COMPONENTS);
    const { $schema: _dialect, $defs = {}, ...own } = JSON.parse(text) as WholeSchema;
    Object.assign(this.components, $defs);
    return own;
  }

  resolve(schema: JsonSchema): JsonSchema {
    return schema.$ref ? (this.components[schema.$ref.slice(COMPONENTS.length)] ?? {}) : schema;
  }

  /**
   * An example value of a schema. `all`: with the optional fields. `name`: the field of this value, `owner`: the schema
   * or the field that holds the field.
   */
  example(schema: JsonSchema, all: boolean, name = "", owner = ""): unknown {
    const {
      type,
      anyOf,
      oneOf,
      enum: values,
      const: constant,
      properties,
      required = [],
      items,
      examples,
      ...rest
    } = this.resolve(schema);
    if (name === "nextCursor") return null; // the list of an example has one page
    if (constant !== undefined) return constant;
    if (examples) return examples[0];
    if (values) return values[0];
    const choices = anyOf ?? oneOf;
    if (choices?.[0]) return this.example(choices[0], all, name, owner);
    const kind = Array.isArray(type) ? type[0] : type;
    if (kind === "array") return items && !items.not ? [this.example(items, all, name, owner)] : [];
    if (kind === "object") {
      const included = Object.entries(properties ?? {}).filter(([key]) => all || required.includes(key));
      const self = schema.$ref?.slice(COMPONENTS.length) ?? name;
      return Object.fromEntries(included.map(([key, property]) => [key, this.example(property, all, key, self)]));
    }
    if (kind === "integer" || kind === "number")
      return Math.max(rest.minimum ?? 0, Math.min(rest.maximum ?? Infinity, NUMBERS[name] ?? 1));
    if (kind === "boolean") return false;
    return kind === "string" ? exampleText(rest, name, owner) : null;
  }
}

const NUMBERS: Record<string, number> = {
  amount: 2900,
  subtotalAmount: 2900,
  totalAmount: 2900,
  recurringAmount: 2900,
  expMonth: 12,
  expYear: 2030,
};

function exampleText({ pattern = "", format }: JsonSchema, name: string, owner: string): string {
  const prefix = /^\^([a-z]+)_\[0-7\]/.exec(pattern)?.[1];
  if (prefix) return `${prefix}_01kg8n5vq4e0rb7w9c3d6f2h1j`;
  if (format === "date-time") return "2026-01-31T00:00:00.000Z";
  if (format === "uri" || /url$/i.test(name)) return "https://example.com/";
  return exampleTextOf(owner, name);
}
