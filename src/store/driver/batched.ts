import pg from "pg";
import { serialize } from "pg-protocol";
import { socketOf } from "./session.ts";
import type { Statement } from "./statement.ts";

type Sent = Statement & { values: unknown[] };
type ProtocolMessage = Readonly<Record<string, unknown>>;
/** The methods of a `pg` connection through which a query sends its messages. */
type Wire = {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(config: object): void;
  bind(config: object): void;
  describe(): void;
  execute(config: object): void;
  sync(): void;
  close(): void;
};
/** Members of a `pg` query that its types leave out. */
type Inner = pg.Query & {
  _result: { _types: unknown };
  prepare(wire: Wire): void;
  handleRowDescription(message: { fields: readonly pg.FieldDef[] }): void;
  handleDataRow(message: ProtocolMessage): void;
  handleCommandComplete(message: ProtocolMessage, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
};
type Within = {
  _types: unknown;
  connection: pg.Connection & Pick<Wire, "parsedStatements" | "submittedNamedStatements">;
};

const within = (client: pg.ClientBase) => client as unknown as Within;

/** Result columns by connection and statement name. A statement is described once for each connection. */
const columnsOf = new WeakMap<pg.Connection, Map<string, readonly pg.FieldDef[]>>();

/**
 * Prepared statements as one `pg` query: one write, one Sync, one answer. With a Sync after each statement, PostgreSQL
 * described the columns of each statement anew, and each answer woke this process. If a statement fails, PostgreSQL
 * skips the later ones, and these fail with the same error.
 */
class Batch extends (pg.Query as unknown as new (text: string) => Inner) {
  readonly #queries: Inner[] = [];
  readonly #messages: Buffer[] = [];
  #at = 0;

  constructor() {
    super("");
  }

  add(client: pg.ClientBase, { name, text, values }: Sent, columns: readonly pg.FieldDef[]): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    let failed = false;
    const hear = (error: Error | undefined, result: unknown) => {
      failed = error instanceof Error;
      if (error) reject(error);
      else resolve(result as pg.QueryResult);
    };
    const query = new pg.Query({ name, text, values }, hear) as Inner;
    const { _types, connection } = within(client);
    query._result._types = _types;
    if (columns.length > 0) query.handleRowDescription({ fields: columns });
    const messages: Buffer[] = [];
    query.prepare({
      parsedStatements: connection.parsedStatements,
      submittedNamedStatements: connection.submittedNamedStatements,
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
    socketOf({ connection } as unknown as pg.ClientBase).write(Buffer.concat([...this.#messages, serialize.sync()]));
  };

  override handleDataRow(message: ProtocolMessage): void {
    this.#queries[this.#at]!.handleDataRow(message);
  }

  override handleCommandComplete(message: ProtocolMessage, connection: pg.Connection): void {
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
export class Batched {
  readonly #client: pg.ClientBase;
  readonly #columns: Map<string, readonly pg.FieldDef[]>;
  #isCorked = false;
  #batch: Batch | null = null;

  constructor(client: pg.ClientBase) {
    this.#client = client;
    const { connection } = within(client);
    this.#columns = columnsOf.get(connection) ?? new Map();
    columnsOf.set(connection, this.#columns);
  }

  query(sent: Sent): Promise<pg.QueryResult> {
    if (!this.#isCorked) this.#cork();
    // An unnamed statement is prepared each time.
    const columns = sent.name === "" ? [] : this.#columns.get(sent.name);
    if (columns) return (this.#batch ??= new Batch()).add(this.#client, sent, columns);
    // On the first run `pg` prepares the statement and reads its columns.
    this.#send();
    return this.#client.query(sent).then((result) => {
      this.#columns.set(sent.name, result.fields);
      return result;
    });
  }

  #send(): void {
    if (this.#batch) this.#client.query(this.#batch);
    this.#batch = null;
  }

  #cork(): void {
    this.#isCorked = true;
    const socket = socketOf(this.#client);
    socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#send();
      socket.uncork();
    });
  }
}
