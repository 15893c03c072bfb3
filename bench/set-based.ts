import type pg from "pg";
import { customerAt, organizationSql, subscriptionAt } from "./copies.ts";
import { PostgresCpu } from "./cpu.ts";
import type { Crowd } from "./due-crowd.ts";
import type { Installation } from "./installation.ts";

/** Renewals in one transaction. */
const BATCH = 100;

/**
 * The cost of plain SQL: seconds for the crowd, and for one renewal the milliseconds of processor time, the
 * transactions and the statements.
 */
export type SetBased = { seconds: number; client: number; postgres: number; transactions: number; statements: number };

/** A renewal locks the Customer and reads the Subscription. */
function lockSql({ organizations }: Crowd): string {
  const id = (first: string) => `'${first.slice(0, -24)}' || lpad(n::text, 24, '0')`;
  return `SELECT s.* FROM generate_series($1::bigint, $2::bigint) AS n
    JOIN customers c ON c.organization_id = ${organizationSql(`n % ${organizations}`)} AND c.id = ${id(customerAt(0))}
    JOIN subscriptions s ON s.organization_id = c.organization_id AND s.id = ${id(subscriptionAt(0))}
    ORDER BY c.organization_id, c.id FOR UPDATE OF c`;
}

async function renew(client: pg.Client, crowd: Crowd): Promise<{ transactions: number; statements: number }> {
  const counted = { transactions: 0, statements: 0 };
  const transact = async (texts: string[], values: number[], settings = "") => {
    await client.query(`BEGIN${settings}`);
    for (const text of texts)
      await client.query({ name: `bench ${texts.length} ${text.length} ${text.slice(0, 30)}`, text, values });
    await client.query("COMMIT");
    counted.transactions += 1;
    counted.statements += texts.length;
  };
  const lock = lockSql(crowd);
  for (let first = 1; first <= crowd.size; first += BATCH) {
    const values = [first, Math.min(first + BATCH - 1, crowd.size)];
    await transact([lock, ...crowd.renewal.invoice], values);
    // As in the sandbox's own book, the next commit writes the charge to the disk.
    await transact(crowd.renewal.charge, values, "; SET LOCAL synchronous_commit = off");
    await transact([lock, ...crowd.renewal.settle], values);
  }
  return counted;
}

/**
 * Renews the crowd in `database` with one client. Each statement writes a batch: the rows that Billow wrote for one
 * renewal, with the names of each copy. The charge comes between the two phases. This is about the least work for
 * PostgreSQL.
 */
export async function renewBySql(installation: Installation, database: string, crowd: Crowd): Promise<SetBased> {
  const watcher = await installation.connect("bench", database);
  const client = await installation.connect("worker", database);
  const cpu = new PostgresCpu(installation.postgres, watcher);
  try {
    const [own, postgres, began] = [process.cpuUsage(), await cpu.read(), performance.now()];
    const { transactions, statements } = await renew(client, crowd);
    const seconds = (performance.now() - began) / 1000;
    const used = process.cpuUsage(own);
    const each = (milliseconds: number) => milliseconds / crowd.size;
    return {
      seconds,
      client: each((used.user + used.system) / 1000),
      postgres: each((await cpu.read()) - postgres),
      transactions: transactions / crowd.size,
      statements: statements / crowd.size,
    };
  } finally {
    await client.end();
    await watcher.end();
  }
}
