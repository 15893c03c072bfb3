import { expect } from "vitest";
import { carryOutPayment } from "../../src/actions/payment/carry-out.ts";
import { carryOutRefund } from "../../src/actions/refund/carry-out.ts";
import { readConfig } from "../../src/config.ts";
import { createContext, type Context, type OpenContext } from "../../src/context.ts";
import { AppError, RETRY_SOON } from "../../src/errors.ts";
import type { Outcome } from "../../src/domain/model/payment-outcome.ts";
import { ListPaymentsQuery } from "../../src/resources/payment.ts";
import { ListRefundsQuery } from "../../src/resources/refund.ts";
import { sql, type Database, type Tx } from "../../src/store/driver/db.ts";
import { listPayments } from "../../src/store/payments.ts";
import { listRefunds } from "../../src/store/refunds.ts";
import type { ProviderCharge } from "../../src/payments/provider.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { auditAll } from "./audit.ts";
import { administer, createTestDatabase } from "./database.ts";
import { takeProvider } from "./provider.ts";
import { KILLED, letLeasesRunOut } from "./processes.ts";

/**
 * A call of a process to the outside: to the database (a read, or a transaction as a write) or to the payment provider.
 */
export type Turn = "read" | "write" | "acceptCard" | "saveCard" | "charge" | "ask" | "cancel" | "refund";
/** Makes the call. With `torn`, the connection breaks after all writes, before the end of the transaction. */
export type Go = (torn?: "torn") => Promise<unknown>;

const tearStatement = sql("test.tear", "SELECT pg_terminate_backend(pg_backend_pid())");

/** The same process, but `wrap` decides the outcome of each of its calls. */
export function surrounded<C extends Context>(ctx: C, wrap: (turn: Turn, go: Go) => Promise<unknown>): C {
  const { db, payments } = ctx;
  const { sandbox } = payments;
  const by = <Call extends (...values: never[]) => Promise<unknown>>(turn: Turn, call: Call) =>
    ((...values: Parameters<Call>) => wrap(turn, () => call(...values))) as Call;
  const torn = async (work: (tx: Tx) => Promise<unknown>, tx: Tx) => {
    await work(tx);
    await tx.query(tearStatement);
  };
  const write = (work: (tx: Tx) => Promise<unknown>) =>
    wrap("write", (tear) => db.tx(tear === "torn" ? (tx) => torn(work, tx) : work));
  return {
    ...ctx,
    db: { ...db, read: { kind: "read", query: by("read", db.read.query) }, tx: write as Database["tx"] },
    payments: {
      ...payments,
      sandbox: {
        ...sandbox,
        entry: { kind: "typed", accept: by("acceptCard", sandbox.entry.accept) },
        saveCard: by("saveCard", sandbox.saveCard),
        charge: by("charge", sandbox.charge),
        read: by("ask", sandbox.read),
        cancel: by("cancel", sandbox.cancel),
        refund: by("refund", sandbox.refund),
      },
    },
  };
}

/** A mishap at a step. Only steps have effects, so a mishap between two steps would make no difference. */
export type Mishap = (go: Go, die: () => Promise<never>) => Promise<unknown>;

/**
 * The same process with a mishap at its step number `n` (from 1). `reached` tells if the process came to this step.
 * `died` resolves once the mishap kills the process.
 */
export function mishapAt(ctx: Context, n: number, mishap: Mishap, isStep: (turn: Turn) => boolean) {
  const { promise: died, resolve } = Promise.withResolvers<void>();
  let [steps, dead] = [0, false];
  const die = () => {
    dead = true;
    resolve();
    return KILLED;
  };
  const wrapped = surrounded(ctx, (turn, go) => {
    if (dead) return KILLED;
    return isStep(turn) && ++steps === n ? mishap(go, die) : go();
  });
  return { ctx: wrapped, died, reached: () => steps >= n };
}

/** The call to the provider that moves the money. */
export type Money = "charge" | "refund";

