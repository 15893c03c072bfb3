import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { caller, type Json, type TestCall } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { openExport, ROWS, sha256, type OpenExport } from "../support/exports.ts";

const SECRET = "s".repeat(32);

let directory: string;
let workspace: Workspace;
let database: TestDatabase;
let organizationId: string;
let manage: TestCall;
let secrets: string[];
let whole: OpenExport;

const environment = () => ({
  DATABASE_URL: database.url,
  BILLOW_SECRET: SECRET,
  BILLOW_DATA_DIR: join(directory, "data"),
});
const run = (...args: string[]) => workspace.run(args, environment());
const fileOf = (name: string) => join(directory, name);
const exportTo = (name: string, ...options: string[]) =>
  run("export", fileOf(name), "--organization", organizationId, ...options);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout) as Json;

async function createOrganization(name: string, ...options: string[]) {
  return json("org", "create", "--name", name, "--mode", "sandbox", ...options);
}

/** A Subscription that waits for a new price, as a worker adds it to the round. */
const repriceStatement = sql(
  "test.export_reprice",
  `INSERT INTO price_change_subscriptions (organization_id, price_change_id, subscription_id, customer_id, status,
     currency, quantity, unit_amount_before, unit_amount, effective_at, created_at)
   SELECT s.organization_id, p.id, s.id, s.customer_id, 'scheduled', s.currency, 1, 900, 1100, s.current_period_end,
     p.created_at
   FROM price_changes p JOIN subscriptions s ON (s.organization_id, s.product_id) = (p.organization_id, p.product_id)
   WHERE p.organization_id = $1`,
);

const OWN_VALUES = { po: "4711" };

/** Sells a Product of the sample data to a new Customer, with a value of an own field. */
async function sellWithFields(ask: TestCall): Promise<void> {
  const { data } = (await manage("GET", "/products?limit=100")).body;
  const isCharged = ({ interval, key, trialDays, prices }: Json) =>
    interval === "month" && key !== "app" && trialDays === null && prices[0].amount > 0;
  const { id: productId } = data.find(isCharged);
  const fields = [{ key: "po", type: "text", label: "PO number" }];
  const customer = { email: "fields@example.com" };
  const { id } = (await ask("POST", "/checkouts", { productId, customer, fields })).body;
  const payment = { card: "4242424242424242", fieldValues: OWN_VALUES };
  expect((await manage("POST", `/sandbox/checkouts/${id}/pay`, payment)).status).toBe(200);
}

/** Rows that a sandbox of a company lacks: a deleted Customer, a device, a webhook endpoint, deleted catalogue rows. */
async function addOtherRows(ask: TestCall): Promise<string[]> {
  const made = async (path: string, body: object) => (await manage("POST", path, body)).body;
  const endpoint = await made("/webhook-endpoints", { url: "https://example.com/hook", events: ["customer.updated"] });
  const benefit = await made("/benefits", { key: "app", name: "App", type: "license_key", properties: {} });
  const prices = [{ currency: "eur", amount: 900 }];
  const app = { key: "app", name: "App", interval: "month", prices, group: "app", benefitIds: [benefit.id] };
  expect((await manage("POST", "/products", app)).status).toBe(201);
  const customer = { email: "device@example.com", externalId: "device" };
  await sellWithFields(ask);
  const { id } = (await ask("POST", "/checkouts", { productKey: "app", customer, currency: "eur" })).body;
  expect((await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: "4242424242424242" })).status).toBe(200);
  const [grant] = (await manage("GET", "/benefit-grants?externalCustomerId=device")).body.data;
  const activation = { organizationId, key: grant.properties.key, label: "Laptop", metadata: {} };
  const licenses = caller(server.replace("/manage/v1", "/licenses/v1"), null);
  expect((await licenses("POST", "/activate", activation)).status).toBe(201);
  const [{ id: priced }] = (await manage("GET", "/products?key=app")).body.data;
  await manage("PATCH", `/products/${priced}`, { prices: [{ currency: "eur", amount: 1100 }] });
  await made(`/products/${priced}/price-changes`, { consent: "notice" });
  await database.db.tx((tx) => tx.query(repriceStatement, [organizationId]));
  await made("/payment-links", { name: "Page", products: [{ productId: priced }] });
  const code = { code: "GONE", type: "percentage", basisPoints: 1000, duration: "once" };
  await manage("DELETE", `/discounts/${(await made("/discounts", code)).id}`);
  await manage(
    "DELETE",
    `/benefits/${(await made("/benefits", { key: "gone", name: "Gone", type: "custom", properties: {} })).id}`,
  );
  const gone = (await manage("GET", "/customers?limit=1")).body.data[0];
  expect((await manage("DELETE", `/customers/${gone.id}?forfeitBalance=true`)).status).toBe(204);
  return [endpoint.secret, endpoint.secret.replace("whsec_", "")];
}

