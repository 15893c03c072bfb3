import * as z from "zod";
import { EVENT_TYPES, subjectOf, type Event, type EventSubject, type EventType } from "../domain/event.ts";
import { ManagedBenefitGrantResource } from "./benefit-grant.ts";
import { CheckoutResource } from "./checkout.ts";
import { CustomerResource } from "./customer.ts";
import { DisputeResource } from "./dispute.ts";
import { fault, id, instantParam, text, time, timestamp } from "./fields.ts";
import { InvoiceResource } from "./invoice.ts";
import { pageQuery } from "./page.ts";
import { PaymentAccountResource } from "./payment-account.ts";
import { PaymentMethodResource } from "./payment-method.ts";
import { PaymentPauseResource } from "./payment-pause.ts";
import { PaymentResource } from "./payment.ts";
import { ProductResource } from "./product.ts";
import { RefundResource } from "./refund.ts";
import { SubscriptionResource } from "./subscription.ts";
import { WebhookEndpointResource } from "./webhook.ts";

const DATA_SCHEMAS = {
  customer: CustomerResource,
  checkout: CheckoutResource,
  subscription: SubscriptionResource,
  invoice: InvoiceResource,
  payment: PaymentResource,
  payment_method: PaymentMethodResource,
  payment_account: PaymentAccountResource,
  payments: PaymentPauseResource,
  refund: RefundResource,
  dispute: DisputeResource,
  benefit_grant: ManagedBenefitGrantResource,
  product: ProductResource,
  webhook_endpoint: WebhookEndpointResource,
} satisfies Record<EventSubject, z.ZodObject>;

/** The schema of `data` in events of this type: the resource as the management surface returns it. */
export function dataSchemaOf(type: EventType): z.ZodObject {
  return DATA_SCHEMAS[subjectOf(type)];
}

function variant(subject: EventSubject) {
  return z.object({
    id: id("evt"),
    type: z.enum(EVENT_TYPES.filter((type) => subjectOf(type) === subject)),
    createdAt: timestamp,
    sequence: z.int().meta({ description: "Counts the resource's own events: 1, 2, 3, …" }),
    data: DATA_SCHEMAS[subject].meta({
      description: "The resource as this surface returns it, at the moment of the change.",
    }),
  });
}

const [first, ...others] = (Object.keys(DATA_SCHEMAS) as EventSubject[]).map(variant);
export const EventResource = z.discriminatedUnion("type", [first!, ...others]).meta({ id: "Event" });
export type EventResource = z.infer<typeof EventResource>;

export const ListEventsQuery = z
  .strictObject({
    ...pageQuery("evt"),
    type: z.enum(EVENT_TYPES).optional(),
    resourceId: text(64)
      .meta({ description: "Only the events of this resource: the id of a Subscription, an Invoice, …" })
      .optional(),
    createdAfter: instantParam
      .meta({
        description: "Only events with this `createdAt` or a later one, ordered by `createdAt`.",
      })
      .optional(),
    createdBefore: instantParam
      .meta({ description: "Only events with an earlier `createdAt`, ordered by `createdAt`." })
      .optional(),
  })
  .refine(({ createdAfter: from, createdBefore: to }) => from === undefined || to === undefined || from < to, {
    path: ["createdBefore"],
    ...fault("not_after_start", "`createdBefore` must be later than `createdAfter`."),
  });
export type ListEventsQuery = z.infer<typeof ListEventsQuery>;

export function presentEvent(event: Event): EventResource {
  const { data, ...own } = event;
  return {
    id: own.id,
    type: own.type,
    createdAt: time(own.createdAt),
    sequence: own.sequence,
    data: data as EventResource["data"],
  };
}
