import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { CutOverReason, CutOverStep, UndoRefusal } from "../../domain/import/cut-over.ts";
import type { ImportRow } from "../../domain/import/import.ts";
import { endHeld, moveBack, moveHere, undoRefusal, type MovedCredit } from "../../domain/import/move.ts";
import { STAY_REASONS, type StayReason } from "../../domain/import/stay-reasons.ts";
import { movedCreditNote, returnedCreditNote } from "../../resources/import-meanings.ts";
import { billedHere } from "../../store/import-cut-overs.ts";
import type { Tx } from "../../store/driver/db.ts";
import { inBilling, readCustomerBilling, type Decide } from "../customer-billing.ts";
import { stopOf, stoppedOf, type CutOverWorld, type Look, type StopSnapshot } from "./cut-over-world.ts";
import type { LeasedRow } from "./leased-row.ts";

const isStayReason = (reason: CutOverReason): reason is StayReason => (STAY_REASONS as string[]).includes(reason);

type Step = (world: CutOverWorld, leased: LeasedRow, look: Look) => Promise<void>;

const now = () => instant(realNow());

/** The snapshot of the row with the reading before the stop. */
const withStop = ({ snapshot }: ImportRow, stop: StopSnapshot | null) => ({ ...snapshot, stop });

const subscriptionKey = ({ organizationId, subscriptionId }: ImportRow) =>
  ({ by: "subscription", organizationId, id: subscriptionId! }) as const;

const decideOn =
  (ctx: Context, row: ImportRow, decide: Decide<unknown>) =>
  (tx: Tx): Promise<unknown> =>
    inBilling(ctx, tx, subscriptionKey(row), decide);

/**
 * The Idempotency-Key of a movement of the balance. Stripe repeats a stored failure for a day, so the next try has
 * another key. That is safe: a stored failure is the end of its request, and the look since then has seen its effect.
 */
const movementKey = ({ subscriptionId }: ImportRow, movements: number, failures: number): string =>
  `${subscriptionId}_balance_${movements}${failures === 0 ? "" : `_${failures}`}`;

/** The credit in the currency of the subscription, which is that of its Customer. */
const creditOf = (row: ImportRow, amount: number): MovedCredit => ({
  amount,
  currency: row.currency,
  reason: movedCreditNote(row),
});

const subscriptionIn = (billing: Parameters<Decide<unknown>>[0], { subscriptionId }: ImportRow) =>
  billing.subscriptions.get(subscriptionId!)!;

function refusalIn(billing: Parameters<Decide<unknown>>[0], row: ImportRow, isInvoiced: boolean): UndoRefusal | null {
  const stop = stopOf(row);
  if (stop === null) return "changed_here";
  const credit = creditOf(row, row.balanceMoved ?? 0);
  return undoRefusal(billing, subscriptionIn(billing, row), stop.terms, credit, isInvoiced);
}

/** Why a moved Subscription can't go back; null: it can. */
export async function refusalOf(ctx: Context, row: ImportRow): Promise<UndoRefusal | null> {
  const { isInvoiced } = await billedHere(ctx.db.read, row.organizationId, row.subscriptionId!);
  return readCustomerBilling(ctx, subscriptionKey(row), (billing) => refusalIn(billing, row, isInvoiced));
}

/** Each step writes the row first. At most one request follows, which a repetition sends again without a second effect. */
export const STEPS: Record<Exclude<CutOverStep["kind"], "turn" | "end">, Step> = {
  async stop({ writer }, leased, { row, reading, running }) {
    const { terms, readAt } = running!;
    const stop = { terms: terms!, readAt, latestInvoice: reading.latestInvoice };
    const at = now();
    const begun = row.state === "stopping" ? {} : { stoppingAt: at, checkedAt: at };
    await leased.move(row, "stopping", { ...begun, reasons: [], snapshot: withStop(row, stop), problem: null });
    await leased.ask((name) => writer.pause(stoppedOf(row), `${row.subscriptionId}_pause_${name}`));
  },

  async begin_undo(_, leased, { row }) {
    const at = now();
    await leased.move(row, "stopping", { stoppingAt: at, checkedAt: at, snapshot: withStop(row, null) });
  },

  async take({ writer }, leased, { row, reading, movements, failures, facts }) {
    await leased.move(row, "stopping", { balanceMoved: facts.taken + reading.balance });
    const name = movementKey(row, movements, failures);
    await leased.ask(() => writer.takeBalance(stoppedOf(row), reading.balance, reading.currency!, name));
  },

  async give_back({ writer }, leased, { row, reading, movements, failures, facts }) {
    await leased.move(row, "stopping", { balanceMoved: facts.taken });
    const name = movementKey(row, movements, failures);
    await leased.ask(() => writer.takeBalance(stoppedOf(row), -facts.taken, reading.currency!, name));
  },

  async resume({ writer }, leased, { row }) {
    await leased.renew();
    await leased.ask((name) => writer.resume(stoppedOf(row), `${row.subscriptionId}_resume_${name}`));
  },

  async back(_, leased, { row, facts }) {
    const fields = {
      reasons: facts.reasons.filter(isStayReason),
      snapshot: withStop(row, null),
      balanceMoved: null,
      problem: null,
    };
    await leased.move(row, "imported", fields);
  },

  async release({ ctx }, leased, { row, facts }) {
    const at = now();
    const { terms } = stopOf(row)!;
    const credit = creditOf(row, facts.taken);
    const work = decideOn(ctx, row, (billing) => moveHere(billing, subscriptionIn(billing, row), terms, credit));
    const fields = { stoppedAt: at, movedAt: at, balanceMoved: facts.taken, problem: null };
    await leased.move(row, "moved", fields, work);
  },

  async hold({ ctx }, leased, { row }) {
    const at = now();
    const credit = creditOf(row, row.balanceMoved ?? 0);
    // Under the Customer's lock: a renewal may have come since the look.
    const work = async (tx: Tx) => {
      const check = (isInvoiced: boolean) =>
        decideOn(ctx, row, (billing) => {
          if (refusalIn(billing, row, isInvoiced) !== null) throw new ChangedMeanwhile();
          moveBack(billing, subscriptionIn(billing, row), { ...credit, reason: returnedCreditNote(row) });
        });
      await inBilling(ctx, tx, subscriptionKey(row), () => undefined);
      const { isInvoiced } = await billedHere(tx, row.organizationId, row.subscriptionId!);
      await check(isInvoiced)(tx);
    };
    try {
      await leased.move(row, "stopping", { stoppingAt: at, checkedAt: at }, work);
    } catch (error) {
      // The next look says why.
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
  },

  async leave({ ctx }, leased, { row, facts }) {
    const credit = creditOf(row, facts.taken);
    const work = decideOn(ctx, row, (billing) => endHeld(billing, subscriptionIn(billing, row), credit));
    await leased.move(row, "left", { balanceMoved: facts.taken || null, finishedAt: now(), problem: null }, work);
  },

  async stop_again({ writer }, leased, { row }) {
    await leased.renew();
    await leased.ask((name) => writer.pause(stoppedOf(row), `${row.subscriptionId}_pause_${name}`));
  },

  async cancel({ writer }, leased, { row }) {
    await leased.renew();
    await leased.ask(() => writer.cancel(stoppedOf(row)));
  },

  async finish(_, leased, { row }) {
    await leased.move(row, "finished", { finishedAt: now(), problem: null });
  },
};

/** The Subscription here has changed since the look. */
class ChangedMeanwhile extends Error {}
