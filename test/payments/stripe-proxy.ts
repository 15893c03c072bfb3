import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request and its answer as they passed, without keys and secrets. */
export type Passage = { request: string; form: Record<string, string>; status: number; answer: unknown };

/**
 * Stands between the adapter and Stripe, or between the adapter and the tests' own server. The proxy loses the answers
 * to confirmations and refunds of some cards, and remembers all that passes.
 */
export type Proxy = {
  readonly url: string;
  readonly passages: readonly Passage[];
  /** From now on each confirmation with this card, and each refund of its charges, is made, but not answered. */
  loseAnswersOf(card: string): void;
  /** From now on each request has a key that Stripe does not know, until the returned function is called. */
  spoilKey(): () => void;
  close(): Promise<void>;
};

const SECRETS = /(secret|token|_key|url|email)$/;
const HIDDEN = "[hidden]";

/** Replaces secrets, addresses that hold secrets, and e-mail addresses. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  const withoutSecret = ([name, each]: [string, unknown]) => [
    name,
    SECRETS.test(name) && typeof each === "string" ? HIDDEN : withoutSecrets(each),
  ];
  return Object.fromEntries(Object.entries(value).map(withoutSecret));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The headers that matter to Stripe; the others belong to one connection. */
const PASSED = ["authorization", "content-type", "idempotency-key", "stripe-version"];

export async function startProxy(target: string): Promise<Proxy> {
  const passages: Passage[] = [];
  const lostCards = new Set<string>();
  let isSpoilt = false;
  /** Intents that were created with such a card. */
  const lostIntents = new Set<string>();

  function isLost(path: string, form: URLSearchParams): boolean {
    const [, confirmed] = /^\/v1\/(?:payment|setup)_intents\/([^/]+)\/confirm$/.exec(path) ?? [];
    const refunded = path === "/v1/refunds" ? form.get("payment_intent") : null;
    return lostIntents.has(confirmed ?? refunded ?? "");
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const headers = PASSED.flatMap((name) => {
      const value = request.headers[name];
      return typeof value === "string" ? [[name, value] as [string, string]] : [];
    });
    if (isSpoilt) headers.push(["authorization", "Bearer sk_test_spoilt"]);
    const { method = "GET", url: path = "/" } = request;
    const answer = await fetch(new URL(path, target), {
      method,
      headers: Object.fromEntries(headers),
      ...(method === "POST" ? { body } : {}),
    });
    const text = await answer.text();
    const form = new URLSearchParams(body);
    const parsed = JSON.parse(text) as { id?: string };
    if (lostCards.has(form.get("payment_method") ?? "") && parsed.id) lostIntents.add(parsed.id);
    const shown = withoutSecrets(Object.fromEntries(form)) as Record<string, string>;
    passages.push({ request: `${method} ${path}`, form: shown, status: answer.status, answer: withoutSecrets(parsed) });
    if (method === "POST" && isLost(path, form)) {
      request.socket.destroy();
      return;
    }
    const kept = ["content-type", "request-id", "retry-after"].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
    response.writeHead(answer.status, Object.fromEntries(kept)).end(text);
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passages,
    loseAnswersOf: (card) => void lostCards.add(card),
    spoilKey() {
      isSpoilt = true;
      return () => void (isSpoilt = false);
    },
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
