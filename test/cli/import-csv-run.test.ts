import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lastRuns } from "../../src/store/import-runs.ts";
import type { Json } from "../support/app.ts";
import { countsOf, csvOf, faultsOf, openCsvCommand, ROW, rowOf, type CsvCommand } from "../support/csv-import.ts";
import { commandsOf, examplesOf, readDocument } from "../support/guide.ts";
import { startStory, type Story } from "../support/story.ts";

let story: Story;
let csv: CsvCommand;
beforeEach(async () => {
  story = await startStory({ clock: "2026-03-10T09:00:00Z", timeZone: "Europe/Berlin" });
  csv = await openCsvCommand(story.app);
  await story.plan("pro", 3000, { name: "Pro", quantity: { minimum: 1, maximum: 10 } });
});
afterEach(async () => {
  await csv.clear();
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const counts = () => countsOf(story.app);
const runs = () => lastRuns(story.app.ctx.db.read, story.app.organization.id);
const customers = async (): Promise<Json[]> =>
  (await story.ok(story.app.manage("GET", "/customers?limit=100"))).data.toReversed();

const moneyIn = (text: string) => text.split("\n").filter((line) => /^(usd|eur) /.test(line));

describe("the totals", () => {
  test("are equal in the dry run, in the import and afterwards, and a repeat changes no row", async () => {
    await story.plan("year", 12_000, { interval: "year", prices: [{ currency: "eur", amount: 12_000 }] });
    const half = { code: "HALF", type: "percentage", basisPoints: 5000, duration: "forever" };
    await story.ok(story.app.manage("POST", "/discounts", half));
    const rows = [
      ROW,
      rowOf("bob", { quantity: "3", discount_code: "HALF", balance: "7.50" }),
      rowOf("eve", { product: "year", currency: "eur", started_at: "", period_end: "2026-08-01" }),
      rowOf("kim", { started_at: "", period_end: "", trial_end: "2026-04-01" }),
      rowOf("lee", { ends_at: "2026-03-20" }),
      { id: "row-mia", customer_id: "mia", email: "mia@example.com", balance: "-3" },
    ];
    const before = await counts();
    const dry = await csv.run(rows, "--dry-run");
    expect(dry).toMatchObject({ code: 0, stderr: "" });
    expect(dry.stdout).toContain(
      "6 rows of 6 Customers: 6 can be imported, 0 imported before (0 changed since), 0 with faults.",
    );
    expect(dry.stdout).toContain("Dry run: no row was imported.");
    expect(await counts()).toEqual(before);
    // A month: 30 + 90 + 30 + 30 and 120 / 12. Next: 30 + half of 90 + 30, and no invoice after the planned end.
    expect(moneyIn(dry.stdout).map((line) => line.split(/ {2,}/))).toEqual([
      ["eur", "1", "€10.00", "€120.00"],
      ["usd", "4", "US$180.00", "US$105.00"],
    ]);
    const real = await csv.run(rows);
    expect(real).toMatchObject({ code: 0, stderr: "" });
    expect(real.stdout).toContain("6 rows of 6 Customers: 6 imported, 0 imported before");
    expect(real.stdout).toContain("End them in the other system before that");
    expect(moneyIn(real.stdout)).toEqual(moneyIn(dry.stdout));
    const after = await counts();
    expect(after).toMatchObject({ customers: 6, subscriptions: 5, imports: 6 });
    const again = await csv.run(rows);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toContain("6 rows of 6 Customers: 0 imported, 6 imported before (0 changed since)");
    expect(moneyIn(again.stdout)).toEqual(moneyIn(dry.stdout));
    expect(await counts()).toEqual(after);
    const mia = (await customers()).find(({ externalId }) => externalId === "mia")!;
    expect(await story.balance(mia.id)).toBe(-300);
  });

  test("a changed row of an import is reported, and stays as it is", async () => {
    await csv.run([ROW, rowOf("bob")]);
    const changed = [{ ...ROW, name: "Ada King", quantity: "2", period_end: "2026-03-21" }, rowOf("bob")];
    const after = await counts();
    const again = await csv.run(changed);
    expect(again.code).toBe(3);
    expect(again.stdout).toContain("2 imported before (1 changed since)");
    expect(again.stderr.split("\n")[0]).toBe(
      "line 2 (row-1): The row was imported with other values, and stays as it is here: " +
        "customer, quantity, period_end.",
    );
    expect(await counts()).toEqual(after);
    const other = await csv.run([{ ...ROW, customer_id: "zoe", email: "zoe@example.com" }], "--system", "Other 2");
    expect([other.code, await counts()]).toMatchObject([0, { imports: 3 }]);
  });

  test("a Customer of before keeps its data, and a deleted one is named", async () => {
    const known = { email: "old@example.com", externalId: "ada", name: "Ada L." };
    const { id } = await story.ok(story.app.api("POST", "/customers", known));
    expect(await csv.run([{ ...ROW, name: "Other" }])).toMatchObject({ code: 0 });
    expect(await customers()).toMatchObject([{ id, email: "old@example.com", name: "Ada L." }]);
    const { data } = await story.ok(story.app.manage("GET", `/subscriptions?customerId=${id}`));
    await story.ok(story.app.manage("POST", `/subscriptions/${data[0].id}/cancel-now`));
    expect((await story.app.manage("DELETE", `/customers/${id}`)).status).toBe(204);
    const again = await csv.run([
      { ...ROW, name: "Other" },
      { ...ROW, id: "row-2", name: "Other" },
    ]);
    expect([again.code, faultsOf(again)]).toEqual([3, [expect.stringContaining("the Customer was deleted since")]]);
  });

  test("in JSON: the rows, then the sums", async () => {
    const { code, stdout } = await csv.run([ROW, rowOf("bob", { product: "" })], "--dry-run", "--json");
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      data: [
        {
          line: 2,
          id: "row-1",
          status: "importable",
          subscription: null,
          money: { currency: "usd", monthly: 3000, nextInvoice: 3000 },
        },
        { line: 3, status: "faulty", faults: [{ column: "product" }] },
      ],
      rows: 2,
      imported: 1,
      faulty: 1,
      money: [{ currency: "usd", subscriptions: 1, monthly: 3000, nextInvoices: 3000 }],
    });
  });
});

