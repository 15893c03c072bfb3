import { advanceClock, payCheckout, readClock, setCard, setClock } from "../../actions/sandbox.ts";
import { PaidCheckoutResource, PayCheckoutParams } from "../../resources/checkout.ts";
import { AdvanceClockParams, ClockAdvanceResource, ClockAdvancingResource, ClockResource, SetClockParams } from "../../resources/clock.ts";
import { PaymentMethodResource, SetCardParams } from "../../resources/payment-method.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

export const sandboxEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/sandbox/clock",
    operationId: "getSandboxClock",
    summary: "Read the clock",
    responses: { 200: ClockResource },
    sandboxOnly: true,
    handle: (ctx, { call }) => readClock(ctx, call),
  }),
  endpoint({
    method: "PUT",
    path: "/sandbox/clock",
    operationId: "setSandboxClock",
    summary: "Set the clock to any instant, before the first Customer and Checkout",
    body: SetClockParams,
    responses: { 200: ClockResource },
    errors: ["clock_not_settable", "clock_advancing"],
    sandboxOnly: true,
    handle: (ctx, { call, body }) => setClock(ctx, call, body),
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/clock/advance",
    operationId: "advanceSandboxClock",
    summary: "Move the clock on, and do all that is due on the way; 202: not there yet, call again",
    body: AdvanceClockParams,
    example: { by: "P1M" },
    responses: { 200: ClockAdvanceResource, 202: ClockAdvancingResource },
    errors: ["clock_backwards", "clock_advancing"],
    sandboxOnly: true,
    handle: (ctx, { call, body }) => advanceClock(ctx, call, body),
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/checkouts/{checkoutId}/pay",
    operationId: "paySandboxCheckout",
    summary: "Pay a Checkout as its page does; answers the Checkout as it is afterwards, declined or not",
    params: { checkoutId: "chk" },
    body: PayCheckoutParams,
    responses: { 200: PaidCheckoutResource },
    errors: ["checkout_not_open", "already_subscribed", "already_archived", "clock_advancing"],
    sandboxOnly: true,
    handle: (ctx, { call, params, body }) => payCheckout(ctx, call, params.checkoutId, body),
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/customers/{customerId}/card",
    operationId: "setSandboxCard",
    summary: "Give a Customer a new default card",
    params: { customerId: "cus" },
    body: SetCardParams,
    responses: { 200: PaymentMethodResource },
    errors: ["payment_failed", "clock_advancing"],
    sandboxOnly: true,
    handle: (ctx, { call, params, body }) => setCard(ctx, call, params.customerId, body),
  }),
];
