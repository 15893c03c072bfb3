import { newId } from "../src/ids.ts";
import type { Database, Read, Statement, Tx } from "../src/store/driver/db.ts";
import { until } from "../test/support/until.ts";

export type Sent = { statement: Statement; values: unknown[] };
/** Statements that were sent together: one read, or the statements between BEGIN and COMMIT. */
export type Group = { transaction: boolean; sent: Sent[] };
/**
 * `waits`: the number of times that Billow waited for an answer of PostgreSQL. `since`: higher ids were made during
 * the recording.
 */
export type Recording = { groups: Group[]; waits: number; since: string };

/** The part of an id after the prefix. This part sorts ids of all kinds by the time of their creation. */
const suffixOf = (id: string) => id.slice(id.indexOf("_") + 1);

/** Look-ups of API keys are not recorded: a server makes about one a second for any number of requests. */
const isKeys = ({ name }: Statement) => name.startsWith("api_keys.");

/** The log of requests is not recorded: a server writes it for all requests of a quarter of a second together. */
const isLog = ({ statement }: Sent) => statement.name.startsWith("api_requests.");

/**
 * A database that records its statements since the last `restart`, so that the bare server and pgbench can send
 * exactly the same statements.
 */
export function recording(db: Database): { db: Database; restart(): Promise<Recording> } {
  let found: Recording = { groups: [], waits: 0, since: "" };
  let underway = 0;
  let transactions = 0;
  const waiting = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    // A statement that is sent while another answer is awaited costs no round trip of its own.
    if (underway === 0) found.waits += 1;
    underway += 1;
    try {
      return await answer;
    } finally {
      underway -= 1;
    }
  };
  const listen =
    (note: (sent: Sent) => void, handle: Read | Tx): Read["query"] =>
    (statement, values = []) => {
      note({ statement, values });
      return waiting(handle.query(statement, values));
    };
  const noteRead = (sent: Sent) => void found.groups.push({ transaction: false, sent: [sent] });
  const read = listen(noteRead, db.read);
  const listenTx = (tx: Tx, group: Group): Tx => {
    const note = (sent: Sent) => void group.sent.push(sent);
    const send: Tx["send"] = (statement, values, queue) => {
      note({ statement, values });
      tx.send(statement, values, queue);
    };
    return { ...tx, query: listen(note, tx), send };
  };
  return {
    async restart() {
      // A request may be answered before all of its work is done.
      await until(() => underway + transactions === 0);
      found = { groups: [], waits: 0, since: suffixOf(newId("evt")) };
      return found;
    },
    db: {
      ...db,
      read: {
        kind: "read",
        query: (statement, values) => (isKeys(statement) ? db.read.query : read)(statement, values),
      },
      tx: (work, milliseconds) =>
        db.tx(async (tx) => {
          const group: Group = { transaction: true, sent: [] };
          found.groups.push(group);
          transactions += 1;
          try {
            return await work(listenTx(tx, group));
          } finally {
            transactions -= 1;
            const isOfLog = group.sent.length > 0 && group.sent.every(isLog);
            if (isOfLog) found.groups = found.groups.filter((each) => each !== group);
            // The wait for COMMIT, which includes the statements that were sent without waiting.
            else found.waits += 1;
          }
        }, milliseconds),
    },
  };
}

/** A part of a recorded value: a text, the id of a random copy, or a value that is made anew. */
export type Part = string | { copy: "sub" | "cus" } | { fresh: string };
export type Template = { parts: Part[] } | { value: unknown };

const TOKEN = /([a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}|(?<=\bnew-)\d{16,}(?=@))/;

/** Splits a recorded value once, so that replaying the value needs no search. `since`: as in the recording. */
export function template(value: unknown, since: string): Template {
  if (typeof value !== "string" || !TOKEN.test(value)) return { value };
  const parts = value.split(TOKEN).filter((part) => part !== "");
  const filled = parts.map((part): Part => {
    if (!TOKEN.test(part)) return /^\d{16,}$/.test(part) ? { fresh: part } : part;
    const [prefix] = part.split("_");
    if (/^0{10}/.test(suffixOf(part)) && (prefix === "sub" || prefix === "cus")) return { copy: prefix };
    return suffixOf(part) > since ? { fresh: part } : part;
  });
  return filled.every((part) => typeof part === "string") ? { value } : { parts: filled };
}
