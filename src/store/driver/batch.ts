import type pg from "pg";
import type { Lent } from "./session.ts";
import { serialize } from "pg-protocol";
import { Corked, type Sent } from "./write-buffer.ts";
import { connectionOf, QueryClass, shareTypes, type Query, type ServerMessage } from "./internals.ts";

/** Result columns by connection and statement name. A statement is described once for each connection. */
const columnsOf = new WeakMap<pg.Connection, Map<string, readonly pg.FieldDef[]>>();

/**
 * Prepared statements as one `pg` query: one write, one Sync, one answer. With a Sync after each statement, PostgreSQL
 * described the columns of each statement anew, and each answer woke this process. If a statement fails, PostgreSQL
 * skips the later ones, and these fail with the same error.
 */
class Batch extends QueryClass {
  readonly #queries: Query[] = [];
  readonly #messages: Buffer[] = [];
  #at = 0;

  constructor() {
    super("");
  }

  /** `columns`: those of the result. Null: PostgreSQL describes them. */
  add(
    client: pg.ClientBase,
    { name, text, values }: Sent,
    columns: readonly pg.FieldDef[] | null,
  ): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    let failed = false;
    const hear = (error: Error | null | undefined, result: unknown) => {
      failed = error instanceof Error;
      if (error) reject(error);
      else resolve(result as pg.QueryResult);
    };
    const query = new QueryClass({ name, text, values }, hear);
    shareTypes(client, query);
    if (columns && columns.length > 0) query.handleRowDescription({ fields: columns });
    const messages: Buffer[] = [];
    const { parsedStatements, submittedNamedStatements } = connectionOf(client);
    query.prepare({
      parsedStatements,
      submittedNamedStatements,
      parse: (config) => void messages.push(serialize.parse(config as Parameters<typeof serialize.parse>[0])),
      bind: (config) => void messages.push(serialize.bind(config)),
      describe: () => void (columns ?? messages.push(serialize.describe({ type: "P" }))),
      execute: (config) => void messages.push(serialize.execute(config)),
      sync: () => undefined,
      close: () => undefined,
    });
    // A value that can't be serialized has already failed this statement.
    if (!failed) {
      this.#queries.push(query);
      this.#messages.push(...messages);
    }
    // As in `pg`: the stack trace leads to the caller of the statement, not to the socket.
    return promise.catch((error: Error) => {
      Error.captureStackTrace(error);
      throw error;
    });
  }

  override submit = (connection: pg.Connection): void => {
    connection.stream.write(Buffer.concat([...this.#messages, serialize.sync()]));
  };

  override handleRowDescription(message: { fields: readonly pg.FieldDef[] }): void {
    this.#queries[this.#at]!.handleRowDescription(message);
  }

  override handleDataRow(message: ServerMessage): void {
    this.#queries[this.#at]!.handleDataRow(message);
  }

  override handleCommandComplete(message: ServerMessage, connection: pg.Connection): void {
    const query = this.#queries[this.#at]!;
    this.#at += 1;
    query.handleCommandComplete(message, connection);
    query.handleReadyForQuery(connection);
  }

  override handleReadyForQuery(): void {
    // Every statement was answered by its own CommandComplete.
  }

  override handleError(error: Error, connection: pg.Connection): void {
    for (const query of this.#queries.slice(this.#at)) query.handleError(error, connection);
    this.#at = this.#queries.length;
  }
}

/** A connection that sends all statements of one turn of the event loop together, in their order. */
export class Batched extends Corked {
  readonly #columns: Map<string, readonly pg.FieldDef[]>;
  readonly #hasNames: boolean;
  #batch: Batch | null = null;

  /** `hasNames`: false, if each statement is prepared each time. */
  constructor(client: pg.ClientBase, hasNames = true) {
    super(client);
    this.#hasNames = hasNames;
    this.#columns = columnsOf.getOrInsertComputed(connectionOf(client), () => new Map());
  }

  override query(sent: Sent): Promise<pg.QueryResult> {
    this.cork();
    // An unnamed statement is prepared and described each time.
    if (!this.#hasNames || sent.name === "") return this.#add({ ...sent, name: "" }, null);
    const columns = this.#columns.get(sent.name);
    if (columns) return this.#add(sent, columns);
    // On the first run `pg` prepares the statement and reads its columns.
    this.flush();
    return super.query(sent).then((result) => {
      this.#columns.set(sent.name, result.fields);
      return result;
    });
  }

  #add(sent: Sent, columns: readonly pg.FieldDef[] | null): Promise<pg.QueryResult> {
    return (this.#batch ??= new Batch()).add(this.client, sent, columns);
  }

  protected override flush(): void {
    if (this.#batch) this.client.query(this.#batch);
    this.#batch = null;
  }
}

const ENDINGS = ["readyForQuery", "end", "error"] as const;

/** Fulfilled when the session has ended this query and is ready for another, or when the connection is over. */
function endOf(client: pg.ClientBase, answer: Promise<unknown>): Promise<void> {
  const connection = connectionOf(client);
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    for (const name of ENDINGS) connection.off(name, end);
    resolve();
  };
  for (const name of ENDINGS) connection.on(name, end);
  // After the failure of a statement the session gets ready. Another failure means a connection that is over.
  answer.catch((error: unknown) => {
    if ((error as { severity?: string }).severity !== "ERROR") end();
  });
  return promise;
}

const READ_COMMITTED: Sent = { name: "", text: "SET transaction_isolation = 'read committed'", values: [] };

/**
 * Single reads over sessions that a pooler lends. Each read is a transaction of its own with our settings, as one write
 * with one Sync. PostgreSQL ends such a transaction at the Sync, even after a failure.
 *
 * A read is sent after the end of the previous one. PgBouncer 1.18 gives a session back when it is ready, though a part
 * of the next read has gone to that session already. On a busy machine the messages of two clients then got mixed.
 */
export class LentReads extends Corked {
  readonly #lent: Lent;
  #ended: Promise<void> = Promise.resolve();

  constructor(client: pg.ClientBase, lent: Lent) {
    super(client);
    this.#lent = lent;
  }

  override query(sent: Sent): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    this.#ended = this.#ended.then(() => {
      const { answer, ended } = this.#send(sent);
      answer.then(resolve, reject);
      return ended;
    });
    return promise;
  }

  #send(sent: Sent): { answer: Promise<pg.QueryResult>; ended: Promise<void> } {
    this.cork();
    const { settings, hasNames } = this.#lent;
    const named = (each: Sent) => (hasNames ? each : { ...each, name: "" });
    const batch = new Batch();
    for (const each of [READ_COMMITTED, named({ ...settings, values: [] })])
      // A failure of the settings is also the failure of the read.
      batch.add(this.client, each, []).catch(() => undefined);
    const answer = batch.add(this.client, named(sent), null);
    const ended = endOf(this.client, answer);
    this.client.query(batch);
    return { answer, ended };
  }
}
