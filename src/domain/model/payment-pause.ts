import { HOUR, MINUTE, SECOND, type Instant } from "../calendar.ts";
import type { AccountRefusal, ProviderAccount } from "./payment-outcome.ts";

/** While an account is paused, one attempt in this time is sent, to find out whether charges are taken again. */
export const PROBE_MILLISECONDS = MINUTE;
/** The same time while this installation is a copy: no call is made to find out, so the time may be short. */
export const COPY_PROBE_MILLISECONDS = 5 * SECOND;
/** An attempt that a pause holds is looked at again after this time, in case the end of the pause left it out. */
export const HOLD_MILLISECONDS = HOUR;

/**
 * A time in which a provider refuses all charges of an account (rule D9). `createdAt` and `endedAt` are billing time,
 * `checkAt` is real time: the instant of the next probe.
 */
export type PaymentPause = ProviderAccount & {
  organizationId: string;
  id: string;
  reason: AccountRefusal;
  endedAt: Instant | null;
  checkAt: Instant | null;
  version: number;
  eventSequence: number;
  createdAt: Instant;
  updatedAt: Instant;
};
