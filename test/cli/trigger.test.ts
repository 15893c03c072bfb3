import { afterAll, beforeAll, expect, test } from "vitest";
import { TRIGGERS, type Trigger } from "../../src/actions/scenario/recipes.ts";
import { triggerEvent } from "../../src/actions/scenario/trigger.ts";
import { EVENT_TYPES } from "../../src/domain/event.ts";
import { caller, startTestApp, type Json, type TestApp, type TestOrganizationOptions } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { ok } from "../support/story.ts";

let workspace: Workspace;
let app: TestApp;
let environment: Record<string, string>;
beforeAll(async () => {
  workspace = await createWorkspace();
  app = await startTestApp();
  const { databaseUrl, secret } = app.ctx.config;
  environment = { DATABASE_URL: databaseUrl!, BILLOW_SECRET: secret! };
});
afterAll(async () => {
  await workspace.clear();
  await app.close();
});

const run = (...args: string[]) => workspace.run(["trigger", ...args], environment);

/** This clock stands still, so a trigger moves it instead of waiting a second. */
const STANDING = { clock: "2026-03-29T00:30:00Z", timeZone: "Europe/Berlin" };

async function logOf(type: Trigger, options: TestOrganizationOptions) {
  const { organization, keys } = await app.otherOrganization(options);
  const { made, recorded } = await triggerEvent(app.ctx, organization.id, type);
  const { data } = await ok(caller(`${app.url}/manage/v1`, keys.manage)("GET", "/events?limit=100"));
  return { made, recorded, log: data as Json[] };
}

function expectOnce(type: Trigger, { made, recorded, log }: Awaited<ReturnType<typeof logOf>>): void {
  const found = log.filter((event) => event.type === type);
  expect(found.length, JSON.stringify(log.map((event) => event.type))).toBe(1);
  expect(Object.values(made)).toContain(found[0]!.data.id);
  expect(recorded).toBe(true);
}

test.each(TRIGGERS)("%s happens, once, to the resources that it names", async (type) =>
  expectOnce(type, await logOf(type, STANDING)),
);

test.concurrent.each<Trigger>([
  "checkout.expired",
  "subscription.activated",
  "subscription.renewal_upcoming",
  "subscription.renewed",
  "subscription.trial_ending",
])("%s happens, once, by a clock that runs by itself and with no worker anywhere", async (type) => {
  expectOnce(type, await logOf(type, {}));
});

test("all events can be triggered but those that endpoints tell of themselves", () => {
  expect(EVENT_TYPES.filter((type) => !(TRIGGERS as string[]).includes(type))).toEqual([
    "webhook_endpoint.disabled",
    "webhook_endpoint.test",
  ]);
});

test("billow trigger, in a sandbox with a clock that runs by itself: beside a worker, then without one", async () => {
  const { organization, keys } = await app.otherOrganization();
  const worker = await workspace.start(["worker", "--json"], environment);
  const renewed = await run("subscription.renewed", "--organization", organization.id, "--json");
  expect(renewed).toMatchObject({ code: 0, stderr: "" });
  const { type, subscriptionId } = JSON.parse(renewed.stdout);
  expect(type).toBe("subscription.renewed");
  const manage = caller(`${app.url}/manage/v1`, keys.manage);
  const { data } = await ok(manage("GET", `/events?resourceId=${subscriptionId}`));
  expect(data.map((event: Json) => event.type)).toEqual(["subscription.created", "subscription.renewed"]);
  worker.signal("SIGTERM");
  await worker.finished;

  const expired = await run("checkout.expired", "--organization", organization.id);
  const lines = expired.stdout.split("\n").map((line) => line.replace(/_\w+$/, "_"));
  expect(lines).toEqual([
    "checkout.expired has happened in Test, to:",
    "  productId       prd_",
    "  customerId      cus_",
    "  checkoutId      chk_",
    "",
  ]);
});

test("an event that is not in the log has not happened, though its resources were made: 1", async () => {
  const { organization } = await app.otherOrganization();
  await app.ctx.db.script(`
    CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.type = 'product.created'; RETURN NEW; END
    $$;
    CREATE TRIGGER lose BEFORE INSERT ON events FOR EACH ROW
    WHEN (NEW.type = 'product.updated') EXECUTE FUNCTION lose()`);
  const { code, stdout, stderr } = await run("product.updated", "--organization", organization.id);
  await app.ctx.db.script("DROP FUNCTION lose CASCADE");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^billow: product\.updated has not happened in Test, to any of prd_\w+\.\n$/);
});

test("the refused calls", async () => {
  const usage = "Usage: node bin/billow.mjs trigger EVENT_TYPE [--organization ID|NAME] [--json]";
  const page = "The page /docs/events of your server lists all types.";
  for (const [word, advice] of [
    ["customer.create", `Did you mean \`customer.created\`? ${page}`],
    ["renewal", `Did you mean \`subscription.renewal_upcoming\`? ${page}`],
    ["foo", `The types are ${TRIGGERS.join(", ")}.`],
  ] as const) {
    const line = `billow: There is no event type "${word}". ${advice} ${usage}\n`;
    expect(await run(word)).toEqual({ code: 2, stdout: "", stderr: line });
  }
  for (const [type, how] of [
    ["webhook_endpoint.test", "POST /manage/v1/webhook-endpoints/{id}/test sends this event to that endpoint."],
    ["webhook_endpoint.disabled", "The other endpoints get this event when the receiver of an endpoint answers 410."],
  ] as const) {
    const line = `billow: "${type}" can't be triggered. ${how} ${usage}\n`;
    expect(await run(type)).toEqual({ code: 2, stdout: "", stderr: line });
  }
  const live = await app.otherOrganization({ mode: "live" });
  const line = "billow: Test is live: events are triggered in a sandbox only.\n";
  expect(await run("customer.created", "--organization", live.organization.id)).toEqual({
    code: 1,
    stdout: "",
    stderr: line,
  });
});
