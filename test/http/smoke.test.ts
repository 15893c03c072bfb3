import { expect, test } from "vitest";
import { startTestApp } from "../support/app.ts";
test("smoke", async () => {
  const app = await startTestApp({ rateLimit: 500 });
  const r = await app.api("POST", "/customers", { email: "a@example.com" });
  console.log(r.status, r.body, Object.fromEntries(r.headers));
  for (const [m, p] of [["GET", "/customers/x"], ["GET", "/organization"], ["GET", "/api-keys"], ["GET", "/sandbox/clock"]] as const) {
    const a = await app.manage(m, p); console.log(m, p, a.status, JSON.stringify(a.body).slice(0, 300), a.headers.get("billow-clock"));
  }
  console.log((await app.manage("PUT", "/sandbox/clock", { now: "2026-01-01T00:00:00Z" })));
  console.log((await app.manage("POST", "/sandbox/clock/advance", { by: "P1M" })));
  for (const p of ["/healthz", "/readyz", "/docs", "/docs/errors", "/nope", "/public/v2/openapi.json", "/metrics"]) {
    const a = await fetch(app.url + p); console.log(p, a.status, Object.fromEntries(a.headers), (await a.text()).slice(0, 200));
  }
  await app.close();
  expect(1).toBe(1);
});
