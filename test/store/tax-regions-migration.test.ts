import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { migrate } from "../../src/store/migrate.ts";
import { startOwnTestApp, type Json, type TestAnswer } from "../support/app.ts";
import { openDashboard } from "../support/dashboard.ts";
import { submit } from "../support/filled-form.ts";
import { wordsOf } from "../support/pages.ts";

const FILE = "0085-tax-regions.sql";
const ratesStatement = sql("test.stored_tax_rates", "UPDATE organizations SET tax_rates = $2 WHERE id = $1");

const rate = (region: string | null, basisPoints: number, name: string, country = "CA") => ({
  country,
  region,
  basisPoints,
  name,
  inclusive: false,
  reverseCharge: false,
});

test("the upgrade names the Customers with a changed tax, until the seller saves the tax rates", async () => {
  const app = await startOwnTestApp();
  onTestFinished(() => app.close());
  const { db } = app.ctx;
  const ok = async (answer: Promise<TestAnswer>): Promise<Json> => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body;
  };
  const customer = async (name: string, billingAddress: object | null) =>
    (await ok(app.api("POST", "/customers", { email: `${name}@example.com`, externalId: name, billingAddress }))).id;
  const ids: Record<string, string> = {};
  for (const [name, state] of Object.entries({
    code: "QC",
    same: "quebec",
    iso: "CA-QC",
    nfd: "Que\u0301bec",
    on: "ON",
  }))
    ids[name] = await customer(name, { country: "CA", state });
  await customer("home", { country: "DE", state: "QC" });
  await customer("none", null);
  const deleted = await customer("deleted", { country: "CA", state: "QC" });
  expect((await app.manage("DELETE", `/customers/${deleted}`)).status).toBeLessThan(300);
  // Rates as an earlier release took them.
  const rates = [
    rate(null, 500, "GST"),
    rate("Quebec", 1498, "GST + QST"),
    rate("québec", 1500, "old"),
    rate("Nirvana", 1, "none"),
  ];
  await db.tx((tx) => tx.query(ratesStatement, [app.organization.id, JSON.stringify(rates)]));
  await db.script("DROP TABLE tax_region_reviews", `DELETE FROM schema_migrations WHERE name = '${FILE}'`);
  expect(await migrate(db)).toEqual([FILE]);
  expect(await migrate(db)).toEqual([]);

  const notices = async (): Promise<Json> => {
    const found: Json[] = (await ok(app.manage("GET", "/organization"))).notices;
    return Object.fromEntries(found.map(({ type, text }) => [type, text]));
  };
  const listed = (...names: string[]) =>
    names
      .map((name) => ids[name])
      .toSorted()
      .join(", ");
  expect(await notices()).toEqual({
    tax_regions_changed:
      "Regions are compared by code and name since the upgrade, so later invoices have another tax for some " +
      `Customers. Quebec in CA, from GST 5 % to GST + QST 14.98 %: 3 Customers (${listed("code", "iso", "nfd")}). ` +
      "Check the tax rates and save them; this notice then disappears.",
    tax_rates_unclear:
      "The tax rate for `Nirvana` meets no listed region. CA has no region with this code or name. Write one such as " +
      "`Alberta`, `AB` or `British Columbia`. `Quebec` and `québec` are the same region of CA. There is one rate for " +
      "a country and region. The first one counts.",
  });
  const owner = await openDashboard(app);
  const overview = wordsOf((await owner.get(`/dashboard/${app.organization.id}`)).text);
  expect(overview).toContain("from GST 5 % to GST + QST 14.98 %");

  await ok(app.manage("PATCH", "/organization", { name: "Renamed" }));
  expect(Object.keys(await notices())).toContain("tax_regions_changed");
  const faulty = await submit(owner, `/dashboard/${app.organization.id}/settings/taxes`, {});
  expect(faulty.status).toBe(422);
  const settings = `/dashboard/${app.organization.id}/settings/taxes`;
  const mended = { "taxRates.2.remove": "yes", "taxRates.3.remove": "yes" };
  expect((await submit(owner, settings, mended)).status).toBe(303);
  expect(await notices()).toEqual({});
});

test("right rates are confirmed by saving them, and an upgrade without a change makes no notice", async () => {
  const app = await startOwnTestApp();
  onTestFinished(() => app.close());
  const { db } = app.ctx;
  const again = async () => {
    await db.script("DROP TABLE tax_region_reviews", `DELETE FROM schema_migrations WHERE name = '${FILE}'`);
    await migrate(db);
    return (await app.manage("GET", "/organization")).body.notices.map(({ type }: Json) => type);
  };
  await app.manage("PATCH", "/organization", { taxRates: [rate("NY", 888, "Sales tax", "US")] });
  const buyer = (externalId: string, state: string) =>
    app.api("POST", "/customers", {
      email: `${externalId}@example.com`,
      externalId,
      billingAddress: { country: "US", state },
    });
  await buyer("same", " ny ");
  expect(await again()).toEqual([]);
  await buyer("other", "New York");
  expect(await again()).toEqual(["tax_regions_changed"]);
  const owner = await openDashboard(app);
  expect((await submit(owner, `/dashboard/${app.organization.id}/settings/taxes`, {})).status).toBe(303);
  expect((await app.manage("GET", "/organization")).body.notices).toEqual([]);
});
