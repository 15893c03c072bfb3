import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Duplex } from "node:stream";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  connectionOf,
  greetedBy,
  QueryClass,
  shareTypes,
  socketOf,
  type Query,
  type ServerMessage,
} from "./internals.ts";
import { isConnectionError, isEncryptionError } from "./failures.ts";

const require = createRequire(import.meta.url);
const { version } = require("pg/package.json") as { version: string };

const INT8 = 20;
const types = new pg.TypeOverrides();
types.setTypeParser(INT8, (text) => `read ${text}`);

/** A message of the protocol: its letter, its length and its bytes. */
function packet(letter: string, ...parts: (string | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(letter), length, body]);
}

const READY = packet("Z", "I");
/** One row with the int8 column `amount`, whose value is 7. */
const ROW = Buffer.concat([
  packet("T", [0, 1], "amount\0", [0, 0, 0, 0, 0, 0, 0, 0, 0, INT8, 0, 8, 255, 255, 255, 255, 0, 0]),
  packet("D", [0, 1, 0, 0, 0, 1], "7"),
  packet("C", "SELECT 1\0"),
]);
const REFUSED = packet("E", "SERROR\0C22012\0Mdivision by zero\0\0");

/**
 * The socket of a server that lets each client in. No test asks PostgreSQL: without a working driver, the other tests
 * begin with no database.
 */
class FakeSocket extends Duplex {
  readonly written: Buffer[] = [];
  greeting: Buffer = Buffer.of();
  connect = () => void process.nextTick(() => this.emit("connect"));
  setNoDelay = () => this;
  setKeepAlive = () => this;
  override _read = () => undefined;
  override _write = (chunk: Buffer, _encoding: string, done: () => void) => {
    this.written.push(chunk);
    if (this.written.length === 1) this.push(Buffer.concat([packet("R", [0, 0, 0, 0]), this.greeting, READY]));
    done();
  };
  override _final = (done: () => void) => {
    this.push(null);
    done();
  };
}

let socket: FakeSocket;
let client: pg.Client;
beforeEach(async () => {
  socket = new FakeSocket();
  client = new pg.Client({ user: "u", password: "p", stream: () => socket, types, pipeline: true } as pg.ClientConfig);
  await client.connect();
});
afterEach(() => client.end());

const FIELD = { name: "amount", dataTypeID: INT8, format: "text" } as pg.FieldDef;

/** The messages that a query sends, by name. */
function sentBy(query: Query, prepared: Record<string, string>): [string, Record<string, unknown>?][] {
  const sent: [string, Record<string, unknown>?][] = [];
  const note = (name: string) => (config?: object) => void sent.push([name, config as Record<string, unknown>]);
  query.prepare({
    parsedStatements: prepared,
    submittedNamedStatements: {},
    parse: note("parse"),
    bind: note("bind"),
    describe: note("describe"),
    execute: note("execute"),
    sync: note("sync"),
    close: note("close"),
  });
  return sent;
}

/** A query as Billow's batches make it, with the outcomes that the query called back. */
function listening(): { query: Query; outcomes: [unknown, unknown][] } {
  const outcomes: [unknown, unknown][] = [];
  const query = new QueryClass({ name: "q", text: "SELECT $1", values: [1] }, (error, result) =>
    outcomes.push([error, result]),
  );
  return { query, outcomes };
}

const LIBRARY = dirname(require.resolve("pg"));
/** The files of the driver that make errors. */
const DRIVER = [join(LIBRARY, "client.js"), join(LIBRARY, "connection.js"), require.resolve("pg-pool")]
  .map((path) => readFileSync(path, "utf8"))
  .join("\n");

type Part = { part: string; breaks: string; works(): void | Promise<void> };

