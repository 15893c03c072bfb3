import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { downloadUrl } from "../../src/actions/links.ts";
import { realNow } from "../../src/clock.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { get, post } from "../support/pages.ts";

let app: TestApp;
let dataDir: string;
let grant: Json;
const link = (file: number, at = realNow()) => downloadUrl(app.ctx, app.organization.id, grant.id, file, at);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "billow-downloads-"));
  app = await startTestApp({ dataDir }, { clock: "2026-02-01T09:00:00Z" });
  const directory = join(dataDir, "downloads", app.organization.id);
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "book.txt"), "It was a dark and stormy night.");
  await writeFile(join(directory, "moved.txt"), "Here today.");
  const files = [{ path: "book.txt", name: `Der "Prozeß" – 第一章.txt` }, { path: "moved.txt" }];
  const benefit = await app.manage("POST", "/benefits", { type: "download", name: "Book", properties: { files } });
  const prices = [{ currency: "usd", amount: 0 }];
  const product = {
    key: "book",
    name: "Book",
    interval: "month",
    group: "books",
    prices,
    benefitIds: [benefit.body.id],
  };
  await app.manage("POST", "/products", product);
  const buyer = { email: "reader@example.com", externalId: "reader" };
  const checkout = await app.api("POST", "/checkouts", { productKey: "book", customer: buyer });
  await post(checkout.body.url, { expectedAmount: "0" });
  [grant] = (await app.api("GET", "/benefit-grants?externalCustomerId=reader")).body.data;
  // A file that a Benefit names may later be replaced by a link to another place.
  await writeFile(join(dataDir, "secret.txt"), "Not for readers.");
  await rm(join(directory, "moved.txt"));
  await symlink(join(dataDir, "secret.txt"), join(directory, "moved.txt"));
});

afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true });
});

test("a file comes under its own name, to be saved", async () => {
  const { url } = grant.properties.files[0];
  const { status, headers, text } = await get(url);
  expect({ status, text }).toEqual({ status: 200, text: "It was a dark and stormy night." });
  const full = "Der%20%22Proze%C3%9F%22%20%E2%80%93%20%E7%AC%AC%E4%B8%80%E7%AB%A0.txt";
  expect(headers.get("Content-Disposition")).toBe(
    `attachment; filename="Der _Proze__ _ ___.txt"; filename*=UTF-8''${full}`,
  );
  expect(headers.get("Content-Length")).toBe("31");
  expect(headers.get("Content-Type")).toBe("application/octet-stream");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(await get(url, "HEAD")).toMatchObject({ status: 200, text: "" });
});

test("a file needs a link that we made, for a file that is there", async () => {
  const good = link(0);
  for (const wrong of [
    good.replace("/0?", "/1?"),
    good.replace("/0?", "/00?"),
    good.replace("/0?", "/..%2fsecret.txt?"),
    good.replace(/expires=(\d+)/, (_, expires: string) => `expires=${Number(expires) + 1}`),
    good.replace(/&signature=.*/, ""),
    good.slice(0, -1),
    link(1),
    link(2),
  ]) {
    expect(await get(wrong)).toMatchObject({ status: 404, text: expect.not.stringContaining("Not for readers.") });
  }
});

test("access ends with the link and with the grant", async () => {
  expect(await get(link(0, realNow() - 16 * 60_000))).toMatchObject({ status: 410 });
  expect(await get(link(0))).toMatchObject({ status: 200 });
  await app.api("PATCH", `/subscriptions/${grant.subscriptionId}`, { cancelAtPeriodEnd: true });
  expect(await get(link(0))).toMatchObject({ status: 200 });
  await app.manage("POST", `/subscriptions/${grant.subscriptionId}/cancel-now`, {});
  expect(await get(link(0))).toMatchObject({ status: 410 });
});
