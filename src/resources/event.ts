import * as z from "zod";
import { EVENT_TYPES, type Event } from "../domain/event.ts";
import { id, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";

export const EventResource = z
  .object({
    id: id("evt"),
    type: z.enum(EVENT_TYPES),
    createdAt: timestamp,
    sequence: z.int().meta({ description: "Counts the resource's own events: 1, 2, 3, …" }),
    data: z.record(z.string(), z.unknown()).meta({ description: "The resource as this surface returns it, at the moment of the change." }),
  })
  .meta({ id: "Event" });
export type EventResource = z.infer<typeof EventResource>;

export const ListEventsQuery = z.strictObject({
  ...pageQuery("evt"),
  type: z.enum(EVENT_TYPES).optional(),
  resourceId: text(64).meta({ description: "Whose events: the id of a Subscription, an Invoice, …" }).optional(),
});
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;

export function presentEvent(event: Event): EventResource {
  const data = event.data as Record<string, unknown>;
  return { id: event.id, type: event.type, createdAt: time(event.createdAt), sequence: event.sequence, data };
}