describe("the header of the report", () => {
  test("has the sums of the last import of each system, and none for a dry run or a file with faults", async () => {
    await csv.run([ROW], "--dry-run");
    const faulty = [ROW, rowOf("bob", { product: "none" })];
    expect((await csv.run(faulty)).code).toBe(3);
    expect(await runs()).toEqual([]);
    expect((await csv.run([ROW])).code).toBe(0);
    const { stdout } = await csv.run(faulty, "--skip-errors", "--json");
    const { data, ...sums } = JSON.parse(stdout);
    expect([data.length, sums]).toMatchObject([2, { rows: 2, found: 1, faulty: 1 }]);
    await csv.run([rowOf("eve")], "--system", "Other 2");
    const found = await runs();
    const header = { source: "csv", step: "csv", finishedAt: expect.any(Number) };
    expect(found).toMatchObject([
      { ...header, account: "Other 2", sums: { rows: 1, imported: 1 } },
      { ...header, account: "csv", sums },
    ]);
  });
});

describe("an import that is cut off or runs twice", () => {
  const MANY = Array.from({ length: 120 }, (_, n) => rowOf(`c${n}`, { balance: "1" }));

  test("goes on after kill -9", { timeout: 120_000 }, async () => {
    const file = await csv.write("many.csv", csvOf(MANY));
    const { stdout: planned } = await csv.run(file, "--dry-run");
    for (const wanted of [1, 50]) {
      const begun = csv.begin(file);
      while ((await counts())["imports"]! < wanted) await new Promise(setImmediate);
      begun.signal("SIGKILL");
      await begun.finished;
    }
    const { imports, subscriptions } = await counts();
    expect([imports! >= 50, imports === subscriptions]).toEqual([true, true]);
    expect(await runs()).toMatchObject([{ step: "csv", finishedAt: null, sums: null }]);
    const last = await csv.run(file);
    expect(last).toMatchObject({ code: 0 });
    expect(moneyIn(last.stdout)).toEqual(moneyIn(planned));
    expect(await runs()).toMatchObject([{ finishedAt: expect.any(Number), sums: { rows: 120, faulty: 0 } }]);
    expect(await counts()).toMatchObject({ customers: 120, subscriptions: 120, imports: 120 });
    expect((await story.events()).filter(({ type }) => type === "subscription.created")).toHaveLength(120);
  });

  test("makes each row once if two run at the same time", { timeout: 120_000 }, async () => {
    const file = await csv.write("many.csv", csvOf(MANY));
    const done = await Promise.all([csv.begin(file).finished, csv.begin(file).finished]);
    expect(done.map(({ code }) => code)).toEqual([0, 0]);
    const numbers = done.map(({ stdout }) => Number(/(\d+) imported,/.exec(stdout)![1]));
    expect(numbers[0]! + numbers[1]!).toBe(120);
    expect(moneyIn(done[0]!.stdout)).toEqual(moneyIn(done[1]!.stdout));
    expect(await counts()).toMatchObject({ customers: 120, subscriptions: 120, imports: 120 });
    for (const { id } of (await customers()).slice(0, 5)) expect(await story.balance(id)).toBe(100);
  });
});

