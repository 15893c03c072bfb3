import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { createInstalledWorkspace, type Finished, type Workspace } from "../support/command-line.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { openDashboard } from "../support/dashboard.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let workspace: Workspace;
let story: Story;
let invoiceId: string;
beforeAll(async () => {
  workspace = await createInstalledWorkspace();
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.plan("pro", 3000);
  const { id } = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays);
  await story.travel("2025-08-01");
  invoiceId = (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&limit=1`))).data[0].id;
  await story.app.otherOrganization();
});
afterAll(async () => {
  await story.close();
  await workspace.clear();
});

/** Runs the command beside the server that has the database open. */
function verify(args: string[] = [], url = story.app.ctx.config.databaseUrl!): Promise<Finished> {
  return workspace.run(["verify", ...args], { DATABASE_URL: url, BILLOW_SECRET: "s".repeat(32) });
}

const moveDueStatement = sql(
  "test.move_due",
  "UPDATE invoice_lines SET amount = amount + $2::integer WHERE invoice_id = $1",
);
const tamper = (by: number) => story.app.ctx.db.tx((tx) => tx.query(moveDueStatement, [invoiceId, by]));

test("exit code 0 where everything agrees, with how much was looked at", async () => {
  const { code, stdout, stderr } = await verify();
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^Everything agrees\. \d+ rules were checked against 2 organizations, 1 customer, 1 checkout, 1 subscription, 3 invoices, /,
  );
  const asked = await verify(["--json", "--organization", story.app.organization.id]);
  expect(JSON.parse(asked.stdout)).toMatchObject({
    disagreements: [],
    held: [],
    looked: { organizations: 1, invoices: 3, payments: 3 },
  });
});

test("exit code 1 where anything disagrees, with the rule, ids and figures; the dashboard shows it", async () => {
  const desk = await openDashboard(story.app);
  const overview = async () => wordsOf((await desk.get(`/dashboard/${story.app.organization.id}`)).text);
  await tamper(5);
  const { code, stdout, stderr } = await verify();
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toContain(
    `${story.app.organization.id}  invoice_totals: An invoice's totals are not the sums of its lines (rule M2).`,
  );
  expect(stdout).toContain(`  invoice ${invoiceId}  subtotal 3000  linesSubtotal 3005  `);
  const { disagreements } = JSON.parse((await verify(["--json"])).stdout);
  expect(disagreements).toMatchObject([
    {
      rule: "invoice_totals",
      count: 1,
      organizationId: story.app.organization.id,
      examples: [{ invoice: invoiceId, linesSubtotal: 3005 }],
    },
    { rule: "line_amounts", count: 1, examples: [{ invoice: invoiceId, figure: "amount", is: 3005, shouldBe: 3000 }] },
  ]);
  await tamper(-5);
  expect(await overview()).toMatch(/totals are not the sums of its lines \(rule M2\)\. invoice_totals , 1 case/);
  expect((await verify()).code).toBe(0);
  expect(await overview()).not.toContain("invoice_totals");
  expect(await overview()).toContain("The last data check found no fault,");
});

test("a database that takes no writes is checked, and keeps no result", async () => {
  const url = new URL(story.app.ctx.config.databaseUrl!);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  const { code, stderr } = await verify([], url.href);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/the dashboard does not show this result: .*read-only transaction/),
  ]);
});

test("exit code 2 where it could not be looked at", async () => {
  const unknown = await verify(["--organization", "org_x"]);
  expect(unknown).toEqual({
    code: 2,
    stdout: "",
    stderr: 'billow: There is no Organization "org_x". There are: "Test".\n',
  });
  expect(await verify(["now"])).toMatchObject({ code: 2, stdout: "" });
  const empty = await createEmptyDatabase();
  expect(await verify([], empty.url)).toMatchObject({
    code: 2,
    stderr: "billow: The database is not migrated: run node bin/billow.mjs migrate.\n",
  });
  await empty.drop();
  expect(await verify([], empty.url)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^billow: .*database/i) });
});

test("without a server, on the embedded database of its directory", async () => {
  expect((await workspace.run(["migrate"])).code).toBe(0);
  expect(await workspace.run(["verify"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Everything agrees\. \d+ rules were checked against 0 organizations\./),
  });
});
