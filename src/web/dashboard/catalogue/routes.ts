import { together } from "../form-action.ts";
import { benefitPages } from "./benefit-pages.ts";
import { discountPages } from "./discount-pages.ts";
import { linkPages } from "./link-pages.ts";
import { productPages } from "./product-pages.ts";

/** The catalogue: Products, Benefits and Discounts, seen and changed. */
export const cataloguePages = together(productPages, benefitPages, discountPages, linkPages);
