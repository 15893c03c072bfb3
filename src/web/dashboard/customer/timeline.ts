import { html } from "hono/html";
import { timelineEntriesOf } from "../../../actions/customer/timeline.ts";
import type { Event, EventType } from "../../../domain/event.ts";
import { presentPage } from "../../../resources/page.ts";
import { eventsOfCustomer } from "../../../store/events.ts";
import type { Tone } from "../components/badge.ts";
import { id as shownId } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { timeline } from "../components/timeline.ts";
import { listOf } from "./part.ts";

const TONES: Partial<Record<EventType, Tone>> = {
  "subscription.created": "good",
  "subscription.activated": "good",
  "subscription.renewed": "good",
  "subscription.recovered": "good",
  "subscription.resumed": "good",
  "subscription.paused": "warn",
  "invoice.paid": "good",
  "payment.succeeded": "good",
  "checkout.completed": "good",
  "benefit_grant.granted": "good",
  "subscription.cancellation_scheduled": "warn",
  "payment.action_required": "warn",
  "payment_method.expiring": "warn",
  "invoice.held": "warn",
  "subscription.past_due": "bad",
  "invoice.payment_failed": "bad",
  "payment.failed": "bad",
  "checkout.payment_failed": "bad",
  "refund.failed": "bad",
  "dispute.created": "bad",
};

/** An event with its sentence, and the resource to which the sentence leads. */
type TimelineEntry = { event: Event; text: string; resourceId: string };

/** The history of a Customer in words, newest first. */
export const timelineList = listOf<TimelineEntry[]>({
  name: "timeline",
  title: "Timeline",
  cursor: "evt",
  few: 15,
  older: "Older entries of the timeline",
  async read({ ctx, request, customer, zone }, wanted) {
    const { id } = request.organization;
    const rows = await eventsOfCustomer(ctx.db.stale, id, customer.id, wanted);
    const { data: events, nextCursor: next } = presentPage(rows, wanted.limit, (event) => event);
    const entries = events.length === 0 ? [] : await timelineEntriesOf(ctx, id, zone, events);
    const data = entries.map(({ text, resourceId }, n) => ({ event: events[n]!, text, resourceId }));
    return { ids: events.map((event) => event.id), next, data };
  },
  draw({ zone }, entries) {
    if (entries.length === 0) return emptyState("There is no event yet. Each change of this Customer appears here.");
    const drawn = entries.map(({ event: { createdAt: at, type }, text: title, resourceId }) => {
      return { at, tone: TONES[type] ?? "quiet", title, detail: html`${type} ${shownId(resourceId)}` };
    });
    return timeline(drawn, zone);
  },
});
