import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { HOUR, instant } from "../../domain/calendar.ts";
import { emailKey } from "../../domain/model/customer.ts";
import { newId } from "../../ids.ts";
import { sign } from "../../keyring.ts";
import { queueToTeam } from "../../store/email-queue.ts";
import { findMailMembership } from "../../store/memberships.ts";
import { countAttempt } from "../../store/sign-in-failures.ts";

/** The most requests in an hour, of one client and for one account. */
const MOST = { client: 10, account: 3 } as const;

/**
 * Sends an e-mail with a link for a new password. The answer for an unknown address, and for an account with enough
 * e-mails, is the same as for another one. `client`: the client's key for rate limits. Returns `too_many` if the client
 * has asked too often.
 */
export async function askForNewPassword(
  ctx: Context,
  { email, client }: { email: string; client: string },
): Promise<"too_many" | null> {
  const span = Math.floor(realNow() / HOUR);
  const key = emailKey(email);
  const endsAt = instant((span + 1) * HOUR);
  const nameOf = (kind: keyof typeof MOST, text: string) =>
    sign(ctx.keyring, `dashboard-forgotten:${kind}:${span}:${text}`);
  return ctx.db.tx(async (tx) => {
    if ((await countAttempt(tx, nameOf("client", client), endsAt)) > MOST.client) return "too_many";
    // The count is written for an unknown address too, so the answer takes as long.
    const isOneTooMany = (await countAttempt(tx, nameOf("account", key), endsAt)) > MOST.account;
    const membership = await findMailMembership(tx, key);
    if (membership === null || isOneTooMany) return null;
    const { organizationId, email: recipient } = membership;
    queueToTeam(tx, { organizationId, id: newId("eml"), kind: "team_password", recipient });
    return null;
  });
}
