import { describe, expect, test } from "vitest";
import { Limiter, openLimiters, type Pauses, type Urgency } from "../../src/payments/limiter.ts";
import { ProviderBusy, type ProviderLimits } from "../../src/payments/limits.ts";

const UNLIMITED: ProviderLimits = { inFlight: Infinity, perSecond: Infinity };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A clock that the test moves. A pause ends when the clock reaches the pause's end. */
function testClock() {
  let now = 0;
  const sleeping: { until: number; wake: () => void }[] = [];
  const pauses: Pauses = {
    now: () => now,
    sleep: (milliseconds) => new Promise<void>((wake) => sleeping.push({ until: now + milliseconds, wake })),
  };
  async function advance(milliseconds: number): Promise<void> {
    const end = now + milliseconds;
    for (await turn(); ; await turn()) {
      const next = sleeping.toSorted((one, other) => one.until - other.until).find(({ until }) => until <= end);
      if (!next) break;
      sleeping.splice(sleeping.indexOf(next), 1);
      now = next.until;
      next.wake();
    }
    now = end;
  }
  return { pauses, advance };
}

/** Calls that record their start, and that end when the test allows it. */
function provider(limits: Partial<ProviderLimits>) {
  const clock = testClock();
  const limiter = new Limiter({ ...UNLIMITED, ...limits }, clock.pauses);
  const begun: [name: string, at: number][] = [];
  const open = new Map<string, PromiseWithResolvers<string>>();
  const call = (name: string, urgency: Urgency = "due") =>
    limiter.run(() => {
      begun.push([name, clock.pauses.now()]);
      const waiting = Promise.withResolvers<string>();
      open.set(name, waiting);
      return waiting.promise;
    }, urgency);
  return {
    ...clock,
    limiter,
    call,
    begun,
    async end(name: string) {
      open.get(name)!.resolve(name);
      await turn();
    },
    async fail(name: string, error: Error) {
      open.get(name)!.reject(error);
      await turn();
    },
  };
}

describe("calls in flight", () => {
  test("are as many as the provider takes, and the next begins when one ends", async () => {
    const { call, begun, end, advance } = provider({ inFlight: 2 });
    const calls = ["a", "b", "c", "d"].map((name) => call(name));
    await advance(0);
    expect(begun.map(([name]) => name)).toEqual(["a", "b"]);
    await end("b");
    expect(begun.map(([name]) => name)).toEqual(["a", "b", "c"]);
    await end("a");
    expect(begun.map(([name]) => name)).toEqual(["a", "b", "c", "d"]);
    await end("c");
    await end("d");
    expect(await Promise.all(calls)).toEqual(["a", "b", "c", "d"]);
  });

  test("leave their place when they fail", async () => {
    const { call, begun, end, fail, advance } = provider({ inFlight: 1 });
    const [failing, next] = [call("a"), call("b")];
    await advance(0);
    const outcome = Promise.allSettled([failing]);
    await fail("a", new Error("no route"));
    expect(await outcome).toMatchObject([{ reason: { message: "no route" } }]);
    expect(begun.map(([name]) => name)).toEqual(["a", "b"]);
    await end("b");
    expect(await next).toBe("b");
  });
});

test("calls begin evenly, as many in a second as the provider takes", async () => {
  const { call, begun, advance } = provider({ perSecond: 4 });
  for (const name of ["a", "b", "c"]) void call(name);
  await advance(1000);
  expect(begun).toEqual([
    ["a", 0],
    ["b", 250],
    ["c", 500],
  ]);
  void call("d");
  await advance(0);
  expect(begun.at(-1)).toEqual(["d", 1000]);
});

