import { AuditEntryResource, ListAuditLogQuery, presentAuditEntry } from "../../resources/audit-entry.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { listAuditLog } from "../../store/audit-log.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const auditLogEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/audit-log",
    operationId: "listAuditLog",
    summary: "List the changes by people, management keys and commands, newest first",
    description:
      "An entry is written with each change by the dashboard, the management API and some commands. " +
      "Changes by the public API and by Billow itself are events.",
    query: ListAuditLogQuery,
    responses: { 200: pageOf(AuditEntryResource) },
    async handle(ctx, { call, query }) {
      const rows = await listAuditLog(ctx.db.stale, call.organizationId, query);
      return answer(200, presentPage(rows, query.limit, presentAuditEntry));
    },
  }),
];
