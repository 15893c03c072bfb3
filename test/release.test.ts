import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { list } from "tar";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { buildRelease } from "../scripts/release/build.ts";
import { billsOfMaterials } from "../scripts/release/sbom.ts";
import { checkCommitted, filesBelow, pack } from "../scripts/release/sources.ts";
import { installPackage } from "../scripts/release/trial.ts";
import { joinEmbeddedDatabase } from "../src/embedded-database.ts";
import { openDatabase } from "../src/store/driver/db.ts";
import { statementsOf } from "../src/store/driver/script.ts";
import { advanceSandbox, caller, type Json } from "./support/app.ts";
import { createWorkspace, type Workspace } from "./support/command-line.ts";
import { ROOT } from "./support/source.ts";

type Component = { name: string; version: string; purl: string; hashes?: { alg: string }[] };

let directory: string;
const out = () => join(directory, "release");
const stem = `billow-${manifest.version}`;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "billow-release-"));
  // Under root, PostgreSQL runs as another user, which must be able to enter the package.
  chmodSync(directory, 0o755);
  await buildRelease(out());
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("a release lists the packages of production on any platform, with the hashes of the lock file", () => {
  const read = (ending: string) => JSON.parse(readFileSync(join(out(), `${stem}.${ending}`), "utf8"));
  const { metadata, components } = read("cdx.json") as { metadata: { component: Component }; components: Component[] };
  expect(metadata.component).toMatchObject({ name: "billow", version: manifest.version });
  const listed = components.map(({ purl }) => decodeURIComponent(purl.replace("pkg:npm/", "")));
  const production = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const wanted = production.map(([name, version]) => `${name}@${version}`);
  expect(listed).toEqual(expect.arrayContaining(wanted));
  // The server hands out a copy of one file of each.
  const development = Object.keys(manifest.devDependencies).filter((name) =>
    listed.some((each) => each.startsWith(`${name}@`)),
  );
  expect(development).toEqual(["minisearch", "openapi-explorer"]);
  expect(listed.filter((each) => each.startsWith("openapi-resolver@"))).toEqual([]);
  const bare = components.filter(({ hashes }) => hashes?.[0]?.alg !== "SHA-512").map(({ purl }) => purl);
  expect(bare).toEqual([`pkg:npm/%40billow/client@${manifest.version}`]);

  expect(read("spdx.json")).toMatchObject({ spdxVersion: "SPDX-2.3", name: `billow@${manifest.version}` });
});

test("the bytes of a release depend neither on the instant nor on the umask", async () => {
  const folder = mkdtempSync(join(directory, "opened-"));
  const before = process.umask(0o077);
  try {
    spawnSync("tar", ["-xzmf", join(out(), `${stem}.tgz`), "-C", folder, "--no-same-permissions"]);
  } finally {
    process.umask(before);
  }
  const opened = join(folder, "package");
  expect(await pack(opened, "package", filesBelow(opened))).toEqual(readFileSync(join(out(), `${stem}.tgz`)));
  for (const [name, text] of billsOfMaterials(folder)) expect(text).toBe(readFileSync(join(out(), name), "utf8"));
});

test("the sums are those of all other files", () => {
  const { status, stdout } = spawnSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: out(), encoding: "utf8" });
  const others = readdirSync(out()).filter((name) => name !== "SHA256SUMS");
  expect({ status, ok: stdout.trim().split("\n").sort() }).toEqual({
    status: 0,
    ok: others.map((each) => `${each}: OK`),
  });
});

test("the notes are the changes of this version and the steps of its upgrade", () => {
  const notes = readFileSync(join(out(), `${stem}.md`), "utf8");
  expect(notes).toMatch(new RegExp(`^# Billow ${manifest.version}\n\n### Added\n[^]*\n## Upgrade\n\nFrom `));
  expect(notes).not.toMatch(/^## \[|^\[/m);
});

test("a file in no commit stops a release: the compiler would take it along", () => {
  const folder = mkdtempSync(join(directory, "repository-"));
  const git = (...args: string[]) => expect(spawnSync("git", args, { cwd: folder }).status).toBe(0);
  git("init", "--quiet");
  writeFileSync(join(folder, "a.ts"), "1;\n");
  expect(() => checkCommitted(folder)).toThrow("?? a.ts");
  git("add", "a.ts");
  git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "--message=a");
  checkCommitted(folder);
  writeFileSync(join(folder, "a.ts"), "2;\n");
  expect(() => checkCommitted(folder)).toThrow(" M a.ts");
});

