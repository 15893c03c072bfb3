import { COUNTRIES } from "../../../domain/tax/country.ts";
import { ENGLISH } from "../../../texts/words.ts";

/** All countries by their English names. */
export const COUNTRY_CHOICES = [...COUNTRIES]
  .map((value) => ({ value, label: ENGLISH.country(value) }))
  .sort((one, other) => ENGLISH.compare(one.label, other.label));
