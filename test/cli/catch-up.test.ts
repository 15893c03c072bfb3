import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY } from "../../src/domain/calendar.ts";
import { caller, type Json } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { boughtAt, buyOnPage, lastSeen, startLiveStory } from "../support/downtime.ts";
import { CARDS, type Story } from "../support/story.ts";

let workspace: Workspace;
let story: Story;
let environment: Record<string, string>;
let ada: Json;
beforeAll(async () => {
  workspace = await createWorkspace();
  story = await startLiveStory();
  const { databaseUrl, secret } = story.app.ctx.config;
  environment = { DATABASE_URL: databaseUrl!, BILLOW_SECRET: secret! };
  await story.plan("monthly", 3000);
  ada = await buyOnPage(story.app, { productKey: "monthly", customer: { email: "ada@example.com" } }, CARDS.pays);
});
afterAll(async () => {
  await workspace.clear();
  await story.close();
});

const run = (...args: string[]) => workspace.run(["catch-up", ...args], environment);

async function json(code: number, ...args: string[]): Promise<Json> {
  const finished = await run(...args, "--json");
  expect(finished).toMatchObject({ code });
  return JSON.parse(finished.stdout);
}

test("while no work was missed", async () => {
  expect(await run()).toEqual({ code: 0, stdout: "No work is held.\n", stderr: "" });
  expect(await json(0, "--approve")).toEqual({ approved: true, data: [] });
  const sandbox = await story.app.otherOrganization();
  expect(await json(0, "--organization", sandbox.organization.id)).toEqual({ approved: false, data: [] });
  const stderr = 'billow: There is no Organization "org_x". There are: "Test".\n';
  expect(await run("--organization", "org_x")).toMatchObject({ code: 1, stderr });
});

test("after three days: told, kept from being changed, approved", async () => {
  const { app } = story;
  const { id } = app.organization;
  await boughtAt(app.ctx, id, ada.id, Date.now() - 32 * DAY);
  const since = (await story.subscription(ada.id)).currentPeriodEnd;
  await lastSeen(app.ctx, 3);

  // The server records its downtime before it listens, so even its first request finds the due work held.
  const server = await workspace.start(["serve", "--json"], environment);
  const patched = await caller(`${server.output.url}/public/v2`, app.keys.public)("PATCH", `/subscriptions/${ada.id}`, {
    cancelAtPeriodEnd: true,
  });
  expect(patched).toMatchObject({ status: 409, body: { code: "catch_up_pending" } });
  server.signal("SIGTERM");
  const { stderr } = await server.finished;
  expect(JSON.parse(stderr)).toMatchObject({
    level: 50,
    organizations: [id],
    msg: expect.stringContaining("see node bin/billow.mjs catch-up"),
  });

  const { approved, data } = await json(3);
  expect({ approved, data }).toEqual({
    approved: false,
    data: [
      {
        organizationId: id,
        since: expect.any(String),
        subscriptions: 1,
        periods: 1,
        amounts: [{ currency: "usd", amount: 3000 }],
        oldest: since,
      },
    ],
  });
  expect(Math.round((Date.now() - Date.parse(data[0].since)) / DAY)).toBe(3);
  const { stdout, ...quiet } = await run("--organization", id);
  expect(quiet).toEqual({ code: 3, stderr: "" });
  expect(stdout).toContain(`1 Subscription, due since ${since} or later; 1 period to be invoiced, about US$30.00.`);

  await app.runDue();
  expect(await story.subscription(ada.id)).toMatchObject({ currentPeriodEnd: since });
  expect(await json(0, "--approve")).toEqual({ approved: true, data });
  expect(await json(0)).toEqual({ approved: false, data: [] });
  await app.runDue();
  expect(await story.subscription(ada.id)).toMatchObject({ currentPeriodStart: since });
  expect(await story.audit()).toEqual([]);
});
