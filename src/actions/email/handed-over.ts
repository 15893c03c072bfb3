import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Email } from "../../domain/email/email.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import { hostOf, isLoopback } from "../../outbound/addresses.ts";

/**
 * Whether an Organization's e-mails are handed to the SMTP server. Those of a sandbox stay on this machine, unless Billow is a developer's
 * own: test clocks would write to real people.
 */
export function isHandedOver({ config, mailer }: Context, mode: Organization["mode"]): boolean {
  return mailer !== null && (mode === "live" || isLoopback(hostOf(new URL(config.publicOrigin))));
}

/** For so long after it was queued an e-mail of a sandbox is handed over, or written to a file: an advance makes thousands at once. */
const FRESH_MILLISECONDS = 600_000;

export const isFresh = (email: Email, realNow: Instant) => realNow - email.queuedAt < FRESH_MILLISECONDS;
