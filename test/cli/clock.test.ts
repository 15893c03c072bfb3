import { afterAll, beforeAll, expect, test } from "vitest";
import { caller, type Json, type TestCall } from "../support/app.ts";
import { createInstalledWorkspace, type Begun, type Workspace } from "../support/command-line.ts";
import { ok } from "../support/story.ts";
import { until } from "../support/until.ts";

// A weekly Subscription has 360,000 renewals up to this year, so an advance to this year takes an hour.
const FAR = "9000-01-01T00:00:00.000Z";
const START = "2026-01-31T00:00:00.000Z";
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

let workspace: Workspace;
let id: string;
let manage: TestCall;

beforeAll(async () => {
  workspace = await createInstalledWorkspace();
  const server = await workspace.start(["start", "--json"]);
  const made = await workspace.run([
    "org",
    "create",
    "--name",
    "Acme",
    "--mode",
    "sandbox",
    "--clock",
    START,
    "--json",
  ]);
  const { organization, keys } = JSON.parse(made.stdout) as Json;
  id = organization.id;
  manage = caller(server.output.manageApi, keys.manage);
  const api = caller(server.output.publicApi, keys.public);
  const prices = [{ currency: "usd", amount: 500 }];
  await ok(manage("POST", "/products", { key: "weekly", name: "Weekly", interval: "week", prices }));
  const checkout = await ok(
    api("POST", "/checkouts", { productKey: "weekly", customer: { email: "ada@example.com" } }),
  );
  await ok(manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card: "4242424242424242" }));
}, 360_000);
afterAll(() => workspace.clear());

const clock = (): Promise<Json> => ok(manage("GET", "/sandbox/clock"));
const advance = (...target: string[]): string[] => ["clock", "advance", ...target, "--organization", id];

/** The command, after its first line about the progress. */
async function onTheWay(): Promise<{ command: Begun; now: string }> {
  const command = workspace.begin(advance("--to", FAR));
  const line = new RegExp(`^It is (${TIME}), on the way to ${FAR}; [\\d,]+ due items were carried out\\.\\n`);
  const [, now] = await command.noted(line);
  return { command, now: now! };
}

/** The last line of a command that is refused. Its exit code is 1, and it prints no result. */
async function refusal({ finished }: Pick<Begun, "finished">): Promise<string> {
  const { code, stdout, stderr } = await finished;
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  const lines = stderr.trimEnd().split("\n");
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^It is /);
  return lines.at(-1)!;
}

test("Ctrl-C leaves the advance to the worker, and says how to stop it", { timeout: 360_000 }, async () => {
  const { command, now } = await onTheWay();
  command.signal("SIGINT");
  const goesOn = `and a running worker carries the advance on to ${FAR}`;
  const left = new RegExp(`^billow: The clock is at (${TIME}), ${goesOn}; (.*) ends it there\\.$`);
  const [, reached, way] = left.exec(await refusal(command))!;
  expect(reached! >= now).toBe(true);
  expect(way).toBe(`node bin/billow.mjs clock stop --organization ${id}`);
  const seen = await clock();
  expect(seen.target).toBe(FAR);
  const later = await until(async () => {
    const next = await clock();
    return next.done === seen.done ? null : next;
  });
  expect(later.now > reached!).toBe(true);
});

test(
  "beside an advance to another target the command is refused, and told the target",
  { timeout: 120_000 },
  async () => {
    const way = `wait until it is there, or end that advance with node bin/billow.mjs clock stop --organization ${id}`;
    const targets = [
      ["--by", "P1D"],
      ["--to", "9000-01-02T00:00:00Z"],
      ["--to-next-due", "--json"],
    ];
    // Side by side, because the advance keeps a processor busy until it is stopped.
    const lines = await Promise.all(targets.map((target) => refusal({ finished: workspace.run(advance(...target)) })));
    for (const line of lines) expect(line).toBe(`billow: The clock is being advanced to ${FAR}: ${way}.`);
    expect((await clock()).target).toBe(FAR);
  },
);

test("an advance that is stopped elsewhere ends the command, and stays stopped", { timeout: 360_000 }, async () => {
  const { command } = await onTheWay();
  const { now } = await ok(manage("DELETE", "/sandbox/clock/advance"));
  expect(await refusal(command)).toBe(`billow: The advance to ${FAR} was stopped: the clock stands at ${now}.`);
  expect(await clock()).toMatchObject({ now, target: null });
  const stopped = await workspace.run(["clock", "stop", "--organization", id, "--json"]);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ now, target: null });
});

test("the command prints where the clock has arrived", async () => {
  const { now } = await clock();
  const next = await workspace.run([...advance("--to-next-due"), "--json"]);
  expect(next).toMatchObject({ code: 0, stderr: "" });
  const arrived = JSON.parse(next.stdout) as Json;
  expect(arrived).toEqual({
    now: expect.any(String),
    done: 1,
    events: { "subscription.renewed": 1, "invoice.created": 1, "payment.succeeded": 1, "invoice.paid": 1 },
  });
  expect(arrived.now > now).toBe(true);
  const { stdout } = await workspace.run(advance("--by", "P2W"));
  const [line, ...events] = stdout.trimEnd().split("\n");
  expect(line).toMatch(/ in Acme; 2 due items were carried out, with these events:$/);
  const types = ["subscription.renewed", "invoice.created", "payment.succeeded", "invoice.paid"];
  expect(events).toEqual(types.map((type) => `  2  ${type}`));
  const quiet = await workspace.run(advance("--by", "PT1M"));
  expect(quiet.stdout).toMatch(/ in Acme; 0 due items were carried out\.\n$/);
});
