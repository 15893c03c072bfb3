import { afterAll, beforeAll, expect, test } from "vitest";
import { ageSessions, openDashboard, type Desk } from "../support/dashboard.ts";
import { joinAs } from "../support/form-actions.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let owner: Desk;
let path: string;
let customerId: string;

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  await story.plan("pro", 3000, { name: "Pro" });
  const customer = { email: "ada@example.com", externalId: "ada" };
  ({ customerId } = await story.buy({ productKey: "pro", customer }, CARDS.pays));
  path = `/dashboard/${story.app.organization.id}/customers/${customerId}`;
  owner = await openDashboard(story.app);
});
afterAll(() => story.close());

test("support downloads all data of a Customer, and the audit log names the person", async () => {
  const support = await joinAs(story.app, "support");
  expect((await support.get(path)).text).toContain(`href="${path}/export"`);
  const { status, headers, text } = await support.get(`${path}/export`);
  expect([status, headers.get("Content-Disposition")]).toEqual([200, `attachment; filename="${customerId}.json"`]);
  const { exportedAt: _its, ...own } = JSON.parse(text);
  const { data } = await story.ok(story.app.manage("GET", "/audit-log?operation=exportCustomer"));
  expect(data).toMatchObject([{ actor: { type: "user" }, customerId, resourceId: customerId }]);
  const { exportedAt: _theirs, ...ofApi } = await story.ok(story.app.manage("GET", `/customers/${customerId}/export`));
  expect(own).toEqual(ofApi);
});

test("asks for the password again, and serves no other role", async () => {
  const reader = await joinAs(story.app, "read_only");
  expect((await reader.get(path)).text).not.toContain(`${path}/export`);
  expect((await reader.get(`${path}/export`)).status).toBe(403);
  await ageSessions(story.app.ctx.db, "16 minutes");
  const led = await owner.get(`${path}/export`);
  expect([led.status, led.headers.get("Location")]).toEqual([303, expect.stringContaining("/dashboard/confirm")]);
});
