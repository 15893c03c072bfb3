import type { Context } from "../../context.ts";
import type { Check } from "./check.ts";
import { isCopy, watchTimeline } from "../installation.ts";
import { checkPromotion } from "./copy.ts";
import { checkSecretFile } from "./machine.ts";
import { checkReadReplica } from "./read-replica.ts";
import { checkServer } from "./server.ts";

/** The warnings and faults that a start tells: those that show only later, in failures under load or after a loss. */
export async function warningsAtStart(ctx: Context): Promise<Check[]> {
  if (!(await isCopy(ctx))) await watchTimeline(ctx);
  const servers = [...(await checkServer(ctx)), await checkReadReplica(ctx)];
  const checks = [...servers, await checkPromotion(ctx), await checkSecretFile(ctx.config)];
  return checks.filter(({ advice }) => advice !== null);
}
