import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { AppError } from "../../src/errors.ts";
import { runOnce } from "../../src/worker/worker.ts";
import {
  attemptsOf,
  begin,
  countEvents,
  notify,
  once,
  openWorld,
  settle,
  surrounded,
  tally,
  unavailable,
  type World,
} from "../support/faults.ts";
import { letLeasesRunOut } from "../support/processes.ts";
import { CARDS } from "../support/story.ts";
import {
  giveCard,
  openAnother,
  openShop,
  pay,
  payByHand,
  sell,
  SOURCES,
  upgrade,
  type Sale,
  type Source,
} from "./sources.ts";
import { answered } from "../support/answered.ts";

// The provider's notices have no content. Each one makes Billow ask the provider about a payment.
let world: World;
let shop: string;
beforeAll(async () => {
  world = await openWorld();
  shop = await openShop(world.one, false);
});
afterAll(() => world.close());

const times = (n: number, make: () => Promise<void>) => Promise.all(Array.from({ length: n }, make));

/**
 * The ways in which the news of the buyer's answer arrives, if at all. `answer` is the buyer's answer at the bank.
 */
const NEWS: Record<string, (sale: Sale, answer: () => Promise<void>) => Promise<void>> = {
  "comes once": async (sale, answer) => {
    await answer();
    await notify(world.one, sale);
  },
  "comes before it happens, and again": async (sale, answer) => {
    const recorded = await countEvents(world.one, sale);
    await times(2, () => notify(world.one, sale));
    expect(await countEvents(world.one, sale)).toBe(recorded);
    await answer();
    await notify(world.other, sale);
  },
  "comes while it happens": async (sale, answer) => {
    await Promise.all([answer(), times(5, () => notify(world.one, sale))]);
    await notify(world.other, sale);
  },
  "comes five times at once": async (sale, answer) => {
    await answer();
    await Promise.all([
      times(3, () => notify(world.one, sale)),
      times(2, () => notify(world.other, sale)),
      runOnce(world.one),
    ]);
  },
  "comes five times in a row": async (sale, answer) => {
    await answer();
    for (let n = 0; n < 5; n += 1) await notify(n % 2 ? world.one : world.other, sale);
  },
  "comes before older news": async (sale, answer) => {
    const [asked, overtaken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = surrounded(world.first, async (turn, go) => {
      const found = await go();
      if (turn !== "ask") return found;
      asked.resolve();
      await overtaken.promise;
      return found;
    });
    const late = notify(slow, sale);
    await asked.promise;
    await answer();
    await notify(world.one, sale);
    overtaken.resolve();
    await late;
  },
  "never comes, and the worker asks": async (_sale, answer) => {
    await answer();
    await letLeasesRunOut(world.one.db);
    await Promise.all([runOnce(world.one), runOnce(world.other)]);
  },
};

/** The buyer's answer to the one challenge that waits. */
async function challengeOf(sale: Sale, pass: boolean): Promise<() => Promise<void>> {
  const { payments } = await attemptsOf(world.one, sale);
  const waiting = payments.filter(({ status }) => status === "requires_action");
  expect(waiting).toHaveLength(1);
  const token = waiting[0]!.actionUrl!.split("/").at(-1)!;
  return async () => void (await world.one.payments.sandbox.answerChallenge(sale.organizationId, token, pass));
}

// A change gives its challenge up at once (rule P1), and a refund has none.
const CHALLENGED = Object.entries(SOURCES).filter(
  ([, { trigger }]) => trigger !== null && trigger !== "product_change",
);
/** The charge by hand was answered with the challenge, regardless of its outcome. */
const ASKED_BY_HAND = { answer: { status: 402, replayed: true } };

describe.each(CHALLENGED)("the buyer's answer to the challenge of %s counts once", (_name, source) => {
  const seen = { ...source.paid.seen, ...(source.trigger === "manual" && ASKED_BY_HAND) };

  test.each(Object.entries(NEWS))("if the news %s", async (_news, spread) => {
    const sale = await sell(world.one, shop, source, CARDS.asksBuyer);
    await source.act(world.one, sale);
    await spread(sale, await challengeOf(sale, true));
    expect(await tally(world.one, sale)).toEqual(once(source.paid.tally));
    expect(await source.look(world.one, sale)).toMatchObject(seen);
  });

  test.each(["comes five times at once", "comes before older news"])("if the bad news %s", async (news) => {
    const sale = await sell(world.one, shop, source, CARDS.asksBuyer);
    await source.act(world.one, sale);
    await NEWS[news]!(sale, await challengeOf(sale, false));
    expect(await tally(world.one, sale)).toEqual(once(source.declined.tally));
  });
});

/** The charge is made, but its outcome stays unknown. */
const silent = (ctx: Context) =>
  surrounded(ctx, async (turn, go) => {
    if (turn === "cancel") throw unavailable();
    if (turn !== "charge" && turn !== "ask") return go();
    if (turn === "charge") await go();
    return { status: "unknown" };
  });

/** All other ways in which the same money could be paid. */
const ATTEMPTS: readonly ((ctx: Context, sale: Sale, source: Source) => Promise<unknown>)[] = [
  (ctx, sale) => pay(ctx, sale),
  // A buyer may have two books.
  async (ctx, sale, { sells }) => sells === "starter" && pay(ctx, await openAnother(ctx, sale)),
  (ctx, sale) => upgrade(ctx, sale, "pro", "another upgrade"),
  (ctx, sale) => upgrade(ctx, sale, "max", "a bigger upgrade"),
  (ctx, sale) => payByHand(ctx, sale, "another hand"),
  (ctx, sale) => giveCard(ctx, { ...sale, card: CARDS.pays }, "another card"),
  (ctx) => runOnce(ctx),
];

test.each(Object.entries(SOURCES).filter(([, { money }]) => money === "charge"))(
  "while the outcome of the charge of %s is unknown, there is no other",
  async (_name, source) => {
    const sale = await sell(world.one, shop, source, CARDS.pays);
    const { finish } = await begin(
      silent(world.first),
      "charge",
      (send) => send(),
      (ctx) => source.act(ctx, sale),
    );
    for (const attempt of ATTEMPTS) {
      await letLeasesRunOut(world.one.db);
      await attempt(silent(world.one), sale, source).catch((error: unknown) =>
        expect(answered(error)).toBeInstanceOf(AppError),
      );
      expect((await attemptsOf(world.one, sale)).payments.filter(({ settledAt }) => settledAt === null)).toHaveLength(
        1,
      );
    }
    await settle(world, sale);
    await finish();
    expect(await tally(world.one, sale)).toEqual(once(source.paid.tally));
  },
);

test("a provider's answer that no refund can have counts as no answer", async () => {
  const source = SOURCES["a refund to the card"]!;
  const sale = await sell(world.one, shop, source, CARDS.pays);
  const challenge = { status: "requires_action", url: "https://bank.example/challenge" } as const;
  const answerWrongly = async (send: () => Promise<unknown>) => {
    await send();
    return challenge;
  };
  const { finish } = await begin(world.first, "refund", answerWrongly, (ctx) => source.act(ctx, sale));
  expect((await attemptsOf(world.one, sale)).refunds).toMatchObject([{ status: "unknown" }]);
  await settle(world, sale);
  await finish();
  expect(await tally(world.one, sale)).toEqual(once(source.paid.tally));
});
