import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory, startWebClient, type WebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
let customerId: string;
let there: WebClient;

const allow = (isAllowed: boolean) =>
  story.ok(story.app.manage("PATCH", "/organization", { portal: { export: isAllowed } }));
const file = (client = there) => client.get(`${portal}/export/file`);

beforeAll(async () => {
  let subscription;
  ({ story, portal, subscription } = await startPortalStory());
  ({ customerId } = subscription);
  there = await signInTo(story, customerId);
});
afterAll(() => story.close());

describe("the data of the account (rule I10a)", () => {
  it("is not offered until the seller allows it", async () => {
    expect((await story.ok(story.app.manage("GET", "/organization"))).portal.export).toBe(false);
    expect((await there.get(portal)).text).not.toContain("/export");
    for (const path of ["/export", "/export/file"]) {
      const page = await there.get(portal + path);
      expect([page.status, wordsOf(page.text)]).toEqual([403, expect.stringContaining("Not available here")]);
    }
  });

  it("is a JSON file that the page describes, the same as that of the API", async () => {
    await allow(true);
    expect(wordsOf((await there.get(portal)).text)).toContain("Your data Download your data");
    const page = await there.get(`${portal}/export`);
    expect(page.status).toBe(200);
    expect(wordsOf(page.text)).toContain("Download the data of your account with Test as one file.");
    expect(page.text).toContain(`href="${portal}/export/file"`);
    const { status, headers, text } = await file();
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename="${customerId}.json"`);
    expect(headers.get("Cache-Control")).toBe("no-store");
    const { exportedAt: _its, ...own } = JSON.parse(text);
    const { exportedAt: _theirs, ...ofApi } = await story.ok(
      story.app.manage("GET", `/customers/${customerId}/export`),
    );
    expect(own).toEqual(ofApi);
    expect(own).toMatchObject({ customer: { id: customerId }, subscriptions: [{ customerId }] });
  });

  it("has no notes and no metadata of the seller's team, which the document of the API has", async () => {
    const { manage } = story.app;
    const note = "Team only: rude on the phone";
    const metadata = { internal: note };
    await story.ok(manage("PATCH", `/customers/${customerId}`, { metadata }));
    const adjustment = { currency: "usd", amount: 500, reason: note };
    await story.ok(manage("POST", `/customers/${customerId}/balance-adjustments`, adjustment));
    const [invoice] = (await story.ok(manage("GET", `/invoices?customerId=${customerId}`))).data;
    await story.ok(manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 100, reason: note }));
    const { text } = await file();
    expect(text).not.toContain("Team only");
    const own = JSON.parse(text);
    expect(own.customer.metadata).toEqual({});
    expect(own.balanceEntries[0]).toMatchObject({ amount: 500, note: null });
    expect(own.refunds[0]).toMatchObject({ amount: 100, reason: null });
    const types = own.events.map(({ type }: { type: string }) => type);
    expect(types).toEqual(expect.arrayContaining(["customer.updated", "refund.created", "invoice.paid"]));
    const ofApi = await story.ok(manage("GET", `/customers/${customerId}/export`));
    expect(ofApi.customer.metadata).toEqual(metadata);
    expect([ofApi.balanceEntries[0].note, ofApi.refunds[0].reason]).toEqual([note, note]);
    const withNote = ofApi.events.filter((event: object) => JSON.stringify(event).includes("Team only"));
    expect(withNote.length).toBeGreaterThan(1);
    const shape = (row: object) => Object.keys(row);
    for (const list of ["invoices", "refunds", "balanceEntries", "benefitGrants", "subscriptions"])
      expect(own[list].map(shape), list).toEqual(ofApi[list].map(shape));
  });

  it("is that of the signed-in Customer alone", async () => {
    const customer = { email: "bob@example.com", name: "Bob" };
    const sold = await story.buy({ productKey: "pro", customer }, CARDS.pays);
    const bob = await signInTo(story, sold.customerId);
    const { text } = await file(bob);
    expect(JSON.parse(text).customer.id).toBe(sold.customerId);
    expect(text).not.toContain(customerId);
    const stranger = await file(startWebClient(story.app.url));
    expect([stranger.status, stranger.headers.get("Location")]).toEqual([303, portal]);
  });

  it("is refused once the seller takes the permission back", async () => {
    await allow(false);
    expect((await file()).status).toBe(403);
    await allow(true);
    expect((await file()).status).toBe(200);
  });
});

test("a Customer gets few files a minute", async () => {
  const sold = await story.buy({ productKey: "pro", customer: { email: "eve@example.com" } }, CARDS.pays);
  const eve = await signInTo(story, sold.customerId);
  const statuses: number[] = [];
  for (let turn = 0; turn < 6; turn += 1) statuses.push((await file(eve)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test.each([
  ["de", "Ihre Daten herunterladen"],
  ["fr", "Télécharger vos données"],
  ["es", "Descargar sus datos"],
  ["ja", "データをダウンロード"],
])("the page is in the language of the Customer: %s", async (locale, download) => {
  await story.ok(story.app.manage("PATCH", `/customers/${customerId}`, { locale }));
  expect((await there.get(portal)).text).toContain(download);
  const { text } = await there.get(`${portal}/export`);
  expect(text).toContain(`lang="${locale}"`);
  expect(text).toContain(download);
});
