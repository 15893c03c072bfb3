import { disown, useDefaultCard } from "../../src/actions/subscription/claim.ts";
import { readRestart } from "../../src/actions/subscription/restart.ts";
import { Refusal } from "../../src/domain/refusal.ts";
import { presentRefusal } from "../../src/resources/refusal.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import type { Json } from "../support/app.ts";
import type { Step, StepOf } from "./history.ts";
import { subscriptionsOf } from "./look.ts";
import type { Play } from "./play.ts";

// The Customer's acts on purchases by a typed e-mail address, in the portal (docs/rules.md: C12, C13).

/** A live Subscription by its number, as the reference chooses it; null: there is none. */
export async function chooseLive({ world, customers }: Play, { customer }: Step, number: number) {
  const live = (await subscriptionsOf(world, customers[customer]!)).filter(({ status }) => status !== "canceled");
  return live.length === 0 ? null : (live[number % live.length]!.id as string);
}

async function said(act: () => Promise<string>): Promise<string> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code } = presentRefusal(error);
    return `${status} ${code}`;
  }
}

/** The Customer does not recognize a purchase. */
export async function disownOne(play: Play, step: StepOf<"disown">): Promise<string> {
  const { ctx, organizationId } = play.world;
  const id = await chooseLive(play, step, step.sub);
  if (!id) return "nobody";
  const answer = await said(async () => ((await disown(ctx, { organizationId, id })) ? "200" : "claimed"));
  await play.world.settle();
  return answer;
}

/** The Customer charges one Subscription to the default card. */
export async function chargeToDefault(play: Play, step: StepOf<"defaultCard">, customerId: string): Promise<string> {
  const { ctx, organizationId, call } = play.world;
  const id = await chooseLive(play, step, step.sub);
  const { body } = await call({ method: "GET", path: `/manage/v1/customers/${customerId}/payment-methods?limit=100` });
  const card = body.data.find(({ isDefault }: Json) => isDefault);
  if (!id || !card) return "nobody";
  const subscription = await subscriptions.find(ctx.db.read, organizationId, id);
  const shown = { cardId: card.id, asksFor: (await readRestart(ctx, subscription!))?.asksFor ?? null };
  const answer = await said(async () => ((await useDefaultCard(ctx, subscription!, shown)) ? "200" : "other"));
  await play.world.settle();
  return answer;
}
