import { afterAll, beforeAll, expect, test } from "vitest";
import { organizationAt, subscriptionAt } from "../../bench/copies.ts";
import { drawChart } from "../../bench/curve.ts";
import { complaints, measure, prepare, type Workload } from "../../bench/due-work.ts";
import { renewBySql } from "../../bench/set-based.ts";

const SIZE = 20;
const OPTIONS = {
  size: SIZE,
  organizations: 2,
  workers: 1,
  provider: "sandbox",
  kill: false,
  idle: 0.5,
  lead: 5,
} as const;

let workload: Workload;
beforeAll(async () => void (workload = await prepare(OPTIONS)), 900_000);
afterAll(() => workload.installation.close());

test(
  "a crowd that is due at once is renewed by a worker and by SQL, and faults are told",
  { timeout: 300_000 },
  async () => {
    const found = await measure(workload, OPTIONS);
    const sql = await renewBySql(workload.installation, "twin", workload.crowd);
    expect(await complaints(workload)).toEqual([]);
    expect(found.rates.reduce((sum, each) => sum + each, 0)).toBe(SIZE);
    expect(found.busy.map(({ refused }) => refused)).toEqual([0, 0, 0]);
    for (const figure of [
      found.seconds,
      found.statements,
      found.transactions,
      found.memory.peak,
      sql.seconds,
      sql.statements,
    ]) {
      expect(figure).toBeGreaterThan(0);
    }

    const client = await workload.installation.connect("bench");
    const first = `organization_id = '${organizationAt(0)}'`;
    await client.query(
      `DELETE FROM ledger_transfers WHERE id = (SELECT max(id) FROM ledger_transfers WHERE ${first}) AND ${first}`,
    );
    await client.query(`UPDATE subscriptions SET period_number = 1 WHERE id = '${subscriptionAt(8)}' AND ${first}`);
    await client.end();
    expect(await complaints(workload)).toEqual([
      "billow: 1 Subscriptions were not renewed and paid exactly once",
      expect.stringMatching(/^billow: billow verify disagrees: .*ledger_postings \(1\)/),
      "ledger_transfers: Billow has 79 rows, set-based SQL 80",
    ]);
  },
);

test("the curve is drawn with both axes from 0, and with nothing that could be markup", () => {
  const line = { name: "a < b", points: [[0, 5] as const, [10, 42] as const], color: "#3b82f6" };
  const svg = drawChart({ title: 'one "two"', x: "seconds", y: "renewals", lines: [line] });
  expect(svg).toContain("a &lt; b");
  expect([...svg.matchAll(/text-anchor="end">([\d,]+)</g)].map(([, label]) => label)).toEqual([
    "0",
    "10",
    "20",
    "30",
    "40",
    "50",
  ]);
  expect(svg).not.toMatch(/NaN|undefined/);
});
