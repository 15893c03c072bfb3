import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { bucketsIn, countedUp, readMetrics, todayOf } from "../../../actions/metrics/read.ts";
import { ageHeaders } from "../../../actions/stale-reads.ts";
import type { Context } from "../../../context.ts";
import { addDays, formatInstant, parseInstant } from "../../../domain/calendar.ts";
import {
  listMovements,
  listMrr,
  listWithStatus,
  recoveredInvoices,
  revenueByProduct,
  revenueSources,
  type MovementCursor,
  type RecoveredCursor,
  type RevenueSource,
  type SourceCursor,
  type Within,
} from "../../../store/metric-reads.ts";
import type { PageContext, PageEnvironment } from "../../environment.ts";
import type { DashboardGuard } from "../guard.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../../csv.ts";
import { withCustomers } from "../lists/customer-cell.ts";
import { fillLink } from "../sandbox/fill-link.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { askedOf, currencyOf, kindOf, queryOf, statusOf, type AskedFigures } from "./query.ts";
import { readFirstSteps } from "./first-steps.ts";
import { readNeeds } from "./needs.ts";
import { overviewPage } from "./page.ts";
import { movementsPage, mrrPage, recoveredPage, revenuePage, subscriptionsPage } from "./rows.ts";

const PER_PAGE = 50;

/** The rows of a page with their Customers. One row more than a page holds tells that there is a next page. */
async function pageOf<Row extends { customerId: string }>(
  { ctx, organization }: DashboardRequest,
  found: readonly Row[],
) {
  const rows = await withCustomers(ctx, organization.id, found.slice(0, PER_PAGE));
  return { rows, last: found.length > PER_PAGE ? rows.at(-1)! : null };
}

/** The parts of the parameter `after`, which a link of ours made. @throws HTTPException 404 */
function afterOf(c: PageContext, parts: number): string[] | null {
  const text = c.req.query("after");
  if (text === undefined) return null;
  const read = text.split(",");
  if (read.length !== parts) throw new HTTPException(404);
  return read;
}

function instantIn(text: string) {
  const at = parseInstant(text);
  if (at === null) throw new HTTPException(404);
  return at;
}

const withinOf = ({ organization }: DashboardRequest, asked: AskedFigures): Within => {
  const buckets = bucketsIn(organization, { ...asked, step: "day" });
  return { start: buckets[0]!.start, end: buckets.at(-1)!.end };
};

const spanOf = async (ctx: Context, c: PageContext, request: DashboardRequest) =>
  askedOf(c, request, await todayOf(ctx, request.organization), true);

function addressOf(
  { self }: DashboardRequest,
  name: string,
  { currency, from, to }: AskedFigures,
  after: string,
  kind: string | null,
) {
  return `${self}/metrics/${name}${queryOf({ currency, from, to, kind, after })}`;
}

function movementRoutes(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  const cursorOf = (c: PageContext): MovementCursor | null => {
    const after = afterOf(c, 3);
    if (after === null) return null;
    const sequence = Number(after[2]);
    if (!Number.isInteger(sequence) || sequence < 0 || sequence > 2 ** 31 - 1) throw new HTTPException(404);
    return { day: after[0]!, subscriptionId: after[1]!, sequence };
  };
  app.get(
    `${ROOT}/metrics/movements`,
    signedIn("read", async (c, request) => {
      const asked = await spanOf(ctx, c, request);
      const isComplete = await countedUp(ctx, request.organization);
      const kind = kindOf(c);
      const found = await listMovements(request.ctx.db.stale, request.organization.id, {
        currency: asked.currency,
        first: asked.from,
        next: addDays(asked.to, 1),
        kind,
        cursor: cursorOf(c),
        limit: PER_PAGE + 1,
      });
      const { rows, last } = await pageOf(request, found);
      const after = last && [last.day, last.subscriptionId, last.sequence].join(",");
      const next = after && addressOf(request, "movements", asked, after, kind);
      return c.html(movementsPage(ctx, { request, asked, rows, next, isComplete, kind }));
    }),
  );
}

function mrrRoutes(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  app.get(
    `${ROOT}/metrics/mrr`,
    signedIn("read", async (c, request) => {
      const asked = await spanOf(ctx, c, request);
      const isComplete = await countedUp(ctx, request.organization);
      const [after] = afterOf(c, 1) ?? [""];
      const found = await listMrr(request.ctx.db.stale, request.organization.id, {
        currency: asked.currency,
        next: addDays(asked.to, 1),
        after: after!,
        limit: PER_PAGE + 1,
      });
      const { rows, last } = await pageOf(request, found);
      const next = last && addressOf(request, "mrr", asked, last.subscriptionId, null);
      return c.html(mrrPage(ctx, { request, asked, rows, next, isComplete }));
    }),
  );
}

