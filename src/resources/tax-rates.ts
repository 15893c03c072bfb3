import * as z from "zod";
import { isUnknownRegion, regionWords, repeatedRegions } from "../domain/tax/region.ts";
import type { RegionChange } from "../domain/tax/region-review.ts";
import type { TaxRate } from "../domain/tax/tax.ts";
import { counted, percent } from "../domain/words.ts";
import { alternatives, didYouMean, nearest } from "../suggestion.ts";
import { country, countryCode, issue, orNull, text } from "./fields.ts";

export const taxRate = z.object({
  country: countryCode,
  region: z
    .string()
    .nullable()
    .meta({
      description:
        "Compared with `state` of a billing address. The code, the ISO 3166-2 code and the names of a region are " +
        "equal. Null: the rest of the country.",
    }),
  basisPoints: z.int().meta({ description: "1900 is 19 %." }),
  inclusive: z.boolean().meta({ description: "True if prices contain the tax." }),
  name: z.string(),
  reverseCharge: z.boolean().meta({
    description:
      "True if a business in that country accounts for the tax itself when your `address` is in another country.",
  }),
});

const taxRateParams = z.strictObject({
  country,
  region: orNull(text(128)),
  basisPoints: z.int().min(0).max(10_000),
  inclusive: z.boolean().default(false),
  name: text(64),
  reverseCharge: z.boolean().default(false),
});

type TaxRegion = Pick<TaxRate, "country" | "region">;

/** The codes or names that a message gives where no region is similar to the text. */
const EXAMPLES = 3;

/** Why a rate's region is refused; null: the region is one of the country, or the country has no list of regions. */
export function unknownRegion({ country: code, region }: TaxRegion): string | null {
  if (region === null || !isUnknownRegion(code, region)) return null;
  const words = regionWords(code);
  const examples = alternatives(words.slice(0, EXAMPLES).map((word) => `\`${word}\``));
  const advice = didYouMean(nearest(region, words)) || ` Write one such as ${examples}.`;
  return `${code} has no region with this code or name.${advice}`;
}

/** The reason for which the second of two rates is refused. */
export function sameRegion({ region: first }: TaxRegion, { country: code, region }: TaxRegion): string {
  if (region === null || first === region) return "There is one rate for a country and region.";
  return `\`${first}\` and \`${region}\` are the same region of ${code}. There is one rate for a country and region.`;
}

export const taxRates = z
  .array(taxRateParams)
  .max(500)
  .superRefine((rates, check) => {
    for (const [at, rate] of rates.entries()) {
      const reason = unknownRegion(rate);
      if (reason !== null) check.addIssue(issue("unknown_region", reason, [at, "region"]));
    }
    const [again] = repeatedRegions(rates);
    if (again) check.addIssue(issue("place_twice", sameRegion(rates[again.first]!, rates[again.at]!)));
  });

/** The faults of stored rates, which the API would refuse now; null: there is none. */
export function unclearRates(rates: readonly TaxRate[]): string | null {
  const unknown = rates.flatMap((rate) => {
    const reason = unknownRegion(rate);
    return reason === null ? [] : [`The tax rate for \`${rate.region}\` meets no listed region. ${reason}`];
  });
  const repeated = repeatedRegions(rates).map(
    ({ at, first }) => `${sameRegion(rates[first]!, rates[at]!)} The first one counts.`,
  );
  return [...unknown, ...repeated].join(" ") || null;
}

const rateInWords = ({ name, basisPoints }: NonNullable<RegionChange["before"]>) => `${name} ${percent(basisPoints)}`;

function changeInWords({ country: code, before, after, customers, customerIds }: RegionChange): string {
  const more = customers > customerIds.length ? ` and ${counted(customers - customerIds.length, "other")}` : "";
  const from = before === null ? "no tax" : rateInWords(before);
  return (
    `${after.region} in ${code}, from ${from} to ${rateInWords(after)}: ${counted(customers, "Customer")} ` +
    `(${customerIds.join(", ")}${more}).`
  );
}

/** The Customers with a changed tax with the upgrade, in words. */
export function changedRegions(changes: readonly RegionChange[]): string {
  return (
    "Regions are compared by code and name since the upgrade, so later invoices have another tax for some Customers. " +
    `${changes.map(changeInWords).join(" ")} Check the tax rates and save them; this notice then disappears.`
  );
}
