import { html } from "hono/html";
import type * as z from "zod";
import type { Context } from "../../../context.ts";
import { allows } from "../../../domain/team/role.ts";
import { basePath } from "../../assets.ts";
import type { Html } from "../../layout.ts";
import { emptyState } from "../components/empty-state.ts";
import { filterBar, type FilterField } from "../components/filter-bar.ts";
import { notice } from "../components/notice.ts";
import { pager } from "../components/pager.ts";
import { dashboardPage } from "../frame.ts";
import { SECTIONS } from "../sections.ts";
import { table, type Heading } from "../table.ts";
import type { DashboardRequest } from "../request.ts";
import { nextOf, previousOf, queryOf, type Address } from "./address.ts";
import type { List, Listed } from "./list.ts";

export const sectionOf = ({ section }: Pick<List, "section">) => SECTIONS.find(({ name }) => name === section)!;

/** `faults`: by the name of the filter, or `""` for the whole address. */
export type Faults = Readonly<Record<string, string>>;

export function faultsOf(error: z.ZodError): Faults {
  const faults = error.issues.map((issue) => {
    if (issue.code === "unrecognized_keys") return ["", `There is no filter “${issue.keys.join("”, “")}”.`] as const;
    const text = issue.code === "invalid_value" ? "Choose one of the values of this filter." : issue.message;
    return [String(issue.path[0] ?? ""), text] as const;
  });
  return Object.fromEntries(faults);
}

export type ListPage = {
  address: Address;
  fields: readonly FilterField[];
  faults: Faults;
  rows: readonly Listed[];
  nextCursor: string | null;
  /** The next step of an empty sandbox; null: the list's own step. */
  fill: { href: string; label: string } | null;
  /** The line about the operation that led here. */
  done: Html | "";
};

/** The headings of a list. The heading of the sorted column leads to the other order. */
function headingsOf({ columns }: List, here: string, { filters }: Address): Heading[] {
  const { sort, ...others } = filters;
  const isOldest = sort === "oldest";
  const other = isOldest ? others : { ...others, sort: "oldest" };
  const href = here + queryOf({ filters: other, cursor: null, earlier: [] });
  return columns.map(({ isSorted, ...heading }) =>
    isSorted ? { ...heading, sort: { direction: isOldest ? "ascending" : "descending", other: href } } : heading,
  );
}

function rowsOf(
  ctx: Context,
  list: List,
  request: DashboardRequest,
  { rows, address, nextCursor, fill }: ListPage,
): Html {
  const { self, organization, role } = request;
  const { label, path } = sectionOf(list);
  const [isFiltered, isLater] = [Object.keys(address.filters).length > 0, address.cursor !== null];
  const here = self + path;
  if (rows.length === 0) {
    if (isLater) return emptyState("There are no further rows.", { href: here, label: "To the first page" });
    if (isFiltered) return emptyState("No row fits these filters.", { href: here, label: "Show all" });
    const made = list.make && allows(role, list.make.permission) ? list.make : null;
    const own = made ? { href: self + made.path, label: made.label } : null;
    return emptyState(list.empty, fill ?? own ?? { href: basePath(ctx) + list.next.path, label: list.next.label });
  }
  const back = previousOf(address);
  const links = {
    previous: back === null ? null : here + queryOf(back),
    next: nextCursor === null ? null : here + queryOf(nextOf(address, nextCursor)),
  };
  const view = { self, zone: organization.timeZone, request };
  const shown = rows.map((row) => row.row(view));
  return html`${table(label, headingsOf(list, here, address), shown)}
${pager(links)}`;
}

/** A page of a list, with its filters. A filter with a fault shows no rows. */
export function listPage(ctx: Context, request: DashboardRequest, list: List, page: ListPage): Html {
  const { self, role } = request;
  const { address, fields, faults } = page;
  const { label, path } = sectionOf(list);
  const here = self + path;
  const isFaulty = Object.keys(faults).length > 0;
  const whole = faults[""] === undefined ? "" : notice("fault", faults[""]);
  const clear = Object.keys(address.filters).length === 0 ? null : here;
  const body = html`${page.done}${whole}
${filterBar(here, fields, clear)}
${isFaulty ? "" : rowsOf(ctx, list, request, page)}`;
  const csv = `${here}.csv${queryOf({ filters: address.filters, cursor: null, earlier: [] })}`;
  const links = [
    ...(list.make !== undefined && allows(role, list.make.permission)
      ? [html`<a class="button small" href="${self}${list.make.path}">${list.make.label}</a>`]
      : []),
    ...(!isFaulty && list.csvHeadings !== null && allows(role, "exports")
      ? [html`<a class="button small other" href="${csv}" download>Download CSV</a>`]
      : []),
  ];
  const actions = links.length === 0 ? undefined : html`${links}`;
  return dashboardPage(request, { section: list.section, title: label, body, actions });
}
