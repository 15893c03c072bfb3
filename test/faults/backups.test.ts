import { randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeSchema } from "../../scripts/schema.ts";
import { createOrganizationWithKeys } from "../../src/actions/organization/create-organization.ts";
import { adopt, isCopy, readInstallation } from "../../src/actions/installation.ts";
import { sql } from "../../src/store/driver/db.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { caller, type Json, type TestCall } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";
import { inviteTo } from "../support/invite.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { openOutside, OUTSIDE, type OutsideProvider } from "../support/outside-provider.ts";
import { beginProcess, type Process } from "../support/outside-process.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { CARDS, endPeriod, ok } from "../support/story.ts";
import { until } from "../support/until.ts";

const providerStatement = sql(
  "test.backups_provider",
  "UPDATE organizations SET provider = $2, provider_account = $3 WHERE id = $1",
);

const SECRET = "s".repeat(32);
const INVITED = "ivy@example.com";
const FILE = "org_a/guide/chapter one.txt";

type Keys = { public: string; manage: string };
const callsOf = ({ url }: Pick<Process, "url">, keys: Keys) => ({
  api: caller(`${url}/public/v2`, keys.public),
  manage: caller(`${url}/manage/v1`, keys.manage),
});

type Shop = { id: string; keys: Keys };

async function openShop({ ctx, url }: Process, account: readonly (string | null)[]): Promise<Shop> {
  const { organization, keys } = await ctx.db.tx((tx) =>
    createOrganizationWithKeys(tx, { name: "Shop", mode: "sandbox" }),
  );
  await ctx.db.tx((tx) => tx.query(providerStatement, [organization.id, ...account]));
  const prices = [{ currency: "usd", amount: 3000 }];
  await ok(callsOf({ url }, keys).manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices }));
  return { id: organization.id, keys };
}

async function buy(api: TestCall, manage: TestCall): Promise<Json> {
  const customer = { email: `${randomUUID()}@example.com` };
  const { id } = await ok(api("POST", "/checkouts", { productKey: "pro", customer }));
  return ok(manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays }));
}

/** Buyers who buy one Subscription after the other, until they are stopped. */
function startBuyers(process: Process, keys: Keys) {
  const bought: string[] = [];
  const { api, manage } = callsOf(process, keys);
  let isOver = false;
  const one = async () => {
    while (!isOver) bought.push((await buy(api, manage)).subscriptionId);
  };
  const all = Promise.all([one(), one(), one()]);
  return {
    bought,
    async stop() {
      isOver = true;
      await all;
    },
  };
}

async function work({ ctx }: Process): Promise<void> {
  await runOnce(ctx);
  await mailOnce(ctx);
}

let directory: string;
let workspace: Workspace;
let mails: MailServer;
let receiver: Receiver;
let source: TestDatabase;
let target: TestDatabase;
let outside: OutsideProvider;
const environment = ({ url }: TestDatabase, dataDir: string) => ({
  DATABASE_URL: url,
  SMTP_URL: mails.url,
  BILLOW_SECRET: SECRET,
  BILLOW_DATA_DIR: join(directory, dataDir),
});

async function open(): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), "billow-backup-"));
  await chmod(directory, 0o755);
  workspace = await createWorkspace();
  [outside, mails, receiver] = [openOutside(), await startMailServer(), await startReceiver()];
  [source, target] = [await createTestDatabase(), await createEmptyDatabase()];
}

async function close(): Promise<void> {
  for (const each of [source, target]) await each.drop();
  await mails.close();
  await receiver.close();
  await workspace.clear();
  await rm(directory, { recursive: true });
}