let server: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "billow-export-"));
  [workspace, database] = await Promise.all([createWorkspace(), createTestDatabase()]);
  const made = await createOrganization("Leaving", "--clock", "2026-03-01T00:00:00Z");
  organizationId = made.organization.id;
  await createOrganization("Staying");
  expect((await run("seed", "--company", "--organization", organizationId)).code).toBe(0);
  const { output } = await workspace.start(["serve", "--json"], environment());
  server = `${output.url}/manage/v1`;
  manage = caller(server, made.keys.manage);
  secrets = [
    SECRET,
    made.keys.manage,
    made.keys.public,
    ...(await addOtherRows(caller(`${output.url}/public/v2`, made.keys.public))),
  ];
  const done = await exportTo("whole.tar.gz", "--pdfs");
  expect(done).toMatchObject({ code: 0 });
  whole = await openExport(fileOf("whole.tar.gz"));
}, 540_000);
afterAll(async () => {
  await workspace.clear();
  await database.drop();
  await rm(directory, { recursive: true });
});

/** Files with lines that have no id of their own. */
const WITHOUT_IDS = ["product-prices", "repriced-subscriptions"];
const countsStatement = sql(
  "test.export_counts",
  `SELECT (SELECT count(*)::integer FROM product_prices WHERE organization_id = $1) AS prices,
     (SELECT count(*)::integer FROM price_change_subscriptions WHERE organization_id = $1) AS repriced`,
);

async function idsIn(name: string): Promise<string[]> {
  const text = `SELECT t.id ${ROWS[name]!} ORDER BY t.id`;
  const rows = await database.db.read.query<{ id: string }>(sql(`test.export_${name}`, text), [organizationId]);
  return rows.map(({ id }) => id);
}

type Sums = Record<"subtotal" | "discount" | "tax" | "total" | "paid" | "lines", number>;
const sumsStatement = sql(
  "test.export_sums",
  `SELECT sum(subtotal_amount)::integer AS subtotal, sum(discount_amount)::integer AS discount,
     sum(tax_amount)::integer AS tax, sum(total_amount)::integer AS total, sum(amount_paid)::integer AS paid,
     (SELECT count(*)::integer FROM invoice_lines WHERE organization_id = $1 AND invoice_id IS NOT NULL) AS lines
   FROM invoices WHERE organization_id = $1`,
);
const sum = (rows: Json[], value: (row: Json) => number) => rows.reduce((all, row) => all + value(row), 0);

