import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { advanceClock, joinAdvance } from "../../src/actions/sandbox/advance-clock.ts";
import type { OrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { createContext, type OpenContext } from "../../src/context.ts";
import { DAY, formatInstant, instant, parseInstant } from "../../src/domain/calendar.ts";
import type { Refusal } from "../../src/domain/refusal.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { answered } from "../support/answered.ts";
import { advanceSandbox, caller, startTestApp, type Json, type TestApp, type TestCall } from "../support/app.ts";
import { audit } from "../support/audit.ts";
import { historyOf } from "../support/history.ts";
import {
  heldAtACharge,
  killedAt,
  letLeasesRunOut,
  stoppedAt,
  withFault,
  type HeldProcess,
} from "../support/processes.ts";
import { operate } from "../support/operate.ts";
import { ok } from "../support/story.ts";

const PAYS = "4242424242424242";
const FAILS_LATER = "4000000000000341";
const AUTHENTICATES = "4000000000003220";
const ANSWER_LOST = "4000000000000507";

const START = "2025-01-31T10:00:00.000Z";
const instantOf = (text: string) => parseInstant(text)!;

let app: TestApp;
let other: OpenContext;

beforeAll(async () => {
  app = await startTestApp();
  other = await createContext(app.ctx.config);
});

afterAll(async () => {
  await other.close();
  await app.close();
});

type Sandbox = OrganizationWithKeys & { api: TestCall; manage: TestCall };

async function openSandbox(): Promise<Sandbox> {
  const made = await app.otherOrganization({ clock: START, timeZone: "America/New_York" });
  return {
    ...made,
    api: caller(`${app.url}/public/v2`, made.keys.public),
    manage: caller(`${app.url}/manage/v1`, made.keys.manage),
  };
}

const advance = (sandbox: Sandbox, target: object) => sandbox.manage("POST", "/sandbox/clock/advance", target);

async function advanceTo({ manage }: Sandbox, to: string): Promise<void> {
  expect((await advanceSandbox(manage, { to })).body).toMatchObject({ now: to });
}

/** A catalogue, and a buyer for each fate that a year may bring. */
async function populate({ api, manage }: Sandbox): Promise<void> {
  const { id: feature } = await ok(manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }));
  const price = (amount: number) => ({ prices: [{ currency: "usd", amount }], benefitIds: [feature] });
  const products = [
    { key: "weekly", name: "Weekly", interval: "week", ...price(300) },
    { key: "starter", name: "Starter", interval: "month", ...price(1000) },
    { key: "trial", name: "Trial", interval: "month", trialDays: 14, trialCard: "optional", ...price(3000) },
    { key: "yearly", name: "Yearly", interval: "year", ...price(30_000) },
    { key: "book", name: "Book", ...price(500) },
  ];
  for (const product of products) await ok(manage("POST", "/products", product));

  async function buy(name: string, productKey: string, card: string | null): Promise<Json> {
    const { id, customerId } = await ok(
      api("POST", "/checkouts", { productKey, customer: { email: `${name}@example.com` } }),
    );
    await ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card }));
    await app.runDue();
    const { subscriptionId } = await ok(api("GET", `/checkouts/${id}`));
    return { customerId, change: (body: object) => ok(api("PATCH", `/subscriptions/${subscriptionId}`, body)) };
  }

  await buy("pays", "starter", PAYS);
  await buy("pays-weekly", "weekly", PAYS);
  await buy("fails", "starter", FAILS_LATER);
  await buy("tries", "trial", PAYS);
  await buy("tries-and-fails", "trial", FAILS_LATER);
  await buy("tries-without-a-card", "trial", null);
  await buy("reads", "book", PAYS);
  await (await buy("cancels", "starter", PAYS)).change({ cancelAtPeriodEnd: true });
  await (await buy("cancels-the-trial", "trial", PAYS)).change({ cancelAtPeriodEnd: true });
  await (await buy("goes-yearly", "starter", PAYS)).change({ productKey: "yearly", prorationBehavior: "next_period" });
  await (await buy("goes-cheaper", "starter", PAYS)).change({ productKey: "weekly", prorationBehavior: "next_period" });
  const { customerId } = await buy("has-to-authenticate", "starter", PAYS);
  await ok(manage("POST", `/sandbox/customers/${customerId}/card`, { card: AUTHENTICATES }));
  await ok(api("POST", "/checkouts", { productKey: "starter", customer: { email: "never-pays@example.com" } }));
}