describe("a backup made while buyers buy", () => {
  let shop: Shop;
  let before: string[];
  let file: string;

  beforeAll(async () => {
    await open();
    file = join(directory, "billow.backup");
    const original = await beginProcess(environment(source, "original"), outside);
    await isCopy(original.ctx);
    shop = await openShop(original, [null, null]);
    const kept = join(directory, "original", "downloads", FILE);
    await mkdir(dirname(kept), { recursive: true });
    await writeFile(kept, "Once upon a time");

    const buyers = startBuyers(original, shop.keys);
    await until(() => buyers.bought.length >= 6);
    before = [...buyers.bought];
    const made = await workspace.run(["backup", file, "--json"], environment(source, "original"));
    const during = buyers.bought.length;
    await until(() => buyers.bought.length > during);
    await buyers.stop();
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(made.stdout)).toMatchObject({ files: 1, foreignTables: [] });
    await original.close();
  });
  afterAll(close);

  test("can be restored in a test, which leaves no database", async () => {
    const tested = await workspace.run(["restore", file, "--test"], environment(source, "elsewhere"));
    expect(tested).toMatchObject({ code: 0, stderr: "" });
    expect(tested.stdout).toMatch(
      /^The backup can be restored: .*\nEverything agrees\.\nThe test database was removed\.\n$/,
    );
    expect(await readdir(join(directory, "elsewhere"))).toEqual([]);
  });

  test("is restored into an empty database of a server, with each acknowledged purchase and the files", async () => {
    const restored = await workspace.run(["restore", file, "--json"], environment(target, "restored"));
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(restored.stdout)).toMatchObject({ applied: [], disagreements: [], files: 1 });
    expect(await readFile(join(directory, "restored", "downloads", FILE), "utf8")).toBe("Once upon a time");
    expect(await describeSchema(target.db, [])).toBe(await describeSchema(source.db, []));
    const copy = await beginProcess(environment(target, "restored"), outside);
    const { api } = callsOf(copy, shop.keys);
    for (const id of before) expect(await ok(api("GET", `/subscriptions/${id}`))).toMatchObject({ status: "active" });
    await copy.close();
  });

  test("is not restored into a database with tables", async () => {
    const again = await workspace.run(["restore", file], environment(target, "restored"));
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toMatch(
      /^billow: The database is not empty, and has these tables: api_keys, .* more\. Make an/,
    );
  });

  test("is restored into a new data directory that has the secret", async () => {
    const variables = { BILLOW_DATA_DIR: join(workspace.directory, ".billow"), BILLOW_SECRET: SECRET };
    const restored = await workspace.run(["restore", file], variables);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).toMatch(/\nEverything agrees\.\nHeld until node bin\/billow\.mjs adopt: 0 charges, /);
    expect(await workspace.run(["verify"], variables)).toMatchObject({ code: 0 });
  });
});

describe("a restored backup with due work", () => {
  let copy: Process | undefined;
  beforeAll(async () => {
    await open();
    const original = await beginProcess(environment(source, "original"), outside);
    await isCopy(original.ctx);
    const { id, keys } = await openShop(original, [OUTSIDE.provider, OUTSIDE.providerAccount]);
    const { api, manage } = callsOf(original, keys);
    const { subscriptionId } = await buy(api, manage);
    await work(original);
    await ok(manage("POST", "/webhook-endpoints", { url: receiver.url }));
    const [invoice] = (await ok(manage("GET", "/invoices"))).data;
    await ok(manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 500 }));
    await inviteTo(original.ctx, id, { email: INVITED, role: "support", invitedBy: "Olga" });
    await endPeriod(original.ctx, id, subscriptionId);
    await original.close();
    mails.received.length = 0;
  });
  afterAll(async () => {
    await copy?.close();
    await close();
  });

  test("sends nothing before the adoption, even in the place of the original", async () => {
    const file = join(directory, "billow.backup");
    expect(await workspace.run(["backup", file], environment(source, "original"))).toMatchObject({ code: 0 });
    // The book of the provider of this test is not in the database.
    const rulesOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).disagreements.map(({ rule }: Json) => rule);
    const known = rulesOf(await workspace.run(["verify", "--json"], environment(source, "original")));
    expect(known.length).toBeGreaterThan(0);
    // The emptied database has the fingerprint of the original.
    await source.db.script("DROP SCHEMA public CASCADE", "CREATE SCHEMA public");
    const restored = await workspace.run(["restore", file, "--json"], environment(source, "restored"));
    expect([restored.code, rulesOf(restored)]).toEqual([3, known]);
    const restarted = await beginProcess(environment(source, "restored"), outside);
    copy = restarted;
    const calls = outside.calls.length;
    await work(restarted);
    await work(restarted);
    expect([outside.calls.length - calls, mails.received.length, receiver.received.length]).toEqual([0, 0, 0]);
    expect(restarted.warnings).toEqual([expect.stringContaining("this database is a copy")]);
    const { held } = await readInstallation(restarted.ctx);
    expect(held).toMatchObject({ charges: 1, refunds: 1, emails: 1 });
    expect(held.deliveries).toBeGreaterThan(0);
    expect(await adopt(restarted.ctx)).toMatchObject({ isAdopted: true, released: held });
    await until(async () => !(await isCopy(restarted.ctx)));
    await work(restarted);
    expect(outside.refunds.size).toBe(1);
    expect(mails.received.map(({ to }) => to![0]!.address)).toContain(INVITED);
    await until(() => receiver.received.length > 0);
  });
});
