import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { counted } from "../src/domain/words.ts";
import { drawChart } from "./curve.ts";
import { complaints, measure, prepare, type Cpu, type Figures, type Options, type Workload } from "./due-work.ts";
import { percentile } from "./probes.ts";
import { renewBySql, type SetBased } from "./set-based.ts";

const USAGE =
  "npm run bench:renewals -- [N] [--workers 1|2] [--provider sandbox|slow] [--organizations M] [--kill] [--sql] " +
  "[--postgres BIN]";
const CHART = join(import.meta.dirname, "../docs/renewals.svg");
const MOST = 1_000_000;

/** @throws Error with the usage, for arguments that can't be measured. */
function readOptions(): Options & { sqlAlone: boolean } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      workers: { type: "string", default: "1" },
      provider: { type: "string", default: "sandbox" },
      organizations: { type: "string", default: "1" },
      postgres: { type: "string" },
      kill: { type: "boolean", default: false },
      sql: { type: "boolean", default: false },
    },
  });
  const { provider, kill, postgres } = values;
  const [size, workers, organizations] = [
    Number(positionals[0] ?? 1000),
    Number(values.workers),
    Number(values.organizations),
  ];
  const isWhole = (number: number, most: number) => Number.isInteger(number) && number >= 1 && number <= most;
  const known = provider === "sandbox" || provider === "slow";
  if (!isWhole(size, MOST) || !isWhole(workers, 2) || !isWhole(organizations, size) || !known)
    throw new Error(`Usage: ${USAGE}`);
  return {
    size,
    workers,
    organizations,
    provider,
    kill,
    idle: 5,
    lead: 15,
    sqlAlone: values.sql,
    ...(postgres && { postgres }),
  };
}

const cpuText = ({ node, postgres }: Cpu) => `${fixed(node)} + ${fixed(postgres)}`;
const fixed = (figure: number, digits = 1) => figure.toFixed(digits);
const ratio = (one: number, other: number) => fixed(one / other, 2);

function describe({ size, workers, provider, organizations, kill }: Options): string {
  const workforce = `${counted(workers, "worker")}${kill ? ", one killed half-way" : ""}`;
  const where = organizations === 1 ? "one Organization" : `${organizations.toLocaleString("en")} Organizations`;
  return `${size.toLocaleString("en")} renewals of ${where}, ${workforce}, ${provider} provider`;
}

function sqlRow(size: number, { seconds, client, postgres, transactions, statements }: SetBased): string {
  const cpu = `${fixed(client, 2)} + ${fixed(postgres, 2)}`;
  return (
    `| set-based SQL, one client | ${Math.round(size / seconds)} | ${cpu} | ${fixed(transactions, 2)} | ` +
    `${fixed(statements, 2)} | |`
  );
}

/** The figures as tables of Markdown. */
function present(options: Options, found: Figures, sql: SetBased): string[] {
  const { size } = options;
  const { seconds, cpu, transactions, statements, memory, emails, email, idle } = found;
  const own = `${fixed(cpu.node, 2)} + ${fixed(cpu.postgres, 2)}`;
  const megabytes = `${Math.round(memory.peak)} (PSS ${Math.round(memory.share)})`;
  const reads = found.busy.flatMap((busy, n) => {
    const quiet = found.quiet[n]!;
    const times = [percentile(quiet, 99), percentile(busy, 99)] as const;
    const refused = busy.refused + quiet.refused;
    return (
      `| ${busy.name} | ${fixed(times[0])} | ${fixed(times[1])} | ${ratio(times[1], times[0])} | ` +
      `${busy.times.length} | ${refused} |`
    );
  });
  return [
    describe(options),
    "",
    "| | renewals a second | CPU ms of a renewal, Node + PostgreSQL | transactions | statements | worker MB at the " +
      "most |",
    "|---|---|---|---|---|---|",
    `| Billow | ${Math.round(size / seconds)} | ${own} | ${fixed(transactions, 2)} | ${fixed(statements, 2)} | ` +
      `${megabytes} |`,
    sqlRow(size, sql),
    `| ratio | ${ratio(sql.seconds, seconds)} | ${ratio(cpu.node + cpu.postgres, sql.client + sql.postgres)} | | | |`,
    "",
    "| p99, ms | idle | meanwhile | ratio | requests meanwhile | refused |",
    "|---|---|---|---|---|---|",
    ...reads,
    "",
    `All was done after ${fixed(seconds)} s. Left out above: ` +
      `${emails} e-mails written meanwhile, ${cpuText(email)} ms of CPU each.`,
    ...(idle ? [`Idle, the workers take ${cpuText(idle)} ms of CPU a second.`] : []),
  ];
}

function chartOf(options: Options, { rates, seconds }: Figures, sql: SetBased): string {
  // The last second is incomplete.
  const whole = rates.length > 2 ? rates.slice(0, -1) : rates;
  const rated = whole.map((rate, second) => [second + 0.5, rate] as const);
  const mean = options.size / sql.seconds;
  const points = [[0, mean] as const, [seconds, mean] as const];
  return drawChart({
    title: describe(options),
    x: "seconds since all of them were due",
    y: "renewals paid in a second",
    lines: [
      { name: "Billow", points: rated, color: "#3b82f6" },
      { name: "set-based SQL, one client: its mean", points, color: "#d97706", dashed: true },
    ],
  });
}

async function run(workload: Workload, options: ReturnType<typeof readOptions>): Promise<string[]> {
  if (options.sqlAlone) {
    const sql = await renewBySql(workload.installation, "twin", workload.crowd);
    return [
      "| | renewals a second | CPU ms of a renewal, Node + PostgreSQL | transactions | statements | |",
      "|---|---|---|---|---|---|",
      sqlRow(options.size, sql),
    ];
  }
  const found = await measure(workload, options);
  const sql = await renewBySql(workload.installation, "twin", workload.crowd);
  const wrong = await complaints(workload);
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  // The picture of the documentation is that of the embedded PostgreSQL.
  if (options.postgres === undefined) writeFileSync(CHART, chartOf(options, found, sql));
  return [
    ...present(options, found, sql),
    "Each was renewed and paid once, set-based SQL wrote as many rows of each table, " +
      "and in both databases everything agrees.",
  ];
}

const options = readOptions();
const workload = await prepare(options);
try {
  console.log((await run(workload, options)).join("\n"));
} finally {
  await workload.installation.close();
}
