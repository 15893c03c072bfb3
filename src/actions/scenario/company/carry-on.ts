import type { Context } from "../../../context.ts";
import type { Instant } from "../../../domain/calendar.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { ERRORS } from "../../../errors.ts";
import { presentRefusal } from "../../../resources/refusal.ts";
import { readOrganization } from "../../../store/organizations.ts";
import { finishFill, storeFill, releaseFill, takeFill, type Fill } from "../../../store/sandbox-fills.ts";
import { advanceClock, forAdvances } from "../../sandbox/advance-clock.ts";
import { STEPS } from "./steps.ts";
import { planCompany, type CompanyStep, type Step } from "./plan.ts";
import type { Sandbox } from "../world.ts";

/** The most time of an advance before the lease of ten seconds is renewed. */
const SLICE_MILLISECONDS = 2_000;
/** The pause before the next look at an advance that waits for a provider's answer. */
const PAUSE_MILLISECONDS = 500;

/** Does the operation of a step. */
const act = (sandbox: Sandbox, operation: CompanyStep): Promise<unknown> =>
  STEPS[operation.kind](sandbox, operation as never);

/** Advances the clock for a while. Returns whether the clock has reached the instant. */
async function reach({ ctx, organizationId }: Sandbox, at: Instant): Promise<boolean> {
  const { organization, now } = await readOrganization(ctx.db.read, organizationId);
  if (organization.clockTarget === null && now >= at) return true;
  return (await advanceClock(ctx, organizationId, { to: at }, SLICE_MILLISECONDS)).arrived;
}

/** The refusal in words. @throws the error, unless a person can do something about it */
function refusalOf(error: unknown): { fault: string } {
  if (!(error instanceof Refusal)) throw error;
  const { code, parts } = presentRefusal(error);
  const { detail, errors: [first] = [] } = parts;
  return { fault: detail ?? first?.message ?? `${ERRORS[code][1]}.` };
}

/** The operations without which the company has no Customer. A refusal of another operation is passed over. */
const NEEDED: readonly CompanyStep["kind"][] = ["catalogue", "buy", "look"];

/** Takes a step. `waits`: the clock is not there yet. */
async function takeStep(sandbox: Sandbox, { at, operation }: Step): Promise<"done" | "waits" | { fault: string }> {
  try {
    if (!(await reach(sandbox, at))) return "waits";
  } catch (error) {
    return refusalOf(error);
  }
  try {
    await act(sandbox, operation);
  } catch (error) {
    const refusal = refusalOf(error);
    if (NEEDED.includes(operation.kind)) return refusal;
  }
  return "done";
}

/**
 * Continues a filling for `milliseconds`, unless another process has its lease. If a purchase is refused, or others
 * move the clock, the filling stops with the reason. Returns false if there was no lease to take.
 */
export async function carryOnFill(context: Context, organizationId: string, milliseconds: number): Promise<boolean> {
  const ctx = forAdvances(context);
  const deadline = performance.now() + milliseconds;
  let fill: Fill | null = await ctx.db.tx((tx) => takeFill(tx, organizationId));
  if (!fill) return false;
  const steps = planCompany(organizationId, fill.beginsAt, fill.endsAt);
  while (fill) {
    const held: Fill = fill;
    const taken = await takeStep({ ctx, organizationId }, steps[held.done]!);
    fill = await ctx.db.tx(async (tx) => {
      if (taken === "waits") return releaseFill(tx, held, held.done, PAUSE_MILLISECONDS);
      if (taken !== "done") return finishFill(tx, held, held.done, taken.fault);
      const done = held.done + 1;
      if (done === steps.length) return finishFill(tx, held, done, null);
      return performance.now() < deadline ? storeFill(tx, held, done) : releaseFill(tx, held, done, 0);
    });
  }
  return true;
}
