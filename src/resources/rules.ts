/**
 * Rules across fields in the words of JSON Schema, for the documents. A field that is left out and one that is null mean the same. The
 * checks themselves stand beside them, with codes and sentences of their own: `rules.test.ts` holds both against each other.
 */
type Rule = Record<string, unknown>;

const has = (name: string): Rule => ({ required: [name], properties: { [name]: { not: { type: "null" } } } });
const hasNot = (name: string): Rule => ({ properties: { [name]: { type: "null" } } });

/** One of these fields has a value, and no other one of them. */
export const exactlyOne = (...names: string[]): Rule => ({ oneOf: names.map(has) });

/** No two of these fields have a value. */
export function atMostOne(...names: string[]): Rule {
  return { anyOf: names.map((kept) => without(...names.filter((name) => name !== kept))) };
}

/** Where `name` has a value, `other` has one, too; with `values`, one of these. */
export function needs(name: string, other: string, values?: readonly unknown[]): Rule {
  const given = values ? { required: [other], properties: { [other]: { enum: values } } } : has(other);
  return { anyOf: [hasNot(name), given] };
}

/** `names` have values just where `field`, which is required, has this value. */
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

/** The rules that the document states of an object beside its fields. */
export const rules = (...allOf: Rule[]) => ({ allOf });
