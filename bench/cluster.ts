import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { DAY } from "../src/domain/calendar.ts";
import { organizationAt } from "./copies.ts";
import { measureRenewals, measureRequests, openCheckouts, type Crowd, type Measured } from "./cluster-load.ts";
import { measureMove, percentileOf, type Move } from "./cluster-move.ts";
import {
  addCustomers,
  addOrganizations,
  addPurchases,
  LARGE,
  makeModels,
  makeTargets,
  type Models,
  type Target,
} from "./cluster-rows.ts";
import { openSite, type Entry, type Site } from "./cluster-sites.ts";

// Requests and renewals on clusters of one machine. All nodes and the load share its cores, so only ratios and the
// processor time of each node say something about clusters of several machines.

const USAGE =
  "npm run bench:cluster -- [--organizations N] [--customers N] [--renewals N] [--seconds N] [--processes N] " +
  "[--nodes 0,1,2,3] [--pause] [--json FILE]";

const { values } = parseArgs({
  options: {
    organizations: { type: "string", default: "10000" },
    customers: { type: "string", default: "1000000" },
    renewals: { type: "string", default: "1500" },
    seconds: { type: "string", default: "3" },
    processes: { type: "string", default: "3" },
    nodes: { type: "string", default: "0,1,2,3" },
    pause: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const [ORGANIZATIONS, CUSTOMERS, RENEWALS, SECONDS, PROCESSES] = [
  values.organizations,
  values.customers,
  values.renewals,
  values.seconds,
  values.processes,
].map(Number) as [number, number, number, number, number];
const NODES = values.nodes.split(",").map(Number);
if (![ORGANIZATIONS, CUSTOMERS, RENEWALS, SECONDS, PROCESSES, ...NODES].every((number) => number >= 0))
  throw new Error(`Usage: ${USAGE}`);

/** The first numbers of the purchases, so that no two have the same names. */
const FIRST = { small: 1, large: 1_000_001, dueSmall: 2_000_000, dueLarge: 3_000_000, customers: 10_000_001 };
/** Purchases of a small Organization that are not due. */
const EACH = 2;
/** Purchases of the large Organization that are not due. */
const OF_LARGE = Math.min(2000, CUSTOMERS);
/** Small Organizations that get requests. */
const ASKED = Math.min(64, ORGANIZATIONS);
/** Small Organizations that are verified at the end. */
const VERIFIED = Math.min(10, ORGANIZATIONS);
/** The site on which the large Organization moves. */
const MOVING = 2;
/** One part in so many of the Customers without purchases is enough on the other sites, whose rows do not move. */
const PART = 10;

type Filled = { site: Site; small: Target[]; large: Target[]; fillSeconds: number };
type Block = { site: string; entry: Entry; organizations: "small" | "large"; measured: Measured[] };

const note = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

async function fill(site: Site, models: Models): Promise<Filled> {
  const client = await site.connect();
  const later = Date.now() + 14 * DAY;
  const owner = `n % ${ORGANIZATIONS}`;
  note(`${site.name}: ${ORGANIZATIONS} small Organizations`);
  await addOrganizations(client, models, { first: 0, last: ORGANIZATIONS - 1 });
  await addOrganizations(client, models, { first: LARGE, last: LARGE });
  await addPurchases(client, models, { first: FIRST.small, last: EACH * ORGANIZATIONS }, owner, later);
  note(`${site.name}: the large Organization`);
  const began = performance.now();
  const large = { first: FIRST.large, last: FIRST.large + OF_LARGE - 1 };
  await addPurchases(client, models, large, String(LARGE), later);
  const each = (performance.now() - began) / OF_LARGE / 1000;
  const customers = site.spare ? CUSTOMERS : Math.ceil(CUSTOMERS / PART);
  const idle = { first: FIRST.customers, last: FIRST.customers + customers - OF_LARGE - 1 };
  await addCustomers(client, models, idle);
  await client.query("VACUUM ANALYZE");
  await client.end();
  const numbers = (first: number, many: number, step: number) =>
    Array.from({ length: many }, (_, n) => first + n * step);
  const small = Array.from({ length: ASKED }, (_, n) => ({
    organization: n,
    purchases: numbers(n === 0 ? ORGANIZATIONS : n, EACH, ORGANIZATIONS),
  }));
  const targets = {
    small: await makeTargets(site, small),
    large: await makeTargets(site, [{ organization: LARGE, purchases: numbers(FIRST.large, OF_LARGE, 1) }]),
  };
  await openCheckouts(site, [...targets.small, ...targets.large]);
  // The workers need time to start, and a crowd may take longer than the one that was measured here.
  return { site, ...targets, fillSeconds: 8 + 2 * each * RENEWALS };
}

async function measure({ site, small, large, fillSeconds }: Filled, models: Models, entry: Entry): Promise<Block[]> {
  const options = { entry, processes: PROCESSES };
  const turn = entry === "first" ? 0 : 1;
  const crowdOf = (first: number, owner: string): Crowd => {
    const from = first + turn * RENEWALS;
    return { name: "renewal", range: { first: from, last: from + RENEWALS - 1 }, owner };
  };
  const both = [
    { organizations: "small", targets: small, crowd: crowdOf(FIRST.dueSmall, `n % ${ORGANIZATIONS}`) },
    { organizations: "large", targets: large, crowd: crowdOf(FIRST.dueLarge, String(LARGE)) },
  ] as const;
  const blocks: Block[] = [];
  for (const { organizations, targets, crowd } of both) {
    note(`${site.name}, ${entry}: requests of ${organizations} Organizations`);
    const requests = await measureRequests(site, targets, { ...options, seconds: SECONDS });
    note(`${site.name}, ${entry}: renewals of ${organizations} Organizations`);
    const renewals = await measureRenewals(site, models, crowd, { ...options, fillSeconds });
    blocks.push({ site: site.name, entry, organizations, measured: [...requests, renewals] });
  }
  return blocks;
}

async function move({ site, small }: Filled): Promise<Move> {
  note(`${site.name}: the large Organization moves`);
  const client = await site.connect();
  return measureMove(site, client, organizationAt(LARGE), small, SECONDS).finally(() => client.end());
}

/** Faults in words: refused requests, renewals that are missing, and disagreements that `billow verify` finds. */
async function complain(blocks: readonly Block[], sites: readonly Filled[]): Promise<string[]> {
  const found = blocks.flatMap(({ site, entry, organizations, measured }) =>
    measured.flatMap(({ name, refused }) =>
      refused === 0 ? [] : [`${site}, ${entry}, ${organizations}: ${refused} of "${name}" without success`],
    ),
  );
  const ids = [...Array.from({ length: VERIFIED }, (_, n) => n * Math.floor(ORGANIZATIONS / VERIFIED)), LARGE];
  for (const { site } of sites) {
    note(`${site.name}: verify`);
    for (const id of ids.map(organizationAt))
      await site.command("verify", "--organization", id).catch((error: Error & { stdout?: string }) => {
        const report = JSON.parse(error.stdout || "{}") as { disagreements?: { rule: string; count: number }[] };
        const rules = report.disagreements?.map(({ rule, count }) => `${rule} (${count})`) ?? [error.message];
        found.push(`${site.name}: billow verify disagrees about ${id}: ${rules.join(", ")}`);
      });
  }
  return found;
}

const fixed = (figure: number | undefined, digits = 2) => (figure === undefined ? "" : figure.toFixed(digits));

function tableOf(blocks: readonly Block[], organizations: Block["organizations"]): string[] {
  const own = blocks.filter((block) => block.organizations === organizations);
  const nodes = ["coordinator", "node 1", "node 2", "node 3"];
  const lines = own.flatMap(({ site, entry, measured }) =>
    measured.map(({ name, perSecond, cpu }) => {
      const database = Object.values(cpu.nodes).reduce((sum, each) => sum + each, 0);
      const each = nodes.map((node) =>
        fixed(cpu.nodes[node] ?? (node === "coordinator" ? cpu.nodes["PostgreSQL"] : undefined)),
      );
      const cells = [site, entry, name, fixed(perSecond, 0), fixed(cpu.billow), fixed(database), ...each];
      return `| ${cells.join(" | ")} |`;
    }),
  );
  return [
    `CPU in ms of one request or renewal, ${organizations === "small" ? "small Organizations" : "the large one"}`,
    "",
    `| on | processes | | a second | Billow | database | ${nodes.join(" | ")} |`,
    `|${"---|".repeat(6 + nodes.length)}`,
    ...lines,
  ];
}

const tableOfMove = ({ isolated, moved, phases }: Move): string[] => [
  `A part of its own after ${fixed(isolated, 1)} s, on the spare node after ${fixed(moved, 1)} s more`,
  "",
  "| new Checkouts of other Organizations | a second | p50, ms | p99, ms | slowest, ms | refused |",
  "|---|---|---|---|---|---|",
  ...phases.map(({ name, asked: { times, seconds, refused } }) => {
    const cells = [50, 99, 100].map((percent) => fixed(percentileOf(times, percent), 0));
    return `| ${name} | ${fixed(times.length / seconds, 0)} | ${cells.join(" | ")} | ${JSON.stringify(refused)} |`;
  }),
];

const sites: Filled[] = [];
try {
  const models = await makeModels();
  for (const nodes of NODES) sites.push(await fill(await openSite(nodes, nodes === MOVING), models));
  if (values.pause) {
    note("ready: press Enter to measure");
    process.stdin.resume();
    await once(process.stdin, "data");
    process.stdin.pause();
  }
  const blocks: Block[] = [];
  const faults: string[] = [];
  let moved: Move | null = null;
  // Kept after each step, because a run takes a quarter of an hour.
  const keep = () => {
    const figures = { organizations: ORGANIZATIONS, customers: CUSTOMERS, renewals: RENEWALS, blocks, moved };
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  };
  for (const filled of sites) {
    try {
      for (const entry of filled.site.nodes === 0 ? (["first"] as const) : (["first", "spread"] as const)) {
        blocks.push(...(await measure(filled, models, entry)));
        keep();
      }
      if (filled.site.spare) moved = await move(filled);
    } catch (error) {
      faults.push(`${filled.site.name}: ${String(error)}`);
    }
    keep();
  }
  for (const organizations of ["small", "large"] as const)
    console.log(`${tableOf(blocks, organizations).join("\n")}\n`);
  if (moved) console.log(`${tableOfMove(moved).join("\n")}\n`);
  faults.push(...(await complain(blocks, sites)));
  for (const fault of faults) console.error(fault);
  console.log(faults.length === 0 ? "All answers were successes, all renewals were paid, and the books agree." : "");
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  for (const { site } of sites) await site.close();
}
