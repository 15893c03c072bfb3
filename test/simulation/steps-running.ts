import { iso, type StepOf } from "./history.ts";
import { answerOf, ok } from "./look.ts";
import { choose, write, type Play } from "./play.ts";

// The discount and the trial of a running Subscription (docs/rules.md: X4, S9).

export async function giveDiscount(play: Play, step: StepOf<"give">): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const discountCode = step.discount === null ? null : `D${step.discount}`;
  return answerOf(await write(play, step, "POST", `/manage/v1/subscriptions/${id}/discount`, { discountCode }));
}

export async function lengthen(play: Play, step: StepOf<"lengthen">): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const path = `/manage/v1/subscriptions/${id}`;
  const { currentPeriodEnd } = await ok(play.world.call({ method: "GET", path }));
  const trialEnd = iso(Date.parse(currentPeriodEnd) + step.by);
  return answerOf(await write(play, step, "POST", `${path}/trial`, { trialEnd }));
}
