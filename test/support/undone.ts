import type { Database, Tx } from "../../src/store/driver/db.ts";

/** Runs `work` in a transaction, undoes every write, and answers the result of `work`. */
export async function undone<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const end = new Error("the test is over");
  let found: { result: T } | undefined;
  await db
    .tx(async (tx) => {
      found = { result: await work(tx) };
      throw end;
    })
    .catch((error: unknown) => {
      if (error !== end) throw error;
    });
  return found!.result;
}
