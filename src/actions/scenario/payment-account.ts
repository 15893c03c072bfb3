import type { EventType } from "../../domain/event.ts";
import { newId } from "../../ids.ts";
import { readOrganization } from "../../store/organizations.ts";
import { disconnectAccount } from "../payment/disconnect.ts";
import { recordConnection } from "../payment/record-connection.ts";
import type { Recipe, World } from "./world.ts";

/**
 * Records an example account, and its end. New payments never go there, and no provider is asked: the key stands in a
 * variable that is not set.
 */
async function connectExample({ ctx, organizationId, made }: World): Promise<void> {
  const id = newId("pac");
  const key = { organizationId, provider: "example", providerAccount: id };
  await ctx.db.tx(async (tx) => {
    const { organization, now, realNow } = await readOrganization(tx, organizationId);
    const connection = {
      ...key,
      id,
      keySealed: null,
      keyVariable: "BILLOW_PAYMENTS_EXAMPLE",
      webhookSecretSealed: null,
      previousWebhookSecretSealed: null,
      livemode: false,
      connectedAt: realNow,
      disconnectedAt: null,
      version: 0,
      eventSequence: 0,
      createdAt: realNow,
      updatedAt: realNow,
    };
    await recordConnection(tx, organization, connection, "connected", now);
  });
  await disconnectAccount(ctx, key);
  made["paymentAccountId"] = id;
}

export const PAYMENT_ACCOUNT_EVENTS = {
  "payment_account.connected": connectExample,
  "payment_account.disconnected": connectExample,
} satisfies Partial<Record<EventType, Recipe>>;
