import { html } from "hono/html";
import type * as z from "zod";
import type { Context } from "../../../context.ts";
import type { IdPrefix } from "../../../ids.ts";
import type { Permission } from "../../../domain/team/role.ts";
import type { Html } from "../../layout.ts";
import type { SectionName } from "../sections.ts";
import type { DashboardRequest } from "../request.ts";
import { csvLine, type CsvValue } from "../../../csv.ts";

/** `self`: the path of the Organization's dashboard. `zone`: its time zone. `request`: of the person who looks. */
export type View = { self: string; zone: string; request: DashboardRequest };

export type Column<Row> = {
  label: string;
  /** To the right. */
  isNumber?: boolean;
  /** Left out on a phone. */
  isWide?: boolean;
  /** The heading changes the order of the rows. The schema has the filter `sort`. */
  isSorted?: boolean;
  show(row: Row, view: View): Html | string;
};

/** The queries of the management API. A filter of the dashboard is a field of such a schema. */
export type QuerySchema = z.ZodObject<{ limit: z.ZodType; cursor: z.ZodType }>;

/** One list of the dashboard. Its page, its filters and its CSV are made from this description. */
export type ListDescription<Row extends { id: string }, Schema extends QuerySchema> = {
  /** The section of the navigation. The section names the path, the title and the permission of the page. */
  section: SectionName;
  prefix: IdPrefix;
  schema: Schema;
  /** The filters that are always shown. A further filter is shown while the address has it. */
  filters: readonly (keyof z.infer<Schema> & string)[];
  /** The words of the choices of a filter, if they are not the value itself. */
  words: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The labels of filters that mean something else here than in other lists. */
  labels?: Readonly<Record<string, string>>;
  /** Newest first; returns one row more than the page holds. */
  read(ctx: Context, organizationId: string, query: z.infer<Schema>): Promise<Row[]>;
  columns: readonly Column<Row>[];
  /** The columns of the CSV, by their headings; null: there is no CSV. */
  csv: Readonly<Record<string, (row: Row) => CsvValue>> | null;
  /** A sentence about the rows that will be here. */
  empty: string;
  /** The next step, while there are no rows: a page of the documentation. */
  next: { path: string; label: string };
  /** The page on which a person makes a further row. `path` follows the path of the Organization's dashboard. */
  make?: { path: string; label: string; permission: Permission };
  /** The sentences about an operation that leads to the list, by the word in `?done=`. */
  done?: Readonly<Record<string, string>>;
};

/** A row, ready to be shown or to be written. */
export type Listed = { id: string; row(view: View): Html; line(): string };

export type List = {
  section: SectionName;
  prefix: IdPrefix;
  schema: QuerySchema;
  filters: readonly string[];
  words: ListDescription<{ id: string }, QuerySchema>["words"];
  labels?: Readonly<Record<string, string>>;
  columns: readonly Pick<Column<never>, "label" | "isNumber" | "isWide" | "isSorted">[];
  /** The first line of the CSV; null: there is no CSV. */
  csvHeadings: string | null;
  empty: string;
  next: { path: string; label: string };
  make?: { path: string; label: string; permission: Permission };
  done?: Readonly<Record<string, string>>;
  /** `query`: a value of the list's own schema. */
  read(ctx: Context, organizationId: string, query: unknown): Promise<Listed[]>;
};

function rowOf<Row extends { id: string }>(columns: readonly Column<Row>[], row: Row, view: View): Html {
  const cell = (column: Column<Row>, n: number) => {
    const shown = column.show(row, view);
    if (n === 0) return html`<th scope="row">${shown}</th>`;
    const name = `${column.isNumber ? "number" : ""}${column.isWide ? " wide" : ""}`.trim();
    return name === "" ? html`<td>${shown}</td>` : html`<td class="${name}">${shown}</td>`;
  };
  return html`<tr>${columns.map(cell)}</tr>`;
}

export function defineList<Row extends { id: string }, Schema extends QuerySchema>(
  list: ListDescription<Row, Schema>,
): List {
  const { columns, csv, ...rest } = list;
  const values = Object.values(csv ?? {});
  return {
    ...rest,
    columns,
    csvHeadings: csv && csvLine(Object.keys(csv)),
    async read(ctx, organizationId, query) {
      const rows = await list.read(ctx, organizationId, query as z.infer<Schema>);
      return rows.map((row) => ({
        id: row.id,
        row: (view) => rowOf(columns, row, view),
        line: () => csvLine(values.map((value) => value(row))),
      }));
    },
  };
}
