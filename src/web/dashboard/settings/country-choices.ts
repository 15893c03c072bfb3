import { COUNTRIES } from "../../../domain/tax/country.ts";
import { ENGLISH } from "../../../texts/words.ts";

/** All countries by their English names. */
export const COUNTRY_CHOICES = [...COUNTRIES]
  .map((value) => [value, ENGLISH.country(value)] as const)
  .sort(([, one], [, other]) => ENGLISH.compare(one, other));
