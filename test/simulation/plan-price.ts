import type { Draw } from "./draw.ts";
import { DAY, MINIMUM, type ActionOf, type PlannedProduct } from "./history.ts";

import { drawPrices } from "./plan-catalogue.ts";

type Catalogue = { products: PlannedProduct[]; currency: string };

/** A round of new prices. Most rounds are for all Subscriptions, and some are paused before their first batch. */
export function drawReprice(draw: Draw, { products, currency }: Catalogue): Omit<ActionOf<"reprice">, "do"> {
  const product = draw.int(0, products.length - 1);
  const prices = draw.chance(0.7) ? drawPrices(draw, currency) : null;
  const one = draw.chance(0.2) ? draw.pick(Object.keys(MINIMUM)) : currency;
  const currencies = draw.chance(0.6) ? null : [one];
  const below =
    currencies && draw.chance(0.4) ? ((prices ?? products[product]!.prices)[one] ?? 1000) + draw.int(1, 1000) : null;
  return {
    product,
    own: draw.chance(0.85),
    prices,
    currencies,
    below,
    before: draw.chance(0.1) ? draw.int(0, 60 * DAY) : null,
    days: draw.pick([0, 0, 1, 7, 14, 30, 120]),
    consent: draw.pick(["notice", "required"]),
    hold: draw.chance(0.1),
  };
}

export const drawRound = (draw: Draw): Omit<ActionOf<"round">, "do"> => ({
  act: draw.weighted({ pause: 1, resume: 3, stop: 1, withdraw: 4 }),
});
