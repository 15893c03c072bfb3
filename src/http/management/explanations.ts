import { timelineEntriesOf } from "../../actions/customer/timeline.ts";
import { explainInvoice } from "../../resources/explanation/invoice.ts";
import { Refusal } from "../../domain/refusal.ts";
import { ExplanationResource, presentExplanation } from "../../resources/explanation/resource.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { TimelineEntryResource, TimelineQuery } from "../../resources/timeline.ts";
import { timelineEvents } from "../../store/events.ts";
import { linesOf } from "../../store/invoice-lines.ts";
import { invoices } from "../../store/invoices.ts";
import { readOrganization } from "../../store/organizations.ts";
import { noticesOf } from "../../store/repriced-subscriptions.ts";
import { subscriptions } from "../../store/subscriptions.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

/** Explanations for support staff, made from the data that was stored at the time. */
export const explanationEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/invoices/{invoiceId}/explanation",
    operationId: "explainInvoice",
    summary: "Explain each amount of an Invoice: the rule, the inputs, and the arithmetic in words",
    params: { invoiceId: "inv" },
    responses: { 200: ExplanationResource },
    async handle(ctx, { call, params }) {
      const invoice = await invoices.find(ctx.db.read, call.organizationId, params.invoiceId);
      if (!invoice) throw new Refusal("not_found");
      const lines = await linesOf(ctx.db.read, call.organizationId, invoice.id);
      const { organization } = await readOrganization(ctx.db.read, call.organizationId);
      const noticedAt = (await noticesOf(ctx.db.read, call.organizationId, [invoice.id])).get(invoice.id) ?? null;
      const explanation = explainInvoice(invoice, lines, organization.timeZone, noticedAt);
      return answer(200, presentExplanation(invoice, explanation));
    },
  }),
  endpoint({
    method: "GET",
    path: "/subscriptions/{subscriptionId}/timeline",
    operationId: "listSubscriptionTimeline",
    summary: "Read the history of a Subscription, its invoices, payments and grants, in order and in words",
    params: { subscriptionId: "sub" },
    query: TimelineQuery,
    responses: { 200: pageOf(TimelineEntryResource) },
    async handle(ctx, { call, params, query }) {
      const { read } = ctx.db;
      if (!(await subscriptions.find(read, call.organizationId, params.subscriptionId))) throw new Refusal("not_found");
      const { organization } = await readOrganization(read, call.organizationId);
      const found = await timelineEvents(ctx.db.stale, call.organizationId, params.subscriptionId, query);
      const entries = await timelineEntriesOf(ctx, call.organizationId, organization.timeZone, found);
      const texts = new Map(entries.map((entry) => [entry.eventId, entry]));
      const present = ({ id }: (typeof found)[number]) => texts.get(id)!;
      return answer(200, presentPage(found, query.limit, present));
    },
  }),
];
