import type { PriceChange } from "../../../domain/model/price-change.ts";
import { priceChanges } from "../../../store/price-changes.ts";
import { framedIn } from "../catalogue/frame.ts";
import type { Resource } from "../resource-forms.ts";

export const PRICE_CHANGES: Resource<PriceChange> = {
  path: "price-changes",
  param: "priceChangeId",
  prefix: "pch",
  operation: "PriceChange",
  noun: "price change",
  permission: "catalogue",
  find: ({ ctx, organization }, id) => priceChanges.find(ctx.db.read, organization.id, id),
  isGone: () => false,
  nameOf: () => "Price change",
  frame: framedIn("products"),
};