async function entriesOf(name: string): Promise<string[]> {
  const paths: string[] = [];
  await list({ file: join(out(), name), onReadEntry: ({ path }) => void paths.push(path) });
  return paths;
}

test("the image's context has all that its Dockerfile copies, and no test", async () => {
  const entries = await entriesOf(`${stem}-image.tar.gz`);
  const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
  const [, copied = ""] = /cp -r (.*) \/image\//.exec(dockerfile)!;
  const [, first = ""] = /^COPY (.*) \.\/$/m.exec(dockerfile)!;
  for (const name of [...first.split(" "), ...copied.split(" ").filter((each) => each !== "node_modules")])
    expect(
      entries.some((path) => path === name || path.startsWith(`${name}/`)),
      name,
    ).toBe(true);
  expect(entries).toContain("Dockerfile");
  // The server's package has the same folders.
  const packed = await entriesOf(`${stem}.tgz`);
  for (const name of copied.split(" "))
    expect(
      packed.some((path) => path.startsWith(`package/${name}`)),
      name,
    ).toBe(true);
  expect(entries.filter((path) => /^(test|bench|scripts|\.git)\//.test(path))).toEqual([]);
});

test("the server's package holds the compiled server and its packages, and no command of a clone", async () => {
  const entries = await entriesOf(`${stem}.tgz`);
  expect(entries.filter((path) => /^package\/(src|bin)\/.*\.ts$|\.test\.|\/tests?\//.test(path))).toEqual([]);
  const folder = mkdtempSync(join(directory, "opened-"));
  spawnSync("tar", ["-xzf", join(out(), `${stem}.tgz`), "-C", folder]);
  const texts = ["src", "docs/guides", "docs/operating", "docs/api-guide"].map((each) => `package/${each}`);
  const found = spawnSync("grep", ["-rlE", "node bin/billow|npm start", ...texts], { cwd: folder, encoding: "utf8" });
  // The pages about the sources on a server and in an image, where no program is called `billow`.
  expect(found.stdout.trim().split("\n").sort()).toEqual([
    "package/docs/guides/going-live.md",
    "package/docs/operating/containers.md",
  ]);
  // A function of the shell that called its own name would never end.
  const commands = readFileSync(join(folder, "package/docs/operating/commands.md"), "utf8");
  expect(commands).toContain('billow() { (cd /path/to/billow && command billow "$@"); }');
  const own = JSON.parse(readFileSync(join(folder, "package/package.json"), "utf8"));
  expect(own).toMatchObject({ version: manifest.version, bundleDependencies: Object.keys(manifest.dependencies) });
  expect(own).not.toHaveProperty("private");
  for (const name of own.bundleDependencies)
    expect(entries, name).toContain(`package/node_modules/${name}/package.json`);
});

describe("the installed package", () => {
  let program: string;
  const workspaces: Workspace[] = [];
  const workspace = async () => {
    const made = await createWorkspace([program]);
    workspaces.push(made);
    return made;
  };
  beforeAll(() => {
    program = installPackage(join(directory, "a prefix"), join(out(), `${stem}.tgz`));
  });
  afterAll(() => Promise.all(workspaces.map((each) => each.clear())));

  const textOf = async (url: string, authorization?: string): Promise<string> => {
    const answer = await fetch(url, authorization === undefined ? {} : { headers: { authorization } });
    expect(answer.status, url).toBe(200);
    return answer.text();
  };

  test("starts in an empty folder, sells, serves its documents and draws an invoice", async () => {
    const { start, begin } = await workspace();
    const started = await start(["start", "--json"]);
    const { url, publicApi, manageApi, docs, keys } = started.output;
    expect(await textOf(`${docs}/operating/install`)).toContain("billow start");
    expect(await textOf(`${url}/`)).toContain("/dashboard");
    const client = await textOf(`${url}/client`);
    expect(client.trim()).toMatch(new RegExp(`/client/${stem}-[0-9a-f]{16}\\.tgz$`));
    await textOf(client.trim());

    const [api, manage] = [caller(publicApi, keys.public), caller(manageApi, keys.manage)];
    const email = "ada@example.com";
    const { body: checkout } = await api("POST", "/checkouts", { productKey: "pro", customer: { email } });
    const page = await textOf(checkout.url);
    const [, style] = /<link rel="stylesheet" href="([^"]+)"/.exec(page)!;
    expect(await textOf(new URL(style!, url).href)).toContain("--");
    const pay = { card: "4242424242424242" };
    expect((await manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, pay)).status).toBeLessThan(300);
    await advanceSandbox(manage, { by: "P2M" });
    const { body: invoices } = await manage("GET", "/invoices");
    const path = `${manageApi}/invoices/${invoices.data[0].id}/pdf`;
    expect(await textOf(path, `Bearer ${keys.manage}`)).toMatch(/^%PDF-/);

    expect(await begin(["verify"]).finished).toMatchObject({ code: 0, stderr: "" });
    const { code, stdout } = await begin(["doctor", "--json"]).finished;
    expect({ code, faults: JSON.parse(stdout).checks.filter(({ status }: Json) => status === "fault") }).toEqual({
      code: 0,
      faults: [],
    });
    const second = await begin(["start"], { PORT: new URL(url).port }).finished;
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("already runs at") });
    const { stderr } = await begin(["unknown"]).finished;
    expect(stderr).toContain("See billow --help.");
  });

  test("goes on after each of its processes was killed", async () => {
    const { start, begin } = await workspace();
    const first = await start(["start", "--json"]);
    first.signal("SIGKILL");
    await first.finished;
    const again = await start(["start", "--json"]);
    expect(again.output.sandboxes).toHaveLength(1);
    expect(await begin(["verify"]).finished).toMatchObject({ code: 0 });
  });

  /** A data directory of version 0.1.0, from a dump of its database. */
  async function layDown(dataDir: string): Promise<void> {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "secret"), "fixture-fixture-fixture-fixture-fixture-fixture", { mode: 0o600 });
    const dump = gunzipSync(readFileSync(join(ROOT, "test/releases/0.1.0/installation.sql.gz"))).toString();
    const { connection, leave } = await joinEmbeddedDatabase({ dataDir, log: () => undefined });
    const db = openDatabase(connection);
    await db.script(...statementsOf(dump));
    await db.end();
    await leave();
  }

  test("upgrades an installation of 0.1.0: it takes the keys, renews, changes and ends Subscriptions", async () => {
    const { directory: folder, start, begin } = await workspace();
    await layDown(join(folder, ".billow"));
    const { publicApi, manageApi } = (await start(["start", "--json"])).output;
    expect(await begin(["verify"]).finished).toMatchObject({ code: 0, stderr: "" });
    const api = caller(publicApi, "blw_test_w8vqc1eKM0rH9tbBoU0FyGGpr5u3me0h1Bfa1x");
    const manage = caller(manageApi, "blw_test_d6CeKVdEJ8EPMSA47vqiebR65Eyb7q9K0MlPl8");
    const { body: grants } = await api("GET", "/benefit-grants?externalCustomerId=lifetime");
    expect(grants.data.map(({ benefit }: Json) => benefit.type).sort()).toEqual(["download", "license_key"]);

    // The clock of the sandbox stands at 3 July.
    expect((await advanceSandbox(manage, { to: "2026-08-04T10:00:00Z" })).status).toBe(200);
    const stateOf = async (name: string) => {
      const { body: customers } = await manage("GET", `/customers?email=${name}%40example.com`);
      const filter = `?customerId=${customers.data[0].id}`;
      const { body: subscriptions } = await manage("GET", `/subscriptions${filter}`);
      const { body: invoices } = await manage("GET", `/invoices${filter}`);
      const amounts = invoices.data.map(({ totalAmount }: Json) => totalAmount);
      return [subscriptions.data[0].status, subscriptions.data[0].amount, ...amounts];
    };
    expect(await stateOf("upgrades")).toEqual(["active", 3000, 3000, 3000, 1400, 1000]);
    expect(await stateOf("latest")).toEqual(["active", 0, 0, 3000]);
    expect(await stateOf("renews")).toEqual(["canceled", 1000, 1000, 1000]);
    expect(await stateOf("owes")).toEqual(["canceled", 1000, 1000, 1000]);
    expect(await begin(["verify"]).finished).toMatchObject({ code: 0, stderr: "" });
  });
});