function subscriptionRoutes(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  app.get(
    `${ROOT}/metrics/subscriptions`,
    signedIn("read", async (c, request) => {
      const asked = await spanOf(ctx, c, request);
      const isComplete = await countedUp(ctx, request.organization);
      const status = statusOf(c);
      const { self, organization } = request;
      const { currency, to } = asked;
      const [after] = afterOf(c, 1) ?? [""];
      const query = { currency, next: addDays(to, 1), after: after!, status, limit: PER_PAGE + 1 };
      const { rows, last } = await pageOf(request, await listWithStatus(request.ctx.db.stale, organization.id, query));
      const further = last && queryOf({ currency, to, status, after: last.subscriptionId });
      const next = further && `${self}/metrics/subscriptions${further}`;
      return c.html(subscriptionsPage(ctx, { request, asked, rows, next, isComplete, status }));
    }),
  );
}

const SOURCE_KINDS: readonly RevenueSource["kind"][] = ["invoice_issued", "invoice_voided", "refund"];

function revenueRoutes(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  const cursorOf = (c: PageContext): SourceCursor | null => {
    const after = afterOf(c, 3);
    if (after === null) return null;
    const kind = SOURCE_KINDS.find((each) => each === after[1]);
    if (!kind) throw new HTTPException(404);
    return { at: instantIn(after[0]!), kind, sourceId: after[2]! };
  };
  app.get(
    `${ROOT}/metrics/revenue`,
    signedIn("read", async (c, request) => {
      const asked = await spanOf(ctx, c, request);
      const within = withinOf(request, asked);
      const { id } = request.organization;
      const paged = { currency: asked.currency, cursor: cursorOf(c), limit: PER_PAGE + 1 };
      const [products, found] = await Promise.all([
        revenueByProduct(request.ctx.db.stale, id, within, asked.currency),
        revenueSources(request.ctx.db.stale, id, within, paged),
      ]);
      const { rows, last } = await pageOf(request, found);
      const after = last && [formatInstant(last.at), last.kind, last.sourceId].join(",");
      const next = after && addressOf(request, "revenue", asked, after, null);
      return c.html(revenuePage(ctx, { request, asked, rows, next, products }));
    }),
  );
}

function recoveredRoutes(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  const cursorOf = (c: PageContext): RecoveredCursor | null => {
    const after = afterOf(c, 2);
    return after && { at: instantIn(after[0]!), invoiceId: after[1]! };
  };
  app.get(
    `${ROOT}/metrics/recovered`,
    signedIn("read", async (c, request) => {
      const asked = await spanOf(ctx, c, request);
      const paged = { currency: asked.currency, cursor: cursorOf(c), limit: PER_PAGE + 1 };
      const found = await recoveredInvoices(
        request.ctx.db.stale,
        request.organization.id,
        withinOf(request, asked),
        paged,
      );
      const { rows, last } = await pageOf(request, found);
      const after = last && [formatInstant(last.at), last.invoiceId].join(",");
      const next = after && addressOf(request, "recovered", asked, after, null);
      return c.html(recoveredPage(ctx, { request, asked, rows, next }));
    }),
  );
}

const HEADINGS = ["product_id", "product", "currency", "sales", "refunds", "tax", "net_revenue"];

/** The revenue by Product as CSV, with amounts in minor units. */
function csvRoute(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  app.get(
    `${ROOT}/metrics/revenue.csv`,
    signedIn("exports", async (c, request) => {
      const asked = await spanOf(ctx, c, request);
      const { currency, from, to } = asked;
      const products = await revenueByProduct(
        request.ctx.db.stale,
        request.organization.id,
        withinOf(request, asked),
        currency,
      );
      const lines = products.map(({ productId, productName, sales, refunds, tax }) =>
        csvLine([productId, productName, currency, sales, refunds, tax, sales - refunds - tax]),
      );
      return c.body(BYTE_ORDER_MARK + csvLine(HEADINGS) + lines.join(""), 200, {
        "Content-Type": "text/csv; charset=utf-8; header=present",
        ...ageHeaders(request.age()),
        "Content-Disposition": `attachment; filename="revenue-${from}-${to}-${currency}.csv"`,
      });
    }),
  );
}

/** The overview, and the pages with the rows behind its figures. */
export function overviewPages(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard): void {
  mrrRoutes(ctx, app, guard);
  subscriptionRoutes(ctx, app, guard);
  movementRoutes(ctx, app, guard);
  revenueRoutes(ctx, app, guard);
  recoveredRoutes(ctx, app, guard);
  csvRoute(ctx, app, guard);
  app.get(
    ROOT,
    guard.signedIn("read", async (c, request) => {
      const today = await todayOf(ctx, request.organization);
      const span = askedOf(c, request, today);
      const [metrics, needs, fill, steps] = await Promise.all([
        readMetrics(request.ctx, request.organization, span, currencyOf(c)),
        readNeeds(request.ctx, request),
        fillLink(ctx, request),
        readFirstSteps(ctx, request),
      ]);
      const asked = { ...span, currency: metrics.currency };
      return c.html(overviewPage(ctx, { request, asked, metrics, today, needs, fill, steps }));
    }),
  );
}
