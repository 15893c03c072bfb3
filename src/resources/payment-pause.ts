import * as z from "zod";
import { ACCOUNT_REFUSALS } from "../domain/model/payment-outcome.ts";
import type { PaymentPause } from "../domain/model/payment-pause.ts";
import { id, time, timestamp } from "./fields.ts";

const reason = z.enum(ACCOUNT_REFUSALS).meta({
  description:
    "`disconnected`: no key of the account is stored. `key_invalid`, `permission_missing`, `account_restricted`: the " +
    "provider's answer to the key. `copy`: this installation is a copy of another one, so its charges wait.",
});

/** A time in which a payment provider refuses all charges of an account; only events show it as a resource. */
export const PaymentPauseResource = z
  .object({
    id: id("pps"),
    provider: z.string(),
    reason,
    since: timestamp,
    endedAt: timestamp.nullable().meta({ description: "Null while the payments are paused." }),
  })
  .meta({ id: "PaymentPause" });
export type PaymentPauseResource = z.infer<typeof PaymentPauseResource>;

export function presentPaymentPause(pause: PaymentPause): PaymentPauseResource {
  return {
    id: pause.id,
    provider: pause.provider,
    reason: pause.reason,
    since: time(pause.createdAt),
    endedAt: time(pause.endedAt),
  };
}

/** The payments of an Organization, as its settings show them. */
export const OrganizationPaymentsResource = z
  .object({
    provider: z.string().nullable().meta({ description: "Takes new payments. Null: there is no payment provider." }),
    paused: z
      .object({ reason, since: timestamp })
      .nullable()
      .meta({
        description:
          "Set while the provider refuses all charges. Charges wait, and one attempt a minute finds out whether the " +
          "provider takes charges again.",
      }),
  })
  .meta({ id: "OrganizationPayments" });
export type OrganizationPaymentsResource = z.infer<typeof OrganizationPaymentsResource>;
