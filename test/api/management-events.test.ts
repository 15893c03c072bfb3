import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { ok } from "../support/story.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({}, { clock: "2026-01-01T00:00:00Z" });
  const create = (key: string) =>
    ok(app.manage("POST", "/products", { key, name: key, prices: [{ currency: "usd", amount: 1000 }] }));
  const setClock = (now: string) => ok(app.manage("PUT", "/sandbox/clock", { now }));
  // Time may go back before the first purchase, so the event that was written last did not happen last.
  await setClock("2026-03-01T00:00:00Z");
  const { id } = await create("march");
  await create("march-too");
  await setClock("2026-01-01T00:00:00Z");
  await create("january");
  await ok(app.manage("POST", "/sandbox/clock/advance", { to: "2026-02-01T00:00:00Z" }));
  await ok(app.api("POST", "/customers", { email: "february@example.com" }));
  await ok(app.manage("POST", "/sandbox/clock/advance", { to: "2026-04-01T00:00:00Z" }));
  await ok(app.manage("PATCH", `/products/${id}`, { name: "april" }));
});
afterAll(() => app.close());

const nameOf = ({ type, data }: Json): string => (type === "customer.created" ? data.email.split("@")[0] : data.name);
const list = async (query: string) => (await ok(app.manage("GET", `/events?${query}`))).data.map(nameOf);

describe("events between two instants of billing time", () => {
  test.each([
    // query, the listed events
    ["", ["march", "march-too", "january", "february", "april"]],
    ["createdAfter=0001-01-01T00:00:00Z", ["january", "february", "march", "march-too", "april"]],
    ["createdBefore=9999-12-31T23:59:59.999Z", ["january", "february", "march", "march-too", "april"]],
    ["createdAfter=2026-02-01T00:00:00Z", ["february", "march", "march-too", "april"]],
    ["createdAfter=2026-02-01T00:00:00.001Z", ["march", "march-too", "april"]],
    ["createdAfter=2026-02-01T01:00:00%2B01:00", ["february", "march", "march-too", "april"]],
    ["createdBefore=2026-02-01T00:00:00Z", ["january"]],
    ["createdBefore=2026-02-01T00:00:00.001Z", ["january", "february"]],
    ["createdAfter=2026-02-01T00:00:00Z&createdBefore=2026-03-01T00:00:00Z", ["february"]],
    ["createdAfter=2026-01-01T00:00:00.001Z&createdBefore=2026-02-01T00:00:00Z", []],
    ["createdBefore=2026-04-01T00:00:00Z&type=product.created", ["january", "march", "march-too"]],
    ["createdAfter=2026-03-01T00:00:00Z&type=product.updated", ["april"]],
    ["createdAfter=2026-03-01T00:00:00Z&type=customer.created", []],
  ])("%s", async (query, names) => expect(await list(query)).toEqual(names));

  test("of one resource", async () => {
    const [{ data }] = (await ok(app.manage("GET", "/events?type=product.updated"))).data;
    expect(await list(`resourceId=${data.id}&createdAfter=2026-03-01T00:00:00Z`)).toEqual(["march", "april"]);
    expect(await list(`resourceId=${data.id}&createdBefore=2026-03-02T00:00:00Z`)).toEqual(["march"]);
  });

  test("come in pages of any size, also where several happened at one instant", async () => {
    const range = "createdAfter=2026-01-15T00:00:00Z&createdBefore=2027-01-01T00:00:00Z";
    for (const limit of [1, 2, 3, 4]) {
      const names: string[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: Json = await ok(
          app.manage("GET", `/events?${range}&limit=${limit}${cursor && `&cursor=${cursor}`}`),
        );
        names.push(...page.data.map(nameOf));
        cursor = page.nextCursor;
      }
      expect(names).toEqual(["february", "march", "march-too", "april"]);
    }
  });

  test("are one's own, whosever the cursor is", async () => {
    const stranger = await app.otherOrganization();
    const foreign = caller(`${app.url}/manage/v1`, stranger.keys.manage);
    const range = "createdAfter=2026-01-01T00:00:00Z";
    const empty = { data: [], nextCursor: null };
    expect(await ok(foreign("GET", `/events?${range}`))).toEqual(empty);
    const { nextCursor } = await ok(app.manage("GET", `/events?${range}&limit=1`));
    expect(await ok(foreign("GET", `/events?${range}&cursor=${nextCursor}`))).toEqual(empty);
  });

  test.each([
    ["createdAfter=yesterday", "createdAfter", "invalid_time"],
    ["createdAfter=2026-02-30T00:00:00Z", "createdAfter", "invalid_time"],
    ["createdAfter=", "createdAfter", "invalid_time"],
    ["createdBefore=2026-02-01", "createdBefore", "invalid_time"],
    ["createdBefore=1769904000", "createdBefore", "invalid_time"],
    ["createdAfter=2026-02-01T00:00:00Z&createdBefore=2026-02-01T00:00:00Z", "createdBefore", "not_after_start"],
    ["createdAfter=2026-02-01T00:00:00Z&createdAfter=2026-02-02T00:00:00Z", "createdAfter", undefined],
  ])("%s is 422", async (query, pointer, code) => {
    const error = { in: "query", pointer, ...(code && { code }) };
    expect(await app.manage("GET", `/events?${query}`)).toMatchObject({ status: 422, body: { errors: [error] } });
  });

  test("are for keys of the management API", async () => {
    const path = "/events?createdAfter=2026-01-01T00:00:00Z";
    expect((await caller(`${app.url}/manage/v1`, null)("GET", path)).status).toBe(401);
    expect((await caller(`${app.url}/manage/v1`, app.keys.public)("GET", path)).status).toBe(403);
  });
});
