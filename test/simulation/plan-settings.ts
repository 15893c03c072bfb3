import type { Draw } from "./draw.ts";
import type { Behavior, Settings, TaxIdKind, TaxLocation, TaxRate } from "./history.ts";

const ZONES = [
  "UTC",
  "America/New_York",
  "Europe/Warsaw",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "America/St_Johns",
  "America/Sao_Paulo",
  "Africa/Casablanca",
  "Pacific/Apia",
];
/** Local days shortly before a leap day, the end of a month or year, or an hour that is skipped or repeated. */
export const EVES = [
  "2024-01-29",
  "2024-02-27",
  "2023-12-29",
  "2025-01-28",
  "2024-03-08",
  "2024-03-28",
  "2024-10-25",
  "2025-11-01",
  "2024-04-05",
];
/** Pacific/Apia skipped 30 December 2011. */
export const APIA_EVE = "2011-12-27";
export const BEHAVIORS: Behavior[] = ["invoice_now", "next_invoice", "next_period", "none"];
const RETRIES = [[3, 7, 14, 21], [3, 7, 14, 21], [1], [1, 2, 3], [2, 10, 40]];
const GRACES = [7, 7, 0, 1, 3, 10, 60];

/** Locations with a tax rate of their own, with a shared one, and with none. */
export function drawLocation(draw: Draw): TaxLocation | null {
  if (draw.chance(0.08)) return null;
  const country = draw.pick(["DE", "US", "CA", "FR"]);
  const regions: Record<string, (string | null)[]> = {
    US: ["NY", "New York", "us-ny", "TX"],
    CA: ["QC", "quebec", "Que\u0301bec", "CA-QC", null],
  };
  const region = draw.pick(regions[country] ?? [null]);
  const isChecked = country === "DE" || country === "FR";
  const kinds: TaxIdKind[] = isChecked ? ["own", "own", "own", "foreign", "unchecked"] : ["foreign", "unchecked"];
  return { country, region, taxId: draw.chance(0.35) ? draw.pick(kinds) : null };
}

function drawTaxRates(draw: Draw): TaxRate[] {
  if (draw.chance(0.4)) return [];
  const locations = [
    { country: "DE" },
    { country: "US", region: draw.pick(["NY", "New York"]) },
    { country: "CA" },
    { country: "CA", region: draw.pick(["QC", "Québec"]) },
  ];
  return locations.map((location) => ({
    region: null,
    ...location,
    basisPoints: draw.pick([0, 1900, 700, 2100, 888, 10_000]),
    inclusive: draw.chance(0.4),
    reverseCharge: draw.chance(0.5),
  }));
}

/** The settings of an Organization. */
export function drawSettings(draw: Draw): Required<Settings> {
  return {
    zone: draw.pick(ZONES),
    retryDays: draw.pick(RETRIES),
    graceDays: draw.pick(GRACES),
    behavior: draw.pick(BEHAVIORS),
    rise: draw.pick(BEHAVIORS),
    fall: draw.pick(BEHAVIORS),
    taxRates: drawTaxRates(draw),
    country: draw.pick(["FR", "IE", "DE", null]),
  };
}
