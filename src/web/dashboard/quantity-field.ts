import type { Html } from "../layout.ts";
import { OPTIONAL, textField, type FormState } from "./fields.ts";

/** The longest text of a quantity: 100000. */
export const QUANTITY_LENGTH = 6;

/** A quantity that is sold, in a form in which the Product is a choice. Empty: the smallest quantity of the Product. */
export const quantityField = (sent: FormState): Html =>
  textField(sent, "quantity", {
    label: "Quantity",
    mark: OPTIONAL,
    maxlength: QUANTITY_LENGTH,
    inputmode: "numeric",
    hint: "Leave the field empty for the smallest quantity of the Product.",
  });
