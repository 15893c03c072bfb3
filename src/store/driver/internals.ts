import pg from "pg";

// The parts of `pg` that its types leave out, all in one place. `src/store/driver/internals.test.ts` holds each part
// against the installed version, and says what breaks if a version changes the part.

type Socket = { cork(): void; uncork(): void; write(data: Uint8Array): void; destroy(error?: Error): void };

/** The names of prepared statements, with their texts: those that the server has parsed, and those only sent to it. */
type Prepared = {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
};

/** The methods of a connection through which a query sends its messages. */
export type Wire = Prepared & {
  parse(config: object): void;
  bind(config: object): void;
  describe(config: object): void;
  execute(config: object): void;
  sync(): void;
  close(config: object): void;
};

type Connection = pg.Connection & Prepared & { stream: Socket };
type Client = { connection: Connection; processID: number | null; _types: unknown };
export type ServerMessage = Readonly<Record<string, unknown>>;

/** A query: the client submits it, and hands it each message of the server that answers it. */
export type Query = pg.Query & {
  _result: { _types: unknown };
  prepare(wire: Wire): void;
  handleRowDescription(message: { fields: readonly pg.FieldDef[] }): void;
  handleDataRow(message: ServerMessage): void;
  handleCommandComplete(message: ServerMessage, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
};

/** The class of queries. A pipelined client refuses a query of another class. */
export const QueryClass = pg.Query as unknown as new (
  config: string | pg.QueryConfig<unknown[]>,
  callback?: (error: Error | null | undefined, result: unknown) => void,
) => Query;

const insideOf = (client: pg.ClientBase) => client as unknown as Client;

export const connectionOf = (client: pg.ClientBase): Connection => insideOf(client).connection;

/** The socket below a client. A TLS handshake replaces it. */
export const socketOf = (client: pg.ClientBase): Socket => connectionOf(client).stream;

/** The process of the server by the greeting of the session. A pooler makes up a number of its own. Null: no number. */
export const greetedBy = (client: pg.ClientBase): number | null => insideOf(client).processID;

/** Lets a query read its values by the client's types. The client itself does so only for a query that it submits. */
export function shareTypes(client: pg.ClientBase, query: Query): void {
  query._result._types = insideOf(client)._types;
}
