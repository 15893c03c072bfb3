import { Refusal } from "../../domain/refusal.ts";
import { readMetrics } from "../../actions/metrics/read.ts";
import { MetricsQuery, MetricsResource, presentMetrics } from "../../resources/metrics.ts";
import { organizations } from "../../store/organizations.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const metricsEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/metrics",
    operationId: "getMetrics",
    summary: "Read MRR, its changes, revenue and the number of Subscriptions, by day or month",
    description: "The figures of one currency, as the overview of the dashboard shows them.",
    query: MetricsQuery,
    responses: { 200: MetricsResource },
    async handle(ctx, { call, query }) {
      const organization = await organizations.find(ctx.db.read, call.organizationId);
      if (!organization) throw new Refusal("not_found");
      const { interval, from, to, currency = organization.defaultCurrency } = query;
      const asked = { step: interval, from, to };
      const { points, isComplete } = await readMetrics(ctx, organization, asked, currency);
      const { timeZone } = organization;
      return answer(200, presentMetrics({ currency, interval, timeZone, complete: isComplete, points }));
    },
  }),
];
