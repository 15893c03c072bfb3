/**
 * The standard VAT rates of the Member States of the European Union, as of `EU_RATES_AS_OF`. A rate holds since
 * `since`, which may be the end of a temporary rate. Reduced rates and special territories are left out. Source: the
 * European Commission, Taxes in Europe Database.
 */
export const EU_RATES_AS_OF = "2026-01-01";
export const EU_RATES_SOURCE = "https://ec.europa.eu/taxation_customs/tedb/";

export type EuRate = { country: string; basisPoints: number; since: string };

export const EU_RATES: readonly EuRate[] = [
  { country: "AT", basisPoints: 2000, since: "1984-01-01" },
  { country: "BE", basisPoints: 2100, since: "1996-01-01" },
  { country: "BG", basisPoints: 2000, since: "1999-01-01" },
  { country: "CY", basisPoints: 1900, since: "2014-01-13" },
  { country: "CZ", basisPoints: 2100, since: "2013-01-01" },
  { country: "DE", basisPoints: 1900, since: "2021-01-01" },
  { country: "DK", basisPoints: 2500, since: "1992-01-01" },
  { country: "EE", basisPoints: 2400, since: "2025-07-01" },
  { country: "ES", basisPoints: 2100, since: "2012-09-01" },
  { country: "FI", basisPoints: 2550, since: "2024-09-01" },
  { country: "FR", basisPoints: 2000, since: "2014-01-01" },
  { country: "GR", basisPoints: 2400, since: "2016-06-01" },
  { country: "HR", basisPoints: 2500, since: "2012-03-01" },
  { country: "HU", basisPoints: 2700, since: "2012-01-01" },
  { country: "IE", basisPoints: 2300, since: "2021-03-01" },
  { country: "IT", basisPoints: 2200, since: "2013-10-01" },
  { country: "LT", basisPoints: 2100, since: "2009-09-01" },
  { country: "LU", basisPoints: 1700, since: "2024-01-01" },
  { country: "LV", basisPoints: 2100, since: "2012-07-01" },
  { country: "MT", basisPoints: 1800, since: "2004-01-01" },
  { country: "NL", basisPoints: 2100, since: "2012-10-01" },
  { country: "PL", basisPoints: 2300, since: "2011-01-01" },
  { country: "PT", basisPoints: 2300, since: "2011-01-01" },
  { country: "RO", basisPoints: 2100, since: "2025-08-01" },
  { country: "SE", basisPoints: 2500, since: "1990-07-01" },
  { country: "SI", basisPoints: 2200, since: "2013-07-01" },
  { country: "SK", basisPoints: 2300, since: "2025-01-01" },
];