const historyAt = (sandbox: Sandbox) => historyOf(app.ctx.db, sandbox.organization.id);
const disagreements = (sandbox: Sandbox) => audit(app.ctx.db, sandbox.organization.id);

describe("a year", () => {
  const END = "2026-02-01T10:00:00.000Z";
  let year: Record<string, string[]>;

  beforeAll(async () => {
    const sandbox = await openSandbox();
    await populate(sandbox);
    await advanceTo(sandbox, END);
    year = await historyAt(sandbox);
    expect(await disagreements(sandbox)).toEqual([]);
  }, 720_000);

  test("of small steps is a year at once", async () => {
    const sandbox = await openSandbox();
    await populate(sandbox);
    for (let at = instantOf(START) + 5 * DAY; at < instantOf(END); at += 5 * DAY)
      await advanceTo(sandbox, formatInstant(instant(at)));
    await advanceTo(sandbox, END);
    expect(await historyAt(sandbox)).toEqual(year);
  });

  test("from one due instant to the next is a year at once", async () => {
    const sandbox = await openSandbox();
    await populate(sandbox);
    for (let now = START; now <= END;) {
      const { now: next } = await ok(advance(sandbox, { toNextDue: true }));
      expect(next > now).toBe(true);
      now = next;
    }
    const histories = Object.entries(await historyAt(sandbox));
    expect(
      Object.fromEntries(histories.map(([buyer, lines]) => [buyer, lines.filter((line) => line.slice(0, 23) <= END)])),
    ).toEqual(year);
  });

  test("that is stopped again and again is a year at once", { timeout: 720_000 }, async () => {
    const sandbox = await openSandbox();
    await populate(sandbox);
    const { id } = sandbox.organization;
    let arrived = false;
    for (let n = 0; !arrived; n++) {
      const stopping = stoppedAt(
        n % 2 ? app.ctx : other,
        5 + ((n * 7) % 61),
        async () => void (await ok(stop(sandbox))),
      );
      const advanced = await advanceClock(stopping, id, { to: instantOf(END) }).catch(
        (error: unknown) => error as Refusal,
      );
      if (advanced instanceof Error) expect(advanced).toMatchObject({ code: "clock_stopped" });
      arrived = (await clockOf(sandbox)).now === END;
    }
    expect(await historyAt(sandbox)).toEqual(year);
    expect(await disagreements(sandbox)).toEqual([]);
  });

  test("in which every process is killed is a year at once", { timeout: 720_000 }, async () => {
    const sandbox = await openSandbox();
    await populate(sandbox);
    const { id } = sandbox.organization;
    let arrived = false;
    for (let n = 0; !arrived; n++) {
      const { ctx, died } = killedAt(n % 2 ? app.ctx : other, 5 + ((n * 7) % 61));
      const advanced = n === 0 ? advanceClock(ctx, id, { to: instantOf(END) }) : runOnce(ctx);
      await Promise.race([died, advanced]);
      await letLeasesRunOut(app.ctx.db);
      arrived = (await ok(sandbox.manage("GET", "/sandbox/clock"))).now === END;
    }
    expect(await historyAt(sandbox)).toEqual(year);
    expect(await disagreements(sandbox)).toEqual([]);
  });
});

