import type { Json } from "../support/app.ts";
import type { Service, Shop } from "./shops.ts";

export type Reply = { status: number; retryAfter: string | null; body: Json };

/** Calls one of the APIs of the server with the shop's key. */
export async function call(
  service: Service,
  shop: Shop,
  method: string,
  path: string,
  body?: object,
  idempotencyKey?: string,
): Promise<Reply> {
  const key = path.startsWith("/public") ? shop.keys.public : shop.keys.manage;
  const headers = new Headers({ Authorization: `Bearer ${key}` });
  if (body) headers.set("Content-Type", "application/json");
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  const response = await fetch(service.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
  const text = await response.text();
  return { status: response.status, retryAfter: response.headers.get("Retry-After"), body: JSON.parse(text) };
}
