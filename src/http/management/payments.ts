import { pageOf, presentPage } from "../../resources/page.ts";
import { isCharge } from "../../domain/model/payment.ts";
import { Refusal } from "../../domain/refusal.ts";
import { ListPaymentsQuery, paymentETag, PaymentResource, presentPayment } from "../../resources/payment.ts";
import { listPayments, payments } from "../../store/payments.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const paymentEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/payments",
    operationId: "listPayments",
    summary: "List Payments, newest first",
    query: ListPaymentsQuery,
    responses: { 200: pageOf(PaymentResource) },
    async handle(ctx, { call, query }) {
      return answer(
        200,
        presentPage(await listPayments(ctx.db.stale, call.organizationId, query), query.limit, presentPayment),
      );
    },
  }),
  endpoint({
    method: "GET",
    path: "/payments/{paymentId}",
    operationId: "getPayment",
    summary: "Read a Payment",
    params: { paymentId: "pay" },
    responses: { 200: PaymentResource },
    errors: ["not_found"],
    async handle(ctx, { call, params }) {
      const payment = await payments.find(ctx.db.read, call.organizationId, params.paymentId);
      // Saving a card without a charge is stored like a payment, but callers do not see it.
      if (!payment || !isCharge(payment)) throw new Refusal("not_found");
      return answer(200, presentPayment(payment), { ETag: paymentETag(payment) });
    },
  }),
];
