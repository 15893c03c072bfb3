import * as z from "zod";
import { LANGUAGES } from "../domain/locale.ts";
import {
  MOST_UNITS,
  type QuantityRange,
  type UnitForms,
  type UnitName,
  unitAmountOf,
} from "../domain/model/quantity.ts";
import { fault, issue, text } from "./fields.ts";

const wholeNumber = z.int().min(1).max(MOST_UNITS);

export const quantity = wholeNumber.meta({ description: "The number of units, from 1 to 100,000." });

/** The price of one unit beside a total. */
export const unitAmount = z
  .int()
  .meta({ description: "The price of one unit, in the currency's minor unit: the total ÷ `quantity`." });

/** The units of a sale. `amount`: the total of a period (rule Q4). */
export const presentUnits = (sold: { quantity: number; amount: number; unitName: UnitName | null }) => ({
  quantity: sold.quantity,
  unitAmount: unitAmountOf(sold),
  unitName: sold.unitName,
});

/** A range of quantities in an answer. */
export const quantityRange = z.object({ minimum: wholeNumber, maximum: wholeNumber });

/** A range of quantities in a request. Read as a `QuantityRange`. */
export const quantityRangeParams = z
  .strictObject({
    minimum: wholeNumber.default(1),
    maximum: wholeNumber.nullable().default(null).meta({ description: "Null: 100,000." }),
  })
  .superRefine(({ minimum, maximum }, check) => {
    if (maximum !== null && maximum < minimum)
      check.addIssue(issue("below_minimum", "This must not be less than `minimum`.", ["maximum"]));
  })
  .transform(({ minimum, maximum }): QuantityRange => ({ minimum, maximum: maximum ?? MOST_UNITS }));

const formsOf = <Text extends z.ZodType<string>>(form: Text) => ({ one: form, other: form });
const byLanguage = <Forms extends z.ZodType<UnitForms>>(forms: Forms) =>
  Object.fromEntries(LANGUAGES.map((language) => [language, forms.exactOptional()])) as Record<
    (typeof LANGUAGES)[number],
    z.ZodExactOptional<Forms>
  >;

const UNIT_NAME =
  "The noun of a unit, by the language of the page: `one` beside the number 1, `other` beside larger numbers. A " +
  "language that is left out is shown in English, else in the first of de, fr, es and ja that is given.";

/** The noun of a unit in an answer. */
export const unitName = z
  .object(byLanguage(z.object(formsOf(z.string()))))
  .meta({ id: "UnitName", description: UNIT_NAME })
  .nullable()
  .meta({ description: "Null: the unit has no name." });

/** The noun of a unit in a request. */
export const unitNameParams = z
  .strictObject(byLanguage(z.strictObject(formsOf(text(40)))))
  .refine(
    (names) => Object.keys(names).length > 0,
    fault("nothing_to_say", "Name the unit in at least one language, or send null."),
  )
  .meta({ id: "UnitNameParams", minProperties: 1, description: UNIT_NAME });
