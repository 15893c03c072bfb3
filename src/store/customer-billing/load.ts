import { randomBytes } from "node:crypto";
import { NO_ROWS, type LoadedBilling } from "../../domain/billing/customer-billing.ts";
import { OPEN_ITEMS, keyOf, type Part } from "../../domain/billing/parts.ts";
import type { Instant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { LimitsAt } from "../../domain/model/charge-limits.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Subscription } from "../../domain/model/subscription.ts";
import { JUMP_MILLISECONDS } from "../catch-up.ts";
import { customers } from "../customers.ts";
import { sql, type Snapshot, type Tx } from "../driver/db.ts";
import { organizations, type OrganizationInTime } from "../organizations.ts";
import { subscriptions } from "../subscriptions.ts";
import { REAL_NOW } from "../driver/sql-time.ts";
import { ofCustomer } from "./open-items.ts";
import {
  customersBy,
  distinctKeys,
  formOf,
  formsBy,
  inForm,
  KEY_KINDS,
  keyOfRow,
  nameIn,
  toParameters,
  type Form,
  type KeyKind,
  type RowKey,
} from "./keys.ts";
import { askParts, withParts } from "./parts.ts";

// PostgreSQL keeps the plan of a prepared statement until the table is analyzed again. A plan that was made while the
// table had one page reads the whole table, however large the table has become. With these settings every statement of
// the transaction looks rows up by an index, one after the other, regardless of the statistics. Without the settings
// PostgreSQL would also plan most of these statements anew each time: it expects ten rows from an array of unknown
// length, so the kept plan never looks cheaper. Planning took 4.6 ms of a PATCH of 7 ms. The settings cost PostgreSQL 6
// µs, and affect no other transaction. Each table has to have an index for its reads: PostgreSQL 15 to 17 give a node
// that is switched off, but is the only way, a cost of 10^10.
const settingsStatement = sql(
  "accounts.settings",
  `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
     set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`,
);
// Citus finds the node of a statement by the values of its parameters, and a plan for all values has none. The nodes
// don't see the settings of the coordinator's session.
const clusterSettingsStatement = sql("accounts.cluster_settings", "SELECT set_config('plan_cache_mode', 'auto', true)");

const JUMP = `${JUMP_MILLISECONDS} * interval '1 millisecond'`;
// Runs after the locks: PostgreSQL sets the time of a statement when that statement begins, even if several are sent at
// once.
const ORGANIZATIONS = `SELECT to_json(o.*) AS row, COALESCE(o.clock_at, ${REAL_NOW}) AS now, ${REAL_NOW} AS "realNow",
     (SELECT h.seen_at FROM worker_heartbeat h
      WHERE h.one AND h.seen_at < statement_timestamp() - ${JUMP}) AS "unseenSince"
   FROM organizations o WHERE o.id`;
/**
 * The Organizations of the keys and the live Subscriptions `x`. One statement for both saves a request 50 µs of CPU.
 */
const organizationsAnd = (form: Form, live: string) =>
  `${ORGANIZATIONS} ${form === "many" ? "= ANY($1::text[])" : "= $1"}
   UNION ALL SELECT to_json(x.*), NULL, NULL, NULL ${live}`;

/** The statements that find Customers by ids of each kind. */
const statementsBy = new Map(
  KEY_KINDS.flatMap((by) =>
    formsBy(by).map((form) => {
      const k = customersBy(by, form);
      const read = `SELECT k.asked, to_json(c.*) AS row
       FROM ${k} JOIN customers c ON c.organization_id = k.organization_id AND c.id = k.customer_id
       ORDER BY c.organization_id, c.id`;
      const lock = `${read} FOR UPDATE OF c`;
      const live = organizationsAnd(form, ofCustomer(k, "subscriptions", "x.status <> 'canceled'"));
      return [
        `${by} ${form}`,
        {
          read: sql(nameIn(form, `accounts.read_${form}_by_${by}`), inForm(form, read)),
          lock: sql(nameIn(form, `accounts.lock_${form}_by_${by}`), inForm(form, lock)),
          lockFree: sql(nameIn(form, `accounts.lock_free_${form}_by_${by}`), inForm(form, `${lock} SKIP LOCKED`)),
          live: sql(nameIn(form, `accounts.live_of_${form}_by_${by}`), inForm(form, live)),
        },
      ] as const;
    }),
  ),
);

/** Facts that the loader must be told, because the database does not know them. */
export type LoadContext = { hasProvider(organization: Organization): boolean; limitsAt: LimitsAt };

export type LoadOptions = LoadContext & {
  /** Leaves out Customers that another transaction holds. */
  skipLocked?: boolean;
  /** Parts to load for every one of the Customers, in the same trip. Default: the open items. */
  parts?: readonly Part[];
};

/** One Customer's billing, and the requested ids that led to it. */
export type FoundBilling = { asked: readonly string[]; loaded: LoadedBilling };

type Json = Readonly<Record<string, unknown>>;
type LoadedOrganization = OrganizationInTime & { unseenSince: Instant | null };
/** The row of an Organization; if `now` is null, of a Subscription. */
type LiveRow = { row: Json; now: Instant | null } & Pick<LoadedOrganization, "realNow" | "unseenSince">;

/**
 * Locks Customers in the order of their keys and reads their billing, in one trip. A snapshot reads the same without
 * the locks. The Customers may belong to any Organizations, but on a distributed database to one. The number of
 * statements does not depend on the number of Customers. `by`: the kind of the ids; several ids are ids of Customers.
 * Finds deleted Customers, too, because remaining work of deleted Customers is settled as well. Leaves out ids that do
 * not exist in their Organization. Returns each Customer's billing once, in the order of the locks.
 */
export async function loadBillings(
  tx: Tx | Snapshot,
  by: KeyKind,
  asked: readonly RowKey[],
  { skipLocked = false, parts = [OPEN_ITEMS], ...context }: LoadOptions,
): Promise<FoundBilling[]> {
  if (asked.length === 0) return [];
  const keys = distinctKeys(asked);
  const form = formOf(tx, by, keys);
  const values = toParameters(form, keys);
  const { read, lock, lockFree, live } = statementsBy.get(`${by} ${form}`)!;
  const find = tx.kind === "snapshot" ? read : skipLocked ? lockFree : lock;
  tx.send(tx.isDistributed ? clusterSettingsStatement : settingsStatement, []);
  const [found, { organizationBy, liveBy }, brought] = await Promise.all([
    tx.query<{ asked: string[]; row: Json }>(find, values),
    tx.query<LiveRow>(live, values).then(sortLive),
    askParts(
      tx,
      by,
      keys.map((key) => ({ ...key, parts })),
    ),
  ]);
  const positions = new Map(keys.map((key, n) => [keyOfRow(key), n]));
  return found.map(({ asked: ids, row }) => {
    const customer = customers.fromRecord(row);
    const numbers = { invoice: Number(row["invoice_sequence"]), creditNote: Number(row["credit_note_sequence"]) };
    const { organizationId } = customer;
    const inTime = organizationBy.get(organizationId)!;
    const bare = assemble(customer, numbers, inTime, liveBy.get(keyOfRow(customer)) ?? [], context);
    const loaded = ids.reduce(
      (each, id) => withParts(each, parts, brought[positions.get(keyOfRow({ organizationId, id }))!]!),
      bare,
    );
    return { asked: ids, loaded };
  });
}

const ownerOf = ({ organizationId, customerId: id }: Subscription) => keyOfRow({ organizationId, id });

/**
 * Adds parts to Customers' billing in one trip: a statement or two for each kind of part, for any number of Customers.
 * Rows of the parts replace rows that were loaded before.
 */
export async function loadParts(
  tx: Tx | Snapshot,
  wanted: readonly { loaded: LoadedBilling; parts: readonly Part[] }[],
): Promise<LoadedBilling[]> {
  const askers = wanted.map(({ loaded: { customer }, parts }) => ({
    organizationId: customer.organizationId,
    id: customer.id,
    parts,
  }));
  const brought = await askParts(tx, "customer", askers);
  return wanted.map(({ loaded, parts }, n) => withParts(loaded, parts, brought[n]!));
}

/** The Organizations by their ids, and the Subscriptions by the keys of their Customers. */
function sortLive(rows: readonly LiveRow[]): {
  organizationBy: Map<string, LoadedOrganization>;
  liveBy: Map<string, Subscription[]>;
} {
  const organizationBy = new Map<string, LoadedOrganization>();
  const live: Subscription[] = [];
  for (const { row, now, ...times } of rows) {
    if (now === null) live.push(subscriptions.fromRecord(row));
    else organizationBy.set(row["id"] as string, { organization: organizations.fromRecord(row), now, ...times });
  }
  return { organizationBy, liveBy: Map.groupBy(live, ownerOf) };
}

/** The parts that have no rows for a new Customer. */
const EMPTY_AT_FIRST: readonly Part[] = [OPEN_ITEMS, { part: "trials" }];

/** A Customer that was created in this transaction. */
export type Newcomer = { customer: Customer; inTime: OrganizationInTime };

/** The billing of a Customer that was created in this transaction. */
export function newBilling({ customer, inTime }: Newcomer, context: LoadContext): LoadedBilling {
  const numbers = { invoice: 0, creditNote: 0 };
  const billing = assemble(customer, numbers, { ...inTime, unseenSince: null }, [], context);
  return { ...billing, parts: new Set(EMPTY_AT_FIRST.map(keyOf)) };
}

/** One Customer's billing without parts. */
function assemble(
  customer: Customer,
  numbers: LoadedBilling["numbers"],
  { organization, now, realNow, unseenSince }: LoadedOrganization,
  live: readonly Subscription[],
  { hasProvider, limitsAt }: LoadContext,
): LoadedBilling {
  return {
    organization,
    // `now` is never earlier than the last change of the Customer, even if a clock was set back.
    now: now > customer.updatedAt ? now : customer.updatedAt,
    realNow,
    unseenSince,
    hasProvider: hasProvider(organization),
    limitsAt,
    customer,
    numbers,
    balances: [],
    rows: { ...NO_ROWS, subscriptions: live },
    parts: new Set(),
    entropy: randomBytes,
  };
}
