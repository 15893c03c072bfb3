import { payOutBalance } from "../../actions/refund/pay-out.ts";
import { refundInvoice } from "../../actions/refund/request.ts";
import { failAtProvider } from "../../actions/sandbox/fail-at-provider.ts";
import { refundAtProvider } from "../../actions/sandbox/refund-at-provider.ts";
import type { Refund } from "../../domain/model/refund.ts";
import { Refusal } from "../../domain/refusal.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import {
  BalanceRefundsResource,
  CreateRefundParams,
  FailRefundParams,
  ListRefundsQuery,
  PayOutBalanceParams,
  presentRefund,
  refundETag,
  RefundPaymentParams,
  RefundResource,
} from "../../resources/refund.ts";
import { listRefunds, refunds } from "../../store/refunds.ts";
import { answer, type Answer } from "../answer.ts";
import { commit, remember } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

const refundAnswer = (status: 200 | 201, refund: Refund): Answer =>
  answer(status, presentRefund(refund), { ETag: refundETag(refund) });

export const refundEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/invoices/{invoiceId}/refunds",
    operationId: "refundInvoice",
    summary: "Refund a part or all of the paid amount. A refund to a card is `pending` until the provider has answered",
    params: { invoiceId: "inv" },
    body: CreateRefundParams,
    example: { amount: 500, reason: "Outage on Monday" },
    bodyOptional: true,
    responses: { 201: RefundResource },
    errors: [
      "invoice_not_paid",
      "payment_unknown",
      "nothing_to_refund",
      "credited",
      "credit_spent",
      "change_in_progress",
    ],
    handle(ctx, { call, params, body }) {
      return commit(
        ctx,
        call,
        (origin) => refundInvoice(ctx, origin, params.invoiceId, body),
        (refund: Refund) => refundAnswer(201, refund),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/customers/{customerId}/balance-refunds",
    operationId: "payOutCustomerBalance",
    summary: "Pay credit of a Customer's balance out to the cards that the credit came from",
    params: { customerId: "cus" },
    body: PayOutBalanceParams,
    example: { currency: "usd", amount: 500 },
    responses: { 201: BalanceRefundsResource },
    errors: ["nothing_to_pay_out", "credit_spent"],
    handle(ctx, { call, params, body }) {
      return commit(
        ctx,
        call,
        (origin) => payOutBalance(ctx, origin, params.customerId, body),
        (made: Refund[]) => answer(201, { data: made.map(presentRefund) }),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/refunds",
    operationId: "listRefunds",
    summary: "List Refunds, newest first",
    query: ListRefundsQuery,
    responses: { 200: pageOf(RefundResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listRefunds(ctx.db.stale, call.organizationId, query), query.limit, presentRefund),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/refunds/{refundId}",
    operationId: "getRefund",
    summary: "Read a Refund",
    params: { refundId: "rfd" },
    responses: { 200: RefundResource },
    async handle(ctx, { call, params }) {
      const refund = await refunds.find(ctx.db.read, call.organizationId, params.refundId);
      if (!refund) throw new Refusal("not_found");
      return refundAnswer(200, refund);
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/payments/{paymentId}/refund",
    operationId: "refundSandboxPayment",
    summary: "Refund a charge at the payment provider, as an operator does in the provider's dashboard",
    params: { paymentId: "pay" },
    body: RefundPaymentParams,
    example: { amount: 500 },
    bodyOptional: true,
    responses: { 201: RefundResource },
    errors: ["payment_not_refundable"],
    sandboxOnly: true,
    handle(ctx, { call, params, body: { amount } }) {
      const request = call.idempotency && call.idempotency.key;
      return remember(
        ctx,
        call,
        () => refundAtProvider(ctx, call.organizationId, params.paymentId, { amount, request }),
        (refund) => refundAnswer(201, refund),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/refunds/{refundId}/fail",
    operationId: "failSandboxRefund",
    summary: "Let a refund to a card fail, as a bank does days or weeks after its success",
    params: { refundId: "rfd" },
    body: FailRefundParams,
    example: { failureCode: "card_gone" },
    bodyOptional: true,
    responses: { 200: RefundResource },
    errors: ["refund_not_failable"],
    sandboxOnly: true,
    handle(ctx, { call, params, body }) {
      return remember(
        ctx,
        call,
        () => failAtProvider(ctx, call.organizationId, params.refundId, body),
        (refund) => refundAnswer(200, refund),
      );
    },
  }),
];
