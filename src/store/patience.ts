import pg from "pg";
import { Silence } from "./failures.ts";
import type { Limits } from "./limits.ts";

/** After a call that got no answer, and until one does, other calls wait no longer than this. */
const SILENT_MILLISECONDS = 1_000;
/** A call that may wait for longer than 8 s asks every 5 s, on a connection of its own and for 3 s, whether PostgreSQL answers at all. */
const PULSE_MILLISECONDS = 5_000;
const PULSE_LIMIT_MILLISECONDS = 3_000;

/** Whether PostgreSQL answers a new connection. An error of the server is an answer. */
async function hasPulse(connection: pg.ClientConfig): Promise<boolean> {
  const limit = PULSE_LIMIT_MILLISECONDS;
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: limit, query_timeout: limit });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** How long one call goes on waiting for the database. To be ended, whatever comes of the call. */
export type Vigil = {
  /** Rejects with `Silence` once the call has waited long enough. */
  lost: Promise<never>;
  isLost(): boolean;
  /** The server has answered a statement of the call. */
  heard(): void;
  end(): void;
};

/** How long the calls of one handle wait for the database: as its limits say, and shortly while the database is known to be silent. */
export class Patience {
  readonly #connection: pg.ClientConfig;
  readonly #limits: Limits;
  #silent = false;
  #pulse: Promise<boolean> | null = null;

  constructor(connection: pg.ClientConfig, limits: Limits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  /** All calls of the handle that are looked after at one time share one question. */
  #hasPulse(): Promise<boolean> {
    return (this.#pulse ??= hasPulse(this.#connection).finally(() => (this.#pulse = null)));
  }

  /** `milliseconds`: instead of those of the limits; with `Infinity` the call waits for as long as PostgreSQL answers others. */
  begin(milliseconds = this.#limits.milliseconds): Vigil {
    const limit = this.#silent ? Math.min(SILENT_MILLISECONDS, milliseconds) : milliseconds;
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => undefined);
    const began = performance.now();
    let [isOver, isLost] = [false, false];
    const end = () => {
      isOver = true;
      clearTimeout(timer);
      clearInterval(pulse);
    };
    const giveUp = (waited: number) => {
      if (isOver) return;
      end();
      isLost = true;
      this.#silent = true;
      reject(new Silence(waited));
    };
    const ask = () => void this.#hasPulse().then((alive) => void (alive || giveUp(Math.round(performance.now() - began))));
    const timer = Number.isFinite(limit) ? setTimeout(() => giveUp(limit), limit) : undefined;
    const pulse = limit > PULSE_MILLISECONDS + PULSE_LIMIT_MILLISECONDS ? setInterval(ask, PULSE_MILLISECONDS) : undefined;
    return {
      lost,
      isLost: () => isLost,
      heard: () => {
        this.#silent = false;
        if (this.#limits.per === "statement") timer?.refresh();
      },
      end,
    };
  }
}
