import { nextStep, type CutOverGoal, type CutOverReason, type CutOverResult } from "../../domain/import/cut-over.ts";
import type { ImportKey, ImportRow } from "../../domain/import/import.ts";
import { Refusal } from "../../domain/refusal.ts";
import { WriteRefused, WriteUnanswered, type StopReading } from "../../payments/account-writer.ts";
import { billedHere, leasedFor } from "../../store/import-cut-overs.ts";
import { findImport } from "../../store/imports.ts";
import { refusalOf, STEPS } from "./cut-over-steps.ts";
import { stopOf, stoppedOf, type CutOverWorld, type Look } from "./cut-over-world.ts";
import { LeaseLost, leaseRow, type LeasedRow } from "./leased-row.ts";

/**
 * `busy`: another process works on the subscription. `unanswered` and `refused_there`: the provider gave no answer, or
 * refused a request; a repetition goes on. `invoiceThere`: the other system has made an invoice that is not void since
 * it was stopped, so a charge may be double.
 */
export type CutOverOutcome = {
  ref: string;
  result: CutOverResult | { name: "busy" } | { name: "unanswered" | "refused_there"; says: string };
  invoiceThere: string | null;
};

/** The provider may be away for two minutes: the pauses are 1, 2, 4 … 64 s. */
const MOST_TRIES = 8;
const FIRST_PAUSE_MILLISECONDS = 1_000;
/** A way has ten steps at most. A subscription that other people change all the time has more. */
const MOST_LOOKS = 40;

function reasonsOf({ currency }: ImportRow, reading: StopReading): CutOverReason[] {
  const isForeign = reading.balance !== 0 && reading.currency !== currency;
  return [
    ...(reading.there === "paused" ? ["paused" as const] : []),
    ...(isForeign ? ["balance_currency" as const] : []),
  ];
}

type Found = Omit<Look, "failures">;

async function look({ ctx, writer, refresh }: CutOverWorld, key: ImportKey, goal: CutOverGoal): Promise<Found> {
  const row = (await findImport(ctx.db.read, key))!;
  const of = stoppedOf(row);
  const stop = stopOf(row);
  const reading = await writer.readStop(of, stop?.latestInvoice ?? null);
  const isToStop = goal === "cut_over" && row.state === "imported" && reading.there === "running";
  const running = isToStop ? await refresh(row) : null;
  const isGone = isToStop && running === null;
  // A stop without a reading may be that of a database that was lost, and so may a movement of the balance.
  const isMoving = row.balanceMoved !== null || reading.balance !== 0;
  const { amount: taken, count: movements } =
    isMoving || (stop === null && reading.there === "stopped") ? await writer.readTaken(of) : { amount: 0, count: 0 };
  const here = await billedHere(ctx.db.read, row.organizationId, row.subscriptionId!);
  return {
    row,
    reading,
    running,
    movements,
    facts: {
      state: row.state,
      there: isGone ? "ended" : reading.there,
      reasons: [...(running?.reasons ?? []), ...reasonsOf(row, reading)],
      hasReading: stop !== null,
      invoiceSince: reading.invoices.length > 0,
      balance: reading.balance,
      taken,
      isSettled: here.isRenewed || here.isEnded,
      refusal: goal === "undo" && row.state === "moved" ? await refusalOf(ctx, row) : null,
    },
  };
}

/** @throws WriteUnanswered, WriteRefused, ReadError, LeaseLost */
async function drive(world: CutOverWorld, leased: LeasedRow, given: CutOverGoal): Promise<CutOverOutcome> {
  const { ref } = leased.key;
  let goal = given;
  let turned: CutOverReason | null = null;
  for (let [looks, tries, failures] = [1, 1, 0]; looks <= MOST_LOOKS; looks += 1) {
    let isWriting = false;
    try {
      const found = { ...(await look(world, leased.key, goal)), failures };
      const step = nextStep(goal, found.facts);
      if (step.kind === "turn") [goal, turned] = ["undo", step.reason];
      else if (step.kind !== "end") {
        isWriting = true;
        await STEPS[step.kind](world, leased, found);
      } else {
        const isTurned = turned !== null && step.result.name === "undone";
        const result = isTurned ? ({ name: "stays", reasons: [turned!] } as const) : step.result;
        const isHere = found.row.state === "moved" || found.row.state === "finished";
        return { ref, result, invoiceThere: isHere ? (found.reading.invoices[0] ?? null) : null };
      }
      tries = 1;
    } catch (error) {
      if (error instanceof Refusal && goal === "cut_over") {
        // It is stopped, and a refusal of the release would be the same at each repetition.
        [goal, turned] = ["undo", "refused_here"];
        continue;
      }
      if (!(error instanceof WriteUnanswered) || tries === MOST_TRIES) throw error;
      // A failure of a look says nothing about a request that may still be on its way.
      if (isWriting && error.isStored) failures += 1;
      await world.sleep(FIRST_PAUSE_MILLISECONDS * 2 ** (tries - 1));
      tries += 1;
    }
  }
  return { ref, result: { name: "busy" }, invoiceThere: null };
}

/**
 * Brings one subscription as far as it goes (decision 0114). Each step is on the disk before the request that follows.
 * A repetition goes on after a crash at any place. If another process works on the subscription, waits for it for a
 * minute. @throws ReadError; WriteRefused if the provider refuses the key
 */
export async function cutOver(world: CutOverWorld, key: ImportKey, goal: CutOverGoal): Promise<CutOverOutcome> {
  const leased = await waitForRow(world, key);
  if (leased === null) return { ref: key.ref, result: { name: "busy" }, invoiceThere: null };
  try {
    const outcome = await drive(world, leased, goal);
    await leased.end();
    return outcome;
  } catch (error) {
    if (error instanceof LeaseLost) return { ref: key.ref, result: { name: "busy" }, invoiceThere: null };
    // A request may still be on its way, so the lease stays.
    if (error instanceof WriteUnanswered)
      return { ref: key.ref, result: { name: "unanswered", says: error.message }, invoiceThere: null };
    await leased.end();
    if (!(error instanceof WriteRefused) || error.isOfKey) throw error;
    return { ref: key.ref, result: { name: "refused_there", says: error.message }, invoiceThere: null };
  }
}

/** A process that died leaves a lease of a minute. */
async function waitForRow({ ctx, sleep }: CutOverWorld, key: ImportKey): Promise<LeasedRow | null> {
  for (let waits = 1; waits <= MOST_WAITS; waits += 1) {
    const leased = await leaseRow(ctx, key);
    if (leased !== null) return leased;
    await sleep(Math.min(WAIT_MILLISECONDS, await leasedFor(ctx.db.read, key)));
  }
  return null;
}
const WAIT_MILLISECONDS = 500;
const MOST_WAITS = 130;
