import { checkoutUrl } from "../../actions/links.ts";
import { advanceClock, type Advance } from "../../actions/sandbox/advance-clock.ts";
import { stopAdvance } from "../../actions/sandbox/advance-stop.ts";
import type { ClockTarget } from "../../actions/sandbox/clock-target.ts";
import { payCheckout, type PaidCheckout } from "../../actions/sandbox/pay-checkout.ts";
import { setCard } from "../../actions/sandbox/set-card.ts";
import { setClock } from "../../actions/sandbox/set-clock.ts";
import { takeChargesAgain } from "../../actions/sandbox/take-charges-again.ts";
import { readProblems } from "../../actions/organization/problems.ts";
import type { Context } from "../../context.ts";
import { formatInstant } from "../../domain/calendar.ts";
import { PaidCheckoutResource, PayCheckoutParams, presentCheckout } from "../../resources/checkout.ts";
import {
  AdvanceClockParams,
  ClockAdvanceResource,
  ClockAdvancingResource,
  ClockResource,
  presentClock,
  SetClockParams,
} from "../../resources/clock.ts";
import { PaymentMethodResource, presentPaymentMethod, SetCardParams } from "../../resources/payment-method.ts";
import { presentPayments } from "../../resources/organization.ts";
import { OrganizationPaymentsResource } from "../../resources/payment-pause.ts";
import { nextActionOf } from "../../resources/payment.ts";
import { organizations, readOrganization } from "../../store/organizations.ts";
import type { CardOnFile } from "../../store/payment-methods.ts";
import { answer, type Answer } from "../answer.ts";
import { remember } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

async function clockAnswer(ctx: Context, organizationId: string): Promise<Answer> {
  const { now, organization } = await readOrganization(ctx.db.read, organizationId);
  return answer(200, presentClock(now, organization));
}

function targetOf({ to, by }: AdvanceClockParams): ClockTarget {
  return to !== undefined ? { to } : by !== undefined ? { by } : { toNextDue: true };
}

/** 202: the clock is still advancing. */
function advanceAnswer({ now, target, done, arrived }: Advance): Answer {
  if (arrived) return answer(200, { now: formatInstant(now), done });
  return answer(202, { now: formatInstant(now), target: formatInstant(target), done });
}

function paidAnswer(ctx: Context, { checkout, payment, externalCustomerId, now }: PaidCheckout): Answer {
  const resource = presentCheckout(checkout, { externalCustomerId, url: checkoutUrl(ctx, checkout), now });
  return answer(200, { ...resource, nextAction: payment && nextActionOf(payment) });
}

export const sandboxEndpoints: Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/sandbox/clock",
    operationId: "getSandboxClock",
    summary: "Read the clock and the progress of its advance",
    responses: { 200: ClockResource },
    sandboxOnly: true,
    handle: (ctx, { call }) => clockAnswer(ctx, call.organizationId),
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
    async handle(ctx, { call: { organizationId }, body }) {
      await setClock(ctx, organizationId, body.now);
      return clockAnswer(ctx, organizationId);
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/clock/advance",
    operationId: "advanceSandboxClock",
    summary: "Advance the clock and do all due work on the way. 202: the advance continues by itself, read the clock",
    body: AdvanceClockParams,
    example: { by: "P1M" },
    responses: { 200: ClockAdvanceResource, 202: ClockAdvancingResource },
    errors: ["clock_backwards", "clock_advancing", "clock_stopped"],
    sandboxOnly: true,
    handle(ctx, { call, body }) {
      return remember(ctx, call, () => advanceClock(ctx, call.organizationId, targetOf(body)), advanceAnswer);
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/sandbox/clock/advance",
    operationId: "stopSandboxClock",
    summary: "Stop the advance of the clock, if one is under way. The clock stays at its present time",
    responses: { 200: ClockResource },
    sandboxOnly: true,
    async handle(ctx, { call: { organizationId } }) {
      await stopAdvance(ctx, organizationId);
      return clockAnswer(ctx, organizationId);
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/checkouts/{checkoutId}/pay",
    operationId: "paySandboxCheckout",
    summary: "Pay a Checkout as its page does. The answer is the Checkout after the attempt, also after a decline",
    params: { checkoutId: "chk" },
    body: PayCheckoutParams,
    example: { card: "4242424242424242" },
    responses: { 200: PaidCheckoutResource },
    errors: [
      "checkout_not_open",
      "already_subscribed",
      "already_archived",
      "discount_exhausted",
      "clock_advancing",
      "subscription_canceled",
      "subscription_held",
      "subscription_cancellation_scheduled",
      "subscription_past_due",
      "subscription_pause_scheduled",
      "subscription_paused",
      "invoice_open",
      "change_in_progress",
      "refund_in_progress",
      "payment_disputed",
    ],
    sandboxOnly: true,
    handle(ctx, { call, params, body }) {
      return remember(
        ctx,
        call,
        () => payCheckout(ctx, call.organizationId, params.checkoutId, body),
        (paid) => paidAnswer(ctx, paid),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/payments/resume",
    operationId: "resumeSandboxPayments",
    summary: "Let the built-in provider take charges again. Charges that waited are made before the answer",
    responses: { 200: OrganizationPaymentsResource },
    sandboxOnly: true,
    handle(ctx, { call }) {
      return remember(
        ctx,
        call,
        async () => {
          await takeChargesAgain(ctx, call.organizationId);
          const organization = await organizations.find(ctx.db.read, call.organizationId);
          return { organization: organization!, problems: await readProblems(ctx.db.read, call.organizationId) };
        },
        ({ organization, problems }) => answer(200, presentPayments(organization, problems)),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/sandbox/customers/{customerId}/card",
    operationId: "setSandboxCard",
    summary: "Give a Customer a new default card",
    params: { customerId: "cus" },
    body: SetCardParams,
    responses: { 200: PaymentMethodResource },
    errors: ["payment_failed", "payment_refused", "clock_advancing"],
    sandboxOnly: true,
    handle(ctx, { call, params, body }) {
      return remember(
        ctx,
        call,
        () => setCard(ctx, call.organizationId, params.customerId, body),
        (card: CardOnFile) => answer(200, presentPaymentMethod(card, card)),
      );
    },
  }),
];
