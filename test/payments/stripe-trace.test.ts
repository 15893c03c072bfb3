import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openClient } from "../../src/payments/stripe/client.ts";
import { closeTracer, traced, useTracer } from "../../src/tracing/tracing.ts";
import { openTracer } from "../../src/tracing/otlp.ts";
import { createLogger } from "../../src/log.ts";
import { startTraceReceiver } from "../support/trace-receiver.ts";

test("the span of a request to Stripe has the host and the status, and neither the path nor a parameter", async () => {
  const traces = await startTraceReceiver();
  const stripe = createServer((_, response) => response.writeHead(404).end('{"error":{"message":"No such Pia"}}'));
  await new Promise<void>((resolve) => stripe.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    stripe.close();
    await traces.close();
  });
  const { port } = stripe.address() as AddressInfo;
  const client = openClient({
    baseUrl: `http://127.0.0.1:${port}`,
    key: "rk_test_secret",
    deadline: 5_000,
    now: () => performance.now(),
  });
  const endpoint = `${traces.url}/v1/traces`;
  useTracer(openTracer({ endpoint, headers: {}, serviceName: "billow", ratio: 1 }, createLogger("silent")));
  const outer = { name: "stripe charge", kind: "client", within: "new", attributes: {} } as const;
  const asked = traced(
    () => outer,
    () => client.begin().get("/v1/customers/cus_of_pia", { email: "pia@example.com" }),
  );
  await expect(asked).rejects.toThrow("No such Pia");
  await closeTracer();

  const [request, call] = ["GET", "stripe charge"].map((name) => traces.spans.find((span) => span.name === name)!);
  expect(request!.parentSpanId).toBe(call!.spanId);
  expect(request!.values).toEqual({
    "http.request.method": "GET",
    "server.address": "127.0.0.1",
    "server.port": port,
    "http.response.status_code": 404,
    "error.type": "404",
  });
  expect(call!.values).toMatchObject({ "error.type": "StripeFault" });
  for (const text of ["cus_of_pia", "pia@", "rk_test_secret", "/v1/customers"]) expect(traces.text).not.toContain(text);
  expect(traces.text).not.toMatch(/\bPia\b/);
});
