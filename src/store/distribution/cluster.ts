import type { Bulk } from "../driver/bulk.ts";
import { ServerError, type Unfit } from "../driver/server.ts";

/** The first version of Citus, as its major number, on which the tests run. */
const OLDEST_CITUS = 13;

type Extension = { version: string | null; isAvailable: boolean };
type Node = { node: string; isCoordinator: boolean; isActive: boolean; takesTables: boolean };
type NodeResult = { node: string; success: boolean; result: string };

const EXTENSION = `SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS version,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus') AS "isAvailable"`;
const COORDINATOR = `SELECT citus_is_coordinator() AS "isHere", (SELECT format('%s:%s', nodename, nodeport)
    FROM pg_catalog.pg_dist_node WHERE groupid = 0 AND noderole = 'primary') AS address`;
const NODES = `SELECT format('%s:%s', nodename, nodeport) AS node, groupid = 0 AS "isCoordinator",
    isactive AND metadatasynced AS "isActive", shouldhaveshards AS "takesTables"
  FROM pg_catalog.pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`;
const OWNED = `SELECT current_user::text AS role, bool_and(pg_has_role(owner, 'USAGE')) AS owned FROM (
    SELECT datdba AS owner FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT relowner FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
  ) owners GROUP BY 1`;
const ON_EACH_NODE = `SELECT format('%s:%s', n.nodename, n.nodeport) AS node, r.success, r.result
  FROM run_command_on_all_nodes($1) r JOIN pg_catalog.pg_dist_node n USING (nodeid) ORDER BY n.groupid`;
const VERSIONS = `SELECT format('PostgreSQL %s with Citus %s', current_setting('server_version_num')::int / 10000,
    (SELECT extversion FROM pg_extension WHERE extname = 'citus'))`;
const SET_UTC = `SELECT format('ALTER DATABASE %I SET TimeZone TO ''UTC''', current_database()) AS command`;

function judgeExtension({ version, isAvailable }: Extension): Unfit | null {
  if (version === null && !isAvailable)
    return { says: "the server lacks the extension Citus", advice: "Install Citus on each node." };
  if (version === null)
    return {
      says: "the database lacks the extension Citus",
      advice: "Run CREATE EXTENSION citus in the database of each node as a superuser, and join the nodes.",
    };
  if (Number.parseInt(version) < OLDEST_CITUS)
    return { says: `Citus ${version} is too old`, advice: `Billow needs Citus ${OLDEST_CITUS} or newer.` };
  return null;
}

function judgeNodes(nodes: readonly Node[]): Unfit | null {
  const missing = nodes.find(({ isActive }) => !isActive);
  if (missing) return { says: `the node ${missing.node} is not active`, advice: "Start the node, or remove the node." };
  if (!nodes.some(({ isCoordinator }) => isCoordinator))
    return {
      says: "the nodes don't know the address of the coordinator",
      advice: "Run SELECT citus_set_coordinator_host('…') on the coordinator.",
    };
  if (!nodes.some(({ takesTables }) => takesTables))
    return {
      says: "no node takes tables",
      advice: "Join nodes: run SELECT citus_add_node('…', 5432) on the coordinator for each node.",
    };
  return null;
}

const onEachNode = (bulk: Bulk, command: string): Promise<NodeResult[]> =>
  bulk.query<NodeResult>(ON_EACH_NODE, [command]);

function judgeFailures(results: readonly NodeResult[]): Unfit | null {
  const failed = results.find(({ success }) => !success);
  if (!failed) return null;
  const reason = failed.result.trim().replace(/^ERROR: +/, "");
  return { says: `the node ${failed.node} reports: ${reason}`, advice: "Start the node, or let this role in there." };
}

function judgeVersions(results: readonly NodeResult[]): Unfit | null {
  const [first, other] = new Set(results.map(({ result }) => result));
  if (other === undefined) return null;
  return { says: `the nodes have different versions: ${first} and ${other}`, advice: "Upgrade the older nodes." };
}

/** A role or a node may have a time zone of its own, and writes instants in it. */
function judgeZones(results: readonly NodeResult[]): Unfit | null {
  const other = results.find(({ result }) => result !== "UTC");
  if (!other) return null;
  return {
    says: `the time zone of the node ${other.node} is ${other.result}`,
    advice: "Run ALTER DATABASE … SET TimeZone TO 'UTC' on this node, and ALTER ROLE … RESET TimeZone.",
  };
}

async function whyUnready(bulk: Bulk): Promise<Unfit | null> {
  const unready = judgeNodes(await bulk.query<Node>(NODES));
  if (unready !== null) return unready;
  const versions = await onEachNode(bulk, VERSIONS);
  return judgeFailures(versions) ?? judgeVersions(versions);
}

async function whyNotUtc(bulk: Bulk): Promise<Unfit | null> {
  const zones = await onEachNode(bulk, "SHOW TimeZone");
  return judgeFailures(zones) ?? judgeZones(zones);
}

/** Null: the nodes of a distributed database answer, have the same versions, and are in UTC. */
export const whyUnfitNodes = async (bulk: Bulk): Promise<Unfit | null> =>
  (await whyUnready(bulk)) ?? (await whyNotUtc(bulk));

async function whyNoCluster(bulk: Bulk): Promise<Unfit | null> {
  const [extension] = await bulk.query<Extension>(EXTENSION);
  const without = judgeExtension(extension!);
  if (without !== null) return without;
  const [coordinator] = await bulk.query<{ isHere: boolean; address: string | null }>(COORDINATOR);
  const name = coordinator!.address === null ? "the coordinator" : `the coordinator, ${coordinator!.address},`;
  if (!coordinator!.isHere) return { says: "this node is a worker", advice: `Name ${name} in DATABASE_URL.` };
  // Another role may be unknown to the nodes, so its rights come first.
  const [owned] = await bulk.query<{ role: string; owned: boolean }>(OWNED);
  if (owned!.owned) return whyUnready(bulk);
  return {
    says: `the role ${owned!.role} does not own the database and all of its tables`,
    advice: "Name their owner in DATABASE_URL.",
  };
}

function refuse(why: Unfit | null): void {
  if (why !== null) throw new ServerError(`Billow can't distribute the tables: ${why.says}. ${why.advice}`);
}

/** @throws ServerError unless this is the coordinator of a cluster on which the role can distribute its tables */
export const requireCluster = async (bulk: Bulk): Promise<void> => refuse(await whyNoCluster(bulk));

/** Makes UTC the time zone of the database, for later sessions. Citus sends the statement to each node. */
export async function setTimeZones(bulk: Bulk): Promise<void> {
  const [{ command }] = (await bulk.query<{ command: string }>(SET_UTC)) as [{ command: string }];
  await bulk.query(command);
}

const NO_ANSWER = /^failed to connect to /;
/** Runs a statement without rows on each node that can be reached. @throws ServerError if one of them refuses it */
export const runOnReachedNodes = async (bulk: Bulk, command: string): Promise<void> =>
  refuse(judgeFailures((await onEachNode(bulk, command)).filter(({ result }) => !NO_ANSWER.test(result))));

/** @throws ServerError unless each node is in UTC */
export const requireUtc = async (bulk: Bulk): Promise<void> => refuse(await whyNotUtc(bulk));

const OTHER_SESSIONS = `SELECT count(*)::int AS many FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
    AND application_name = current_setting('application_name')`;

/** The number of other sessions of Billow's programs. The sessions of this process count, too. */
export async function countOtherSessions(bulk: Bulk): Promise<number> {
  const [found] = await bulk.query<{ many: number }>(OTHER_SESSIONS);
  return found!.many;
}
