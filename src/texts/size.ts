import type { Words } from "./words.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** The size of a file: `1.4 MB`. `bytes`: a whole number of at least 0. */
export function fileSize({ locale }: Pick<Words, "locale">, bytes: number): string {
  const step = Math.min(bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const unit = UNITS[step]!;
  const style = { style: "unit", unit, unitDisplay: step === 0 ? "long" : "short" } as const;
  return new Intl.NumberFormat(locale, { ...style, maximumSignificantDigits: 3 }).format(bytes / 1000 ** step);
}
