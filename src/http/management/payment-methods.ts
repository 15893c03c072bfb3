import { AppError } from "../../errors.ts";
import { etag } from "../../resources/fields.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import {
  ListPaymentMethodsQuery,
  PaymentMethodResource,
  presentPaymentMethod,
} from "../../resources/payment-method.ts";
import { customers } from "../../store/customers.ts";
import { findCardOnFile, listPaymentMethods, type CardOnFile } from "../../store/payment-methods.ts";
import { answer } from "../answer.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

const present = (card: CardOnFile): PaymentMethodResource => presentPaymentMethod(card, card);

export const paymentMethodEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/customers/{customerId}/payment-methods",
    operationId: "listCustomerPaymentMethods",
    summary: "List the cards of a Customer that may be charged, newest first",
    params: { customerId: "cus" },
    query: ListPaymentMethodsQuery,
    responses: { 200: pageOf(PaymentMethodResource) },
    async handle(ctx, { call: { organizationId }, params, query }) {
      const customer = await customers.find(ctx.db.read, organizationId, params.customerId);
      if (!customer || customer.deletedAt !== null) throw new AppError("not_found");
      const rows = await listPaymentMethods(ctx.db.read, organizationId, customer.id, query);
      return answer(200, presentPage(rows, query.limit, present));
    },
  }),
  endpoint({
    method: "GET",
    path: "/payment-methods/{paymentMethodId}",
    operationId: "getPaymentMethod",
    summary: "Read a card on file",
    params: { paymentMethodId: "pm" },
    responses: { 200: PaymentMethodResource },
    async handle(ctx, { call, params }) {
      const card = await findCardOnFile(ctx.db.read, call.organizationId, params.paymentMethodId);
      if (!card) throw new AppError("not_found");
      return answer(200, present(card), { ETag: etag(1, card.isDefault && "default", card.isDisputed && "disputed") });
    },
  }),
];
