import type { Units } from "../../../domain/model/quantity.ts";
import { unitsAtTotal } from "../../../texts/phrases.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import type { Definition } from "../components/definitions.ts";
import { html } from "hono/html";

type Sold = Omit<Units, "unitName"> & { amount: number; currency: string };

/** `5 seats × US$12.00` below a total; empty for one unit without a noun. */
export function unitsNote(sold: Sold, unitName: Units["unitName"]): Html | "" {
  const units = unitsAtTotal(ENGLISH, { ...sold, unitName }, sold.currency);
  return units === null ? "" : html` <span class="note">${units}</span>`;
}

/** The units of a sale as a fact; empty for one unit without a noun. */
export function unitsFact(sold: Sold, unitName: Units["unitName"]): Definition[] {
  const units = unitsAtTotal(ENGLISH, { ...sold, unitName }, sold.currency);
  return units === null ? [] : [["Quantity", units]];
}
