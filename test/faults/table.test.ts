import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { triggerOf, type Payment } from "../../src/domain/model/payment.ts";
import {
  attemptsOf,
  begin,
  countEvents,
  notify,
  once,
  openWorld,
  settle,
  tally,
  unavailable,
  type Fault,
  type World,
} from "../support/faults.ts";
import { CARDS } from "../support/story.ts";
import { RESUMES_OF_PAUSES } from "./pauses.ts";
import { openShop, sell, SOURCES, type Sale, type Settlement, type Source } from "./sources.ts";

const UNKNOWN = { status: "unknown" } as const;

/** Rows of the table: faults of the call that moves the money. */
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

/** News of a decline may come late, too. A decline is no reason to try again. */
const FAULTS_OF_DECLINES = [
  "the process dies after the call",
  "the answer is lost",
  "the answer is held up until others have settled it",
  "the outcome is written, but the database does not say so",
];

const COLUMNS = Object.entries({ ...SOURCES, ...RESUMES_OF_PAUSES });

let world: World;
let shop: string;
beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world.one, false);
});
afterAll(() => world.close());

async function expectOnce(source: Source, sale: Sale, settlement: Settlement): Promise<void> {
  const { tally: expected, seen } = source[settlement];
  expect(await tally(world.one, sale)).toEqual(once(expected));
  const { payments, refunds } = await attemptsOf(world.one, sale);
  const isIts = (payment: Payment) =>
    triggerOf(payment) === source.trigger && (payment.checkoutId ?? sale.checkoutId) === sale.checkoutId;
  const attempts = source.trigger === null ? refunds : payments.filter(isIts);
  expect(attempts).toMatchObject([{ status: settlement === "paid" ? "succeeded" : "failed" }]);
  expect(await source.look(world.one, sale)).toMatchObject(seen);
}

describe.each(COLUMNS)("the money of %s is moved once", (_name, source) => {
  const { refusing } = source;

  test.each(Object.entries(FAULTS))("though %s", (_fault, fault) => goWrong(fault, "paid", world, CARDS.pays));

  test.each(refusing === null ? [] : FAULTS_OF_DECLINES)("or not at all, when it is declined and %s", (name) => {
    if (typeof refusing !== "function") return goWrong(FAULTS[name]!, "declined", world, refusing!);
    const [first, one, other] = [refusing(world.first), refusing(world.one), refusing(world.other)];
    return goWrong(FAULTS[name]!, "declined", { ...world, first, one, other }, CARDS.pays);
  });

  async function goWrong(fault: Fault, settlement: Settlement, processes: World, card: string): Promise<void> {
    const { first, one, other } = processes;
    const sale = await sell(one, shop, source, card);
    const { finish } = await begin(first, source.money, fault, (faulty) => source.act(faulty, sale));
    await settle(processes, sale);
    await finish();
    await expectOnce(source, sale, settlement);

    const recorded = await countEvents(one, sale);
    await Promise.all(Array.from({ length: 5 }, (_, n) => notify(n % 2 ? one : other, sale)));
    expect(await countEvents(one, sale)).toBe(recorded);
  }
});