const clockOf = (sandbox: Sandbox) => ok(sandbox.manage("GET", "/sandbox/clock"));
const stop = (sandbox: Sandbox) => sandbox.manage("DELETE", "/sandbox/clock/advance");

/** A Subscription that renews on the 7th, the 14th and so on. */
async function sellWeekly({ api, manage }: Sandbox): Promise<void> {
  await ok(manage("POST", "/products", { ...DELUXE, key: "weekly", interval: "week" }));
  const { id } = await ok(api("POST", "/checkouts", { productKey: "weekly", customer: { email: "ada@example.com" } }));
  await ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: PAYS }));
}

describe("while a process advances the clock to the 10th, and is at the 7th", () => {
  const [SEVENTH, TENTH] = ["2025-02-07T10:00:00.000Z", "2025-02-10T00:00:00.000Z"];
  let sandbox: Sandbox;
  let held: HeldProcess;
  let advancing: Promise<unknown>;

  beforeEach(async () => {
    sandbox = await openSandbox();
    await sellWeekly(sandbox);
    held = heldAtACharge(other);
    advancing = advanceClock(held.ctx, sandbox.organization.id, { to: instantOf(TENTH) }).catch(
      (error: unknown) => error,
    );
    await held.charging;
  });
  afterEach(async () => {
    held.letGo();
    await advancing;
    expect(await disagreements(sandbox)).toEqual([]);
  });

  test("requests see that instant, and how far the advance is", async () => {
    expect(await clockOf(sandbox)).toEqual({ now: SEVENTH, target: TENTH, done: expect.any(Number) });
    held.letGo();
    expect(await advancing).toMatchObject({ now: instantOf(TENTH), arrived: true });
    expect(await clockOf(sandbox)).toMatchObject({ now: TENTH, target: null });
  });

  test("an advance elsewhere is refused, and told the target", async () => {
    for (const target of [{ to: "2025-02-10T00:00:00.001Z" }, { to: SEVENTH }, { by: "P3D" }, { toNextDue: true }]) {
      const refused = await advance(sandbox, target);
      const advice = "Wait until the clock has reached this time, or stop the advance.";
      const detail = `An advance to ${TENTH} is under way. ${advice}`;
      expect(refused).toMatchObject({ status: 409, body: { code: "clock_advancing", target: TENTH, detail } });
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    }
    expect(await sandbox.manage("PUT", "/sandbox/clock", { now: TENTH })).toMatchObject({
      status: 409,
      body: { target: TENTH },
    });
    expect(await clockOf(sandbox)).toMatchObject({ target: TENTH });
  });

  test("an advance to the same target is answered as the first one is", async () => {
    const joined = advance(sandbox, { to: TENTH });
    held.letGo();
    const { done } = (await advancing) as { done: number };
    expect(await joined).toMatchObject({ status: 200, body: { now: TENTH, done } });
  });

  test("it is stopped where the clock is, once and for all, and can be advanced elsewhere at once", async () => {
    const stopped = { now: SEVENTH, target: null, done: expect.any(Number) };
    expect(await stop(sandbox)).toMatchObject({ status: 200, body: stopped });
    expect(await stop(sandbox)).toMatchObject({ status: 200, body: stopped });
    held.letGo();
    expect(answered(await advancing)).toMatchObject({
      code: "clock_stopped",
      parts: { extra: { now: SEVENTH, target: TENTH } },
    });
    expect(answered(await advancing)).toMatchObject({
      message: `The clock stands at ${SEVENTH}. Advance the clock again to continue from there.`,
    });
    await app.runDue();
    expect(await clockOf(sandbox)).toMatchObject(stopped);
    expect(await ok(advance(sandbox, { by: "P1D" }))).toMatchObject({ now: "2025-02-08T10:00:00.000Z" });
  });
});

