import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { presentBenefitGrant } from "../../src/resources/benefit-grant.ts";
import { ListManagedBenefitGrantsQuery } from "../../src/resources/benefit-grant.ts";
import { listGrants } from "../../src/store/benefit-grants.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2025-01-31T23:59:59.007Z" });
});
afterAll(() => story.close());

const withoutLinks = (text: string) => text.replaceAll(/"url":"[^"]*"/g, '"url":""');

it("is the same JSON as the presenter makes, for each type of Benefit", async () => {
  const { app, ok } = story;
  const downloads = join(app.ctx.config.dataDir, "downloads", app.organization.id);
  await mkdir(downloads, { recursive: true });
  await writeFile(join(downloads, "grant-body.txt"), "Hello");
  const files = [{ name: "Żółć.txt", path: "grant-body.txt" }];
  const benefits = [
    { type: "feature", key: "sso", name: "SSO", metadata: { zeta: 1, a: 'quoted "' } },
    { type: "feature", key: "seats", name: "Seats", description: "Ten.", properties: { value: 10 } },
    { type: "feature", key: "rooms", name: "Rooms", properties: { value: 4, perUnit: true } },
    { type: "feature", key: "share", name: "Share", properties: { value: 0.1 } },
    {
      type: "license_key",
      key: "device",
      name: "Device",
      properties: { prefix: "UNIT", activationLimit: 100_000, perUnit: true },
    },
    { type: "license_key", key: "licence", name: "Licence", properties: { prefix: "ACME", activationLimit: 3 } },
    { type: "download", key: "book", name: "Book", properties: { files } },
    { type: "custom", key: "note", name: "Note", properties: { note: "Line 1\nLine 2" } },
  ];
  const benefitIds = [];
  for (const benefit of benefits) benefitIds.push((await ok(app.manage("POST", "/benefits", benefit))).id);
  const product = {
    key: "all",
    name: "All",
    interval: "month",
    quantity: { minimum: 1, maximum: null },
    prices: [{ currency: "usd", amount: 1000 }],
    benefitIds,
  };
  await ok(app.manage("POST", "/products", product));
  const { id } = await story.buy(
    { productKey: "all", quantity: 30_000, customer: { email: "a@example.com", externalId: 'ä"' } },
    CARDS.pays,
  );
  await ok(app.api("PATCH", `/subscriptions/${id}`, { cancelAtPeriodEnd: true }));
  const { data } = await ok(
    app.api("GET", `/benefit-grants?externalCustomerId=${encodeURIComponent('ä"')}&type=license_key`),
  );
  await ok(app.licenses("POST", "/activate", { organizationId: app.organization.id, key: data[0].properties.key }));

  const rows = await listGrants(app.ctx.db.read, app.organization.id, ListManagedBenefitGrantsQuery.parse({}));
  const presented = rows.map((row) => presentBenefitGrant(row, row.benefit, { ...row, downloadUrl: () => "" }));
  const expected = JSON.stringify({ data: presented, nextCursor: null });
  const answer = await fetch(`${app.url}/public/v2/benefit-grants?externalCustomerId=${encodeURIComponent('ä"')}`, {
    headers: { Authorization: `Bearer ${app.keys.public}` },
  });
  expect(presented).toHaveLength(8);
  expect(presented.map(({ properties }) => properties)).toMatchObject([
    {},
    {},
    { activationLimit: 3 },
    { activationLimit: 3_000_000_000 },
    { value: 0.1 },
    { value: 120_000 },
    { value: 10 },
    { value: true },
  ]);
  expect(withoutLinks(await answer.text())).toBe(withoutLinks(expected));
});
