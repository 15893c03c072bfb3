import type { Draw } from "./draw.ts";
import { DAY, type ActionOf, type PlannedDiscount } from "./history.ts";

type Gift = Omit<ActionOf<"give">, "do" | "sub">;
type Longer = Omit<ActionOf<"lengthen">, "do" | "sub">;

/** A discount for a running Subscription, or its end. */
export const drawGift = (draw: Draw, { discounts }: { discounts: PlannedDiscount[] }): Gift => ({
  discount: draw.chance(0.3) ? null : draw.int(0, discounts.length - 1),
});

/** Mostly a longer trial, and sometimes the present end, an earlier one, or one beyond all limits. */
export const drawLonger = (draw: Draw): Longer => ({
  by: draw.chance(0.75) ? draw.int(1, 40 * DAY) : draw.pick([0, -DAY, 731 * DAY]),
});