describe("the guide move-from-csv", () => {
  test("has commands and a table that work as printed", async () => {
    const guide = await readDocument("docs/guides/move-from-csv.md");
    const examples = examplesOf(guide);
    await csv.write("customers.csv", examples.get("customers.csv")!);
    const [template, dry, real, ...others] = commandsOf(guide).map((text) => text.trim());
    expect(others).toEqual([]);
    expect([template, dry, real]).toEqual([
      "node bin/billow.mjs import csv template > template.csv",
      "node bin/billow.mjs import csv customers.csv --dry-run",
      "node bin/billow.mjs import csv customers.csv",
    ]);
    const file = await csv.write("customers.csv", examples.get("customers.csv")!);
    expect(await csv.run(file, "--dry-run")).toMatchObject({ code: 0, stdout: examples.get("dry-run") });
    expect(await csv.run(file)).toMatchObject({ code: 0 });
    expect(await counts()).toMatchObject({ customers: 3, subscriptions: 3 });
  });

  test("names the columns of the template, which is an import itself", async () => {
    const { code, stdout } = await csv.template();
    expect(code).toBe(0);
    const [head] = stdout.split("\r\n");
    const guide = await readDocument("docs/guides/move-from-csv.md");
    const named = [...guide.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, names]) => [
      ...names!.matchAll(/`([^`…]+)…?`/g),
    ]);
    const columns = named.map(([, name]) => name!.replace(/^metadata\.$/, "metadata.plan"));
    expect(columns.filter((name) => name !== "customer_metadata.")).toEqual(head!.split(","));
    const later = stdout.replace("2027-01-14", "2026-04-01").replace(",eur,", ",usd,");
    expect(await csv.run(await csv.write("template.csv", later), "--dry-run")).toMatchObject({ code: 0, stderr: "" });
  });
});

test("wrong options end with 2, and --help has the options, an example and the exit codes", async () => {
  for (const [option, says] of [
    [["--ask-for-card", "2"], "--ask-for-card must be now, or a number of days from 3 to 999."],
    [["--system", "a/b"], "--system must be"],
    [["--format", "xml"], "--format must be text or csv or json."],
  ] as const)
    expect(await csv.run([ROW], ...option)).toMatchObject({ code: 2, stderr: expect.stringContaining(says) });
  expect(await csv.run("-")).toMatchObject({ code: 2, stderr: expect.stringContaining("reads its FILE twice") });
  const { code, stdout } = await csv.run([ROW], "--help");
  expect(code).toBe(0);
  for (const part of ["--dry-run", "--system", "Example: ", "Exit codes: 0"]) expect(stdout).toContain(part);
});
