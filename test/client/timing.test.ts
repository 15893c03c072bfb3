import { AuthenticationError, Billow, ConnectionError } from "@billow/client";
import type { ApiKey } from "@billow/client";
import { beforeEach, expect, test, vi } from "vitest";
import { rejection } from "./server.ts";

const NOW = "2026-01-31T00:00:00.000Z";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW) });
  return () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  };
});

const baseUrl = "https://billing.test/public/v2";
const waitAMinute = () => new Response("", { status: 503, headers: { "Retry-After": "60" } });

/** A client with requests that wait until the test answers them. */
function unansweredClient(apiKey: ApiKey = "blw_test_1") {
  const sent: string[] = [];
  const answers: ((response: Response) => void)[] = [];
  const fetch = (url: string, { headers }: RequestInit) => {
    sent.push(`${url.slice(`${baseUrl}/checkouts/`.length)} ${new Headers(headers).get("authorization")}`);
    return new Promise<Response>((resolve) => answers.push(resolve));
  };
  /** Answers the n-th request, and lets all follow that needs no time. */
  const answer = async (n: number, response: Response) => {
    answers[n]?.(response);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { sent, answer, billow: new Billow({ apiKey, baseUrl, fetch }) };
}

test.each([
  [{}, 0],
  [{ "Retry-After": "7" }, 7_000],
  [{ "Retry-After": "Sat, 31 Jan 2026 00:00:09 GMT" }, 9_000],
  [{ "Retry-After": "Sat, 31 Jan 2026 01:00:09 GMT", Date: "Sat, 31 Jan 2026 01:00:00 GMT" }, 9_000],
  [{ "Retry-After": "Fri, 30 Jan 2026 00:00:00 GMT" }, 0],
  [{ "Retry-After": "86400" }, 60_000],
  [{ "Retry-After": "1".repeat(20) }, 60_000],
  [{ "Retry-After": "soon" }, 0],
  [{ "Retry-After": "-5" }, 0],
])("%j asks to wait at least %i ms", async (headers, wait) => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const { sent, answer, billow } = unansweredClient();
  const call = billow.checkouts.get("chk_1");
  await vi.advanceTimersByTimeAsync(0);
  await answer(0, new Response("", { status: 429, headers }));
  await vi.advanceTimersByTimeAsync(wait + 124);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toHaveLength(2);
  await answer(1, Response.json({ id: "chk_1" }));
  expect(await call).toEqual({ id: "chk_1" });
  expect(vi.getTimerCount()).toBe(0);
});

test("waits are random below a ceiling that doubles from 250 ms to 8 s", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const moments: number[] = [];
  const fetch = () => {
    moments.push(Date.now());
    return Promise.reject(new TypeError("fetch failed"));
  };
  const failed = rejection(new Billow({ apiKey: "blw_test_1", baseUrl, maxAttempts: 8, fetch }).checkouts.get("chk_1"));
  await vi.runAllTimersAsync();
  expect(await failed).toBeInstanceOf(ConnectionError);
  expect(moments.slice(1).map((moment, n) => moment - (moments[n] ?? 0))).toEqual([
    125, 250, 500, 1000, 2000, 4000, 4000,
  ]);
});

test("an attempt ends after 30 s even if fetch takes no notice of its signal", async () => {
  const { sent, billow } = unansweredClient();
  const failed = rejection(billow.checkouts.get("chk_1"));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(sent).toHaveLength(1);
  await vi.runAllTimersAsync();
  expect(sent).toHaveLength(4);
  expect(await failed).toMatchObject({
    name: "ConnectionError",
    message: expect.stringMatching(/chk_1: no answer within 30000 ms$/),
  });
});

test.each([
  ["a success", 200],
  ["an error", 422],
])("a signal ends the wait for the body of %s", async (_answer, status) => {
  const { answer, billow } = unansweredClient();
  const stop = new AbortController();
  const stopped = rejection(billow.checkouts.get("chk_1", { signal: stop.signal }));
  await vi.advanceTimersByTimeAsync(0);
  await answer(0, new Response(new ReadableStream(), { status }));
  stop.abort();
  expect(await stopped).toMatchObject({ name: "AbortError" });
  expect(vi.getTimerCount()).toBe(0);
});

test("a 401 wakes every sleeping retry and leaves no timer behind", async () => {
  const { sent, answer, billow } = unansweredClient();
  const calls = ["chk_1", "chk_2", "chk_3"].map((id) => rejection(billow.checkouts.get(id)));
  await vi.advanceTimersByTimeAsync(0);
  await answer(0, waitAMinute());
  await answer(1, waitAMinute());
  await answer(2, new Response("", { status: 401 }));
  for (const error of await Promise.all(calls)) expect(error).toBeInstanceOf(AuthenticationError);
  expect(vi.getTimerCount()).toBe(0);
  expect(sent).toHaveLength(3);
});

test.each<[string, (key: Promise<string>) => ApiKey]>([
  ["was sent before the change", () => "blw_test_1"],
  ["got its old key after the change", (key) => () => key],
])("a late 401 fails only its own call, which %s", async (_when, apiKey) => {
  const oldKey = Promise.withResolvers<string>();
  const { sent, answer, billow } = unansweredClient(apiKey(oldKey.promise));
  const old = rejection(billow.checkouts.get("old"));
  await vi.advanceTimersByTimeAsync(0);
  billow.setApiKey("blw_test_2");
  const waiting = billow.checkouts.get("new");
  await vi.advanceTimersByTimeAsync(0);
  await answer(sent.indexOf("new Bearer blw_test_2"), waitAMinute());
  oldKey.resolve("blw_test_1");
  await vi.advanceTimersByTimeAsync(0);
  await answer(sent.indexOf("old Bearer blw_test_1"), new Response("", { status: 401 }));
  expect(await old).toBeInstanceOf(AuthenticationError);
  await vi.advanceTimersByTimeAsync(61_000);
  expect(sent).toHaveLength(3);
  await answer(2, Response.json({ id: "new" }));
  expect(await waiting).toEqual({ id: "new" });
});
