import * as z from "zod";
import { instant, type Instant } from "../domain/calendar.ts";
import { EVENT_TYPES } from "../domain/event.ts";
import type { DeliveryStatus, DisabledReason, WebhookDelivery, WebhookEndpoint } from "../domain/webhook/webhook.ts";
import { etag, fault, httpUrl, id, instantParam, orNull, text, time, timestamp } from "./fields.ts";
import { pageQuery } from "./page.ts";
import { exactlyOne, rules } from "./rules.ts";

const REASONS = ["by_hand", "gone", "failing"] as const satisfies readonly DisabledReason[];
const STATUSES = ["pending", "retrying", "succeeded", "failed", "skipped"] as const satisfies readonly DeliveryStatus[];

export const WebhookEndpointResource = z
  .object({
    id: id("whk"),
    url: z.string(),
    description: z.string().nullable(),
    events: z
      .array(z.enum(["*", ...EVENT_TYPES]))
      .meta({ description: "The types of events that the endpoint gets. `*`: all types." }),
    status: z.enum(["enabled", "disabled"]),
    disabledReason: z
      .enum(REASONS)
      .nullable()
      .meta({ description: "`gone`: the endpoint answered 410. `failing`: every attempt failed for five days." }),
    disabledAt: timestamp.nullable(),
    failingSince: timestamp
      .nullable()
      .meta({ description: "The begin of the time in which every attempt has failed." }),
    pausedUntil: timestamp.nullable().meta({
      description: "The end of a pause that the receiver asked for. No delivery is sent before this time.",
    }),
    previousSecretUntil: timestamp
      .nullable()
      .meta({ description: "Until this time, the secret from before a rotation signs too." }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "WebhookEndpoint" });
export type WebhookEndpointResource = z.infer<typeof WebhookEndpointResource>;

export const WebhookEndpointWithSecretResource = z
  .object({
    ...WebhookEndpointResource.shape,
    secret: z.string().meta({
      description: "`whsec_` and base64. Receivers verify signatures with this secret. Only this answer shows it.",
      examples: ["whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="],
    }),
  })
  .meta({ id: "WebhookEndpointWithSecret" });
export type WebhookEndpointWithSecretResource = z.infer<typeof WebhookEndpointWithSecretResource>;

/** An endpoint's secret as receivers are given it. */
export const presentSecret = ({ secret }: Pick<WebhookEndpoint, "secret">) => `whsec_${secret}`;

const events = z
  .array(z.enum(["*", ...EVENT_TYPES]))
  .min(1)
  .max(EVENT_TYPES.length + 1)
  .refine((types) => new Set(types).size === types.length, fault("twice", "Name each type once."))
  .meta({ uniqueItems: true });
const url = httpUrl.refine(
  (value) => !value.includes("#"),
  fault("invalid_url", "The URL of an endpoint must not have a fragment."),
);

export const CreateWebhookEndpointParams = z
  .strictObject({ url, events: events.default(["*"]), description: orNull(text(256)) })
  .meta({ id: "CreateWebhookEndpointParams" });
export type CreateWebhookEndpointParams = z.infer<typeof CreateWebhookEndpointParams>;

export const UpdateWebhookEndpointParams = z
  .strictObject({
    url: url.exactOptional(),
    events: events.exactOptional(),
    description: text(256).nullable().exactOptional(),
    status: z
      .enum(["enabled", "disabled"])
      .meta({
        description:
          "A disabled endpoint gets no deliveries. They are skipped, and `redeliver` can send them again for as long " +
          "as deliveries are kept.",
      })
      .exactOptional(),
  })
  .meta({ id: "UpdateWebhookEndpointParams" });
export type UpdateWebhookEndpointParams = z.infer<typeof UpdateWebhookEndpointParams>;

export const RotateSecretParams = z
  .strictObject({
    overlapHours: z.int().min(0).max(168).default(24).meta({
      description: "The hours for which the old secret signs too. 0: the old secret ends at once.",
    }),
  })
  .meta({ id: "RotateSecretParams" });
export type RotateSecretParams = z.infer<typeof RotateSecretParams>;

export const RedeliverParams = z
  .strictObject({
    from: orNull(instantParam).meta({
      description: "Only deliveries made at this time or later, in real time.",
    }),
    to: orNull(instantParam).meta({ description: "Only deliveries made before this time." }),
    status: z
      .enum(["failed", "any"])
      .default("failed")
      .meta({
        description:
          "`failed`: only deliveries that did not arrive. " +
          "They failed, still wait, or were skipped because the endpoint was disabled.",
      }),
  })
  .refine(({ from, to }) => from === null || to === null || from < to, {
    path: ["to"],
    ...fault("not_after_start", "`to` must be later than `from`."),
  })
  .refine(({ from, status }) => status === "failed" || from !== null, {
    path: ["from"],
    ...fault("required", "Send `from`, the time of the first delivery to send again."),
  })
  .meta({
    id: "RedeliverParams",
    ...rules({ anyOf: [{ properties: { status: { const: "failed" } } }, exactlyOne("from")] }),
  });
export type RedeliverParams = z.infer<typeof RedeliverParams>;

export const RedeliveredResource = z
  .object({
    count: z.int().meta({ description: "The number of deliveries that are sent again so far." }),
    done: z.boolean().meta({
      description: "False while Billow still looks through more deliveries. The others follow by themselves.",
    }),
  })
  .meta({ id: "Redelivered" });
export type RedeliveredResource = z.infer<typeof RedeliveredResource>;

export const ListEndpointsQuery = z.strictObject({
  ...pageQuery("whk"),
  status: z.enum(["enabled", "disabled"]).optional(),
});
export type ListEndpointsQuery = z.infer<typeof ListEndpointsQuery>;

export const DeliveryResource = z
  .object({
    id: id("whd"),
    endpointId: id("whk"),
    eventId: id("evt"),
    eventType: z.enum(EVENT_TYPES),
    resourceId: z.string(),
    sequence: z.int(),
    status: z.enum(STATUSES).meta({ description: "`failed`: Billow gave up. `skipped`: the endpoint was disabled." }),
    attempts: z.int(),
    nextAttemptAt: timestamp.nullable(),
    responseStatus: z.int().nullable(),
    responseBody: z.string().nullable().meta({ description: "The first 2 KB of the last answer." }),
    error: z.string().nullable().meta({ description: "The reason why there was no answer." }),
    durationMs: z.int().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Delivery" });
export type DeliveryResource = z.infer<typeof DeliveryResource>;

export const ListDeliveriesQuery = z.strictObject({
  ...pageQuery("whd"),
  status: z.enum(STATUSES).optional(),
  eventId: text(64).optional(),
  type: z.enum(EVENT_TYPES).optional(),
  resourceId: text(64).optional(),
});
export type ListDeliveriesQuery = z.infer<typeof ListDeliveriesQuery>;

/** The latest end of an old secret. The secrets may end in another order than the order of their replacement. */
function lastOf(secrets: WebhookEndpoint["previousSecrets"]): Instant | null {
  return secrets.length === 0 ? null : instant(Math.max(...secrets.map(({ until }) => until)));
}

export function presentWebhookEndpoint(endpoint: WebhookEndpoint): WebhookEndpointResource {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: endpoint.events,
    status: endpoint.status,
    disabledReason: endpoint.disabledReason,
    disabledAt: time(endpoint.disabledAt),
    failingSince: time(endpoint.failingSince),
    pausedUntil: time(endpoint.pausedUntil),
    previousSecretUntil: time(lastOf(endpoint.previousSecrets)),
    createdAt: time(endpoint.createdAt),
    updatedAt: time(endpoint.updatedAt),
  };
}

export function webhookEndpointETag(endpoint: WebhookEndpoint): string {
  const { version, failingSince, pausedUntil } = endpoint;
  return etag(
    version,
    failingSince !== null && `failing-${failingSince}`,
    pausedUntil !== null && `paused-${pausedUntil}`,
  );
}

export function deliveryETag(delivery: WebhookDelivery): string {
  return etag(delivery.attempts, delivery.status, String(delivery.attemptAt), String(delivery.updatedAt));
}

export function presentDelivery(delivery: WebhookDelivery): DeliveryResource {
  return {
    id: delivery.id,
    endpointId: delivery.endpointId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    resourceId: delivery.resourceId,
    sequence: delivery.sequence,
    status: delivery.status,
    attempts: delivery.attempts,
    nextAttemptAt: time(delivery.attemptAt),
    responseStatus: delivery.responseStatus,
    responseBody: delivery.responseBody,
    error: delivery.error,
    durationMs: delivery.durationMs,
    createdAt: time(delivery.createdAt),
    updatedAt: time(delivery.updatedAt),
  };
}
