import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { createWorkspace, type Workspace } from "../support/command-line.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let workspace: Workspace;
let story: Story;
let environment: Record<string, string>;
beforeAll(async () => {
  workspace = await createWorkspace();
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  environment = { DATABASE_URL: story.app.ctx.config.databaseUrl!, BILLOW_SECRET: "s".repeat(32) };
});
afterAll(async () => {
  await story.close();
  await workspace.clear();
});

const run = (...args: string[]) => workspace.run(["tax-ids", ...args], environment);
const customer = (name: string, taxId: object): Promise<Json> =>
  story.ok(
    story.app.api("POST", "/customers", { email: `${name}@example.com`, billingAddress: { country: "DE" }, taxId }),
  );

const customerStatement = sql("test.customer_tax_id", "UPDATE customers SET tax_id = $2 WHERE id = $1");
const subscriptionStatement = sql("test.subscription_billing", "UPDATE subscriptions SET billing = $2 WHERE id = $1");
const organizationStatement = sql("test.organization_tax_id", "UPDATE organizations SET tax_id = $2 WHERE id = $1");

test("where all tax ids fit, or no tax id is stored", async () => {
  expect(await run()).toEqual({ code: 0, stdout: "All stored tax ids fit.\n", stderr: "" });
  await customer("fits", { type: "eu_vat", value: "DE811569869" });
  expect(JSON.parse((await run("--json")).stdout)).toEqual({ data: [] });
  const unknown = await run("--organization", "org_x");
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no Organization "org_x".') });
});

test("lists those that fail, and those of a type without a check, with the reason", async () => {
  const organizationId = story.app.organization.id;
  const unsupported = await customer("unsupported", { type: "us_tax_id", value: "12-3456789" });
  const failed = await customer("failed", { type: "eu_vat", value: "DE811569869" });
  const gone = await customer("gone", { type: "us_tax_id", value: "1" });
  await story.ok(story.app.manage("DELETE", `/customers/${gone.id}`));
  await story.plan("ten", 1000);
  const typed = await story.ok(story.app.api("POST", "/checkouts", { productKey: "ten" }));
  const paid = await story.ok(
    story.app.manage("POST", `/sandbox/checkouts/${typed.id}/pay`, { card: CARDS.pays, email: "typed@example.com" }),
  );
  const text = { type: "gb_vat", value: "some text" };
  const billing = { address: { country: "GB" }, taxId: text };
  await story.app.ctx.db.tx(async (tx) => {
    await tx.query(customerStatement, [failed.id, JSON.stringify(text)]);
    await tx.query(subscriptionStatement, [paid.subscriptionId, JSON.stringify(billing)]);
    await tx.query(organizationStatement, [organizationId, JSON.stringify(text)]);
  });
  const { code, stdout, stderr } = await run();
  expect([code, stderr]).toEqual([0, ""]);
  const why = "failed: format or check digits are wrong for gb_vat";
  expect(stdout.trim().split("\n")).toEqual([
    `${organizationId}  ${unsupported.id}  us_tax_id 12-3456789  unsupported: there is no check for the type us_tax_id`,
    `${organizationId}  ${failed.id}  gb_vat some text  ${why}`,
    `${organizationId}  ${organizationId}  gb_vat some text  ${why}`,
    `${organizationId}  ${paid.subscriptionId}  gb_vat some text  ${why}`,
  ]);
  const { data } = JSON.parse((await run("--json", "--organization", organizationId)).stdout);
  expect(data[1]).toEqual({
    organizationId,
    resourceId: failed.id,
    customerId: failed.id,
    ...text,
    verification: "failed",
    why: "format or check digits are wrong for gb_vat",
  });
  expect(data[3]).toMatchObject({ resourceId: paid.subscriptionId, customerId: paid.customerId });
  const other = await story.app.otherOrganization();
  expect(JSON.parse((await run("--json", "--organization", other.organization.id)).stdout)).toEqual({ data: [] });
});
