import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { caller, type Json } from "../support/app.ts";
import { startWebClient } from "../support/portal.ts";
import { createWorkspace, type Started, type Workspace } from "../support/command-line.ts";

let workspace: Workspace;
beforeAll(async () => void (workspace = await createWorkspace()));
afterAll(() => workspace.clear());

/** The one JSON object that a command prints. */
async function json(...args: string[]): Promise<Json> {
  const { code, stdout, stderr } = await workspace.run([...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** The output of a command for people. */
async function lines(...args: string[]): Promise<string[]> {
  return (await workspace.run(args)).stdout.trimEnd().split("\n");
}

const ORGANIZATION =
  "org create --name Acme --mode sandbox --time-zone Europe/Berlin --clock 2026-01-31T00:00:00Z".split(" ");

async function checkKeys(server: Started, organization: string) {
  const named = ["--organization", organization];
  const made = await json("keys", "create", "--scope", "public", "--name", "shop", ...named);
  const create = (key: string) => caller(server.output.publicApi, key)("POST", "/checkouts", { productKey: "nothing" });
  expect((await create(made.secret)).status).toBe(422);
  const rotated = await json("keys", "rotate", made.id, "--overlap-seconds", "60", ...named);
  expect(rotated).toMatchObject({ name: "shop", scopes: ["public"] });
  const { data } = await json("keys", "list", ...named);
  expect(data.find(({ id }: Json) => id === made.id)).toMatchObject({
    replacedBy: rotated.id,
    last4: made.secret.slice(-4),
  });
  expect(await json("keys", "revoke", rotated.id, ...named)).toMatchObject({ revokedAt: expect.any(String) });
  expect((await create(rotated.secret)).body).toMatchObject({ status: 401, code: "api_key_revoked" });
}

/** The first user of the dashboard gets each new Organization, so `org create` prints no further step. */
async function checkTeamNotice({ output }: Started) {
  const { pathname } = new URL((await json("team", "set-up")).url);
  const owner = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };
  expect((await startWebClient(output.url).post(pathname, owner)).status).toBe(303);
  const created = await lines("org", "create", "--name", "Later", "--mode", "live");
  expect(created.join("\n")).not.toContain("team invite");
  const named = ["--role", "owner", "--organization", "Later"];
  const again = await workspace.run(["team", "invite", owner.email, ...named]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("is already a member")]);
}

test("a command without a database says in one line where it looked, and makes none", async () => {
  const directory = join(workspace.directory, "elsewhere");
  for (const command of [["org", "list"], ["seed"], ["doctor"], ["verify"], ORGANIZATION]) {
    const { code, stdout, stderr } = await workspace.run(command, { BILLOW_DATA_DIR: directory });
    expect({ command, stdout }).toEqual({ command, stdout: "" });
    expect(code).toBe(command[0] === "verify" ? 2 : 1);
    expect(stderr).toMatch(/^billow: .*\n$/);
    expect(stderr).toContain(`There is no database in ${directory}.`);
    expect(stderr).toContain("set BILLOW_DATA_DIR");
  }
  expect(existsSync(directory)).toBe(false);
});

test("without a server, then beside one", { timeout: 360_000 }, async () => {
  await json("migrate");
  const alone = await json(...ORGANIZATION);
  expect(alone).toEqual({
    organization: expect.objectContaining({
      name: "Acme",
      timeZone: "Europe/Berlin",
      createdAt: "2026-01-31T00:00:00.000Z",
    }),
    keys: { public: expect.stringMatching(/^blw_test_/), manage: expect.stringMatching(/^blw_test_/) },
    links: { checkout: null, emails: expect.stringContaining("/emails/"), portal: expect.stringContaining("/portal/") },
  });
  const { id } = alone.organization;
  expect((await json("seed")).products).toEqual(["free", "starter", "pro", "pro-trial", "pro-yearly", "lifetime"]);
  expect(await json("clock", "advance", "--by", "P1M")).toEqual({
    now: "2026-02-28T00:00:00.000Z",
    done: 0,
    events: {},
  });
  expect(await json("clock", "stop")).toEqual({ now: "2026-02-28T00:00:00.000Z", target: null, done: 0 });

  const server = await workspace.start(["start", "--json"]);
  expect(server.output).not.toHaveProperty("keys");
  const live = await json("org", "create", "--name", "Live", "--mode", "live");
  expect(live.keys.manage).toMatch(/^blw_live_/);
  const shown = await caller(server.output.manageApi, live.keys.manage)("GET", "/organization");
  // The command has found the server and its port.
  expect(live.organization.portalUrl).toBe(`${server.output.url}/portal/${live.organization.id}`);
  expect(shown.body).toEqual(live.organization);
  expect(live).not.toHaveProperty("links");
  const { links } = await json("org", "create", "--name", "Trials", "--mode", "sandbox");
  for (const link of [links.emails, links.portal]) expect((await fetch(link)).status).toBe(200);
  await checkKeys(server, id);
  await checkTeamNotice(server);
  expect(await lines("org", "list")).toEqual([
    "ID                              MODE     NAME",
    `${id}  sandbox  Acme`,
    `${live.organization.id}  live     Live`,
    expect.stringMatching(/^org_\w+  sandbox  Trials$/),
    expect.stringMatching(/^org_\w+  live     Later$/),
  ]);
});

const CREATE =
  "Usage: node bin/billow.mjs org create --name N --mode sandbox|live [--time-zone Z] [--clock T] [--json]";
const ADVANCE =
  "Usage: node bin/billow.mjs clock advance --to T | --by P1M | --to-next-due [--organization ID|NAME] [--json]";
const STOP = "Usage: node bin/billow.mjs clock stop [--organization ID|NAME] [--json]";
const MARS = "Mars/Base is not a time zone of the IANA database, such as Europe/Berlin.";

test("the version is that of the package", async () => {
  expect(await workspace.run(["--version"])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

describe("a wrong call exits with 2 and says how it is used, in one line", () => {
  test.each<[string[], string]>([
    // the arguments of billow, the line on stderr
    [["sell"], 'There is no command "sell". See node bin/billow.mjs --help.'],
    [["strat"], 'There is no command "strat". Did you mean `start`? See node bin/billow.mjs --help.'],
    [
      ["exma", "http://127.0.0.1:3000/hook"],
      'There is no command "exma". Did you mean `exam`? See node bin/billow.mjs --help.',
    ],
    [["org-list"], 'There is no command "org-list". Did you mean `org list`? See node bin/billow.mjs --help.'],
    [
      ["org", "lst"],
      `There is no command "org lst". Did you mean \`org list\`? ${CREATE.replace(" [--json]", "")} | ` +
        "node bin/billow.mjs org list",
    ],
    [
      ["org", "create", "--timezone", "Europe/Berlin"],
      `Unknown option '--timezone'. Did you mean \`--time-zone\`? ${CREATE}`,
    ],
    [["start", "now"], 'Unexpected "now". Usage: node bin/billow.mjs start [--json]'],
    [["start", "--port", "1"], "Unknown option '--port'. Usage: node bin/billow.mjs start [--json]"],
    [["org", "create", "--mode", "sandbox"], `--name is missing. ${CREATE}`],
    [["org", "create", "--name", "A", "--mode", "test"], `--mode must be sandbox or live. ${CREATE}`],
    [
      ["keys", "rotate"],
      "KEY_ID is missing. " +
        "Usage: node bin/billow.mjs keys rotate KEY_ID [--overlap-seconds N] [--organization ID|NAME] [--json]",
    ],
    [["clock", "advance"], `Give one of --to, --by and --to-next-due. ${ADVANCE}`],
    [["clock", "stop"], `--organization is missing. There are: "Acme", "Live", "Trials", "Later". ${STOP}`],
    [
      ["clock", "advance", "--by", "month"],
      `--by: This is not an ISO 8601 duration above zero, such as P1M. ${ADVANCE}`,
    ],
  ])("billow %j", async (args, line) => {
    expect(await workspace.run(args)).toEqual({ code: 2, stdout: "", stderr: `billow: ${line}\n` });
  });

  test.each([
    [
      ["org", "create", "--name", "A", "--mode", "live", "--clock", "2026-01-31T00:00:00Z"],
      "Only a sandbox has a clock of its own.",
    ],
    [["org", "create", "--name", "A", "--mode", "live", "--time-zone", "Mars/Base"], MARS],
    [
      ["keys", "list", "--organization", "acme"],
      'There is no Organization "acme". There are: "Acme", "Live", "Trials", "Later".',
    ],
  ])("an impossible command exits with 1: billow %j", async (args, line) => {
    expect(await workspace.run(args)).toEqual({ code: 1, stdout: "", stderr: `billow: ${line}\n` });
  });
});

test("seed --company fills an empty sandbox, once, and the books agree", { timeout: 540_000 }, async () => {
  const clock = ["--clock", "2026-03-01T00:00:00Z"];
  const { organization } = await json("org", "create", "--name", "Filled", "--mode", "sandbox", ...clock);
  const named = ["--organization", organization.id];
  const filled = await workspace.run(["seed", "--company", "--json", ...named]);
  expect([filled.code, filled.stderr]).toEqual([0, expect.stringMatching(/^(Step \d+ of \d+\.\n)+$/)]);
  expect(JSON.parse(filled.stdout)).toMatchObject({ organization: { name: "Filled" } });
  expect(await json("clock", "stop", ...named)).toMatchObject({ now: "2026-03-01T00:00:00.000Z", target: null });
  const again = await workspace.run(["seed", "--company", ...named]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("This sandbox has Customers already.")]);
  expect((await workspace.run(["verify", ...named])).code).toBe(0);
});
