import { pageOf, presentPage } from "../../resources/page.ts";
import { ListProviderNoticesQuery, presentNotice, ProviderNoticeResource } from "../../resources/provider-notice.ts";
import { listNotices } from "../../store/provider-notices.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const providerNoticeEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/provider-notices",
    operationId: "listProviderNotices",
    summary: "List the notices of payment providers, newest first",
    description:
      "Taken notices are kept for three days. Unmatched notices are kept for 30 days, at most 10,000 of them.",
    query: ListProviderNoticesQuery,
    responses: { 200: pageOf(ProviderNoticeResource) },
    async handle(ctx, { call, query }) {
      const rows = await listNotices(ctx.db.stale, call.organizationId, query);
      return answer(200, presentPage(rows, query.limit, presentNotice));
    },
  }),
];
