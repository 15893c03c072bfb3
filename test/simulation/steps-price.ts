import { consentToPrice } from "../../src/actions/price-change/consent.ts";
import { runPriceChange } from "../../src/actions/price-change/run.ts";
import { ownOrigin } from "../../src/actions/origin.ts";
import { Died } from "./faults.ts";
import { iso, type StepOf } from "./history.ts";
import { pricesBody } from "./bodies.ts";
import { answerOf, ok, seenRepricing, subscriptionsOf } from "./look.ts";
import { choose, expectSame, write, type Play } from "./play.ts";

// New prices for present Subscriptions (docs/rules.md: N).

/** All work of a round. A process that dies in a batch leaves the rest to the next one. */
async function run({ world, side }: Play, id: string, { faults }: StepOf<"reprice"> | StepOf<"round">): Promise<void> {
  const { ctx, organizationId } = world;
  const work = (by: typeof ctx) => runPriceChange(by, organizationId, id, Infinity);
  await side.underFault(faults.request, work).catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
  await work(ctx);
}

function roundBody({ at, currencies, before, below, days, consent }: StepOf<"reprice">): object {
  const only = {
    ...(before !== null && { subscribedBefore: iso(at - before) }),
    ...(below !== null && { priceBelow: below }),
  };
  return { ...(currencies && { currencies }), only, noticeDays: days, consent };
}

export async function beginRound(play: Play, step: StepOf<"reprice">, preview: () => object | string): Promise<string> {
  const { world, names, rounds } = play;
  const chosen = step.own ? await choose(play, step, 0) : null;
  const sub = chosen && (await ok(world.call({ method: "GET", path: `/manage/v1/subscriptions/${chosen}` })));
  const isLive = sub && sub.status !== "canceled";
  const product = `/manage/v1/products/${isLive ? sub.productId : names.products[step.product]}`;
  if (step.prices) await ok(world.call({ method: "PATCH", path: product, body: { prices: pricesBody(step.prices) } }));
  const path = `${product}/price-changes`;
  const body = roundBody(step);
  const previewed = await world.call({ method: "POST", path: `${path}/preview`, body });
  expectSame("the preview of the new prices", seenRepricing(previewed), preview());
  // After a fault a worker may begin with the round, so a round that is paused at once has none.
  const created = step.hold
    ? await world.call({ method: "POST", path, body, key: `${play.index}` })
    : await write(play, step, "POST", path, body);
  if (created.status !== 201) return answerOf(created);
  const { id } = created.body;
  rounds.push(id);
  if (!step.hold) await run(play, id, step);
  else
    expectSame(
      "the pause",
      (await world.call({ method: "POST", path: `/manage/v1/price-changes/${id}/pause` })).status,
      200,
    );
  return "201";
}

export async function controlRound(play: Play, step: StepOf<"round">): Promise<string> {
  const id = play.rounds.at(-1);
  if (id === undefined) return "nobody";
  const answer = answerOf(await write(play, step, "POST", `/manage/v1/price-changes/${id}/${step.act}`));
  if (answer === "200") await run(play, id, step);
  return answer;
}

export async function agree(play: Play, customerId: string): Promise<string> {
  const { ctx, organizationId } = play.world;
  const all = await subscriptionsOf(play.world, customerId);
  const waiting = all.find(({ status, priceChange }) => status !== "canceled" && priceChange !== null);
  if (!waiting) return "nobody";
  const { id, priceChange } = waiting;
  const agreed = await consentToPrice(ctx, ownOrigin<boolean>(organizationId), id, priceChange.id);
  return agreed ? "agreed" : "gone";
}
