import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type { Context } from "../../context.ts";
import { formatInstant } from "../../domain/calendar.ts";
import type { Invoice } from "../../domain/model/invoice.ts";
import type { AuditEntry } from "../../domain/team/audit.ts";
import { isId } from "../../ids.ts";
import { ListAuditLogQuery } from "../../resources/audit-entry.ts";
import { presentPage } from "../../resources/page.ts";
import { invoices } from "../../store/invoices.ts";
import { listAuditLog, loggedActors, loggedOperations } from "../../store/audit-log.ts";
import { shownAgain } from "../components/field.ts";
import type { PageEnvironment } from "../environment.ts";
import type { Html } from "../layout.ts";
import { emptyState } from "./components/empty-state.ts";
import { filterBar, type FilterField } from "./components/filter-bar.ts";
import { pager } from "./components/pager.ts";
import { changeWords, operationWords, resourceLink } from "./audit-words.ts";
import type { DashboardGuard } from "./guard.ts";
import { dashboardPage } from "./frame.ts";
import { nextOf, previousOf, queryOf, readAddress, type Address } from "./lists/address.ts";
import { table } from "./table.ts";
import { ROOT, type DashboardRequest } from "./request.ts";

const PER_PAGE = "50";

/** The invoices of a page's entries, by id. */
type Invoiced = ReadonlyMap<string, Invoice>;

function actorOf({ actorType, actorId, actorName }: AuditEntry): Html | string {
  if (actorType === "cli") return "A command";
  const name = html`<bdi>${actorName ?? actorId}</bdi>`;
  return actorType === "key" ? html`API key ${name}` : name;
}

function timeOf({ at }: AuditEntry): Html {
  const text = formatInstant(at);
  return html`<time datetime="${text}">${text.slice(0, 19).replace("T", " ")}</time>`;
}

/** The currency of amounts that an entry names without one: of the Organization, or of the refunded invoice. */
const currencyOf = ({ operation, resourceId }: AuditEntry, { organization }: DashboardRequest, invoiced: Invoiced) =>
  operation === "updateOrganization" ? organization.defaultCurrency : invoiced.get(resourceId ?? "")?.currency;

const row = (entry: AuditEntry, request: DashboardRequest, invoiced: Invoiced) => html`<tr>
<th scope="row">${timeOf(entry)}</th>
<td>${actorOf(entry)}${entry.clientAddress === null ? "" : html` <span class="note">${entry.clientAddress}</span>`}</td>
<td>${operationWords(entry.operation)}</td>
<td>${entry.resourceId === null ? "" : resourceLink(entry.resourceId, request.self)}</td>
<td class="wide">${changeWords(entry, request.self, currencyOf(entry, request, invoiced))}</td>
</tr>`;

const HEADINGS = ["Time (UTC)", "By", "Change", "Of", { label: "Fields", isWide: true }];

type AuditView = {
  address: Address;
  fields: FilterField[];
  entries: readonly AuditEntry[];
  nextCursor: string | null;
  invoiced: Invoiced;
};

function auditLogPage(request: DashboardRequest, { address, fields, entries, nextCursor, invoiced }: AuditView): Html {
  const here = `${request.self}/audit-log`;
  const isFiltered = Object.keys(address.filters).length > 0;
  const none = isFiltered
    ? emptyState("No change fits these filters.", { href: here, label: "Show all" })
    : emptyState("There are no changes yet. Each change by a person, a key or a command appears here.");
  const back = previousOf(address);
  const links = {
    previous: back === null ? null : here + queryOf(back),
    next: nextCursor === null ? null : here + queryOf(nextOf(address, nextCursor)),
  };
  const body = html`${filterBar(here, fields, isFiltered ? here : null)}
${
  entries.length === 0
    ? none
    : table(
        "Changes",
        HEADINGS,
        entries.map((entry) => row(entry, request, invoiced)),
      )
}
${pager(links)}`;
  return dashboardPage(request, { section: "audit_log", title: "Audit log", body });
}

/** The choice of the commands, which have no id. */
const COMMANDS = "commands";
/** Beyond this many callers or operations, a further one is found by its address. */
const MOST_CHOICES = 100;

/** A choice of the address stays a choice, also if the log has no entry of it. */
function withGiven(choices: Choice[], given: string): Choice[] {
  return given === "" || choices.some(([value]) => value === given) ? choices : [...choices, [given, given]];
}

type Choice = readonly [value: string, label: string];

async function fieldsOf(ctx: Context, organizationId: string, { filters }: Address): Promise<FilterField[]> {
  const [actors, operations] = await Promise.all([
    loggedActors(ctx.db.stale, organizationId, MOST_CHOICES),
    loggedOperations(ctx.db.stale, organizationId, MOST_CHOICES),
  ]);
  const labelOf = ({ id, name }: (typeof actors)[number]) => (isId("key", id) ? `API key ${name ?? id}` : (name ?? id));
  const callers: Choice[] = actors.map((actor) => [actor.id, labelOf(actor)] as const);
  const by = shownAgain(filters["by"] ?? "");
  const operation = shownAgain(filters["operation"] ?? "");
  const words: Choice[] = operations.map((each) => [each, operationWords(each)] as const);
  return [
    { name: "by", label: "By", value: by, options: withGiven([[COMMANDS, "Commands"], ...callers], by) },
    { name: "operation", label: "Change", value: operation, options: withGiven(words, operation) },
  ];
}

/** `/dashboard/{organizationId}/audit-log`, newest first, by caller and change. */
export function auditLogPages(_: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  app.get(
    `${ROOT}/audit-log`,
    signedIn("audit_log", async (c, request) => {
      const address = readAddress({ prefix: "aud" }, new URL(c.req.url).searchParams);
      const { by, ...given } = address.filters;
      const caller = by === undefined ? {} : by === COMMANDS ? { actorType: "cli" } : { actorId: by };
      const { cursor } = address;
      const asked = { ...given, ...caller, limit: PER_PAGE, ...(cursor !== null && { cursor }) };
      const query = ListAuditLogQuery.safeParse(asked);
      if (!query.success) throw new HTTPException(404);
      const {
        ctx,
        organization: { id },
      } = request;
      const [fields, rows] = await Promise.all([
        fieldsOf(ctx, id, address),
        listAuditLog(ctx.db.stale, id, query.data),
      ]);
      const { data: entries, nextCursor } = presentPage(rows, query.data.limit, (entry) => entry);
      const ids = entries.flatMap(({ resourceId }) => (isId("inv", resourceId ?? "") ? resourceId! : []));
      const invoiced = await invoices.findAll(ctx.db.stale, id, [...new Set(ids)]);
      return c.html(auditLogPage(request, { address, fields, entries, nextCursor, invoiced }));
    }),
  );
}
