import type { Instant } from "../calendar.ts";

/** The kinds of callers that change an Organization. `cli`: a command on the server. */
export const ACTOR_TYPES = ["user", "key", "cli"] as const;
export type Actor = { type: "user" | "key"; id: string } | { type: "cli"; id: null };
export const COMMAND: Actor = { type: "cli", id: null };

/** A value that is stored. */
export type Plain = string | number | boolean | null;
/** The changed fields by name. `values` has the fields without personal data. */
export type Changed = { fields: string[]; values: Record<string, Plain> };

/** One change, before it is stored. `customerId`: the Customer that the change is about; null: no Customer. */
export type AuditedOperation = Changed & {
  actor: Actor;
  /** The operation of the API, or the same kind of name for a change without one. */
  operation: string;
  resourceId: string | null;
  customerId: string | null;
  /** The address of the client; null: a command. */
  clientAddress: string | null;
};

/** A stored change. `fields` and `values` are null once the Customer is deleted. */
export type AuditEntry = {
  id: string;
  at: Instant;
  actorType: Actor["type"];
  actorId: string | null;
  /** The name of the user or the key; null: a command, or a key that is gone. */
  actorName: string | null;
  operation: string;
  resourceId: string | null;
  customerId: string | null;
  fields: string[] | null;
  values: Record<string, Plain> | null;
  clientAddress: string | null;
};

/**
 * Fields with words of ours, keys and codes of the catalogue, or instants as their values. Any other text may be
 * personal or a secret, so only its name is stored.
 */
const WORDS: ReadonlySet<string> = new Set([
  "consent",
  "currency",
  "defaultCurrency",
  "defaultProration",
  "discountCode",
  "interval",
  "mode",
  "price",
  "productKey",
  "prorationBehavior",
  "quantityFall",
  "quantityRise",
  "resumesAt",
  "role",
  "taxBehavior",
  "timeZone",
  "trialEnd",
  "type",
]);
/** Fields that hold data of people, or of the caller's own systems: not even their numbers are stored. */
const CLOSED: ReadonlySet<string> = new Set(["address", "billingAddress", "card", "fieldValues", "metadata", "taxId"]);
const ID = /^[a-z]{2,3}_[0-9a-z]{26}$/;
const MOST_FIELDS = 50;

function isSafe(name: string, value: unknown): value is Plain {
  if (value === null || typeof value === "boolean" || typeof value === "number") return true;
  return typeof value === "string" && (ID.test(value) || (WORDS.has(name) && value.length <= 64));
}

/**
 * The fields of a request's body. A field within an object has a path such as `branding.accentColor`. A list has one
 * name, without its items.
 */
export function changedBy(body: unknown): Changed {
  const changed: Changed = { fields: [], values: {} };
  const add = (name: string, value: unknown, path: string) => {
    if (changed.fields.length >= MOST_FIELDS || value === undefined) return;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isObject && !CLOSED.has(name) && !path.includes(".")) {
      for (const [inner, each] of Object.entries(value)) add(inner, each, `${path}.${inner}`);
      return;
    }
    changed.fields.push(path);
    if (!CLOSED.has(name) && isSafe(name, value)) changed.values[path] = value;
  };
  if (typeof body === "object" && body !== null && !Array.isArray(body))
    for (const [name, value] of Object.entries(body)) add(name, value, name);
  return changed;
}
