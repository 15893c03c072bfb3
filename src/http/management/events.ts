import { Refusal } from "../../domain/refusal.ts";
import { EventResource, ListEventsQuery, presentEvent } from "../../resources/event.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { events, listEvents } from "../../store/events.ts";
import { answer, hashedAnswer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const eventEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/events",
    operationId: "listEvents",
    summary: "List events in the order they happened",
    query: ListEventsQuery,
    responses: { 200: pageOf(EventResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listEvents(ctx.db.stale, call.organizationId, query), query.limit, presentEvent),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/events/{eventId}",
    operationId: "getEvent",
    summary: "Read an event",
    params: { eventId: "evt" },
    responses: { 200: EventResource },
    async handle(ctx, { call, params }) {
      const event = await events.find(ctx.db.read, call.organizationId, params.eventId);
      if (!event) throw new Refusal("not_found");
      // An event changes only once, when its Customer is deleted.
      return hashedAnswer(presentEvent(event));
    },
  }),
];
