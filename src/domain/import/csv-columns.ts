/** The columns of a file, in the order of the template, each with its cell in the template's example. */
export const CSV_COLUMNS = {
  id: "row-1001",
  customer_id: "team-17",
  email: "ada@example.com",
  name: "Ada King-Noel",
  company_name: "",
  language: "en-GB",
  address_line1: "1 Example Street",
  address_line2: "",
  postal_code: "10115",
  city: "Berlin",
  state: "",
  country: "DE",
  tax_id: "",
  product: "pro",
  quantity: "1",
  amount: "",
  currency: "eur",
  started_at: "2025-03-14",
  period_start: "",
  period_end: "2027-01-14",
  trial_end: "",
  ends_at: "",
  discount_code: "",
  discount_until: "",
  balance: "",
} as const;
export type CsvColumn = keyof typeof CSV_COLUMNS;
export const REQUIRED_COLUMNS = ["id", "email"] as const satisfies readonly CsvColumn[];

/** The beginnings of some names. The rest of such a name is the key of an entry of metadata. */
export const METADATA = { subscription: "metadata.", customer: "customer_metadata." } as const;

/** The cells of a row by the names of their columns. Empty cells are left out. */
export type Cells = ReadonlyMap<string, string>;

/** The cells of a record by column; null: the record has texts to the right of the named columns. */
export function cellsBy(names: readonly string[], cells: readonly string[]): Cells | null {
  if (cells.slice(names.length).some((cell) => cell.trim() !== "")) return null;
  return new Map(
    names.flatMap((name, index) => {
      const text = cells[index]?.trim() ?? "";
      return text === "" ? [] : [[name, text] as const];
    }),
  );
}
