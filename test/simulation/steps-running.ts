import { iso, type StepOf } from "./history.ts";
import { answerOf, ok, seenNextInvoices } from "./look.ts";
import { choose, expectSame, write, type Play } from "./play.ts";

// The discount and the trial of a running Subscription (docs/rules.md: X4, S9).

/** Compares the preview of a request, and carries the request out. */
async function previewed(
  play: Play,
  step: StepOf<"give"> | StepOf<"lengthen">,
  path: string,
  body: object,
  preview: () => object | string,
): Promise<string> {
  const reply = await play.world.call({ method: "POST", path: `${path}/preview`, body });
  expectSame(`the preview of ${step.do}`, seenNextInvoices(reply), preview());
  return answerOf(await write(play, step, "POST", path, body));
}

export async function giveDiscount(play: Play, step: StepOf<"give">, preview: () => object | string): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const discountCode = step.discount === null ? null : `D${step.discount}`;
  return previewed(play, step, `/manage/v1/subscriptions/${id}/discount`, { discountCode }, preview);
}

export async function lengthen(play: Play, step: StepOf<"lengthen">, preview: () => object | string): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const path = `/manage/v1/subscriptions/${id}`;
  const { currentPeriodEnd } = await ok(play.world.call({ method: "GET", path }));
  const trialEnd = iso(Date.parse(currentPeriodEnd) + step.by);
  return previewed(play, step, `${path}/trial`, { trialEnd }, preview);
}
