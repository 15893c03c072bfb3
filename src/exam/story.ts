import { formatInstant, type Instant } from "../domain/calendar.ts";
import { EVENT_TYPES, subjectOf, type EventType } from "../domain/event.ts";
import { newId } from "../ids.ts";
import { newPurchase, resourcesOf, type Purchase, type Resources } from "./resources.ts";

/** An event as it is signed and sent. `body`: the exact bytes. */
export type WebhookMessage = { id: string; type: string; body: Buffer };

type SubjectOf<Type extends EventType> = Type extends `${infer Name extends keyof Resources}.${string}` ? Name : never;

/** The fields of each event type that differ from a purchase that went well. */
type Differences = { [Type in EventType]?: (purchase: Purchase) => Partial<Resources[SubjectOf<Type>]> };

const unpaidInvoice = { status: "open", amountPaid: 0, paidAt: null } as const;
const openCheckout = { status: "open", completedAt: null, subscriptionId: null, invoiceId: null } as const;

const DIFFERENCES: Differences = {
  "customer.deleted": () => ({
    email: "",
    name: null,
    externalId: null,
    billingAddress: null,
    locale: null,
    metadata: {},
  }),
  "checkout.created": () => openCheckout,
  "checkout.expired": () => ({ ...openCheckout, status: "expired" }),
  "checkout.payment_failed": () => ({
    ...openCheckout,
    lastPaymentError: { code: "card_declined", message: "The card was declined." },
  }),
  "subscription.trial_ending": ({ now, tomorrow }) => ({
    status: "trialing",
    currentPeriodEnd: tomorrow,
    trialStart: now,
    trialEnd: tomorrow,
  }),
  "subscription.activated": ({ yesterday, now }) => ({ trialStart: yesterday, trialEnd: now }),
  "subscription.updated": () => ({ amount: 5900 }),
  "subscription.cancellation_scheduled": ({ now, periodEnd }) => ({
    cancelAtPeriodEnd: true,
    cancelAt: periodEnd,
    canceledAt: now,
    cancellationReason: "too_expensive",
    cancellationComment: "Maybe next year",
  }),
  "subscription.past_due": () => ({ status: "past_due" }),
  "subscription.canceled": ({ now }) => ({
    status: "canceled",
    endedAt: now,
    canceledAt: now,
    cancellationReason: "payment_failed",
  }),
  "invoice.created": () => unpaidInvoice,
  "invoice.payment_failed": ({ tomorrow }) => ({ ...unpaidInvoice, nextAttemptAt: tomorrow }),
  "invoice.held": () => ({ ...unpaidInvoice, heldReason: "amount_too_large" }),
  "invoice.voided": ({ now }) => ({ ...unpaidInvoice, status: "void", voidedAt: now }),
  "invoice.refunded": () => ({ refundedAmount: 3451 }),
  "payment.failed": () => ({ status: "failed", failureCode: "card_declined" }),
  "payment.action_required": () => ({
    status: "requires_action",
    settledAt: null,
    nextAction: { type: "challenge", url: "https://bank.example.com/challenge" },
  }),
  "payment_method.updated": () => ({ expMonth: 4, expYear: 2033, last4: "1881" }),
  "payment_method.detached": ({ now }) => ({ expMonth: 4, expYear: 2033, last4: "1881", detachedAt: now }),
  "refund.failed": ({ now }) => ({ status: "failed", failureCode: "card_gone", settledAt: now, failedAt: now }),
  "dispute.created": () => ({ status: "inquiry", fee: null, feeCurrency: null }),
  "payment_account.disconnected": ({ now }) => ({ notices: "polled", disconnectedAt: now }),
  "payments.resumed": ({ now }) => ({ endedAt: now }),
  "dispute.closed": ({ now }) => ({ status: "lost", closedAt: now }),
  "benefit_grant.revoked": ({ now }) => ({ status: "revoked", revokedAt: now, reason: "subscription_ended" }),
  "product.updated": () => ({ archived: true }),
  "webhook_endpoint.disabled": ({ now }) => ({
    status: "disabled",
    disabledReason: "failing",
    disabledAt: now,
    failingSince: now,
  }),
};

/**
 * Events that can't happen to the resources of a purchase that went well. Each of these events belongs to a new
 * purchase.
 */
const APART: ReadonlySet<EventType> = new Set([
  ...(["customer.deleted", "checkout.expired", "checkout.payment_failed"] as const),
  ...(["subscription.trial_ending", "subscription.activated"] as const),
  ...([
    "invoice.payment_failed",
    "invoice.held",
    "invoice.voided",
    "payment.failed",
    "payment.action_required",
  ] as const),
  // The invoice of the story is refunded in full.
  ...(["dispute.created", "dispute.updated", "dispute.closed"] as const),
]);

/**
 * Types that can be the first event of a resource. A resource that begins with another type had an event before the
 * exam, so its `sequence` begins with 2.
 */
const BEGINS = /\.(created|granted)$|^(payment|payment_account|payment_method|webhook_endpoint)\.|\.paused$/;

/** The events of a purchase. The resources refer to each other, and each resource counts its own `sequence`. */
export type Story = {
  /** The next event of this type. `alter` changes the resource that the event shows. */
  event<Type extends EventType>(type: Type, alter?: (data: Resources[SubjectOf<Type>]) => object): WebhookMessage;
  /** Like `event`, for a resource of a new purchase. */
  eventOfAnother<Type extends EventType>(
    type: Type,
    alter?: (data: Resources[SubjectOf<Type>]) => object,
  ): WebhookMessage;
  /** An event of every type of the catalogue, in an order in which they could happen. */
  eventsOfAllTypes(): WebhookMessage[];
};

export function newStory(now: Instant): Story {
  const purchase = newPurchase(now);
  const sequences = new Map<string, number>();
  const createdAt = formatInstant(now);

  function write(type: EventType, of: Purchase, alter: (data: never) => object): WebhookMessage {
    const subject = subjectOf(type);
    const different = DIFFERENCES[type] as ((purchase: Purchase) => object) | undefined;
    const data = { ...resourcesOf(of)[subject], ...different?.(of) };
    const sequence = (sequences.get(data.id) ?? (BEGINS.test(type) ? 0 : 1)) + 1;
    sequences.set(data.id, sequence);
    const id = newId("evt");
    return {
      id,
      type,
      body: Buffer.from(JSON.stringify({ id, type, createdAt, sequence, data: alter(data as never) })),
    };
  }

  const asItIs = (data: object) => data;
  const story: Story = {
    event: (type, alter = asItIs) => write(type, purchase, alter),
    eventOfAnother: (type, alter = asItIs) => write(type, newPurchase(now), alter),
    eventsOfAllTypes: () =>
      EVENT_TYPES.map((type) => (APART.has(type) ? story.eventOfAnother(type) : story.event(type))),
  };
  return story;
}