test("an advance that was left goes on by itself, and one that was stopped does not", async () => {
  const sandbox = await openSandbox();
  await sellWeekly(sandbox);
  const { id } = sandbox.organization;
  const to = instantOf("2025-12-01T00:00:00Z");
  expect(await advanceClock(app.ctx, id, { to }, 50)).toMatchObject({ arrived: false });
  await app.runDue();
  expect(await clockOf(sandbox)).toMatchObject({ now: formatInstant(to), target: null });
  const later = instantOf("2027-12-01T00:00:00Z");
  const { now, arrived } = await advanceClock(app.ctx, id, { to: later }, 50);
  expect(arrived).toBe(false);
  await stop(sandbox);
  await app.runDue();
  await expect(joinAdvance(app.ctx, id, later, 50)).rejects.toMatchObject({ code: "clock_stopped" });
  expect(await clockOf(sandbox)).toMatchObject({ now: formatInstant(now), target: null });
  expect(await disagreements(sandbox)).toEqual([]);
});

test("only a sandbox's own advance can be stopped", async () => {
  const [sandbox, stranger] = [await openSandbox(), await openSandbox()];
  await sellWeekly(sandbox);
  const held = heldAtACharge(other);
  const advancing = advanceClock(held.ctx, sandbox.organization.id, { to: instantOf("2025-02-10T00:00:00Z") });
  await held.charging;
  expect(await ok(stop(stranger))).toEqual({ now: START, target: null, done: 0 });
  held.letGo();
  expect(await advancing).toMatchObject({ arrived: true });
  const live = caller(`${app.url}/manage/v1`, (await app.otherOrganization({ mode: "live" })).keys.manage);
  expect(await live("DELETE", "/sandbox/clock/advance")).toMatchObject({ status: 404, body: { code: "not_found" } });
  const reader = caller(`${app.url}/manage/v1`, sandbox.keys.public);
  expect(await reader("DELETE", "/sandbox/clock/advance")).toMatchObject({ status: 403 });
});

test("the clock goes to the year 9900, and stays usable where more was asked for", async () => {
  const sandbox = await openSandbox();
  const set = (now: string) => sandbox.manage("PUT", "/sandbox/clock", { now });
  for (const [answer, pointer] of [
    [await set("9900-01-01T00:00:00.001Z"), "/now"],
    [await advance(sandbox, { to: "9999-12-31T23:59:59Z" }), "/to"],
    [await advance(sandbox, { by: "P7900Y" }), "/by"],
    [await advance(sandbox, { by: "P999999Y" }), "/by"],
  ] as const) {
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ in: "body", pointer, code: "out_of_range" }] } });
  }
  expect(await ok(advance(sandbox, { by: "P1D" }))).toMatchObject({ now: "2025-02-01T10:00:00.000Z" });
  expect(await ok(set("9899-12-01T00:00:00.000Z"))).toMatchObject({ now: "9899-12-01T00:00:00.000Z" });
  await ok(sandbox.manage("POST", "/products", { ...DELUXE, interval: "year" }));
  const { id } = await ok(
    sandbox.api("POST", "/checkouts", { productKey: "deluxe", customer: { email: "ada@example.com" } }),
  );
  const { subscriptionId } = await ok(sandbox.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: PAYS }));
  await advanceTo(sandbox, "9900-01-01T00:00:00.000Z");
  expect(await advance(sandbox, { by: "PT1S" })).toMatchObject({ status: 422, body: { errors: [{ pointer: "/by" }] } });
  expect(await ok(sandbox.api("GET", `/subscriptions/${subscriptionId}`))).toMatchObject({
    currentPeriodEnd: "9900-12-01T00:00:00.000Z",
  });
});

/** At this price even the rest of an hour is worth a charge. */
const DELUXE = { key: "deluxe", name: "Deluxe", interval: "month", prices: [{ currency: "usd", amount: 100_000_000 }] };
const RENEWALS = [
  "2025-02-28T10:00:00.000Z",
  "2025-03-31T09:00:00.000Z",
  "2025-04-30T09:00:00.000Z",
  "2025-05-31T09:00:00.000Z",
];
const hourBefore = (time: string) => formatInstant(instant(instantOf(time) - 3_600_000));

