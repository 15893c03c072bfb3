import { changeInPortal, quoteInPortal } from "../../src/actions/subscription/portal-change.ts";
import type { Context } from "../../src/context.ts";
import { figuresOfQuote } from "../../src/domain/change/portal-quote.ts";
import type { Refusal } from "../../src/domain/refusal.ts";
import { presentRefusal } from "../../src/resources/refusal.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import { Died } from "./faults.ts";
import type { StepOf } from "./history.ts";
import { list } from "./look.ts";
import { choose, type Play } from "./play.ts";

// The Customer's changes of a Subscription in the portal (docs/rules.md: P11, Q9).

/** A refusal as the API answers it. */
function refusalSaid(refusal: Refusal): string {
  const { status, code } = presentRefusal(refusal);
  return `${status} ${code}`;
}

/** The figures of a change in the portal, and the click that agrees to them. */
export async function plan(
  play: Play,
  step: StepOf<"plan"> | StepOf<"planUnits">,
  customerId: string,
): Promise<string> {
  const { world, side, names } = play;
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const quantity = step.quantity == null ? {} : { quantity: step.quantity };
  const made = async () => (await list(world, `/manage/v1/checkouts?customerId=${customerId}`)).length;
  const before = await made();
  const newest = async () => {
    await world.settle();
    const [checkout] = await list(world, `/manage/v1/checkouts?customerId=${customerId}`);
    return (await made()) > before ? (checkout.status as string) : null;
  };
  const click = async (by: Context) => {
    const subscription = (await subscriptions.find(world.ctx.db.read, world.organizationId, id))!;
    const productId = step.do === "plan" ? names.products[step.product]! : subscription.productId;
    const chosen = { productId, ...quantity };
    const quote = await quoteInPortal(world.ctx, subscription, chosen);
    if ("refusal" in quote) return refusalSaid(quote.refusal);
    const agreed = { figures: figuresOfQuote(quote), shownAt: quote.at };
    const changed = await changeInPortal(by, subscription, chosen, agreed);
    if ("refused" in changed) return changed.refused;
    return "refusal" in changed ? refusalSaid(changed.refusal) : null;
  };
  // The fault is one of the click. The world settles without a fault.
  const said = await side.underFault(step.faults.request, click).catch(async (error: unknown) => {
    if (!(error instanceof Died)) throw error;
    return (await newest()) ?? click(world.ctx);
  });
  return said ?? (await newest())!;
}
