import { createDiscount, deleteDiscount, updateDiscount } from "../../actions/catalogue/discounts.ts";
import type { Discount } from "../../domain/model/discount.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  CreateDiscountParams,
  discountETag,
  DiscountResource,
  ListDiscountsQuery,
  presentDiscount,
  UpdateDiscountParams,
} from "../../resources/discount.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { discounts, listDiscounts } from "../../store/discounts.ts";
import { answer, noContent, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

function discountAnswer(status: 200 | 201, discount: Discount): Answer {
  return answer(status, presentDiscount(discount), { ETag: discountETag(discount) });
}

export const discountEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/discounts",
    operationId: "createDiscount",
    summary: "Create a Discount",
    body: CreateDiscountParams,
    example: { code: "LAUNCH25", type: "percentage", basisPoints: 2500, duration: "repeating", months: 3 },
    responses: { 201: DiscountResource },
    errors: ["code_taken"],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => createDiscount(ctx, origin, body),
        (discount: Discount) => discountAnswer(201, discount),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/discounts",
    operationId: "listDiscounts",
    summary: "List Discounts, newest first",
    query: ListDiscountsQuery,
    responses: { 200: pageOf(DiscountResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listDiscounts(ctx.db.stale, call.organizationId, query), query.limit, presentDiscount),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/discounts/{discountId}",
    operationId: "getDiscount",
    summary: "Read a Discount",
    params: { discountId: "dsc" },
    responses: { 200: DiscountResource },
    async handle(ctx, { call, params }) {
      const discount = await discounts.find(ctx.db.read, call.organizationId, params.discountId);
      if (!discount || discount.deletedAt !== null) throw new Refusal("not_found");
      return discountAnswer(200, discount);
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/discounts/{discountId}",
    operationId: "updateDiscount",
    summary: "Change the code of a Discount or the limits of its use",
    params: { discountId: "dsc" },
    body: UpdateDiscountParams,
    example: { maxRedemptions: 100 },
    responses: { 200: DiscountResource },
    errors: ["precondition_failed", "code_taken"],
    handle(ctx, { call, params, body, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) =>
          updateDiscount(ctx, origin, params.discountId, body, (discount) => checkVersion(discountETag(discount))),
        (discount: Discount) => discountAnswer(200, discount),
      );
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/discounts/{discountId}",
    operationId: "deleteDiscount",
    summary: "Delete a Discount. Its code can't be used any more. Subscriptions with the Discount keep it",
    params: { discountId: "dsc" },
    responses: { 204: null },
    errors: ["precondition_failed"],
    handle(ctx, { call, params, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) => deleteDiscount(ctx, origin, params.discountId, (discount) => checkVersion(discountETag(discount))),
        noContent,
      );
    },
  }),
];
