import { LentReads } from "./batch.ts";
import { Corked } from "./write-buffer.ts";
import { traced } from "../../tracing/tracing.ts";
import { noteFailure, spanOf, textFor, type Read, type Statement } from "./statement.ts";
import { isNodeLost, OTHER_COLUMNS, refuseForNow, sqlState, STALE_PLANS, unavailable } from "./failures.ts";
import { socketOf } from "./internals.ts";
import type { Limits } from "./limits.ts";
import { Watchdog, type CallDeadline } from "./call-deadline.ts";
import type { Route } from "./route.ts";
import { Session, sessionConfig } from "./session.ts";

/**
 * The most statements that wait on one connection: a tenth of a second's work. More statements would only take memory.
 */
const MOST_WAITING = 1_000;

type Opened = { client: Session; corked: Corked };

/** A connection for reads, opened anew after it is lost. */
class ReadConnection {
  readonly #config: ReturnType<typeof sessionConfig>;
  readonly #deadline: CallDeadline;
  #opening: Promise<Opened> | null = null;
  #waiting = 0;
  /** The number of times that the connection was opened. */
  openings = 0;

  constructor(config: ReturnType<typeof sessionConfig>, deadline: CallDeadline) {
    this.#config = config;
    this.#deadline = deadline;
  }

  /** @throws AppError `unavailable` if too many statements wait already; `CallTimeout` */
  query(statement: Statement, values: unknown[]): Promise<unknown[]> {
    if (this.#waiting >= MOST_WAITING)
      return Promise.reject(refuseForNow(new Error("too many statements wait for the database")));
    this.#waiting += 1;
    const opening = (this.#opening ??= this.#open());
    return new Promise((resolve, reject) => {
      const watchdog = new Watchdog(this.#deadline, (timeout) => {
        this.#abandon(opening);
        reject(timeout);
      });
      const end = () => {
        watchdog.end();
        this.#waiting -= 1;
      };
      this.#ask(opening, statement, values).then(
        (rows) => {
          watchdog.heard();
          end();
          resolve(rows);
        },
        (error: unknown) => {
          if (sqlState(error) !== null) watchdog.heard();
          end();
          reject(error);
        },
      );
    });
  }

  async #ask(opening: Promise<Opened>, statement: Statement, values: unknown[]): Promise<unknown[]> {
    const { corked } = await opening;
    return (await corked.query({ ...textFor(statement, this.#config.route.isDistributed), values })).rows;
  }

  #open(): Promise<Opened> {
    this.openings += 1;
    const { route } = this.#config;
    const opening: Promise<Opened> = route.connect(async () => {
      const client = new Session(this.#config);
      await client.connect();
      client.on("error", forget).on("end", forget);
      return { client, corked: client.lent ? new LentReads(client, client.lent) : new Corked(client) };
    });
    // Forgets only this connection: a new connection may be in use by the time the end of this one is reported.
    const forget = () => void (this.#opening === opening && (this.#opening = null));
    opening.catch(forget);
    return opening;
  }

  /**
   * Closes a connection that gives no answers any more, so all other statements that wait on the connection fail, too.
   * A connection that is still being opened gives up by itself.
   */
  #abandon(opening: Promise<Opened>): void {
    void opening.then(
      ({ client }) => {
        if (this.#opening === opening) this.#opening = null;
        socketOf(client).destroy();
      },
      () => undefined,
    );
  }

  /** Lets the next query open a new connection. For statements that were prepared before the schema changed. */
  async renew(): Promise<void> {
    const old = this.#opening;
    this.#opening = null;
    await (await old?.catch(() => null))?.client.end().catch(() => undefined);
  }

  async end(): Promise<void> {
    await (await this.#opening?.catch(() => null))?.client.end();
  }
}

/** Few connections are best for reads: 2 pipelined ones do 2.5 times as much as 16 plain ones. */
export function openRead(
  route: Route,
  limits: Limits,
  deadline: CallDeadline,
): Read & { openings(): number; end(): Promise<void> } {
  const config = sessionConfig(route, limits);
  const connections = Array.from({ length: limits.reads }, () => new ReadConnection(config, deadline));
  let [turn, asked] = [0, 0];
  return {
    kind: "read",
    async query<Row>(statement: Statement, values: unknown[] = []) {
      const one = connections[turn++ % connections.length]!;
      const ask = () =>
        traced(
          () => spanOf(statement.name),
          (span) => one.query(statement, values).catch(noteFailure(span)) as Promise<Row[]>,
        );
      try {
        return await ask();
      } catch (error) {
        if (isNodeLost(error)) return await ask().catch((second: unknown) => Promise.reject(unavailable(second)));
        if (!STALE_PLANS.has(sqlState(error) ?? "")) throw unavailable(error);
        if (sqlState(error) === OTHER_COLUMNS) route.hasStaleNames = true;
        void one.renew();
        return await ask();
      }
    },
    // A pooler may lead an open connection to another server.
    openings: () =>
      route.pooling === "transaction" ? (asked += 1) : connections.reduce((sum, { openings }) => sum + openings, 0),
    end: async () => void (await Promise.all(connections.map((each) => each.end()))),
  };
}
