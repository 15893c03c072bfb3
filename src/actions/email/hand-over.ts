import { hostOf, isLoopback } from "../../cidr.ts";
import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Email } from "../../domain/model/email.ts";
import type { Organization } from "../../domain/model/organization.ts";

/**
 * Whether an Organization's e-mails are handed to the SMTP server. The e-mails of a sandbox stay on this machine,
 * because test clocks would write to real people. The exception: if Billow is served from a loopback address, it is a
 * developer's own machine, and the e-mails are handed over (rules E5a, E5b).
 */
export function isHandedOver({ config, mailer }: Context, mode: Organization["mode"]): boolean {
  return mailer !== null && (mode === "live" || isLoopback(hostOf(new URL(config.publicOrigin))));
}

/**
 * An e-mail of a sandbox is handed over, or written to a file, only within this time after it was queued: an advance of
 * the clock queues thousands of e-mails at once (rule E5d).
 */
const FRESH_MILLISECONDS = 600_000;

export const isFresh = (email: Email, realNow: Instant) => realNow - email.queuedAt < FRESH_MILLISECONDS;
