import type * as z from "zod";
import { nearest } from "../suggestion.ts";

type Fields = Readonly<Record<string, z.core.$ZodType>>;
/** A schema beside the value that it was held against. */
type At = { schema: z.core.$ZodType; value: unknown };

const member = (value: unknown, name: PropertyKey): unknown =>
  typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[name] : undefined;

/** The schemas of objects, lists and the like below the wrappers that make a field optional, give a default etc. */
function unwrap({ schema, value }: At): At[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ("innerType" in def) return unwrap({ schema: def.innerType, value });
  if (def.type === "pipe") return [def.in, def.out].flatMap((each) => unwrap({ schema: each, value }));
  if (def.type !== "union") return [{ schema, value }];
  const options = def.options.flatMap((each) => unwrap({ schema: each, value }));
  const { discriminator } = def as { discriminator?: string };
  return discriminator === undefined ? options : options.filter((each) => isChosen(each, discriminator));
}

/** Whether the value names this option of a union by its discriminator. */
function isChosen(option: At, discriminator: string): boolean {
  const values = fieldsOf(option)[discriminator]?._zod.values;
  return values?.has(member(option.value, discriminator) as z.core.util.Primitive) ?? false;
}

function fieldsOf({ schema }: At): Fields {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "object" ? def.shape : {};
}

/** The schemas of the part with this name. */
function step(from: At, name: PropertyKey): At[] {
  const { def } = (from.schema as z.core.$ZodTypes)._zod;
  const value = member(from.value, name);
  const inside = def.type === "object" ? def.shape[String(name)] : def.type === "array" ? def.element : undefined;
  return inside ? unwrap({ schema: inside, value }) : [];
}

/**
 * The fields that a caller may have meant by an unknown `name` in the object at `path`: similar fields of this object,
 * or else the field of this name one level deeper, such as `customer.email` for `email`.
 */
export function fieldsLike(schema: z.ZodType, input: unknown, path: readonly PropertyKey[], name: string): string[] {
  const root = unwrap({ schema, value: input });
  const objects = path.reduce<At[]>((found, part) => found.flatMap((each) => step(each, part)), root);
  const names = [...new Set(objects.flatMap((each) => Object.keys(fieldsOf(each))))];
  const near = nearest(name, names);
  if (near.length > 0) return near;
  const deeper = objects.flatMap((each) =>
    names.filter((outer) => step(each, outer).some((inner) => name in fieldsOf(inner))),
  );
  return deeper.map((outer) => `${outer}.${name}`);
}
