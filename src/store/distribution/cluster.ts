import type { Bulk } from "../driver/bulk.ts";
import { ServerError, type Unfit } from "../driver/server.ts";

/** The first version of Citus, as its major number, on which the tests run. */
const OLDEST_CITUS = 13;

type Extension = { version: string | null; isAvailable: boolean };
type Node = { node: string; isCoordinator: boolean; isActive: boolean; takesTables: boolean };
type NodeResult = { node: string; success: boolean; result: string };

const EXTENSION = `SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS version,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus') AS "isAvailable"`;
const IS_COORDINATOR = "SELECT citus_is_coordinator() AS yes";
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

async function onEachNode(bulk: Bulk, command: string): Promise<NodeResult[]> {
  const answers = await bulk.query<NodeResult>(ON_EACH_NODE, [command]);
  const failed = answers.find(({ success }) => !success);
  if (failed) throw unfit({ says: `the node ${failed.node} answers: ${failed.result}`, advice: "" });
  return answers;
}

async function whyUnfit(bulk: Bulk): Promise<Unfit | null> {
  const [extension] = await bulk.query<Extension>(EXTENSION);
  const without = judgeExtension(extension!);
  if (without !== null) return without;
  const [coordinator] = await bulk.query<{ yes: boolean }>(IS_COORDINATOR);
  if (!coordinator!.yes) return { says: "this node is a worker", advice: "Name the coordinator in DATABASE_URL." };
  const unready = judgeNodes(await bulk.query<Node>(NODES));
  if (unready !== null) return unready;
  const [owned] = await bulk.query<{ role: string; owned: boolean }>(OWNED);
  if (!owned!.owned)
    return {
      says: `the role ${owned!.role} does not own the database and all of its tables`,
      advice: "Name their owner in DATABASE_URL.",
    };
  const versions = await onEachNode(bulk, VERSIONS);
  const [first, other] = new Set(versions.map(({ result }) => result));
  if (other === undefined) return null;
  return { says: `the nodes have different versions: ${first} and ${other}`, advice: "Upgrade the older nodes." };
}

const unfit = ({ says, advice }: Unfit) =>
  new ServerError(`Billow can't distribute the tables: ${says}. ${advice}`.trim());

/** @throws ServerError unless this is the coordinator of a cluster on which the role can distribute its tables */
export async function requireCluster(bulk: Bulk): Promise<void> {
  const why = await whyUnfit(bulk);
  if (why !== null) throw unfit(why);
}

/**
 * Makes UTC the time zone of the database, for sessions that begin later: a node writes instants in its own zone. Citus
 * sends the statement to each node.
 */
export async function setTimeZones(bulk: Bulk): Promise<void> {
  const [{ command }] = (await bulk.query<{ command: string }>(SET_UTC)) as [{ command: string }];
  await bulk.query(command);
}

/** @throws ServerError if a node has another time zone than UTC, such as by a setting of the role */
export async function requireUtc(bulk: Bulk): Promise<void> {
  const other = (await onEachNode(bulk, "SHOW TimeZone")).find(({ result }) => result !== "UTC");
  if (!other) return;
  const says = `the time zone of the node ${other.node} is ${other.result}`;
  throw unfit({ says, advice: "Run ALTER ROLE … RESET TimeZone on this node." });
}

const OTHER_SESSIONS = `SELECT count(*)::int AS many FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
    AND application_name = current_setting('application_name')`;

/** The number of other sessions of Billow's programs. The sessions of this process count, too. */
export async function countOtherSessions(bulk: Bulk): Promise<number> {
  const [found] = await bulk.query<{ many: number }>(OTHER_SESSIONS);
  return found!.many;
}
