import { answer } from "../../actions/answer.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import { ListPaymentsQuery, PaymentResource, presentPayment } from "../../resources/payment.ts";
import { listPayments } from "../../store/payments.ts";
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
      return answer(200, presentPage(await listPayments(ctx.db.read, call.organizationId, query), query.limit, presentPayment));
    },
  }),
];
