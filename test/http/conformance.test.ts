import { afterAll, beforeAll, expect, it, test } from "vitest";
import { startTestApp, type Json, type TestAnswer, type TestApp } from "../support/app.ts";
import { checkConformance } from "../support/conformance.ts";

let app: TestApp;
let created: TestAnswer;
beforeAll(async () => {
  app = await startTestApp();
  created = await app.api("POST", "/customers", { email: "ada@example.com" });
});
afterAll(() => app.close());

const check = (answer: TestAnswer, method = "POST", path = "/customers") =>
  checkConformance(`${app.url}/public/v2`, method, path, answer);
const withHeaders = (change: Record<string, string | null>) => {
  const headers = new Headers(created.headers);
  for (const [name, value] of Object.entries(change)) if (value === null) headers.delete(name);
  for (const [name, value] of Object.entries(change)) if (value !== null) headers.set(name, value);
  return { ...created, headers };
};

it("takes a documented answer", () => expect(check(created)).resolves.toBeUndefined());

test.each<[what: string, answer: () => TestAnswer, method?: string, path?: string]>([
  ["an undocumented field", () => ({ ...created, body: { ...created.body, colour: "red" } })],
  ["a missing field", () => ({ ...created, body: { ...created.body, name: undefined } })],
  ["a field of another type", () => ({ ...created, body: { ...created.body, name: 7 } })],
  ["a time without milliseconds", () => ({ ...created, body: { ...created.body, createdAt: "2026-01-31T00:00:00Z" } })],
  ["an undocumented status", () => ({ ...created, status: 200 })],
  ["another media type", () => withHeaders({ "Content-Type": "text/html" })],
  ["an undocumented header", () => withHeaders({ "Retry-After": "1" })],
  ["a missing Request-Id", () => withHeaders({ "Request-Id": null })],
  ["a Request-Id of another form", () => withHeaders({ "Request-Id": "1" })],
  ["an answer that may be kept", () => withHeaders({ "Cache-Control": null })],
  ["half of the rate limit", () => withHeaders({ RateLimit: '"key";r=1;t=1' })],
  ["an answer to a path that is not there", () => created, "POST", "/nothing"],
  ["an answer to another method", () => created, "PUT"],
])("refuses %s", async (_, answer, method, path) => {
  await expect(check(answer(), method, path)).rejects.toThrow(/./);
});

it("refuses a code that the operation does not document", async () => {
  const problem = await app.api("POST", "/customers", { email: "ada@example.com" });
  await expect(check(problem)).resolves.toBeUndefined();
  await expect(check({ ...problem, body: { ...problem.body, code: "invoice_open" } })).rejects.toThrow(/invoice_open/);
});

it("refuses an event with data that is not its resource", async () => {
  const events = await app.manage("GET", "/events");
  const data = events.body.data.map((event: Json) => ({ ...event, data: { ...event.data, colour: "red" } }));
  const altered = { ...events, body: { ...events.body, data } };
  await expect(checkConformance(`${app.url}/manage/v1`, "GET", "/events", altered)).rejects.toThrow(/customer.created/);
});
