import type { Database } from "../../src/store/driver/db.ts";
import type { Fault } from "./history.ts";

/** Thrown by every call of a killed process. */
export class Died extends Error {}
/** Thrown by a call that the provider fails. */
export class ProviderFailed extends Error {}

export type Around = (work: () => Promise<unknown>) => Promise<unknown>;

/** A method with something around its calls. */
export const calling = <Call extends (...values: never[]) => Promise<unknown>>(around: Around, method: Call) =>
  ((...values: Parameters<Call>) => around(() => method(...values))) as Call;

/**
 * The calls of a process with a fault. Either the process dies at one of its calls, before or after that call did its
 * work, and no later call does any work. Or the provider fails one call: it answers 500, or its answer is lost.
 */
export class Countdown {
  readonly #fault: Fault;
  #calls = 0;
  #isDead = false;

  constructor(fault: Fault) {
    this.#fault = fault;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Counts a call. True if the fault falls on this call. */
  strikes(): boolean {
    this.#calls += 1;
    const isStruck = !this.#isDead && this.#calls === this.#fault.call;
    if (isStruck) this.#isDead = this.#fault.kind === "die";
    return isStruck;
  }

  readonly counted: Around = async (work) => {
    if (this.#isDead) throw new Died();
    if (!this.strikes()) return work();
    if (this.#fault.side === "after") await work();
    throw this.#isDead ? new Died() : new ProviderFailed("500 Internal Server Error");
  };

  readonly guarded: Around = async (work) => {
    if (this.#isDead) throw new Died();
    return work();
  };
}

/** The database with something around each read and each transaction. */
export const databaseWith = (db: Database, around: Around): Database => ({
  ...db,
  read: { kind: "read", query: calling(around, db.read.query) },
  tx: calling(around, db.tx) as typeof db.tx,
});
