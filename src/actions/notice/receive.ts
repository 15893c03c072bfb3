import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { ProviderAccount } from "../../domain/model/payment-outcome.ts";
import { isId, newId } from "../../ids.ts";
import type { EventRef } from "../../payments/provider.ts";
import { connectionsOf } from "../../store/provider-connections.ts";
import { providerNotices } from "../../store/provider-notices.ts";
import type { Tx } from "../../store/driver/db.ts";
import { providerAt } from "../provider.ts";

/** Stores the references that are new, and answers their number. The worker reads their objects later. */
export async function storeEventRefs(
  tx: Tx,
  organizationId: string,
  account: ProviderAccount,
  refs: readonly EventRef[],
): Promise<number> {
  const now = instant(realNow());
  let stored = 0;
  for (const { id: ref, type, object } of refs) {
    const isNew = await providerNotices.insertIfFree(tx, {
      organizationId,
      id: newId("ntc"),
      ...account,
      ref,
      type,
      object,
      status: "waiting",
      checkAt: now,
      checks: 0,
      receivedAt: now,
    });
    if (isNew) stored += 1;
  }
  tx.wakes("notices", now);
  return stored;
}

/**
 * Takes an inbound notice. The signature over the raw bytes is verified before any write. False: the Organization is
 * unknown, it has no secret for notices, or no secret made the signature. The three look alike to the sender.
 */
export async function receiveNotice(
  ctx: Context,
  provider: string,
  organizationId: string,
  headers: ReadonlyMap<string, string>,
  body: Uint8Array,
): Promise<boolean> {
  const connections = isId("org", organizationId) ? await connectionsOf(ctx.db.read, organizationId, provider) : [];
  for (const { providerAccount } of connections) {
    const account = { provider, providerAccount };
    const connected = await providerAt(ctx, organizationId, account);
    const refs = connected?.notices?.verify(headers, body) ?? null;
    if (!refs) continue;
    if (refs.length > 0) await ctx.db.tx((tx) => storeEventRefs(tx, organizationId, account, refs));
    return true;
  }
  return false;
}
