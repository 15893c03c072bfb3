import type { Context } from "../../context.ts";
import type { Event, EventType } from "../../domain/event.ts";
import { presentTimelineEntry, productsIn, type TimelineEntryResource } from "../../resources/timeline.ts";
import { eventBefore } from "../../store/events.ts";
import { products } from "../../store/products.ts";

/** The events whose text compares the Subscription with its earlier state. */
const COMPARED: readonly EventType[] = ["subscription.updated", "subscription.recovered"];

/** The texts of events, in their order. `zone`: the time zone of the dates. */
export async function timelineEntriesOf(
  { db: { read } }: Context,
  organizationId: string,
  zone: string,
  events: readonly Event[],
): Promise<TimelineEntryResource[]> {
  const changed = events.filter(({ type }) => COMPARED.includes(type));
  const before = new Map(
    await Promise.all(changed.map(async (event) => [event.id, await eventBefore(read, event)] as const)),
  );
  const ids = new Set([...changed, ...before.values()].flatMap((event) => (event ? productsIn(event) : [])));
  const named = await products.findAll(read, organizationId, [...ids]);
  const productNames = new Map([...named].map(([id, { name }]) => [id, name]));
  return events.map((event) =>
    presentTimelineEntry({ event, before: before.get(event.id) ?? null, zone, productNames }),
  );
}
