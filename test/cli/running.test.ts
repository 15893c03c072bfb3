import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "../../src/cli/lifecycle.ts";
import type { OpenContext } from "../../src/context.ts";
import { closeTracer, hasTracer, NO_SPAN, useTracer } from "../../src/tracing/tracing.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  vi.useRealTimers();
  await closeTracer();
});

const never = new Promise<never>(() => undefined);

test("a stop is over within 10 seconds, though parts, database and receiver of traces hang", async () => {
  let over = false;
  useTracer({ run: (_, work) => work(NO_SPAN), recorded: () => undefined, close: () => never });
  const ctx = { close: () => never } as unknown as OpenContext;
  void run(ctx, { once: Promise.resolve(), again: never }, async () => [{ stop: () => never }]).then(
    () => (over = true),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(over).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  // The process waits for no trace afterwards.
  expect([over, hasTracer()]).toEqual([true, false]);
});
