import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { AccountRefusal, Outcome, ProviderAccount } from "../../domain/model/payment-outcome.ts";
import { COPY_PROBE_MILLISECONDS, PROBE_MILLISECONDS, type PaymentPause } from "../../domain/model/payment-pause.ts";
import { newId } from "../../ids.ts";
import { presentPaymentPause } from "../../resources/payment-pause.ts";
import { events } from "../../store/events.ts";
import { readOrganization } from "../../store/organizations.ts";
import { claimProbe, lockPause, paymentPauses, releaseHeld } from "../../store/payment-pauses.ts";
import type { ChargeablePayment } from "../../store/payments.ts";
import { record } from "../record.ts";

/**
 * The reason of a call. `first`: the request that recorded the attempt sends it, and a buyer or caller waits. `probe`:
 * this attempt finds out whether a paused account takes charges again. `due`: any other call.
 */
export type Calling = "first" | "probe" | "due";

/**
 * Pauses the charges, card saves and refunds of an account that its provider refuses (rules D9a, D9c). The first
 * refusal begins the pause and makes its event. A later refusal has no effect.
 */
export async function pausePayments(
  ctx: Context,
  organizationId: string,
  { provider, providerAccount }: ProviderAccount,
  reason: AccountRefusal,
): Promise<void> {
  const began = await ctx.db.tx(async (tx) => {
    const { now: createdAt, realNow } = await readOrganization(tx, organizationId);
    const pause: PaymentPause = {
      organizationId,
      id: newId("pps"),
      provider,
      providerAccount,
      reason,
      endedAt: null,
      checkAt: instant(realNow + (reason === "copy" ? COPY_PROBE_MILLISECONDS : PROBE_MILLISECONDS)),
      version: 1,
      eventSequence: 1,
      createdAt,
      updatedAt: createdAt,
    };
    if (!(await paymentPauses.insertIfFree(tx, pause))) return false;
    const { id: resourceId } = pause;
    const event = { organizationId, id: newId("evt"), type: "payments.paused", resourceId, sequence: 1 } as const;
    events.insert(tx, { ...event, data: presentPaymentPause(pause), createdAt });
    return true;
  });
  if (began) ctx.log.warn({ organizationId, provider, reason }, "the payment provider refuses all charges");
}

/**
 * Calls the provider of a payment. The pause of the account was read with the payment (rule D9). While the account is
 * paused, only a probe is sent: `calling` is `probe`, or a buyer waits and the probe of this minute is still free. Any
 * other call is answered with the refusal that began the pause. A refusal begins a pause, and a probe's answer ends the
 * pause unless the answer is a refusal or unknown.
 */
export async function pausably(
  ctx: Context,
  payment: ChargeablePayment,
  calling: Calling,
  call: () => Promise<Outcome>,
): Promise<Outcome> {
  const { organizationId, pauseId, pauseReason } = payment;
  const isFree = async () => calling === "first" && (await claim(ctx, organizationId, pauseId!));
  const isProbe = pauseId !== null && (calling === "probe" || (await isFree()));
  if (pauseReason !== null && !isProbe) return { status: "refused", scope: "account", reason: pauseReason };
  const outcome = await call();
  try {
    if (outcome.status === "refused" && outcome.scope === "account")
      await pausePayments(ctx, organizationId, payment, outcome.reason);
    else if (isProbe && outcome.status !== "unknown") await resumePayments(ctx, organizationId, payment);
  } catch (error) {
    // The outcome must be settled in any case. The next call finds the account as this one did.
    ctx.log.error({ err: error, organizationId }, "the pause of payments can't be kept");
  }
  return outcome;
}

const claim = (ctx: Context, organizationId: string, id: string) =>
  ctx.db.tx((tx) => claimProbe(tx, { organizationId, id }));

/**
 * Ends the pause of an account: the provider takes charges again. All attempts that waited become due. Returns whether
 * the account was paused (rule D9c).
 */
export async function resumePayments(ctx: Context, organizationId: string, account: ProviderAccount): Promise<boolean> {
  const ended = await ctx.db.tx(async (tx) => {
    const pause = await lockPause(tx, organizationId, account);
    if (!pause) return false;
    const { now } = await readOrganization(tx, organizationId);
    const over = { ...pause, endedAt: now, checkAt: null };
    await record(tx, paymentPauses, over, "payments.resumed", now, presentPaymentPause);
    await releaseHeld(tx, pause);
    return true;
  });
  if (ended) ctx.log.info({ organizationId, provider: account.provider }, "the payment provider takes charges again");
  return ended;
}
