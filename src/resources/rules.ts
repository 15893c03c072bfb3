/**
 * Rules across fields as JSON Schema, for the OpenAPI documents. A missing field and a null field mean the same. The
 * checks themselves are beside the schemas, with their own codes and messages. `rules.test.ts` compares both.
 */
type Rule = Record<string, unknown>;

const has = (name: string): Rule => ({ required: [name], properties: { [name]: { not: { type: "null" } } } });
const hasNot = (name: string): Rule => ({ properties: { [name]: { type: "null" } } });

/** Exactly one of these fields has a value. */
export const exactlyOne = (...names: string[]): Rule => ({ oneOf: names.map(has) });

/** At least one of these fields has a value. */
export const anyOf = (...names: string[]): Rule => ({ anyOf: names.map(has) });

/** At most one of these fields has a value. */
export function atMostOne(...names: string[]): Rule {
  return { anyOf: names.map((given) => without(...names.filter((name) => name !== given))) };
}

/** If `name` has a value, `other` has a value as well: one of `values`, if they are given. */
export function needs(name: string, other: string, values?: readonly unknown[]): Rule {
  const given = values ? { required: [other], properties: { [other]: { enum: values } } } : has(other);
  return { anyOf: [hasNot(name), given] };
}

/** `names` have values if, and only if, the required `field` has this value. */
export function onlyWith(field: string, value: string, ...names: string[]): Rule {
  return {
    oneOf: [
      { properties: { [field]: { const: value } }, allOf: names.map(has) },
      { properties: { [field]: { not: { const: value } } }, allOf: names.map(hasNot) },
    ],
  };
}

/** All of these fields are left out or null. */
export const without = (...names: string[]): Rule => ({ allOf: names.map(hasNot) });

/** The rules that the document states of an object, in addition to its fields. */
export const rules = (...allOf: Rule[]) => ({ allOf });
