import { Refusal } from "../../domain/refusal.ts";
import { detachAtProvider, updateAtProvider } from "../../actions/sandbox/change-card.ts";
import { pageOf, presentPage } from "../../resources/page.ts";
import {
  ListPaymentMethodsQuery,
  paymentMethodETag,
  PaymentMethodResource,
  presentPaymentMethod,
  UpdateCardParams,
} from "../../resources/payment-method.ts";
import { customers } from "../../store/customers.ts";
import { findCardOnFile, listPaymentMethods, type CardOnFile } from "../../store/payment-methods.ts";
import { answer, type Answer } from "../answer.ts";
import { remember } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

const present = (card: CardOnFile): PaymentMethodResource => presentPaymentMethod(card, card);
const cardAnswer = (card: CardOnFile): Answer => answer(200, present(card), { ETag: paymentMethodETag(card) });

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
      if (!customer || customer.deletedAt !== null) throw new Refusal("not_found");
      const rows = await listPaymentMethods(ctx.db.stale, organizationId, customer.id, query);
      return answer(200, presentPage(rows, query.limit, present));
    },
  }),
  endpoint({
    method: "GET",
    path: "/payment-methods/{paymentMethodId}",
    operationId: "getPaymentMethod",
    summary: "Read a card on file, also after it was detached",
    params: { paymentMethodId: "pm" },
    responses: { 200: PaymentMethodResource },
    async handle(ctx, { call, params }) {
      const card = await findCardOnFile(ctx.db.read, call.organizationId, params.paymentMethodId);
      if (!card) throw new Refusal("not_found");
      return cardAnswer(card);
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/payment-methods/{paymentMethodId}/update",
    operationId: "updateSandboxPaymentMethod",
    summary: "Let the bank replace a card: another expiry, and another number if `last4` is given",
    params: { paymentMethodId: "pm" },
    body: UpdateCardParams,
    example: { expMonth: 4, expYear: 2031 },
    responses: { 200: PaymentMethodResource },
    errors: ["payment_method_detached"],
    sandboxOnly: true,
    handle(ctx, { call, params, body }) {
      const { organizationId } = call;
      return remember(ctx, call, () => updateAtProvider(ctx, organizationId, params.paymentMethodId, body), cardAnswer);
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/payment-methods/{paymentMethodId}/detach",
    operationId: "detachSandboxPaymentMethod",
    summary: "Let the provider detach a card, so that the card can't be charged any more",
    params: { paymentMethodId: "pm" },
    responses: { 200: PaymentMethodResource },
    errors: ["payment_method_detached"],
    sandboxOnly: true,
    handle(ctx, { call, params }) {
      const { organizationId } = call;
      return remember(ctx, call, () => detachAtProvider(ctx, organizationId, params.paymentMethodId), cardAnswer);
    },
  }),
];
