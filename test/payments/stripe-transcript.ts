import type { Passage } from "./stripe-proxy.ts";

/** An id in a path: a prefix and at least one digit or capital, such as `pi_3OaB…`. */
const ID = /\/[a-z]{2,8}_(?=[^/?]*[0-9A-Z])[^/?]+/g;

/**
 * The endpoint with the status and the error of its answer: `POST /v1/payment_intents/:id/confirm 402 card_declined`.
 */
function kindOf({ request, status, answer }: Passage): string {
  const { error } = answer as { error?: { code?: string; decline_code?: string } };
  const codes = [error?.code, error?.decline_code].filter((each) => each !== undefined);
  return [request.replace(/\?.*$/, "").replaceAll(ID, "/:id"), status, ...codes].join(" ");
}

/** The fields of an answer, down to three levels. Items of a list count as one, and metadata as a whole. */
function fieldsOf(value: unknown, within = "", depth = 0): string[] {
  if (depth > 2 || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((each) => fieldsOf(each, `${within}[]`, depth));
  return Object.entries(value).flatMap(([name, each]) => {
    const path = within === "" ? name : `${within}.${name}`;
    return name === "metadata" ? [path] : [path, ...fieldsOf(each, path, depth + 1)];
  });
}

function shapesOf(passages: readonly Passage[]): Map<string, Set<string>> {
  const shapes = new Map<string, Set<string>>();
  for (const passage of passages) {
    const fields = shapes.getOrInsertComputed(kindOf(passage), () => new Set());
    for (const field of fieldsOf(passage.answer)) fields.add(field);
  }
  return shapes;
}

/**
 * The differences of a transcript of Stripe from one of the local server that matter to the adapter: answers that only
 * one of them gave, and fields that only the local server has.
 */
export function compareTranscripts(real: readonly Passage[], local: readonly Passage[]): string[] {
  const [theirs, ours] = [shapesOf(real), shapesOf(local)];
  const found = [...theirs.keys()].filter((kind) => !ours.has(kind)).map((kind) => `only Stripe answered ${kind}`);
  for (const [kind, fields] of ours) {
    const known = theirs.get(kind);
    if (!known) found.push(`only the local server answered ${kind}`);
    else for (const field of fields) if (!known.has(field)) found.push(`only the local server has ${field} in ${kind}`);
  }
  return found.sort();
}