describe("billow export", () => {
  test.each(Object.keys(ROWS))("writes each row of %s once", async (name) => {
    const lines = whole.lines(name);
    const ids = lines.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(await idsIn(name));
    const newestFirst = ids.toSorted().reverse();
    expect(ids).toEqual(name === "events" ? newestFirst.reverse() : newestFirst);
    expect(lines.length, name).toBeGreaterThan(name === "waiting-lines" ? -1 : 0);
    expect(whole.manifest.files[`${name}.jsonl`]!.rows).toBe(lines.length);
  });

  test("writes the prices of the catalogue with their times, and the Subscriptions of new prices", async () => {
    const [counts] = await database.db.read.query(countsStatement, [organizationId]);
    const [prices, repriced] = WITHOUT_IDS.map((name) => whole.lines(name));
    expect({ prices: prices!.length, repriced: repriced!.length }).toEqual(counts);
    const [app] = whole.lines("products");
    expect(prices).toEqual(
      expect.arrayContaining([
        { productId: app.id, currency: "eur", amount: 1100, from: "2026-03-01T00:00:00.000Z", until: null },
      ]),
    );
    const [round] = whole.lines("price-changes");
    expect(round).toMatchObject({ productId: app.id, progress: { found: 1, scheduled: 1 } });
    expect(repriced).toMatchObject([{ priceChangeId: round.id, unitAmountBefore: 900, unitAmount: 1100 }]);
  });

  test("writes the values of own fields (rule C14d)", () => {
    for (const name of ["checkouts", "subscriptions", "invoices"])
      expect(whole.lines(name), name).toContainEqual(expect.objectContaining({ fieldValues: OWN_VALUES }));
  });

  test("states format, instant, Organization, sizes and checksums in its first file", async () => {
    const { format, formatVersion, organization, takenAt, billingTime, files } = whole.manifest;
    expect([format, formatVersion, billingTime]).toEqual(["billow-export", 1, "2026-03-01T00:00:00.000Z"]);
    expect(organization).toEqual({ id: organizationId, name: "Leaving", mode: "sandbox" });
    expect(Date.parse(takenAt)).toBeGreaterThan(Date.parse("2026-11-01T00:00:00Z"));
    expect(Object.keys(files).sort()).toEqual(
      [...Object.keys(ROWS), ...WITHOUT_IDS, "pdfs"].map((name) => `${name}.jsonl`).sort(),
    );
    for (const [name, { bytes, sha256: digest }] of Object.entries(files)) {
      const file = whole.files.get(name)!;
      expect([name, file.length, sha256(file)]).toEqual([name, bytes, digest]);
    }
    expect((await stat(fileOf("whole.tar.gz"))).mode & 0o777).toBe(0o600);
    expect(existsSync(`${fileOf("whole.tar.gz")}.draft`)).toBe(false);
  });

  test("has the amounts of the database to the cent", async () => {
    const invoices = whole.lines("invoices");
    const [expected] = await database.db.read.query<Sums>(sumsStatement, [organizationId]);
    const found: Sums = {
      subtotal: sum(invoices, ({ subtotalAmount }) => subtotalAmount),
      discount: sum(invoices, ({ discountAmount }) => discountAmount),
      tax: sum(invoices, ({ taxAmount }) => taxAmount),
      total: sum(invoices, ({ totalAmount }) => totalAmount),
      paid: sum(invoices, ({ amountPaid }) => amountPaid),
      lines: sum(invoices, ({ lines }) => lines.length),
    };
    expect(found).toEqual(expected);
    expect(found.total).toBeGreaterThan(100_000);
  });

  test("reads like the API", async () => {
    const get = async (path: string) => (await manage("GET", path)).body;
    const { problems: _problems, ...organization } = await get("/organization");
    expect(whole.lines("organization")[0]).toMatchObject(organization);
    for (const name of ["products", "subscriptions", "invoices", "credit-notes", "payments", "refunds", "disputes"]) {
      const { data } = await get(`/${name}?limit=100`);
      expect(whole.lines(name).slice(0, 100), name).toMatchObject(data);
    }
    for (const name of ["benefits", "discounts", "customers"]) {
      const { data } = await get(`/${name}?limit=100`);
      const present = whole.lines(name).filter(({ deletedAt }) => deletedAt === null);
      expect(present.slice(0, 100), name).toMatchObject(data);
      expect(present.length, name).toBeLessThan(whole.lines(name).length);
    }
    const events = await get("/events?limit=100");
    expect(whole.lines("events").slice(0, 100)).toEqual(events.data);
    const [email] = whole.lines("emails");
    expect({ ...(await get(`/emails/${email.id}`)), url: null }).toEqual(email);
    const [card] = whole.lines("payment-methods");
    expect(card).toMatchObject(await get(`/payment-methods/${card.id}`));
    expect(card).toMatchObject({ provider: "sandbox", providerAccount: "sandbox", providerRef: expect.any(String) });
  });

  test("has no personal data of a deleted Customer outside of documents", () => {
    const deleted = whole.lines("customers").filter(({ deletedAt }) => deletedAt !== null);
    expect(
      deleted.map(({ name, companyName, billingAddress, taxId }) => [name, companyName, billingAddress, taxId]),
    ).toEqual([[null, null, null, null]]);
  });

  test("has no secret and no digest of a key, a session or a link", async () => {
    const digests = await database.db.read.query<{ digest: string }>(
      sql("test.export_digests", "SELECT encode(digest, unnest(ARRAY['hex', 'base64'])) AS digest FROM api_keys"),
    );
    expect(secrets).toHaveLength(5);
    for (const [name, bytes] of whole.files) {
      const text = bytes.toString("latin1");
      const held = [...secrets, ...digests.map(({ digest }) => digest)].filter((secret) => text.includes(secret));
      expect([name, held]).toEqual([name, []]);
    }
    const text = [...whole.files.values()].map(String).join("");
    expect(text).not.toMatch(/\/sign-in\/|blw_test_|blw_live_|password/i);
  });

  test("draws the documents as the API does", async () => {
    const pdfs = whole.lines("pdfs");
    const documents = [...whole.lines("invoices"), ...whole.lines("credit-notes")];
    expect(pdfs.map(({ id }) => id)).toEqual(documents.map(({ id }) => id));
    expect(whole.manifest.pdfs).toEqual({ count: documents.length, bytes: sum(pdfs, ({ bytes }) => bytes) });
    for (const { path, bytes, sha256: digest } of pdfs) {
      const pdf = whole.files.get(path)!;
      expect([path, pdf.subarray(0, 5).toString(), pdf.length, sha256(pdf)]).toEqual([path, "%PDF-", bytes, digest]);
    }
    const [invoice, note] = [pdfs[0], pdfs.at(-1)];
    expect([invoice.path, note.path]).toEqual([
      `pdfs/invoices/${invoice.number}.pdf`,
      `pdfs/credit-notes/${note.number}.pdf`,
    ]);
    const answer = await manage("GET", `/invoices/${invoice.id}/pdf`);
    expect(answer.headers.get("etag")).toBe(`"${invoice.digest}"`);
  });

  test("names its file once, leaves other files alone, and explains a wrong call", async () => {
    const taken = await exportTo("whole.tar.gz");
    expect(taken).toEqual({
      code: 1,
      stdout: "",
      stderr: `billow: ${fileOf("whole.tar.gz")} exists already: give another name.\n`,
    });
    const usage = "Usage: node bin/billow.mjs export FILE [--pdfs] [--organization ID|NAME] [--json]\n";
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await run("export", ...args);
      return [code, stderr];
    };
    expect(await wrong()).toEqual([2, `billow: FILE is missing. ${usage}`]);
    expect(await wrong("")).toEqual([2, `billow: FILE is empty. ${usage}`]);
    expect(await wrong("-")).toEqual([
      2,
      `billow: An export needs a FILE, so that a later run can continue it. ${usage}`,
    ]);
    expect(await wrong(fileOf("x"))).toEqual([
      2,
      `billow: --organization is missing. There are: "Leaving", "Staying". ${usage}`,
    ]);
    expect(await wrong(fileOf("x"), "--organization", "Nobody")).toEqual([
      1,
      'billow: There is no Organization "Nobody". There are: "Leaving", "Staying".\n',
    ]);
    const nowhere = join(directory, "nowhere", "x");
    expect(await wrong(nowhere, "--organization", "Staying")).toEqual([
      1,
      `billow: ${nowhere}: there is no such file or directory (ENOENT).\n`,
    ]);
    expect((await readdir(directory)).filter((name) => name.startsWith("x") || name === "nowhere")).toEqual([]);
  });

  test("holds one Organization alone", async () => {
    const { code, stdout } = await run("export", fileOf("staying.tar.gz"), "--organization", "Staying", "--json");
    expect(code).toBe(0);
    const staying = await openExport(fileOf("staying.tar.gz"));
    const rows = sum(Object.values(staying.manifest.files), (file) => file.rows);
    expect(JSON.parse(stdout)).toEqual({
      takenAt: staying.manifest.takenAt,
      organizationId: staying.manifest.organization.id,
      rows,
      files: Object.keys(ROWS).length + WITHOUT_IDS.length,
      pdfs: null,
      kept: [],
      bytes: (await stat(fileOf("staying.tar.gz"))).size,
    });
    const text = [...staying.files.values()].map(String).join("");
    expect(text).not.toContain(organizationId);
    for (const { id } of whole.lines("customers")) expect(text).not.toContain(id);
    expect(staying.lines("customers")).toEqual([]);
    expect(staying.lines("organization")).toMatchObject([{ name: "Staying" }]);
    expect(staying.lines("audit-log")[0]).toMatchObject({ operation: "exportOrganization", actor: { type: "cli" } });
  });
});

