import { afterAll, beforeAll, expect, test } from "vitest";
import { triggerEvent, TRIGGERS } from "../../src/actions/trigger.ts";
import { EVENT_TYPES } from "../../src/domain/event.ts";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { createPlace, type Place } from "../support/command-line.ts";
import { ok } from "../support/story.ts";

let place: Place;
let app: TestApp;
let environment: Record<string, string>;
beforeAll(async () => {
  place = await createPlace();
  app = await startTestApp();
  const { databaseUrl, secret } = app.ctx.config;
  environment = { DATABASE_URL: databaseUrl!, BILLOW_SECRET: secret! };
});
afterAll(async () => {
  await place.clear();
  await app.close();
});

const run = (...args: string[]) => place.run(["trigger", ...args], environment);

/** The log of an Organization whose clock stands still, so that a second is no time to wait. */
async function logOf(trigger: (organizationId: string) => Promise<object>) {
  const { organization, keys } = await app.otherOrganization({ clock: "2026-03-29T00:30:00Z", timeZone: "Europe/Berlin" });
  const made = await trigger(organization.id);
  const { data } = await ok(caller(`${app.url}/manage/v1`, keys.manage)("GET", "/events?limit=100"));
  return { made, log: data as Json[] };
}

test.each(TRIGGERS)("%s happens, once, to what it says that it made", async (type) => {
  const { made, log } = await logOf((id) => triggerEvent(app.ctx, id, type));
  const told = log.filter((event) => event.type === type);
  expect(told.length, JSON.stringify(log.map((event) => event.type))).toBe(1);
  expect(Object.values(made)).toContain(told[0]!.data.id);
});

test("what can be triggered is everything but what endpoints tell of themselves", () => {
  expect(EVENT_TYPES.filter((type) => !(TRIGGERS as string[]).includes(type))).toEqual([
    "webhook_endpoint.disabled",
    "webhook_endpoint.test",
  ]);
});

test("billow trigger, in a sandbox whose clock runs by itself: beside a worker, then without one", async () => {
  const { organization, keys } = await app.otherOrganization();
  const worker = await place.start(["worker", "--json"], environment);
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

test("what it refuses", async () => {
  const usage = "Usage: billow trigger EVENT_TYPE [--organization ID] [--json]";
  for (const word of ["customer.born", "webhook_endpoint.test"]) {
    const line = `billow: "${word}" can't be triggered; what can: ${TRIGGERS.join(", ")}. ${usage}\n`;
    expect(await run(word)).toEqual({ code: 2, stdout: "", stderr: line });
  }
  const live = await app.otherOrganization({ mode: "live" });
  const line = "billow: Test is live: events are triggered in a sandbox only.\n";
  expect(await run("customer.created", "--organization", live.organization.id)).toEqual({ code: 1, stdout: "", stderr: line });
});
