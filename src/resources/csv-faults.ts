import { formatInstant } from "../domain/calendar.ts";
import { formatMoney } from "../domain/currency.ts";
import { LONGEST_CELL, type CsvSyntaxFault } from "../domain/import/csv-parser.ts";
import type { PlainTermsFault, TermsFault } from "../domain/import/csv-terms.ts";
import { periodInWords } from "../domain/words.ts";

/** A fault of a row. `column` null: the row as a whole. `message`: a sentence with the remedy. */
export type ColumnFault = { column: string | null; message: string };

const PLAIN: Record<PlainTermsFault, string> = {
  unknown_product: "There is no Product with this key. Make the Product first.",
  product_archived: "The Product is archived. Name another one.",
  product_not_recurring: "This Product is sold once. Name a recurring one.",
  period_passed: "This has passed. Let the other system bill that period, and write the end of the present one.",
  in_the_future: "This is in the future.",
  unknown_discount: "There is no Discount with this code. Make the Discount first.",
  discount_not_for_product: "The Discount does not cover this Product.",
  discount_period_paid: "The Discount covers one period, which is paid.",
  discount_without_end: "Leave this empty: only a Discount for some months has an end.",
  discount_end_missing: "This is missing: the Discount is for some months.",
  discount_end_passed: "This has passed. Leave both columns of the Discount empty.",
  end_passed: "This has passed. Leave the row out.",
  end_after_charge: "This is after the next charge. Leave this empty, and plan the end here after that charge.",
  start_after_period: "This is after the begin of the present period.",
};

function messageOf(fault: TermsFault): string {
  switch (fault.code) {
    case "quantity_not_offered":
      return `The Product is sold in quantities from ${fault.minimum} to ${fault.maximum}.`;
    case "currency_missing":
      return `The Product has no price in ${fault.currency}. Write the amount of a period.`;
    case "discount_other_currency":
      return `The Discount is in ${fault.currency}.`;
    case "amount_below_minimum":
      return `This must be 0, or at least ${formatMoney(fault.least, fault.currency)}.`;
    case "amount_not_divisible":
      return `${formatMoney(fault.amount, fault.currency)} is no whole price for each of ${fault.quantity} units.`;
    case "period_too_far": {
      const length = `The Product renews every ${periodInWords(fault.period)}`;
      return `This is more than a period away. ${length}. Write trial_end for a free time until then.`;
    }
    case "period_differs": {
      const length = `The Product renews every ${periodInWords(fault.period)}`;
      return `This is not the end of the period that began at ${formatInstant(fault.start)}. ${length}.`;
    }
    default:
      return PLAIN[fault.code];
  }
}

export const presentTermsFault = (fault: TermsFault): ColumnFault => ({
  column: fault.column,
  message: messageOf(fault),
});

/** Why a text is no CSV, for the owner of the file. */
export const SYNTAX_MEANINGS: Record<CsvSyntaxFault, string> = {
  quote_not_closed: "A quote of this line is never closed.",
  quote_in_cell: "A quote stands in the middle of a cell. Put the whole cell in quotes.",
  text_after_quote: "A text follows a closing quote. Write two quotes for one within a cell.",
  cell_too_long: `A cell has more than ${LONGEST_CELL} characters. Is a quote not closed?`,
};
