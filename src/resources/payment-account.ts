import * as z from "zod";
import type { ProviderConnection } from "../domain/model/provider-connection.ts";
import { id, time, timestamp } from "./fields.ts";

/** Only events and `billow payments status` show an account. */
export const PaymentAccountResource = z
  .object({
    id: id("pac"),
    provider: z.string(),
    account: z.string().meta({ description: "The account's id at the provider." }),
    mode: z.enum(["live", "test"]).meta({ description: "`live`: the account takes real money." }),
    keyVariable: z
      .string()
      .nullable()
      .meta({ description: "The environment variable with the key; null: the key is encrypted in the database." }),
    notices: z.enum(["inbound", "polled"]).meta({
      description: "`inbound`: the provider sends its notices. Billow polls the provider in both cases.",
    }),
    connectedAt: timestamp,
    disconnectedAt: timestamp.nullable(),
  })
  .meta({ id: "PaymentAccount" });
export type PaymentAccountResource = z.infer<typeof PaymentAccountResource>;

export function presentPaymentAccount(connection: ProviderConnection): PaymentAccountResource {
  return {
    id: connection.id,
    provider: connection.provider,
    account: connection.providerAccount,
    mode: connection.livemode ? "live" : "test",
    keyVariable: connection.keyVariable,
    notices: connection.webhookSecretSealed === null ? "polled" : "inbound",
    connectedAt: time(connection.connectedAt),
    disconnectedAt: time(connection.disconnectedAt),
  };
}