const PARTS: Part[] = [
  {
    part: "processID of a client",
    breaks: "each server is taken for a pooler, and prepares each statement each time",
    async works() {
      const other = new FakeSocket();
      const greeted = new pg.Client({ user: "u", password: "p", stream: () => other } as pg.ClientConfig);
      other.greeting = packet("K", [0, 0, 1, 2, 0, 0, 0, 0]);
      await greeted.connect();
      expect([greetedBy(greeted), greetedBy(client)]).toEqual([258, null]);
      await greeted.end();
    },
  },
  {
    part: "connection.stream of a client, with cork, uncork, write and destroy",
    breaks: "statements of one turn no longer leave in one write, and a silent connection is not closed",
    works() {
      for (const method of ["cork", "uncork", "write", "destroy"] as const)
        expect(socketOf(client)[method]).toBeTypeOf("function");
    },
  },
  {
    part: "_types of a client and _result._types of a query",
    breaks: "amounts and instants come back as the texts of PostgreSQL",
    works() {
      const { query, outcomes } = listening();
      expect(query).toHaveProperty("_result._types");
      expect(client).toHaveProperty("_types");
      shareTypes(client, query);
      query.handleRowDescription({ fields: [FIELD] });
      query.handleDataRow({ fields: ["7"] });
      query.handleCommandComplete({ text: "SELECT 1" }, connectionOf(client));
      query.handleReadyForQuery(connectionOf(client));
      expect(outcomes).toMatchObject([[null, { rows: [{ amount: "read 7" }], command: "SELECT", rowCount: 1 }]]);
    },
  },
  {
    part: "parsedStatements and submittedNamedStatements of a connection",
    breaks: "a batch prepares a name twice, and PostgreSQL refuses the statement",
    async works() {
      const name = "test.internals";
      const text = "SELECT 1 AS n";
      const { parsedStatements, submittedNamedStatements } = connectionOf(client);
      const answer = client.query({ name, text, values: [] });
      expect(submittedNamedStatements).toEqual({ [name]: text });
      socket.push(Buffer.concat([packet("1"), packet("2"), ROW, READY]));
      await answer;
      expect(parsedStatements).toEqual({ [name]: text });
      expect(submittedNamedStatements).toEqual({});
    },
  },
  {
    part: "prepare of a query",
    breaks: "a batch lacks messages: answers reach the wrong statement, or never come",
    works() {
      const fresh = sentBy(listening().query, {});
      expect(fresh.map(([name]) => name)).toEqual(["parse", "bind", "describe", "execute", "sync"]);
      const prepared = sentBy(listening().query, { q: "SELECT $1" });
      expect(prepared.map(([name]) => name)).toEqual(["bind", "describe", "execute", "sync"]);
      expect(fresh[0]![1]).toMatchObject({ name: "q", text: "SELECT $1" });
      expect(prepared[0]![1]).toMatchObject({ portal: "", statement: "q", values: [1] });
      expect(prepared[0]![1]!["valueMapper"]).toBeTypeOf("function");
    },
  },
  {
    part: "handleError of a query",
    breaks: "a statement behind a failed one waits forever",
    works() {
      const { query, outcomes } = listening();
      const error = new Error("refused");
      query.handleError(error, connectionOf(client));
      expect(outcomes).toEqual([[error, undefined]]);
    },
  },
  {
    part: "prepare of a query with a value that can't be sent",
    breaks: "such a statement stays in its batch, and spoils the others",
    works() {
      const { query, outcomes } = listening();
      const error = new TypeError("no such value");
      const refuse = () => {
        throw error;
      };
      const quiet = () => undefined;
      query.prepare({
        parsedStatements: {},
        submittedNamedStatements: {},
        parse: quiet,
        bind: refuse,
        describe: quiet,
        execute: quiet,
        sync: quiet,
        close: quiet,
      });
      expect(outcomes).toEqual([[error, undefined]]);
    },
  },
  {
    part: "query of a client with a subclass of Query",
    breaks: "a batch is not sent, or does not hear the answers to its statements",
    async works() {
      const heard: string[] = [];
      class Own extends QueryClass {
        override submit = (connection: pg.Connection): void => {
          heard.push(`submit ${connection === connectionOf(client)}`);
        };
        override handleRowDescription = ({ fields }: { fields: readonly pg.FieldDef[] }) =>
          void heard.push(`columns ${fields.map(({ name }) => name).join()}`);
        override handleDataRow = ({ fields }: ServerMessage) => void heard.push(`row ${JSON.stringify(fields)}`);
        override handleCommandComplete = ({ text }: ServerMessage, connection: pg.Connection) =>
          void heard.push(`complete ${String(text)} ${connection === connectionOf(client)}`);
        override handleError = (error: Error) => void heard.push(`error ${(error as pg.DatabaseError).code}`);
      }
      client.query(new Own(""));
      const next = client.query("SELECT 7");
      socket.push(Buffer.concat([ROW, REFUSED, READY, ROW, READY]));
      expect((await next).rows).toEqual([{ amount: "read 7" }]);
      expect(heard).toEqual(["submit true", "columns amount", 'row ["7"]', "complete SELECT 1 true", "error 22012"]);
    },
  },
  {
    part: "the option pipeline of a client",
    breaks: "each statement waits for the answer to the one before, and transactions take three times as long",
    async works() {
      const answers = [client.query("SELECT 'first'"), client.query("SELECT 'second'")];
      expect(Buffer.concat(socket.written).toString()).toMatch(/first.*second/s);
      socket.push(Buffer.concat([ROW, READY, ROW, READY]));
      await Promise.all(answers);
    },
  },
  {
    part: "the option Client of a pool",
    breaks: "the connections of transactions have not Billow's settings, nor its routes",
    async works() {
      const made: unknown[] = [];
      class Own extends pg.Client {
        constructor(config: pg.ClientConfig) {
          super({ ...config, stream: () => new FakeSocket() });
          made.push((config as { mark?: string }).mark);
        }
      }
      const options = { user: "u", password: "p", Client: Own as unknown as new () => Own, mark: "ours" };
      const pool = new pg.Pool(options);
      (await pool.connect()).release();
      await pool.end();
      expect(made).toEqual(["ours"]);
    },
  },
  {
    part: "the messages of errors without a code",
    breaks: "a lost connection is an internal error (500), not an unavailable database (503)",
    works() {
      const lost = [
        "Connection terminated",
        "Connection terminated unexpectedly",
        "timeout exceeded when trying to connect",
        "timeout expired",
        "Client has encountered a connection error and is not queryable",
        "Client was closed and is not queryable",
      ];
      const encryption = [
        "The server does not support SSL connections",
        "There was an error establishing an SSL connection",
      ];
      expect([...lost, ...encryption].filter((message) => !DRIVER.includes(`Error('${message}')`))).toEqual([]);
      expect(lost.filter((message) => !isConnectionError(new Error(message)))).toEqual([]);
      expect(encryption.filter((message) => !isEncryptionError(new Error(message)))).toEqual([]);
    },
  },
];

test.each(PARTS)("pg has $part", async ({ part, breaks, works }) => {
  const fault = await Promise.try(works).then(
    () => null,
    (error: Error) => error.message,
  );
  expect(fault, `pg ${version} has changed ${part}. So ${breaks}`).toBeNull();
});
