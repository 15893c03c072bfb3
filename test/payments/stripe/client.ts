import { API_VERSION } from "./book.ts";

/** An answer of the server under test. */
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> & { error?: Refusal } };
type Refusal = Record<string, unknown> & { type: string; message: string; code?: string; param?: string };

export type Value = string | number | boolean | Value[] | { [name: string]: Value };

/** A body as Stripe takes it: `{ a: { b: ["c"] } }` is `a[b][0]=c`. */
export function formOf(params: Record<string, Value>): string {
  const fields = new URLSearchParams();
  const add = (name: string, value: Value): void => {
    if (Array.isArray(value)) value.forEach((each, n) => add(`${name}[${n}]`, each));
    else if (typeof value === "object") for (const [key, each] of Object.entries(value)) add(`${name}[${key}]`, each);
    else fields.append(name, String(value));
  };
  for (const [name, value] of Object.entries(params)) add(name, value);
  return fields.toString();
}

export type How = { key?: string; idempotencyKey?: string; headers?: Record<string, string> };

/** Sends requests to a server: `send("POST /v1/refunds", { payment_intent })`. */
export function clientOf({ url, key }: { url: string; key: string }) {
  return async (endpoint: string, params: Record<string, Value> = {}, how: How = {}): Promise<Answer> => {
    const [method, path] = endpoint.split(" ") as [string, string];
    const form = formOf(params);
    const isPost = method === "POST";
    const answer = await fetch(`${url}${path}${isPost || form === "" ? "" : `?${form}`}`, {
      method,
      headers: {
        authorization: `Bearer ${how.key ?? key}`,
        "stripe-version": API_VERSION,
        ...(isPost ? { "content-type": "application/x-www-form-urlencoded" } : {}),
        ...(how.idempotencyKey === undefined ? {} : { "idempotency-key": how.idempotencyKey }),
        ...how.headers,
      },
      ...(isPost ? { body: form } : {}),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer["body"] };
  };
}
