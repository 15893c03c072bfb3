import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createContext } from "../../src/context.ts";
import { startServer } from "../../src/http/server.ts";
import { createWebApp } from "../../src/web/app.ts";
import { get } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const OLD = "s".repeat(32);
const NEW = "n".repeat(32);

let story: Story;
/** The paths of a Checkout's page and of an invoice's page, as made under the old secret. */
let paths: string[];
beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const { app } = story;
  await story.plan("pro", 3000);
  const { id } = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays);
  const [invoice] = (await story.ok(app.manage("GET", `/invoices?subscriptionId=${id}`))).data;
  const checkout = await story.ok(app.api("POST", "/checkouts", { productKey: "pro" }));
  paths = [checkout.url, invoice.url].map((url) => new URL(url).pathname);
});
afterAll(() => story.close());

/** The statuses of pages on a server with these secrets, beside the first one. */
async function statuses(asked: string[], secret: string, previousSecrets: string[]): Promise<number[]> {
  const { config, db } = story.app.ctx;
  const ctx = await createContext({ ...config, port: 0, secret, previousSecrets }, { db });
  const server = await startServer(ctx, { web: createWebApp(ctx) });
  const pages = await Promise.all(asked.map((path) => get(`http://127.0.0.1:${server.port}${path}`)));
  await server.close();
  await ctx.close();
  return pages.map(({ status }) => status);
}

test("links of a previous secret open as long as the secret is listed", async () => {
  expect(await statuses(paths, OLD, [])).toEqual([200, 200]);
  expect(await statuses(paths, NEW, [])).toEqual([404, 404]);
  expect(await statuses(paths, NEW, ["other".repeat(8), OLD])).toEqual([200, 200]);
  // Before processes start one by one with a new secret, the new secret is listed as if it were a previous one.
  expect(await statuses(paths, NEW, [OLD])).toEqual(await statuses(paths, OLD, [NEW]));
});

test("links that an earlier release signed with the secret itself open, also after a rotation", async () => {
  const byEarlierRelease = paths.map((path) => {
    const [, kind, id, secret] = path.split("/") as [string, string, string, string];
    const organizationId = secret.slice(0, 26);
    const signature = createHmac("sha256", OLD).update(`${kind}:org_${organizationId}:${id}`).digest("base64url");
    expect(secret).not.toBe(organizationId + signature);
    return `/${kind}/${id}/${organizationId}${signature}`;
  });
  expect(await statuses(byEarlierRelease, OLD, [])).toEqual([200, 200]);
  expect(await statuses(byEarlierRelease, NEW, [OLD])).toEqual([200, 200]);
  expect(await statuses(byEarlierRelease, NEW, [])).toEqual([404, 404]);
});
