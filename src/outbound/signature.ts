import { createHmac } from "node:crypto";

/** The headers of Standard Webhooks. */
export type SignedHeaders = Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>;

/**
 * The HMAC-SHA-256 of each secret over id, timestamp and body, as `v1,…`. `secrets`: base64, without `whsec_`;
 * `timestamp`: seconds.
 */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string | Uint8Array,
): SignedHeaders {
  const signatures = secrets.map((secret) => {
    const mac = createHmac("sha256", Buffer.from(secret, "base64")).update(`${id}.${timestamp}.`).update(body);
    return `v1,${mac.digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signatures.join(" ") };
}

/** The headers of each webhook request of Billow, besides those of its signature. */
export const SENDER_HEADERS = { "Content-Type": "application/json", "User-Agent": "Billow" } as const;
