import type { Instant } from "../domain/calendar.ts";
import type { CancellationEffect } from "../domain/subscription/cancellation-effect.ts";
import type { Markup } from "./message.ts";
import type { Words } from "./words.ts";

/** The effect of a cancellation at the end of the period, in a sentence or two about a Product: as text or as markup. */
export function cancellationInWords(
  { portalCancel, day, money }: Words,
  effect: CancellationEffect,
  { at, zone, currency }: { at: Instant; zone: string; currency: string },
): { plain(product: string): string; markup(product: Markup): Markup } {
  const said = portalCancel[effect.kind];
  const on = { day: day(at, zone), amount: "amount" in effect ? money(effect.amount, currency) : "" };
  return {
    plain: (product) => said({ product, ...on }),
    markup: (product) => said.markup({ product, ...on }),
  };
}
