import { csvLine } from "../../csv.ts";

/** A report that is written row by row: `beginning`, one text for each row, and `end`. */
export type RowReport<Row, Sums extends unknown[]> = {
  beginning: string;
  row(row: Row): string;
  end(...sums: Sums): string;
};

/** A line for each row below the names of the columns. The sums are no lines. */
export const csvReport = <Row, Sums extends unknown[]>(
  columns: readonly string[],
  row: (row: Row) => string,
): RowReport<Row, Sums> => ({ beginning: csvLine(columns), row, end: () => "" });

/** One JSON object: the rows as `data`, then the sums. */
export function jsonReport<Row, Sums extends unknown[]>(
  resourceOf: (row: Row) => object,
  sumsOf: (...sums: Sums) => object,
): RowReport<Row, Sums> {
  let separator = "\n";
  return {
    beginning: '{"data":[',
    row(row) {
      const text = separator + JSON.stringify(resourceOf(row));
      separator = ",\n";
      return text;
    },
    end: (...sums) => `\n],${JSON.stringify(sumsOf(...sums)).slice(1)}\n`,
  };
}
