/**
 * A tax id of the right form for each country whose ids are checked. The digits are counted down, so that the example is
 * seen to be one. An example passes no check digit: a copied example removes no tax. The
 * numbers of Iceland and South Africa have no check digit here.
 */
const EXAMPLES: Readonly<Record<string, string>> = {
  AT: "ATU98765432",
  AU: "98 765 432 109",
  BE: "BE0987654321",
  BG: "BG987654321",
  CH: "CHE-987.654.321 MWST",
  CY: "CY98765432X",
  CZ: "CZ98765432",
  DE: "DE987654321",
  DK: "DK98765432",
  EE: "EE987654321",
  ES: "ESA98765432",
  FI: "FI98765432",
  FR: "FR98765432109",
  GB: "GB987654321",
  GR: "EL987654321",
  HR: "HR98765432109",
  HU: "HU98765432",
  IE: "IE9876543A",
  IN: "98ABCDE7654F1ZG",
  IS: "98765",
  IT: "IT98765432109",
  KR: "987-65-43210",
  LT: "LT987654321",
  LU: "LU98765432",
  LV: "LV98765432109",
  MT: "MT98765432",
  NL: "NL987654321B01",
  NO: "987 654 321 MVA",
  NZ: "98-765-432",
  PL: "PL9876543211",
  PT: "PT987654321",
  RO: "RO98765432",
  SE: "SE987654321001",
  SI: "SI98765432",
  SK: "SK9876543210",
  ZA: "4987654321",
};

/** How a tax id of this country is written, by an example; null: Billow has no check for the country's ids. */
export const taxIdExample = (country: string): string | null => EXAMPLES[country] ?? null;