/** The checksums of the files that no export changes by itself. */
const sumsOf = ({ manifest: { files } }: OpenExport) =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) => (name === "audit-log.jsonl" ? [] : [[name, file.sha256]])),
  );

describe("an export that was killed", () => {
  const begin = (name: string, ...options: string[]) =>
    workspace.begin(["export", fileOf(name), "--organization", organizationId, ...options], environment());

  async function kill(name: string, after: RegExp): Promise<void> {
    const begun = begin(name, "--pdfs");
    await begun.noted(after);
    begun.signal("SIGKILL");
    await begun.finished;
    expect([existsSync(fileOf(name)), existsSync(`${fileOf(name)}.draft`)]).toEqual([false, true]);
  }

  test("goes on with the files that are whole, to the same sums", async () => {
    await kill("killed.tar.gz", /^audit-log\.jsonl/m);
    const { code, stdout, stderr } = await exportTo("killed.tar.gz", "--pdfs");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/\n24 files of an earlier run had the same rows, and stayed\.\n$/),
    ]);
    expect(stderr).toContain("\ninvoices.jsonl: ");
    expect(stderr.match(/, of an earlier run$/gm)).toHaveLength(24);
    const again = await openExport(fileOf("killed.tar.gz"));
    expect(sumsOf(again)).toEqual(sumsOf(whole));
    expect(again.manifest.pdfs).toEqual(whole.manifest.pdfs);
    expect(again.files.size).toBe(whole.files.size);
    expect(existsSync(`${fileOf("killed.tar.gz")}.draft`)).toBe(false);
  });

  test("writes the files anew whose rows have changed, so that all are of one instant", async () => {
    await kill("changed.tar.gz", /^audit-log\.jsonl/m);
    const [product] = whole.lines("products");
    const name = "App, second edition";
    expect((await manage("PATCH", `/products/${product.id}`, { name })).status).toBe(200);
    const { stderr } = await exportTo("changed.tar.gz", "--pdfs");
    const anew = [...stderr.matchAll(/^([\w-]+)\.jsonl: \d+ lines?$/gm)].map(([, each]) => each);
    // The change has an event and an entry in the audit log. The list of the PDFs was not whole.
    expect(anew).toEqual(["organization", "products", "product-prices", "events", "audit-log", "pdfs"]);
    const found = await openExport(fileOf("changed.tar.gz"));
    expect(found.lines("products")[0]).toMatchObject({ id: product.id, name });
    for (const each of ["customers", "invoices", "payments", "emails", "pdfs"])
      expect(sumsOf(found)[`${each}.jsonl`], each).toBe(sumsOf(whole)[`${each}.jsonl`]);
  });

  test("stops at a signal, and tells of a draft that was changed", async () => {
    const begun = begin("stopped.tar.gz", "--pdfs");
    await begun.noted(/^customers\.jsonl/m);
    begun.signal("SIGTERM");
    expect(await begun.finished).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/billow: Stopped\.\n$/),
    });
    expect(existsSync(fileOf("stopped.tar.gz"))).toBe(false);
    const draft = `${fileOf("stopped.tar.gz")}.draft`;
    const path = join(draft, "customers.jsonl");
    await writeFile(path, (await readFile(path, "utf8")).replace("example.com", "example.org"));
    expect(await exportTo("stopped.tar.gz")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "customers.jsonl in the draft of the export was changed: remove the draft, and repeat the export.\n",
      ),
    });
    await rm(draft, { recursive: true });
    expect(await exportTo("stopped.tar.gz")).toMatchObject({ code: 0 });
  });
});