describe("calls in the background", () => {
  test("begin after all other calls, in order, however early they came", async () => {
    const { call, begun, advance } = provider({ perSecond: 10 });
    for (const name of ["page 1", "page 2"]) void call(name, "background");
    for (const name of ["charge 1", "charge 2"]) void call(name);
    await advance(1000);
    expect(begun.map(([name]) => name)).toEqual(["page 1", "charge 1", "charge 2", "page 2"]);
    void call("page 3", "background");
    await advance(0);
    expect(begun.at(-1)).toEqual(["page 3", 1000]);
  });

  test("get a tenth of the calls while charges wait without end, in the time and in the places", async () => {
    const { call, begun, end, advance } = provider({ perSecond: 10, inFlight: 1 });
    for (let n = 0; n < 100; n += 1) void call(`charge ${n}`);
    for (let n = 0; n < 100; n += 1) void call(`page ${n}`, "background");
    for (let n = 0; n < 100; n += 1) {
      await advance(100);
      expect(begun.length).toBe(n + 1);
      await end(begun.at(-1)![0]);
    }
    const pages = begun.flatMap(([name], n) => (name.startsWith("page") ? [[name, n]] : []));
    expect(pages).toEqual(Array.from({ length: 10 }, (_, n) => [`page ${n}`, 10 * n + 9]));
  });
});

test("a buyer does not wait for the renewals of a night, and the renewals do not wait for all buyers", async () => {
  const { call, begun, advance } = provider({ perSecond: 10 });
  for (let n = 0; n < 100; n += 1) void call(`renewal ${n}`);
  await advance(100);
  for (let n = 0; n < 3; n += 1) void call(`buyer ${n}`, "buyer");
  await advance(600);
  const names = begun.map(([name]) => name.split(" ")[0]);
  expect(names).toEqual(["renewal", "renewal", "buyer", "renewal", "buyer", "renewal", "buyer", "renewal"]);
});

test("an account has one limiter for all its objects, and another one for test mode", () => {
  const limiterOf = openLimiters();
  const [live, tests] = [
    { ...UNLIMITED, inFlight: 40 },
    { ...UNLIMITED, inFlight: 20 },
  ];
  const one = { name: "stripe", account: "acct_1", limits: live };
  expect(limiterOf({ ...one, limits: { ...live } })).toBe(limiterOf(one));
  const others = [
    { ...one, account: "acct_2" },
    { ...one, name: "acorn" },
    { ...one, limits: tests },
  ];
  for (const other of others) expect(limiterOf(other)).not.toBe(limiterOf(one));
});

describe("a call that the provider refuses for now", () => {
  test("is sent again when the provider says, and later calls wait with it, at half the rate", async () => {
    const { call, begun, end, fail, advance } = provider({ perSecond: 10 });
    const first = call("a");
    await advance(0);
    await fail("a", new ProviderBusy(700));
    for (const name of ["b", "c"]) void call(name);
    await advance(5000);
    expect(begun).toEqual([
      ["a", 0],
      ["a", 700],
      ["b", 900],
      ["c", 1100],
    ]);
    await end("a");
    expect(await first).toBe("a");
  });

  test("waits for two seconds at most", async () => {
    const { call, begun, fail, advance } = provider({});
    void call("a");
    await advance(0);
    await fail("a", new ProviderBusy(60_000));
    await advance(60_000);
    expect(begun).toEqual([
      ["a", 0],
      ["a", 2000],
    ]);
  });

  test("fails at the fourth refusal", async () => {
    const { call, begun, fail, advance } = provider({});
    const outcome = Promise.allSettled([call("a")]);
    await advance(0);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await fail("a", new ProviderBusy(100));
      await advance(100);
    }
    expect(await outcome).toMatchObject([{ reason: expect.any(ProviderBusy) }]);
    expect(begun.map(([, at]) => at)).toEqual([0, 100, 200, 300]);
  });

  test("comes back to the full rate call by call", async () => {
    const { limiter, pauses, advance } = provider({ inFlight: 1, perSecond: 10 });
    const at: number[] = [];
    let busy = 1;
    const call = () =>
      limiter.run(async () => {
        at.push(pauses.now());
        if (busy-- > 0) throw new ProviderBusy(0);
      }, "due");
    for (let n = 0; n < 30; n += 1) void call();
    await advance(60_000);
    const gaps = at.slice(1).map((instant, n) => Math.round(instant - at[n]!));
    expect([Math.max(...gaps), gaps.at(-1)]).toEqual([200, 100]);
    expect(gaps.slice(2)).toEqual(gaps.slice(2).toSorted((one, other) => other - one));
  });
});
