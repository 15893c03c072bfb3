import { html } from "hono/html";
import * as z from "zod";
import { EVENT_TYPES, type Event } from "../../../domain/event.ts";
import { idPattern } from "../../../ids.ts";
import { text } from "../../../resources/fields.ts";
import { pageQuery } from "../../../resources/page.ts";
import { listNewestEvents } from "../../../store/event-log.ts";
import { id, typeText } from "../components/cells.ts";
import { timeColumn } from "../lists/columns.ts";
import { DAYS, withSpan } from "../lists/created.ts";
import { defineList } from "../lists/list.ts";
import { eventPath } from "./paths.ts";

const EventLogQuery = z.strictObject({
  ...pageQuery("evt"),
  type: z.enum(EVENT_TYPES).optional(),
  resourceId: text(64).optional(),
  customerId: z
    .string()
    .regex(new RegExp(idPattern("cus")), "Enter the id of a Customer: cus_…")
    .optional(),
  ...DAYS,
});

/** The log of events, newest first. Days are days of the Organization's zone. */
export const eventList = defineList<Event, typeof EventLogQuery>({
  section: "events",
  prefix: "evt",
  schema: EventLogQuery,
  filters: ["type", "resourceId", "customerId", "firstDay", "lastDay"],
  words: {},
  async read(ctx, organizationId, query) {
    const { createdFrom: from, createdUntil: until, ...others } = await withSpan(ctx, organizationId, query);
    return listNewestEvents(ctx.db.stale, organizationId, { ...others, from, until });
  },
  columns: [
    {
      label: "Type",
      show: (event, { self }) => html`<a href="${eventPath(self, event.id)}">${typeText(event.type)}</a>`,
    },
    { label: "Resource", isWide: true, show: ({ resourceId }) => id(resourceId) },
    { label: "Number", isNumber: true, isWide: true, show: ({ sequence }) => String(sequence) },
    timeColumn("Time", ({ createdAt }) => createdAt, false),
  ],
  csv: null,
  empty: "Each change of a Customer, a Subscription, an invoice or another resource appears here as an event.",
  next: { path: "/docs/guides/receive-webhooks", label: "Receive events in your backend" },
});
