import { html } from "hono/html";
import { timelineEntriesOf } from "../../../actions/customer/timeline.ts";
import type { EventType } from "../../../domain/event.ts";
import { presentPage } from "../../../resources/page.ts";
import { eventsOfCustomer } from "../../../store/events.ts";
import type { Tone } from "../components/badge.ts";
import { id as shownId } from "../components/cells.ts";
import { emptyState } from "../components/empty-state.ts";
import { timeline } from "../components/timeline.ts";
import type { ListOf } from "./part.ts";

const TONES: Partial<Record<EventType, Tone>> = {
  "subscription.created": "good",
  "subscription.activated": "good",
  "subscription.renewed": "good",
  "subscription.recovered": "good",
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

/** The history of a Customer in words, newest first. */
export const timelineList: ListOf = {
  name: "timeline",
  title: "Timeline",
  cursor: "evt",
  few: 15,
  older: "Older entries of the timeline",
  async read({ ctx, visit, customer, zone }, wanted) {
    const { id } = visit.organization;
    const rows = await eventsOfCustomer(ctx.db.read, id, customer.id, wanted);
    const { data, nextCursor } = presentPage(rows, wanted.limit, (event) => event);
    const ids = data.map((event) => event.id);
    if (data.length === 0)
      return { ids, body: emptyState("There is no event yet. Each change of this Customer appears here."), next: null };
    const told = await timelineEntriesOf(ctx, id, zone, data);
    const entries = told.map(({ text: title, resourceId }, n) => {
      const { createdAt: at, type } = data[n]!;
      return { at, tone: TONES[type] ?? "quiet", title, detail: html`${type} ${shownId(resourceId)}` };
    });
    return { ids, body: timeline(entries, zone), next: nextCursor };
  },
};