/** A process that fails. */
export type Victim = {
  /** Ends the process, which never answers again. */
  kill(): Promise<never>;
  /** Resolves when others have done the work of this process. */
  wait(): Promise<void>;
  /** From now on the database is unavailable to this process. */
  lose(): void;
  /** Decides the outcome of its next transaction. */
  write(how: (go: Go) => Promise<unknown>): void;
};
/** Decides the outcome of the first call that moves money. `send` passes the call on. */
export type Fault = (send: () => Promise<Outcome>, victim: Victim) => Promise<Outcome>;

export const unavailable = () => new AppError("unavailable", { headers: RETRY_SOON });

/**
 * Runs `act` until the fault has killed or stalled the process, or until `act` has ended. `finish` waits for the end of
 * `act`, unless the fault killed the process.
 */
export async function begin(
  ctx: Context,
  money: Money,
  fault: Fault,
  act: (ctx: Context) => Promise<unknown>,
): Promise<{ finish(): Promise<void> }> {
  const [killed, stalled, others] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  let [calls, dead, lost] = [0, false, false];
  let writing: ((go: Go) => Promise<unknown>) | null = null;
  const victim: Victim = {
    kill() {
      dead = true;
      killed.resolve();
      return KILLED;
    },
    wait() {
      stalled.resolve();
      return others.promise;
    },
    lose: () => void (lost = true),
    write: (how) => void (writing = how),
  };
  const faulty = surrounded(ctx, async (turn, go) => {
    if (dead) return KILLED;
    if (lost && (turn === "read" || turn === "write")) throw unavailable();
    if (turn === money && ++calls === 1) return fault(go as () => Promise<Outcome>, victim);
    if (turn !== "write" || !writing) return go();
    const how = writing;
    writing = null;
    return how(go);
  });
  const acted = Promise.allSettled([act(faulty)]);
  await Promise.race([acted, killed.promise, stalled.promise]);
  expect(calls).toBeGreaterThan(0);
  return {
    async finish() {
      others.resolve();
      await Promise.race([acted, killed.promise]);
    },
  };
}

/** Several processes of one installation. */
export type World = {
  /** The process that fails. Its connections are its own. */
  first: OpenContext;
  /** The processes that go on. */
  one: OpenContext;
  other: OpenContext;
  /** Closes everything. @throws if the books of any Organization disagree */
  close(): Promise<void>;
};

export async function openWorld(): Promise<World> {
  const database = await createTestDatabase();
  // Processes die here, machines don't, so commits need not reach the disk.
  await administer(database.connection, `ALTER DATABASE ${database.connection.database} SET synchronous_commit = off`);
  const config = readConfig({ DATABASE_URL: database.url, BILLOW_SECRET: "s".repeat(32), LOG_LEVEL: "silent" });
  const [first, one, other] = [await createContext(config), await createContext(config), await createContext(config)];
  const endings = [first, one, other].map(takeProvider);
  return {
    first,
    one,
    other,
    async close() {
      const disagreements = await auditAll(database.db).catch((error: unknown) => [String(error)]);
      for (const end of endings) await end();
      await Promise.allSettled([first, one, other].map((each) => each.close()));
      await database.drop();
      expect(disagreements).toEqual([]);
    },
  };
}

type Buyer = { organizationId: string; customerId: string };

/** Every payment and refund of a Customer, at this moment. */
export async function attemptsOf({ db: { read } }: Context, { organizationId, customerId }: Buyer) {
  return {
    payments: await listPayments(read, organizationId, ListPaymentsQuery.parse({ customerId })),
    refunds: await listRefunds(read, organizationId, ListRefundsQuery.parse({ customerId })),
  };
}

/** The provider sends notices of all payments and refunds of a Customer, awaited or not. */
export async function notify(ctx: Context, buyer: Buyer): Promise<void> {
  const { payments, refunds } = await attemptsOf(ctx, buyer);
  const heard = payments.map(({ id }) => carryOutPayment(ctx, buyer.organizationId, id));
  await Promise.all([...heard, ...refunds.map(({ id }) => carryOutRefund(ctx, buyer.organizationId, id))]);
}

