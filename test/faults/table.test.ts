import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { listEvents } from "../../src/store/events.ts";
import { ListEventsQuery } from "../../src/resources/event.ts";
import { attemptsOf, begin, notify, once, openWorld, settle, tally, unavailable, type Fault, type World } from "../support/faults.ts";
import { CARDS } from "../support/story.ts";
import { openSale, openShop, SOURCES, type Sale, type Source, type Verdict } from "./sources.ts";

const UNKNOWN = { status: "unknown" } as const;

/** Rows of the table: what goes wrong with the call that moves the money. */
const FAULTS: Record<string, Fault> = {
  "the process dies before the call": (_send, { kill }) => kill(),
  "the process dies after the call": async (send, { kill }) => {
    await send();
    return kill();
  },
  "the process dies when it has written the outcome": async (send, { write, kill }) => {
    write(async (go) => {
      await go();
      return kill();
    });
    return send();
  },
  "the answer is lost": async (send) => {
    await send();
    return UNKNOWN;
  },
  "the request is lost": async () => UNKNOWN,
  "the provider answers 500, and did it": async (send) => {
    await send();
    throw new Error("500 Internal Server Error");
  },
  "the provider answers 500, and did nothing": async () => {
    throw new Error("500 Internal Server Error");
  },
  "the request arrives five times": async (send) => {
    const [first] = await Promise.all([send(), send(), send(), send(), send()]);
    return first;
  },
  "the request is held up until others have settled it": async (send, { wait }) => {
    await wait();
    return send();
  },
  "the answer is held up until others have settled it": async (send, { wait }) => {
    const outcome = await send();
    await wait();
    return outcome;
  },
  "the database is gone when the answer comes": async (send, { lose }) => {
    const outcome = await send();
    lose();
    return outcome;
  },
  "the connection breaks while the outcome is written": async (send, { write }) => {
    write((go) => go("torn"));
    return send();
  },
  "the outcome is written, but the database does not say so": async (send, { write }) => {
    write(async (go) => {
      await go();
      throw unavailable();
    });
    return send();
  },
};

/** How else a decline could come to be taken for something that is still to be paid. */
const FAULTS_OF_DECLINES = [
  "the process dies after the call",
  "the answer is lost",
  "the answer is held up until others have settled it",
  "the outcome is written, but the database does not say so",
];

describe.each(Object.entries(SOURCES))("the money of %s is moved once", (_name, source) => {
  let world: World;
  let shop: string;
  beforeAll(async () => {
    world = await openWorld();
    shop = await openShop(world.one, false);
  });
  afterAll(() => world.close());

  const processes = (verdict: Verdict): World => {
    const { refusing } = source;
    if (verdict === "paid" || typeof refusing === "string") return world;
    const at = <C extends Context>(ctx: C): C => ({ ...ctx, ...refusing(ctx) });
    return { ...world, first: at(world.first), one: at(world.one), other: at(world.other) };
  };
  const cardFor = (verdict: Verdict, { refusing }: Source) =>
    verdict === "declined" && typeof refusing === "string" ? refusing : CARDS.pays;

  async function expectOnce(sale: Sale, verdict: Verdict): Promise<void> {
    const { tally: expected, seen } = source[verdict];
    expect(await tally(world.one, sale)).toEqual(once(expected));
    const { payments, refunds } = await attemptsOf(world.one, sale);
    const charges = payments.filter(({ trigger, checkoutId }) => trigger === source.trigger && (checkoutId ?? sale.checkoutId) === sale.checkoutId);
    expect(source.trigger === null ? refunds : charges).toMatchObject([{ status: verdict === "paid" ? "succeeded" : "failed" }]);
    expect(await source.look(world.one, sale)).toMatchObject(seen);
  }

  const countEvents = async ({ organizationId }: Sale) =>
    (await listEvents(world.one.db.read, organizationId, ListEventsQuery.parse({ limit: "100" }))).length;

  describe.each([
    ["paid", Object.keys(FAULTS)],
    ["declined", FAULTS_OF_DECLINES],
  ] as const)("or not at all, when it is %s", (verdict, faults) => {
    test.each(faults)("though %s", async (name) => {
      const fault = FAULTS[name]!;
      const { first, one, other } = processes(verdict);
      const sale = await openSale(one, source.simulated ? await openShop(one, true) : shop, source.sells, cardFor(verdict, source));
      await source.prepare(one, sale);
      const { finish } = await begin(first, source.money, fault, (faulty) => source.act(faulty, sale));
      await settle({ ...world, one, other }, sale);
      await finish();
      await expectOnce(sale, verdict);

      const told = await countEvents(sale);
      await Promise.all(Array.from({ length: 5 }, (_, n) => notify(n % 2 ? one : other, sale)));
      expect(await countEvents(sale)).toBe(told);
    });
  });
});
