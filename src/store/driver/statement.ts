import type { Instant } from "../../domain/calendar.ts";
import type { Span } from "../../tracing/tracing.ts";
import { sqlState } from "./failures.ts";
import type { Queue } from "./notifier.ts";

/**
 * One named, prepared statement. PostgreSQL keeps its plan under the name. The text is the SQL. `distributed`: the
 * statement that a distributed database gets in its place, with the same values and the same columns (decision 0107).
 */
export type Statement = { name: string; text: string; distributed?: Statement };

const made = new Map<string, string>();
/** The texts of all statements that were made in this process, by their names. */
export const statements: ReadonlyMap<string, string> = made;
/** The end of the name of a statement for a distributed database. */
export const DISTRIBUTED = "_distributed";

/**
 * @throws Error for a second text under one name: a connection prepares a name once, and would refuse the second at
 * run time.
 */
export function sql(name: string, text: string, distributed?: string): Statement {
  if ((made.get(name) ?? text) !== text) throw new Error(`two statements are called ${name}`);
  made.set(name, text);
  if (distributed === undefined) return { name, text };
  return { name, text, distributed: sql(name + DISTRIBUTED, distributed) };
}

/** The statement that a database gets. */
export const textFor = (statement: Statement, isDistributed: boolean): Pick<Statement, "name" | "text"> =>
  (isDistributed ? statement.distributed : undefined) ?? statement;

/** The span of a statement that runs inside of another span. The values stay out of it. */
export const spanOf = (name: string) =>
  ({
    name,
    kind: "client",
    within: "parent",
    attributes: { "db.system.name": "postgresql", "db.query.summary": name },
  }) as const;

/** Notes the code of PostgreSQL in the span of a statement that failed. */
export function noteFailure(span: Span): (error: unknown) => never {
  return (error) => {
    span.set({ "db.response.status_code": sqlState(error) ?? undefined });
    throw error;
  };
}

type Run = <Row>(statement: Statement, values?: unknown[]) => Promise<Row[]>;
/**
 * Single-statement reads over a few shared, pipelined connections. Never a transaction: a BEGIN would enclose the
 * statements of other callers.
 */
export type Read = { readonly kind: "read"; query: Run };
/** One open transaction on a connection of its own. */
export type Tx = {
  readonly kind: "tx";
  query: Run;
  /** As `isDistributed` of the `Database`. */
  readonly isDistributed: boolean;
  /**
   * Sends a statement without waiting for its answer. A failure of the statement fails the transaction. The rows are
   * not returned, but a row with `due` true wakes the workers of `queue`.
   */
  send(statement: Statement, values: unknown[], queue?: Queue): void;
  /**
   * Wakes the workers of a queue in this process after the commit, if something in the queue is due now or within a
   * second of this call. `at`: the due instant in real time; null: never due; left out: due at once.
   */
  wakes(queue: Queue, at?: Instant | null): void;
};
/**
 * One state of the whole database, over a connection of its own: a later statement sees no commit that an earlier
 * statement did not see. PostgreSQL refuses writes and row locks in it. `send` is for settings.
 */
export type Snapshot = { readonly kind: "snapshot" } & Pick<Tx, "query" | "isDistributed" | "send">;
export type Queryable = Read | Tx | Snapshot;
