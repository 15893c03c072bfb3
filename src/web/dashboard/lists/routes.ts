import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { ageHeaders } from "../../../actions/stale-reads.ts";
import type { Context } from "../../../context.ts";
import { presentPage } from "../../../resources/page.ts";
import type { PageContext, PageEnvironment } from "../../environment.ts";
import { doneNotice } from "../components/done-notice.ts";
import type { DashboardGuard } from "../guard.ts";
import { fillLink } from "../sandbox/fill-link.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { PER_PAGE, PER_READ, readAddress, type Address } from "./address.ts";
import { begun, streamOf } from "./text-stream.ts";
import { BYTE_ORDER_MARK } from "../../../csv.ts";
import { filterFields } from "./filter-fields.ts";
import type { List } from "./list.ts";
import { faultsOf, listPage, sectionOf } from "./page.ts";
import { benefitList } from "./benefits.ts";
import { eventList } from "../developers/event-list.ts";
import { requestList } from "../developers/request-list.ts";
import { checkoutList } from "./checkouts.ts";
import { customerList } from "./customers.ts";
import { discountList } from "./discounts.ts";
import { disputeList } from "./disputes.ts";
import { invoiceList } from "./invoices.ts";
import { paymentLinkList } from "./payment-links.ts";
import { paymentList } from "./payments.ts";
import { refundList } from "./refunds.ts";
import { subscriptionList } from "./subscriptions.ts";

/** Every list, in the order of the navigation. */
export const LISTS: readonly List[] = [
  customerList,
  subscriptionList,
  invoiceList,
  paymentList,
  refundList,
  disputeList,
  checkoutList,
  benefitList,
  discountList,
  paymentLinkList,
  eventList,
  requestList,
];

const addressOf = (c: PageContext, list: List) => readAddress(list, new URL(c.req.url).searchParams);

/** The query of the management API for this address. A limit in the address is no filter of a page. */
function readQuery({ schema }: List, { filters, cursor }: Address, limit: number) {
  const { limit: _, ...given } = filters;
  const query = { ...given, limit: String(limit), ...(cursor !== null && { cursor }) };
  return schema.safeParse(query);
}

function page(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard, list: List): void {
  const { path, permission } = sectionOf(list);
  app.get(
    ROOT + path,
    signedIn(permission, async (c, request) => {
      const address = addressOf(c, list);
      const query = readQuery(list, address, PER_PAGE);
      const faults = query.success ? {} : faultsOf(query.error);
      if (faults["cursor"] !== undefined) throw new HTTPException(404);
      const { id } = request.organization;
      const [fields, rows] = await Promise.all([
        filterFields(request.ctx, id, list, address, faults),
        query.success ? list.read(request.ctx, id, query.data) : [],
      ]);
      const { data, nextCursor } = presentPage(rows, PER_PAGE, (row) => row);
      const fill = rows.length === 0 ? await fillLink(ctx, request) : null;
      const done = doneNotice(c, list.done ?? {});
      const shown = listPage(ctx, request, list, { address, fields, faults, rows: data, nextCursor, fill, done });
      return c.html(shown, query.success ? 200 : 422);
    }),
  );
}

/** The lines of a CSV, as many at once as a read has rows. The headings come with the first rows. */
async function* linesOf({ ctx, organization }: DashboardRequest, list: List, address: Address): AsyncGenerator<string> {
  let headings = BYTE_ORDER_MARK + (list.csvHeadings ?? "");
  for (let cursor: string | null = null; ;) {
    const query = readQuery(list, { ...address, cursor }, PER_READ);
    const rows = await list.read(ctx, organization.id, query.data);
    const { data, nextCursor } = presentPage(rows, PER_READ, (row) => row.line());
    yield headings + data.join("");
    headings = "";
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

/** The CSV has all rows of the filters, not just those of the shown page. */
function csv(app: Hono<PageEnvironment>, { signedIn }: DashboardGuard, list: List): void {
  const { path } = sectionOf(list);
  app.get(
    `${ROOT}${path}.csv`,
    signedIn("exports", async (c, request) => {
      const address = addressOf(c, list);
      if (!readQuery(list, address, PER_READ).success) throw new HTTPException(422);
      const lines = await begun(linesOf(request, list, address));
      return c.body(streamOf(lines), 200, {
        "Content-Type": "text/csv; charset=utf-8; header=present",
        ...ageHeaders(request.age()),
        "Content-Disposition": `attachment; filename="${list.section}.csv"`,
      });
    }),
  );
}

/** `/dashboard/{organizationId}/customers` and the other lists, and their CSV files. */
export function listPages(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard): void {
  for (const list of LISTS) {
    page(ctx, app, guard, list);
    if (list.csvHeadings !== null) csv(app, guard, list);
  }
}
