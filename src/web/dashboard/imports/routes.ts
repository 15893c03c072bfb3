import { HTTPException } from "hono/http-exception";
import { ageHeaders } from "../../../actions/stale-reads.ts";
import type { Context } from "../../../context.ts";
import { IMPORT_SOURCES } from "../../../domain/model/imported.ts";
import { countReasons, isComparable, readReportSums } from "../../../store/import-report.ts";
import { lastRuns } from "../../../store/import-runs.ts";
import { cursorOf, findImport, listImports, type ImportFilters } from "../../../store/imports.ts";
import type { PageContext } from "../../environment.ts";
import { together, type Pages } from "../form-action.ts";
import { PER_PAGE, PER_READ } from "../lists/address.ts";
import { withCustomers } from "../lists/customer-cell.ts";
import { begun, streamOf } from "../lists/text-stream.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { FILES, type FileFormat } from "./download.ts";
import { reportPage, type ReportRow } from "./page.ts";
import { IMPORTS } from "./paths.ts";
import { askedOf, filtersOf } from "./query.ts";
import { rowPage } from "./row-page.ts";

type Page = { rows: ReportRow[]; next: string | null };

async function readPage(ctx: Context, organizationId: string, filters: ImportFilters, limit: number): Promise<Page> {
  const found = await listImports(ctx.db.stale, organizationId, { ...filters, limit });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { rows: await withCustomers(ctx, organizationId, page), next: last === undefined ? null : cursorOf(last) };
}

const report: Pages = (_, app, { signedIn }) => {
  app.get(
    ROOT + IMPORTS,
    signedIn("settings", async (c, request) => {
      const { ctx, organization } = request;
      const asked = askedOf(c.req.url);
      const [runs, sums, reasons, page] = await Promise.all([
        lastRuns(ctx.db.stale, organization.id),
        readReportSums(ctx.db.stale, organization.id),
        countReasons(ctx.db.stale, organization.id),
        readPage(ctx, organization.id, filtersOf(asked), PER_PAGE),
      ]);
      return c.html(reportPage(request, { asked, runs, sums, reasons, ...page }));
    }),
  );
};

/** The whole report of the filters, as many rows at once as a read has. */
async function* textsOf({ ctx, organization }: DashboardRequest, filters: ImportFilters, format: FileFormat) {
  const runs = await lastRuns(ctx.db.stale, organization.id);
  let text = format.beginning(runs);
  for (let cursor: string | undefined, isFirst = true; ; isFirst = false) {
    const asked = { ...filters, ...(cursor !== undefined && { cursor }) };
    const { rows, next } = await readPage(ctx, organization.id, asked, PER_READ);
    yield text + format.page(rows, isFirst);
    text = "";
    if (next === null) break;
    cursor = next;
  }
  yield format.end;
}

const download =
  (name: keyof typeof FILES): Pages =>
  (_, app, { signedIn }) => {
    app.get(
      `${ROOT}${IMPORTS}.${name}`,
      signedIn("settings", async (c, request) => {
        const { cursor: _cursor, ...filters } = filtersOf(askedOf(c.req.url));
        const texts = await begun(textsOf(request, filters, FILES[name]));
        return c.body(streamOf(texts), 200, {
          "Content-Type": FILES[name].type,
          ...ageHeaders(request.age()),
          "Content-Disposition": `attachment; filename="imports.${name}"`,
        });
      }),
    );
  };

/** @throws HTTPException 404 */
async function rowAt(c: PageContext, { ctx, organization }: DashboardRequest): Promise<ReportRow> {
  const { source: name, account = "", ref = "" } = c.req.query();
  const source = IMPORT_SOURCES.find((each) => each === name);
  const key = { organizationId: organization.id, source: source!, account, ref };
  const row = source === undefined || !isComparable(account + ref) ? null : await findImport(ctx.db.read, key);
  if (row === null) throw new HTTPException(404);
  return (await withCustomers(ctx, organization.id, [row]))[0]!;
}

const row: Pages = (_, app, { signedIn }) => {
  app.get(
    `${ROOT}${IMPORTS}/subscription`,
    signedIn("settings", async (c, request) => c.html(rowPage(request, await rowAt(c, request)))),
  );
};

/** `/dashboard/{organizationId}/imports`: the reports of imports, and the rows behind them. */
export const importPages = together(report, download("csv"), download("json"), row);