/** Time goes by: two workers run, and both processes receive notices meanwhile. */
export async function settle({ one, other }: World, buyer: Buyer): Promise<void> {
  await letLeasesRunOut(one.db);
  await Promise.all([runOnce(one), runOnce(other), notify(one, buyer), notify(other, buyer)]);
}

const recordedStatement = sql(
  "test.recorded_count",
  "SELECT count(*) AS recorded FROM events WHERE organization_id = $1",
);

/** The number of an Organization's events. */
export async function countEvents({ db }: Context, { organizationId }: Buyer): Promise<number> {
  return (await db.read.query<{ recorded: number }>(recordedStatement, [organizationId]))[0]!.recorded;
}

// `money`: the charges or the refund that should be in the provider's book.
const tallyStatement = sql(
  "test.tally",
  `SELECT i.reason || ' ' || CASE WHEN i.status = 'paid' AND i.amount_due = 0 THEN 'settled' ELSE i.status END AS what,
     (SELECT coalesce(json_agg(json_build_object('key', p.provider_key, 'amount', p.amount)), '[]') FROM payments p
      WHERE p.organization_id = i.organization_id AND p.invoice_id = i.id) AS money,
     (SELECT count(*) FROM ledger_transfers t
      WHERE t.organization_id = i.organization_id AND t.source_id = i.id AND t.kind = 'invoice_paid') AS posted,
     (SELECT count(*) FROM events e
      WHERE e.organization_id = i.organization_id AND e.resource_id = i.id AND e.type = 'invoice.paid') AS recorded
   FROM invoices i WHERE i.organization_id = $1 AND i.customer_id = $2
   UNION ALL
   SELECT 'refund ' || r.status, json_build_array(json_build_object('key', r.id, 'amount', r.amount)),
     (SELECT count(*) FROM ledger_transfers t
      WHERE t.organization_id = r.organization_id AND t.source_id = r.id AND t.kind = 'refund'),
     (SELECT count(*) FROM events e
      WHERE e.organization_id = r.organization_id AND e.resource_id = r.invoice_id AND e.type = 'invoice.refunded')
   FROM refunds r WHERE r.organization_id = $1 AND r.customer_id = $2
   ORDER BY what`,
);

type Entry = Pick<ProviderCharge, "key" | "amount">;
type Counted = { what: string; money: Entry[]; posted: number; recorded: number };

/** The charges and refunds in the provider's own book. */
async function bookOf({ payments: { sandbox } }: Context, organizationId: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const list of [sandbox.listCharges, sandbox.listRefunds]) {
    for (let page = await list(organizationId); page.length > 0; page = await list(organizationId, page.at(-1)!.key)) {
      found.push(...page);
    }
  }
  return found;
}

/**
 * Every invoice and refund of a Customer, with the number of times that the provider moved its money, the ledger
 * posted it and an event recorded it.
 */
export async function tally(ctx: Context, { organizationId, customerId }: Buyer): Promise<string[]> {
  const found = await ctx.db.read.query<Counted>(tallyStatement, [organizationId, customerId]);
  const book = await bookOf(ctx, organizationId);
  const timesBooked = ({ key, amount }: Entry) =>
    book.filter((each) => each.key === key && each.amount === amount).length;
  return found.map(({ what, money, posted, recorded }) => {
    const moved = money.reduce((sum, each) => sum + timesBooked(each), 0);
    return `${what}: ${moved} moved, ${posted} posted, ${recorded} recorded`;
  });
}

/**
 * The expected tally of items such as `renewal paid`, each moved, posted and recorded once. A `settled` item is only
 * recorded, and any other item has a count of 0.
 */
export function once(expected: readonly string[]): string[] {
  return expected.map((what) => {
    const n = / (paid|succeeded)$/.test(what) ? 1 : 0;
    return `${what}: ${n} moved, ${n} posted, ${what.endsWith(" settled") ? 1 : n} recorded`;
  });
}
