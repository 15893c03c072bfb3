import { expect, test } from "vitest";
import { startProxy, type Passage } from "./stripe-proxy.ts";
import { clientOf } from "./stripe/client.ts";
import { startStripe } from "./stripe/server.ts";
import { compareTranscripts } from "./stripe-transcript.ts";

const passage = (request: string, status: number, answer: unknown): Passage => ({ request, form: {}, status, answer });

test("two transcripts differ by answers and by fields", () => {
  const real = [
    passage("GET /v1/customers/cus_1A?limit=1", 200, { id: "cus_1A", metadata: { a: "1" }, extra: null }),
    passage("POST /v1/payment_intents/pi_3B/confirm", 402, {
      error: { code: "card_declined", decline_code: "lost_card" },
    }),
  ];
  const local = [
    passage("GET /v1/customers/cus_9Z", 200, { id: "cus_9Z", metadata: { b: "2" }, list: { data: [{ own: 1 }] } }),
    passage("POST /v1/payment_intents/pi_9Z/confirm", 200, { id: "pi_9Z" }),
  ];
  expect(compareTranscripts(real, local)).toEqual([
    "only Stripe answered POST /v1/payment_intents/:id/confirm 402 card_declined lost_card",
    "only the local server answered POST /v1/payment_intents/:id/confirm 200",
    "only the local server has list in GET /v1/customers/:id 200",
    "only the local server has list.data in GET /v1/customers/:id 200",
    "only the local server has list.data[].own in GET /v1/customers/:id 200",
  ]);
  expect(compareTranscripts(local, local)).toEqual([]);
});

test("a transcript holds neither keys nor secrets", async () => {
  const stripe = await startStripe();
  const proxy = await startProxy(stripe.url);
  const send = clientOf({ url: proxy.url, key: stripe.key });
  const made = await send("POST /v1/payment_intents", { amount: 1000, currency: "usd" });
  await send("POST /v1/webhook_endpoints", { url: "https://a.example/hook", enabled_events: ["*"] });
  const written = JSON.stringify(proxy.passages);
  await proxy.close();
  await stripe.close();
  expect(written).toContain(made.body["id"]);
  expect(written).not.toContain(made.body["client_secret"]);
  expect(written).not.toContain(stripe.key);
  expect(written).not.toContain("whsec_");
});
