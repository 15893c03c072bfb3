import { HTTPException } from "hono/http-exception";
import type { Product } from "../../../domain/model/product.ts";
import type { Subscription } from "../../../domain/model/subscription.ts";
import { isId } from "../../../ids.ts";
import { products } from "../../../store/products.ts";
import { subscriptions } from "../../../store/subscriptions.ts";
import type { PageContext } from "../../environment.ts";
import { CUSTOMER, pageDataOf, type CustomerPageData } from "../customer/part.ts";
import type { DashboardRequest } from "../request.ts";

/** The path of the operations on a Subscription. */
export const SUBSCRIPTION = `${CUSTOMER}/subscriptions/:subscriptionId`;

/** A visit to one Subscription. `path`: the path of its operations in a browser. */
export type Held = CustomerPageData & { subscription: Subscription; product: Product; path: string };

/** @throws HTTPException 404 unless the Customer of the path has the Subscription of the path */
export async function heldOf(c: PageContext, request: DashboardRequest): Promise<Held> {
  const pageData = await pageDataOf(c, request);
  const { ctx } = pageData;
  const { id: organizationId } = request.organization;
  const id = c.req.param("subscriptionId") ?? "";
  const subscription = isId("sub", id) ? await subscriptions.find(ctx.db.read, organizationId, id) : null;
  if (subscription?.customerId !== pageData.customer.id) throw new HTTPException(404);
  const product = (await products.find(ctx.db.read, organizationId, subscription.productId))!;
  return { ...pageData, subscription, product, path: `${pageData.self}/subscriptions/${id}` };
}

/** The page of the Customer, at this Subscription. `done`: a word of `DONE` in `customer/routes.ts`. */
export const afterOperation = (
  { self, subscription: { id } }: Pick<Held, "self" | "subscription">,
  done?: string,
): string => `${self}${done === undefined ? "" : `?done=${done}`}#${id}`;
