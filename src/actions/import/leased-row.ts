import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant, type Instant } from "../../domain/calendar.ts";
import type { ImportFields, ImportKey, ImportRow, ImportState } from "../../domain/import/import.ts";
import { moveState } from "../../store/imports.ts";
import { endLease, leaseImport, renewLease } from "../../store/import-cut-overs.ts";
import type { Tx } from "../../store/driver/db.ts";

/** Longer than the one request that follows a write, with 30 s for the request and as much for a slow database. */
const LEASE_MILLISECONDS = 60_000;
/** A request begins in this time after the write, or not at all: a process may have been frozen between. */
const BEGIN_MILLISECONDS = 20_000;

/** Another process works on the row, or has changed it. */
export class LeaseLost extends Error {}

/** The row of a subscription under the lease of this process. */
export type LeasedRow = {
  readonly key: ImportKey;
  /** Changes the row in one transaction with `work`, and prolongs the lease. @throws LeaseLost: no change was made */
  move(
    row: ImportRow,
    to: ImportState,
    fields: Partial<ImportFields>,
    work?: (tx: Tx) => Promise<unknown>,
  ): Promise<void>;
  /** Prolongs the lease. @throws LeaseLost */
  renew(): Promise<void>;
  /** Sends a request after a write. @throws LeaseLost if the write was too long ago; the request was not sent then */
  ask(request: (name: string) => Promise<void>): Promise<void>;
  end(): Promise<void>;
};

/** Leases the row; null: another process has it. */
export async function leaseRow({ db }: Context, key: ImportKey): Promise<LeasedRow | null> {
  let begunAt = realNow();
  let until = await db.tx((tx) => leaseImport(tx, key, LEASE_MILLISECONDS));
  if (until === null) return null;

  async function renewed(work: (tx: Tx) => Promise<unknown>): Promise<void> {
    const at = realNow();
    const next = await db.tx(async (tx) => {
      // The Customer's lock comes before the row's.
      await work(tx);
      const end = await renewLease(tx, key, LEASE_MILLISECONDS, until!);
      if (end === null) throw new LeaseLost(`another process works on ${key.ref}`);
      return end;
    });
    [until, begunAt] = [next, at];
  }

  return {
    key,
    async move(row, to, fields, work = async () => undefined) {
      await renewed(async (tx) => {
        await work(tx);
        const moved = await moveState(tx, key, row.state, to, fields, instant(realNow()));
        if (moved === null) throw new LeaseLost(`${key.ref} is not ${row.state} any more`);
      });
    },
    renew: () => renewed(async () => undefined),
    async ask(request) {
      if (realNow() > begunAt + BEGIN_MILLISECONDS) throw new LeaseLost(`the process was away from ${key.ref}`);
      await request(String(until as Instant));
    },
    end: () => db.tx((tx) => endLease(tx, key, until!)),
  };
}
