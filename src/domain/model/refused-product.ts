import { invalid, type AppError } from "../../errors.ts";

/** 422 for a Product that a request names at `pointer`. */
export const unknownProduct = (pointer: string): AppError =>
  invalid(pointer, "unknown_product", "No such Product exists.");

export const archivedProduct = (pointer: string): AppError =>
  invalid(pointer, "product_archived", "The Product is archived.");

export const oneTimeProduct = (pointer: string): AppError =>
  invalid(pointer, "product_not_recurring", "The Product is sold once. A Subscription needs a recurring Product.");
