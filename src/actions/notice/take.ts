import type { Context } from "../../context.ts";
import type { ProviderNotice } from "../../domain/model/provider-notice.ts";
import type { Hint } from "../../payments/provider.ts";
import { findConnection } from "../../store/provider-connections.ts";
import { endNotice, leaseNotice } from "../../store/provider-notices.ts";
import { providerAt } from "../provider.ts";
import { takeReport } from "./take-fact.ts";

/**
 * In milliseconds. A provider answers within 40 s. If the process dies or the provider does not answer, the next look
 * follows after a minute, then after two minutes, four minutes, and so on up to an hour.
 */
const LEASES = { least: 60_000, most: 60 * 60_000 };

const eventRefOf = ({ ref: id, type, object }: ProviderNotice): Hint => ({ id, type, object });

/** Whether the account has a key, though this process may be unable to read the key just now. */
async function isConnected(ctx: Context, { organizationId, provider, providerAccount }: ProviderNotice) {
  const connection = await findConnection(ctx.db.read, { organizationId, provider, providerAccount });
  return connection !== null && connection.disconnectedAt === null;
}

/**
 * Reads the object behind a notice at its provider and books the facts. The notice stays due if the provider does not
 * answer, if a fact must wait, if the key of a connected account can't be read, or if this database is a copy (rule
 * D1c). Returns whether this process booked the notice.
 */
export async function takeNotice(ctx: Context, organizationId: string, id: string): Promise<boolean> {
  const notice = await ctx.db.tx((tx) => leaseNotice(tx, organizationId, id, LEASES));
  if (!notice) return false;
  const provider = await providerAt(ctx, organizationId, notice);
  if (!provider?.notices && (await isConnected(ctx, notice))) return false;
  const found = (await provider?.notices?.look(organizationId, eventRefOf(notice))) ?? "stranger";
  const facts = found === "stranger" ? [] : found;
  const taken = [];
  for (const fact of facts) taken.push(await takeReport(ctx, notice, fact));
  if (taken.includes("later")) return false;
  const status = found === "stranger" || taken.includes("stranger") ? "unmatched" : "taken";
  await ctx.db.tx(async (tx) => endNotice(tx, notice, status));
  return true;
}
