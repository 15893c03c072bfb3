import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "../../src/cli/lifecycle.ts";
import type { OpenContext } from "../../src/context.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

test("a stop is over within 10 seconds, though the running parts and the database hang", async () => {
  let over = false;
  const ctx = { close: () => never } as unknown as OpenContext;
  void run(ctx, { once: Promise.resolve(), again: never }, async () => [{ stop: () => never }]).then(
    () => (over = true),
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(over).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(over).toBe(true);
});
