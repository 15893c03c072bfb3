import type pg from "pg";
import { addLogs, timePages, type TimedPage } from "./dashboard-pages.ts";
import { PAGES, plansOf, type Plan } from "./list-plans.ts";
import { createManyRows } from "./many-rows.ts";
import { withNewDatabase } from "./new-database.ts";

const COPIES = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 7;

/** The median time of a page's statements in milliseconds. Each round asks for other rows. */
async function measure(client: pg.Client, organizationId: string, page: (typeof PAGES)[number]) {
  const rounds: Plan[][] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await plansOf(client, page, organizationId, Math.ceil((COPIES * (round + 1)) / (ROUNDS + 1))));
  const times = rounds
    .map((plans) => plans.reduce((sum, { milliseconds }) => sum + milliseconds, 0))
    .sort((a, b) => a - b);
  return { plans: rounds[0]!, milliseconds: times[Math.floor(ROUNDS / 2)]! };
}

/** The indexes of the list's own rows come first in a plan; the others find the Customers beside the rows. */
function present(name: string, { plans, milliseconds }: Awaited<ReturnType<typeof measure>>): string {
  const indexes = [...new Set(plans.flatMap((plan) => plan.indexes))].map((index) => `\`${index}\``).join(", ");
  const scanned = plans.flatMap((plan) => plan.scanned).map((table) => `all of ${table}`);
  const rows = plans.reduce((sum, plan) => sum + plan.rows, 0);
  return `| ${name} | ${[indexes, ...scanned].filter(Boolean).join(", ")} | ${rows} | ${milliseconds.toFixed(1)} |`;
}

function presentPage({ name, plans, milliseconds }: TimedPage): string {
  const scanned = [...new Set(plans.flatMap((plan) => plan.scanned))].join(", ");
  const rows = plans.reduce((sum, plan) => sum + plan.rows, 0);
  const slow = plans.filter((plan) => plan.milliseconds > 50).map((plan) => `\`${plan.name}\``);
  return `| ${[name, ...slow].join(", ")} | ${scanned} | ${rows} | ${milliseconds.toFixed(0)} |`;
}

await withNewDatabase(async (ctx, client) => {
  const organizationId = await createManyRows(ctx, COPIES);
  console.log(
    `| page, ${COPIES.toLocaleString("en")} rows in each table | indexes | rows read | ms |\n|---|---|---:|---:|`,
  );
  for (const page of PAGES) console.log(present(page.name, await measure(client, organizationId, page)));
  await addLogs(client, organizationId, COPIES);
  console.log(`\n| page of the server | large tables read in full | rows read | ms |\n|---|---|---:|---:|`);
  for await (const page of timePages(ctx, client, organizationId, ROUNDS)) console.log(presentPage(page));
});