test("a change at any moment of an advance is made before the renewal, or refused or made after it", async () => {
  for (let [n, changed] = [1, true]; changed; n++) {
    const sandbox = await openSandbox();
    await ok(
      sandbox.manage("POST", "/products", { ...DELUXE, key: "starter", prices: [{ currency: "usd", amount: 1000 }] }),
    );
    await ok(sandbox.manage("POST", "/products", DELUXE));
    const { id } = await ok(
      sandbox.api("POST", "/checkouts", { productKey: "starter", customer: { email: "ada@example.com" } }),
    );
    const { subscriptionId } = await ok(sandbox.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: PAYS }));
    await advanceTo(sandbox, hourBefore(RENEWALS[0]!));

    const [decided, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = withFault(other, async (send) => {
      decided.resolve();
      await arrived.promise;
      return send();
    });
    const wanted = { params: { subscriptionId }, body: { productKey: "deluxe" } };
    const change = () => operate(slow, sandbox.organization.id, "updateSubscription", wanted);
    let answer: Promise<string | number> | undefined;
    const stopped = stoppedAt(app.ctx, n, async () => {
      answer = change().then(
        ({ status }) => status,
        ({ code }: Refusal) => code,
      );
      await Promise.race([decided.promise, answer]);
    });
    await advanceClock(stopped, sandbox.organization.id, { to: instantOf("2025-03-01T00:00:00Z") });
    arrived.resolve();
    changed = answer !== undefined;
    expect([200, "invoice_open", undefined]).toContain(await answer);
    await app.runDue();
    expect(await ok(sandbox.api("GET", `/subscriptions/${subscriptionId}`)), `turn ${n}`).toMatchObject({
      currentPeriodEnd: RENEWALS[1],
    });
    expect(await disagreements(sandbox)).toEqual([]);
  }
});

test("changes of many that race their renewal: each period is billed once", async () => {
  const sandbox = await openSandbox();
  await populate(sandbox);
  await ok(sandbox.manage("POST", "/products", DELUXE));
  const owned = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const customer = { email: `races-${n}@example.com` };
      const { id } = await ok(sandbox.api("POST", "/checkouts", { productKey: "starter", customer }));
      await ok(sandbox.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: n % 2 ? PAYS : ANSWER_LOST }));
      return id as string;
    }),
  );
  for (const [month, renewal] of RENEWALS.entries()) {
    await advanceTo(sandbox, hourBefore(renewal));
    const productKey = month % 2 ? "starter" : "deluxe";
    const change = async (checkoutId: string) => {
      const { subscriptionId } = await ok(sandbox.api("GET", `/checkouts/${checkoutId}`));
      return sandbox.api("PATCH", `/subscriptions/${subscriptionId}`, { productKey }, { "Idempotency-Key": renewal });
    };
    const [, ...answers] = await Promise.all([advanceTo(sandbox, renewal), ...owned.map(change)]);
    await letLeasesRunOut(app.ctx.db);
    await app.runDue();
    for (const [n, first] of answers.entries()) {
      // A renewed Subscription that is not paid yet (rule P5) can't be changed for the moment.
      const { status, body } = first.status === 503 ? await change(owned[n]!) : first;
      expect([200, "invoice_open"]).toContain(body.code ?? status);
    }
  }
  for (const id of owned) {
    const { subscriptionId } = await ok(sandbox.api("GET", `/checkouts/${id}`));
    const { data } = await ok(sandbox.manage("GET", `/invoices?subscriptionId=${subscriptionId}&reason=renewal`));
    expect(data.map((invoice: Json) => invoice.periodStart)).toEqual(RENEWALS.toReversed());
  }
  expect(await disagreements(sandbox)).toEqual([]);
});
