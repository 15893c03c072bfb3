import type pg from "pg";
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

  add(client: pg.ClientBase, { name, text, values }: Sent, columns: readonly pg.FieldDef[]): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    let failed = false;
    const hear = (error: Error | null | undefined, result: unknown) => {
      failed = error instanceof Error;
      if (error) reject(error);
      else resolve(result as pg.QueryResult);
    };
    const query = new QueryClass({ name, text, values }, hear);
    shareTypes(client, query);
    if (columns.length > 0) query.handleRowDescription({ fields: columns });
    const messages: Buffer[] = [];
    const { parsedStatements, submittedNamedStatements } = connectionOf(client);
    query.prepare({
      parsedStatements,
      submittedNamedStatements,
      parse: (config) => void messages.push(serialize.parse(config as Parameters<typeof serialize.parse>[0])),
      bind: (config) => void messages.push(serialize.bind(config)),
      describe: () => undefined,
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
  #batch: Batch | null = null;

  constructor(client: pg.ClientBase) {
    super(client);
    this.#columns = columnsOf.getOrInsertComputed(connectionOf(client), () => new Map());
  }

  override query(sent: Sent): Promise<pg.QueryResult> {
    this.cork();
    // An unnamed statement is prepared each time.
    const columns = sent.name === "" ? [] : this.#columns.get(sent.name);
    if (columns) return (this.#batch ??= new Batch()).add(this.client, sent, columns);
    // On the first run `pg` prepares the statement and reads its columns.
    this.flush();
    return super.query(sent).then((result) => {
      this.#columns.set(sent.name, result.fields);
      return result;
    });
  }

  protected override flush(): void {
    if (this.#batch) this.client.query(this.#batch);
    this.#batch = null;
  }
}
