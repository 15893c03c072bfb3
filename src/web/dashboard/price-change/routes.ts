import { together } from "../form-action.ts";
import { controlPages } from "./control.ts";
import { newPriceChange } from "./new.ts";
import { priceChangePage } from "./page.ts";
import { pricesPage } from "./prices-page.ts";

/** The prices of a Product, and the price changes for those who subscribed already (rules N). */
export const priceChangePages = together(pricesPage, newPriceChange, controlPages, priceChangePage);
