/** A part of a tax report: the net amount and its tax, in minor units. */
export type Taxed = { net: number; tax: number };

/**
 * The lines of a month with one place and rate, in one currency (rule R10b). `country` null: the buyer's country was
 * not asked for. `region` and `name` null: the lines bear no tax, or the rate is for the whole country.
 * `basisPoints`: the rate; under reverse charge the buyer owes this tax.
 */
export type TaxRow = {
  bucket: number;
  currency: string;
  country: string | null;
  region: string | null;
  name: string | null;
  basisPoints: number;
  reverseCharge: boolean;
  invoiced: Taxed;
  voided: Taxed;
  credited: Taxed;
};

const less = (one: Taxed, ...others: readonly Taxed[]): Taxed => ({
  net: others.reduce((rest, { net }) => rest - net, one.net),
  tax: others.reduce((rest, { tax }) => rest - tax, one.tax),
});

/** The amounts to declare: the invoices without those that became void, less the credit notes (rule R10b). */
export const declaredOf = ({ invoiced, voided, credited }: Pick<TaxRow, "invoiced" | "voided" | "credited">): Taxed =>
  less(invoiced, voided, credited);
