import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { CustomerExportList } from "../../resources/export.ts";
import type { Queryable } from "../../store/driver/db.ts";
import type { ExportedTable, ExportQuery } from "../../store/export.ts";

/** One Organization at one instant. `db`: the snapshot of the export. `now`: billing time. */
export type ExportWorld = Pick<Context, "config" | "keyring"> & {
  connectables: Context["payments"]["connectables"];
  db: Queryable;
  organization: Organization;
  now: Instant;
};

/** A page of an export, newest first. `next`: the cursor of the page after it; null: this is the last page. */
export type ExportPage = { lines: object[]; next: string | undefined };

/** One kind of rows of an export. */
export type Section = {
  /** The file of an Organization's export, without its ending. */
  name: string;
  /** The resource of the API that a line has. */
  resource: string;
  /**
   * The tables behind the lines. A file that was written before is kept if no row of these tables has changed. None:
   * the file is always written anew.
   */
  tables: readonly ExportedTable[];
  /** The name in the export of one Customer; null: the rows belong to no Customer. */
  ofCustomer: CustomerExportList | null;
  /** The page after `cursor`. */
  page(world: ExportWorld, query: { cursor: string | undefined; customerId?: string }): Promise<ExportPage>;
};

type Definition<Row> = Omit<Section, "page" | "ofCustomer"> & {
  ofCustomer?: CustomerExportList;
  /** The rows of a page in memory; 500 unless rows are large. */
  rows?: number;
  /** Newest first; one row more than the page holds. */
  list(world: ExportWorld, query: ExportQuery): Promise<Row[]>;
  /** Reads all that a page needs beside its rows, and answers the way from a row to its line. */
  present(world: ExportWorld, rows: readonly Row[]): Promise<(row: Row) => object> | ((row: Row) => object);
};

const ROWS = 500;

export function section<Row extends { id: string }>(definition: Definition<Row>): Section {
  const { name, resource, tables, ofCustomer = null, rows: limit = ROWS, list, present } = definition;
  return {
    name,
    resource,
    tables,
    ofCustomer,
    async page(world, query) {
      const found = await list(world, { ...query, limit });
      const rows = found.slice(0, limit);
      const line = await present(world, rows);
      return { lines: rows.map(line), next: found.length > limit ? rows.at(-1)!.id : undefined };
    },
  };
}

/** All lines of a section, page by page. `customerId`: those of one Customer. */
export async function* linesOf(world: ExportWorld, one: Section, customerId?: string): AsyncGenerator<object[]> {
  let cursor: string | undefined;
  do {
    const { lines, next } = await one.page(world, { cursor, ...(customerId !== undefined && { customerId }) });
    yield lines;
    cursor = next;
  } while (cursor !== undefined);
}
