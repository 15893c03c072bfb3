import { Refusal } from "../../domain/refusal.ts";
import { listShownCheckouts, readShownCheckout } from "../../actions/checkout/read.ts";
import { checkoutUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { checkoutETag, CheckoutResource, ListCheckoutsQuery, presentCheckout } from "../../resources/checkout.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import type { ReadCheckout } from "../../store/checkouts.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

function present(ctx: Context, checkout: ReadCheckout): CheckoutResource {
  const { externalCustomerId, now } = checkout;
  return presentCheckout(checkout, { externalCustomerId, now, url: checkoutUrl(ctx, checkout) });
}

export const checkoutEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/checkouts",
    operationId: "listCheckouts",
    summary: "List Checkouts, newest first",
    query: ListCheckoutsQuery,
    responses: { 200: pageOf(CheckoutResource) },
    async handle(ctx, { call, query }) {
      const rows = await listShownCheckouts(ctx, call.organizationId, query);
      return answer(
        200,
        presentPage(rows, query.limit, (row) => present(ctx, row)),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/checkouts/{checkoutId}",
    operationId: "getCheckout",
    summary: "Read a Checkout",
    params: { checkoutId: "chk" },
    responses: { 200: CheckoutResource },
    async handle(ctx, { call, params }) {
      const checkout = await readShownCheckout(ctx, call.organizationId, params.checkoutId);
      if (!checkout) throw new Refusal("not_found");
      return answer(200, present(ctx, checkout), { ETag: checkoutETag(checkout, checkout) });
    },
  }),
];
