import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type { Context } from "../../context.ts";
import { formatInstant } from "../../domain/calendar.ts";
import type { AuditEntry } from "../../domain/team/audit.ts";
import { ListAuditLogQuery } from "../../resources/audit-entry.ts";
import { presentPage } from "../../resources/page.ts";
import { listAuditLog } from "../../store/audit-log.ts";
import type { PageEnvironment } from "../environment.ts";
import type { Html } from "../layout.ts";
import { emptyState } from "./components/empty-state.ts";
import { pager } from "./components/pager.ts";
import type { DashboardDoor } from "./door.ts";
import { dashboardPage } from "./frame.ts";
import { table } from "./table.ts";
import { ROOT, type Visit } from "./visit.ts";

const PER_PAGE = "50";

function actorOf({ actorType, actorId, actorName }: AuditEntry): Html | string {
  if (actorType === "cli") return "A command";
  const name = html`<bdi>${actorName ?? actorId}</bdi>`;
  return actorType === "key" ? html`API key ${name}` : name;
}

/** `updateCustomer` as "Update customer". */
function wordsOf(operation: string): string {
  const words = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function changeOf({ fields, values }: AuditEntry): string {
  if (fields === null) return "Deleted with the Customer";
  return fields.map((name) => (values && name in values ? `${name}: ${values[name]}` : name)).join(", ");
}

function timeOf({ at }: AuditEntry): Html {
  const text = formatInstant(at);
  return html`<time datetime="${text}">${text.slice(0, 19).replace("T", " ")}</time>`;
}

const row = (entry: AuditEntry) => html`<tr>
<th scope="row">${timeOf(entry)}</th>
<td>${actorOf(entry)}</td>
<td>${wordsOf(entry.operation)}</td>
<td>${entry.resourceId === null ? "" : html`<code>${entry.resourceId}</code>`}</td>
<td>${changeOf(entry)}</td>
<td>${entry.clientAddress ?? ""}</td>
</tr>`;

const HEADINGS = ["Time (UTC)", "By", "Change", "Resource", "Fields", "Client address"];

function auditLogPage(ctx: Context, visit: Visit, entries: readonly AuditEntry[], next: string | null): Html {
  const list =
    entries.length === 0
      ? emptyState("There are no changes yet. Each change by a person, a key or a command appears here.")
      : table("Changes", HEADINGS, entries.map(row));
  const older = next === null ? null : `${visit.self}/audit-log?cursor=${next}`;
  const body = html`${list}${pager({ previous: null, next: older })}`;
  return dashboardPage(ctx, visit, { section: "audit_log", title: "Audit log", body });
}

/** `/dashboard/{organizationId}/audit-log`, newest first. */
export function auditLogPages(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardDoor): void {
  app.get(
    `${ROOT}/audit-log`,
    signedIn("audit_log", async (c, visit) => {
      const query = ListAuditLogQuery.safeParse({ cursor: c.req.query("cursor"), limit: PER_PAGE });
      if (!query.success) throw new HTTPException(404);
      const rows = await listAuditLog(ctx.db.read, visit.organization.id, query.data);
      const page = presentPage(rows, query.data.limit, (entry) => entry);
      return c.html(auditLogPage(ctx, visit, page.data, page.nextCursor));
    }),
  );
}
