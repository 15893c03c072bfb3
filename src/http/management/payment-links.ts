import { createPaymentLink, updatePaymentLink } from "../../actions/catalogue/payment-links.ts";
import { paymentLinkUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import type { CountedPaymentLink } from "../../domain/model/payment-link.ts";
import { Refusal } from "../../domain/refusal.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import {
  CreatePaymentLinkParams,
  ListPaymentLinksQuery,
  paymentLinkETag,
  PaymentLinkResource,
  presentPaymentLink,
  UpdatePaymentLinkParams,
} from "../../resources/payment-link.ts";
import { findPaymentLink, listPaymentLinks } from "../../store/payment-links.ts";
import { answer, type Answer } from "../answer.ts";
import { commit } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

const presentIn = (ctx: Context) => (link: CountedPaymentLink) => presentPaymentLink(link, paymentLinkUrl(ctx, link));

function linkAnswer(ctx: Context, status: 200 | 201, link: CountedPaymentLink): Answer {
  return answer(status, presentIn(ctx)(link), { ETag: paymentLinkETag(link) });
}

export const paymentLinkEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/payment-links",
    operationId: "createPaymentLink",
    summary: "Create a payment link: a public page that sells up to ten Products",
    description: "A visit makes no row. A click on the page makes a Checkout with the terms of the link.",
    body: CreatePaymentLinkParams,
    example: { name: "Pricing page", products: [{ productKey: "pro" }, { productKey: "pro-yearly" }] },
    responses: { 201: PaymentLinkResource },
    errors: ["key_taken"],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => createPaymentLink(ctx, origin, body),
        (made: CountedPaymentLink) => linkAnswer(ctx, 201, made),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/payment-links",
    operationId: "listPaymentLinks",
    summary: "List payment links with their counts, newest first",
    query: ListPaymentLinksQuery,
    responses: { 200: pageOf(PaymentLinkResource) },
    async handle(ctx, { call, query }) {
      const rows = await listPaymentLinks(ctx.db.stale, call.organizationId, query);
      return answer(200, presentPage(rows, query.limit, presentIn(ctx)));
    },
  }),
  endpoint({
    method: "GET",
    path: "/payment-links/{paymentLinkId}",
    operationId: "getPaymentLink",
    summary: "Read a payment link with its counts",
    params: { paymentLinkId: "plk" },
    responses: { 200: PaymentLinkResource },
    async handle(ctx, { call, params }) {
      const link = await findPaymentLink(ctx.db.read, call.organizationId, params.paymentLinkId);
      if (!link) throw new Refusal("not_found");
      return linkAnswer(ctx, 200, link);
    },
  }),
  endpoint({
    method: "PATCH",
    path: "/payment-links/{paymentLinkId}",
    operationId: "updatePaymentLink",
    summary: "Change a payment link for later visits, or switch its page off or on",
    params: { paymentLinkId: "plk" },
    body: UpdatePaymentLinkParams,
    example: { active: false },
    responses: { 200: PaymentLinkResource },
    errors: ["precondition_failed"],
    handle(ctx, { call, params, body, checkVersion }) {
      return commit(
        ctx,
        call,
        (origin) =>
          updatePaymentLink(ctx, origin, params.paymentLinkId, body, (link) => checkVersion(paymentLinkETag(link))),
        (link: CountedPaymentLink) => linkAnswer(ctx, 200, link),
      );
    },
  }),
];
