import type { Instant } from "../domain/calendar.ts";
import type { Queue } from "./bell.ts";

/** One named, prepared statement. The name is how PostgreSQL keeps its plan; the text is the SQL. */
export type Statement = { name: string; text: string };

const made = new Map<string, string>();
/** Every statement that was made in this process: the text of each name. */
export const statements: ReadonlyMap<string, string> = made;

/** @throws Error for a second text under one name: a connection prepares a name once, and would refuse the second one at run time. */
export function sql(name: string, text: string): Statement {
  if ((made.get(name) ?? text) !== text) throw new Error(`two statements are called ${name}`);
  made.set(name, text);
  return { name, text };
}

type Run = <Row>(statement: Statement, values?: unknown[]) => Promise<Row[]>;
/** Single-statement reads over a few shared, pipelined connections. Never a transaction: another's BEGIN would enclose it. */
export type Read = { readonly kind: "read"; query: Run };
/** One open transaction on a connection of its own. */
export type Tx = {
  readonly kind: "tx";
  query: Run;
  /**
   * Sends a statement without waiting for it; what goes wrong with it fails the transaction. Of its rows one thing is read: where one has
   * `due` true, the workers of `queue` are woken.
   */
  send(statement: Statement, values: unknown[], queue?: Queue): void;
  /**
   * Wakes the workers of a queue in this process once the transaction is committed, if something in it is due then or a second later.
   * `at`: when that is, in real time; null: never; left out: at once.
   */
  wakes(queue: Queue, at?: Instant | null): void;
};
export type Queryable = Read | Tx;
