import type { Database, Read, Statement, Tx } from "../src/store/db.ts";

export type Sent = { statement: Statement; values: unknown[] };
/** What went out together: one read, or the statements between BEGIN and COMMIT. */
export type Group = { transaction: boolean; sent: Sent[] };

/** A database that writes down what it is asked, so that others can be timed asking exactly the same. */
export function recording(db: Database): { db: Database; groups: Group[] } {
  const groups: Group[] = [];
  const listen =
    (note: (sent: Sent) => void, handle: Read | Tx): Read["query"] =>
    (statement, values = []) => {
      note({ statement, values });
      return handle.query(statement, values);
    };
  const noteRead = (sent: Sent) => void groups.push({ transaction: false, sent: [sent] });
  const listenTx = (tx: Tx, group: Group): Tx => {
    const note = (sent: Sent) => void group.sent.push(sent);
    const send: Tx["send"] = (statement, values, queue) => {
      note({ statement, values });
      tx.send(statement, values, queue);
    };
    return { ...tx, query: listen(note, tx), send };
  };
  return {
    groups,
    db: {
      ...db,
      read: { kind: "read", query: listen(noteRead, db.read) },
      tx: (work) =>
        db.tx((tx) => {
          const group: Group = { transaction: true, sent: [] };
          groups.push(group);
          return work(listenTx(tx, group));
        }),
    },
  };
}

/** A value with places for the random number of the Subscription and for ids made anew. */
export type Part = string | { copy: number } | { fresh: string };
export type Template = { parts: Part[] } | { value: unknown };

const ID = /((?:sub|cus)_0{10,}\d+|(?:chk|evt)_[0-7][0-9a-z]{25})/;

/** Splits a recorded value once, so that replaying it costs no search. */
export function template(value: unknown): Template {
  if (typeof value !== "string" || !ID.test(value)) return { value };
  const parts = value.split(ID).filter((part) => part !== "");
  return {
    parts: parts.map((part): Part => {
      if (!ID.test(part)) return part;
      const prefix = part.slice(0, 3);
      return prefix === "sub" || prefix === "cus" ? { copy: prefix === "sub" ? 0 : 1 } : { fresh: part };
    }),
  };
}
