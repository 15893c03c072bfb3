import { sql, type Read } from "./driver/db.ts";

/**
 * The limits of PostgreSQL on the connections of a role. `reserved`: those of `maxConnections` that the role can't use.
 * Null: there is no such limit. `others`: the connections of other programs right now, in all, of the role, and to the
 * database. Another process of Billow is no other program.
 */
export type Capacity = {
  maxConnections: number;
  reserved: number;
  role: string;
  roleLimit: number | null;
  database: string;
  databaseLimit: number | null;
  others: { all: number; role: number; database: number };
};

/**
 * A replica that could be promoted. `isAwaited`: each commit waits for the replica. `bytes`, `seconds`: how far the
 * replica is behind. Null: the role may not read that, or the replica is away.
 */
export type Replica = { name: string; isAwaited: boolean | null; bytes: number | null; seconds: number | null };

// A program of the same role is another one by its name. The names of programs of other roles may be hidden.
const othersStatement = sql(
  "server_state.others",
  `SELECT count(*) AS "all", count(*) FILTER (WHERE usename = current_setting('session_authorization')) AS role,
     count(*) FILTER (WHERE datname = current_database()) AS database
   FROM pg_stat_activity WHERE datname IS NOT NULL AND usename IS NOT NULL
     AND (usename <> current_setting('session_authorization')
       OR application_name <> current_setting('application_name'))`,
);

const capacityStatement = sql(
  "server_state.capacity",
  `SELECT current_setting('max_connections')::int AS "maxConnections",
     CASE WHEN r.rolsuper THEN 0 ELSE current_setting('superuser_reserved_connections')::int
       + coalesce(current_setting('reserved_connections', true)::int, 0) END AS reserved,
     r.rolname::text AS role, CASE WHEN NOT r.rolsuper AND r.rolconnlimit >= 0 THEN r.rolconnlimit END AS "roleLimit",
     d.datname::text AS database,
     CASE WHEN NOT r.rolsuper AND d.datconnlimit >= 0 THEN d.datconnlimit END AS "databaseLimit"
   FROM pg_roles r, pg_database d
   WHERE r.rolname = current_setting('session_authorization') AND d.datname = current_database()`,
);

/** The limits of this server on the connections of our role. No limit binds a superuser but `max_connections`. */
export async function readCapacity(db: Read): Promise<Capacity> {
  const [limits] = await db.query<Omit<Capacity, "others">>(capacityStatement);
  const [others] = await db.query<Capacity["others"]>(othersStatement);
  return { ...limits!, others: others! };
}

const sizeStatement = sql(
  "server_state.size",
  `SELECT pg_database_size(current_database())::bigint AS bytes,
     CASE WHEN reltuples >= 0 THEN reltuples::bigint END AS events
   FROM pg_class WHERE oid = 'events'::regclass`,
);

export type DatabaseSize = { bytes: number; events: number | null };

/** The size of the database in bytes, and the number of events by the last statistics; null before the first ones. */
export async function readSize(db: Read): Promise<DatabaseSize> {
  return (await db.query<DatabaseSize>(sizeStatement))[0]!;
}

// A replica that is frozen answers no more, so its last answer counts, too. A base backup is no replica.
const replicasStatement = sql(
  "server_state.replicas",
  `SELECT coalesce(nullif(application_name, ''), 'without a name') AS name,
     sync_state IN ('sync', 'quorum') AS "isAwaited",
     pg_wal_lsn_diff(pg_current_wal_flush_lsn(), flush_lsn)::bigint AS bytes,
     ceil(extract(epoch FROM greatest(flush_lag, clock_timestamp() - reply_time)))::int AS seconds
   FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup' AND NOT pg_is_in_recovery()`,
);
const lostReplicasStatement = sql(
  "server_state.lost_replicas",
  `SELECT slot_name::text AS name, false AS "isAwaited",
     pg_wal_lsn_diff(pg_current_wal_flush_lsn(), restart_lsn)::bigint AS bytes, NULL::int AS seconds
   FROM pg_replication_slots
   WHERE slot_type = 'physical' AND NOT active AND restart_lsn IS NOT NULL AND NOT pg_is_in_recovery()`,
);

/** The replicas that follow this server, and those that have a slot here and are away. */
export async function readReplicas(db: Read): Promise<Replica[]> {
  return [...(await db.query<Replica>(replicasStatement)), ...(await db.query<Replica>(lostReplicasStatement))];
}
