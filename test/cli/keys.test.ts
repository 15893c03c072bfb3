import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkspace, type Finished, type Workspace } from "../support/command-line.ts";
import { startStory, type Story } from "../support/story.ts";

let workspace: Workspace;
let story: Story;
beforeAll(async () => {
  workspace = await createWorkspace();
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
});
afterAll(async () => {
  await story.close();
  await workspace.clear();
});

/** Runs the command beside the server that has the database open. */
function list(organization: string): Promise<Finished> {
  const environment = { DATABASE_URL: story.app.ctx.config.databaseUrl!, BILLOW_SECRET: "s".repeat(32) };
  return workspace.run(["keys", "list", "--organization", organization], environment);
}

const MINUTE = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d";

test("keys are listed below headings, with their last use and their state, by the Organization's name", async () => {
  const { app } = story;
  const body = { name: "shop", scopes: ["public", "manage"], expiresAt: "9999-01-01T00:00:00Z" };
  const made = await story.ok(app.manage("POST", "/api-keys", body));
  const keys = () => story.ok(app.manage("GET", "/api-keys"));
  // `lastUsedAt` is written after the request that used the key.
  await expect
    .poll(async () => (await keys()).data.filter((key: { lastUsedAt: string | null }) => key.lastUsedAt))
    .toHaveLength(1);
  const { code, stdout, stderr } = await list(app.organization.name);
  expect([code, stderr]).toEqual([0, ""]);
  const [headings, shop, manage, publicKey] = stdout.trimEnd().split("\n");
  expect(headings).toBe(
    "ID                              ENDS IN  SCOPES         LAST USE (UTC)    STATE                     NAME",
  );
  expect(shop).toBe(`${made.id}  ${made.last4}     public+manage  never             expires 9999-01-01 00:00  shop`);
  expect(manage).toMatch(
    new RegExp(`^key_.{26}  .{4}     manage         ${MINUTE}  active                    manage$`),
  );
  expect(publicKey).toMatch(/^key_.{26}  .{4}     public         never             active                    public$/);
});

test("a name that several Organizations have is refused with their ids", async () => {
  const { organization } = await story.app.otherOrganization();
  const ids = `${story.app.organization.id}, ${organization.id}`;
  const stderr = `billow: Several Organizations are called "Test": say which by id. ${ids}.\n`;
  expect(await list("Test")).toEqual({ code: 1, stdout: "", stderr });
  expect((await list(organization.id)).code).toBe(0);
});
