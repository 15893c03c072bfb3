import type { Context } from "../../context.ts";
import { ListEventsQuery } from "../../resources/event.ts";
import { listEvents } from "../../store/events.ts";
import { RECIPES, type Trigger } from "./recipes.ts";
import type { Made } from "./world.ts";

/** Whether the log has an event of this type about one of these resources. */
async function isRecorded(ctx: Context, organizationId: string, type: Trigger, made: Made): Promise<boolean> {
  const logs = Object.values(made).map((resourceId) =>
    listEvents(ctx.db.read, organizationId, ListEventsQuery.parse({ type, resourceId, limit: 1 })),
  );
  return (await Promise.all(logs)).some((log) => log.length > 0);
}

/**
 * Causes an event by the same actions that requests call, on resources made for this purpose. Returns the ids of these
 * resources, and whether the event is in the log.
 */
export async function triggerEvent(
  ctx: Context,
  organizationId: string,
  type: Trigger,
): Promise<{ made: Made; recorded: boolean }> {
  const made: Made = {};
  await RECIPES[type]({ ctx, organizationId, made });
  return { made, recorded: await isRecorded(ctx, organizationId, type, made) };
}
