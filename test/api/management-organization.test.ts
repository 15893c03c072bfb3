import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caller, startTestApp, type Json, type TestApp } from "../support/app.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe("the Organization", () => {
  it("is the one of the key", async () => {
    const { status, headers, body } = await app.manage("GET", "/organization");
    expect([status, body.id, headers.get("ETag")]).toEqual([200, app.organization.id, '"1"']);
    const settings = { timeZone: "UTC", defaultCurrency: "usd", defaultProration: "invoice_now", taxRates: [] };
    expect(body).toMatchObject({ mode: "sandbox", ...settings });
    expect(body.dunning).toEqual({ retryDays: [3, 7, 14, 21], graceDays: 7 });
  });

  it("changes the fields that are sent and keeps the rest", async () => {
    const before = (await app.manage("GET", "/organization")).body;
    const change = {
      name: "Analytical Engines",
      timeZone: "Europe/London",
      defaultCurrency: "GBP",
      defaultProration: "next_period",
      dunning: { retryDays: [1, 5], graceDays: 0 },
      branding: { accentColor: "#AABBCC" },
      invoicePrefix: "ae",
      address: { country: "gb", city: "London" },
    };
    const changed = await app.manage("PATCH", "/organization", change, { "If-Match": '"1"' });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...before,
      ...change,
      defaultCurrency: "gbp",
      branding: { displayName: null, accentColor: "#aabbcc", logoUrl: null },
      invoicePrefix: "AE",
      address: { country: "GB", line1: null, line2: null, postalCode: null, city: "London", state: null },
      updatedAt: changed.body.updatedAt,
    });
    expect((await app.manage("GET", "/organization")).body).toEqual(changed.body);
    expect((await app.manage("PATCH", "/organization", { name: "Other" }, { "If-Match": '"1"' })).status).toBe(412);
    const same = await app.manage("PATCH", "/organization", { name: "Analytical Engines" });
    expect(same.headers.get("ETag")).toBe(changed.headers.get("ETag"));
  });

  const ADDRESSES = {
    supportEmail: "help@acme.example",
    supportUrl: "https://acme.example/help",
    termsUrl: "https://acme.example/terms",
    privacyUrl: "https://acme.example/privacy",
    websiteUrl: "https://acme.example",
  };
  const NO_ADDRESSES = { supportEmail: null, supportUrl: null, termsUrl: null, privacyUrl: null, websiteUrl: null };

  it("has the addresses at which buyers reach the seller", async () => {
    expect((await app.manage("GET", "/organization")).body).toMatchObject(NO_ADDRESSES);
    expect((await app.manage("PATCH", "/organization", ADDRESSES)).body).toMatchObject(ADDRESSES);
    expect((await app.manage("PATCH", "/organization", { termsUrl: null })).body).toMatchObject({
      ...ADDRESSES,
      termsUrl: null,
    });
    const { keys } = await app.otherOrganization();
    const other = caller(`${app.url}/manage/v1`, keys.manage);
    expect((await other("GET", "/organization")).body).toMatchObject(NO_ADDRESSES);
    expect((await app.manage("PATCH", "/organization", NO_ADDRESSES)).body).toMatchObject(NO_ADDRESSES);
  });

  it.each([
    ["supportUrl", "javascript:alert(1)", "invalid_url"],
    ["termsUrl", "http://acme.example/terms", "invalid_url"],
    ["privacyUrl", "https://user:secret@acme.example", "invalid_url"],
    ["websiteUrl", "acme.example", "invalid_url"],
    ["websiteUrl", "data:text/html,hello", "invalid_url"],
    ["termsUrl", "", "too_short"],
    ["supportEmail", "help", "invalid_email"],
  ])("refuses %s with %j", async (field, value, code) => {
    const answer = await app.manage("PATCH", "/organization", { [field]: value });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ pointer: `/${field}`, code });
    expect((await app.manage("GET", "/organization")).body[field]).toBeNull();
  });

  it("lets a sandbox choose where its buyers give their cards", async () => {
    const entry = async (body: object) => (await app.manage("PATCH", "/organization", body)).body.sandboxEntry;
    expect((await app.manage("GET", "/organization")).body.sandboxEntry).toBe("typed");
    expect(await entry({ sandboxEntry: "hosted" })).toBe("hosted");
    expect(await entry({ name: "Analytical Engines" })).toBe("hosted");
    expect(await entry({ sandboxEntry: "typed" })).toBe("typed");
    const unknown = await app.manage("PATCH", "/organization", { sandboxEntry: "embedded" });
    expect(unknown).toMatchObject({ status: 422, body: { errors: [{ pointer: "/sandboxEntry" }] } });
    const { keys } = await app.otherOrganization({ mode: "live" });
    const live = caller(`${app.url}/manage/v1`, keys.manage);
    expect((await live("GET", "/organization")).body.sandboxEntry).toBeNull();
    const refused = await live("PATCH", "/organization", { sandboxEntry: "typed" });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/sandboxEntry", code: "sandbox_only" }] },
    });
  });

  it("is told that reverse charge needs its own country", async () => {
    const patch = async (body: object) => (await app.manage("PATCH", "/organization", body)).body;
    const rate = { country: "FR", name: "TVA", basisPoints: 2000 };
    expect((await patch({ address: null, taxRates: [rate] })).notices).toEqual([]);
    const answer = await patch({ taxRates: [rate, { ...rate, country: "DE", reverseCharge: true }] });
    expect(answer.notices).toEqual([
      {
        type: "seller_country_missing",
        resourceId: answer.id,
        at: answer.updatedAt,
        text: expect.stringContaining("has no address"),
      },
    ]);
    const taxId = { type: "eu_vat", value: "de 811 569 869" };
    expect(await patch({ address: { country: "DE" }, taxId })).toMatchObject({
      notices: [],
      taxId: { type: "eu_vat", value: "DE811569869", verification: "format" },
    });
    await patch({ taxRates: [], taxId: null });
  });

  it("takes a rate for a region of a country once, by its code or name, and refuses other texts", async () => {
    const rate = (country: string, region: string) => ({ country, region, name: "Tax", basisPoints: 500 });
    const faultOf = async (...taxRates: object[]) => {
      const { status, body } = await app.manage("PATCH", "/organization", { taxRates });
      return [status, body.errors?.[0] ?? null];
    };
    expect(await faultOf(rate("CA", "QC"), rate("CA", "ON"), rate("DE", "Bavaria"))).toEqual([200, null]);
    expect(await faultOf(rate("CA", "Ontaro"))).toEqual([
      422,
      expect.objectContaining({
        pointer: "/taxRates/0/region",
        code: "unknown_region",
        message: "CA has no region with this code or name. Did you mean `Ontario`?",
      }),
    ]);
    expect(await faultOf(rate("CA", "Lower Saxony"))).toEqual([
      422,
      expect.objectContaining({
        message: "CA has no region with this code or name. Write one such as `Alberta`, `AB` or `British Columbia`.",
      }),
    ]);
    expect(await faultOf(rate("CA", "Québec"), rate("CA", "qc"))).toEqual([
      422,
      expect.objectContaining({
        pointer: "/taxRates",
        code: "place_twice",
        message: "`Québec` and `qc` are the same region of CA. There is one rate for a country and region.",
      }),
    ]);
    expect(await faultOf()).toEqual([200, null]);
  });

  it("switches actions of the portal off, and lists the Products for a change", async () => {
    const patch = (portal: object) => app.manage("PATCH", "/organization", { portal });
    const all = {
      changePlan: true,
      changeQuantity: false,
      export: false,
      editDetails: true,
      changeEmail: true,
      manageDevices: true,
      cancel: true,
      pause: null,
    };
    expect((await app.manage("GET", "/organization")).body.portal).toEqual({ ...all, products: null });
    expect((await patch({ cancel: false, changeEmail: false })).body.portal).toEqual({
      ...all,
      cancel: false,
      changeEmail: false,
      products: null,
    });
    const product = async (name: string, interval: string | null) =>
      (await app.manage("POST", "/products", { name, interval, prices: [{ currency: "usd", amount: 900 }] })).body.id;
    const products = [await product("Solo", "month"), await product("Team", "year")];
    const listed = await patch({ changeEmail: true, products });
    expect(listed.body.portal).toEqual({ ...all, cancel: false, products });
    const same = await patch({ cancel: false, products });
    expect(same.headers.get("ETag")).toBe(listed.headers.get("ETag"));
    expect((await patch({ cancel: true })).body.portal).toEqual({ ...all, products });
    expect((await patch({ products: null })).body.portal).toEqual({ ...all, products: null });
  });

  it("refuses Products that are not its own, and switches that are not there", async () => {
    const patch = (portal: object) => app.manage("PATCH", "/organization", { portal });
    const { keys } = await app.otherOrganization();
    const there = caller(`${app.url}/manage/v1`, keys.manage);
    const sold = { name: "Solo", interval: "month", prices: [{ currency: "usd", amount: 900 }] };
    const [own, other] = [await app.manage("POST", "/products", sold), await there("POST", "/products", sold)];
    const refused = async (portal: object) => {
      const { status, body } = await patch(portal);
      return [status, ...body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`)];
    };
    expect(await refused({ products: [own.body.id, other.body.id] })).toEqual([422, "/portal/products/1 not_found"]);
    expect(await refused({ products: [own.body.id, own.body.id] })).toEqual([422, "/portal/products/1 duplicate"]);
    for (const [portal, pointer] of [
      [{ products: [] }, "/portal/products"],
      [{ products: ["prd_x"] }, "/portal/products/0"],
      [{ products: Array.from({ length: 101 }, () => own.body.id) }, "/portal/products"],
      [{ cancel: null }, "/portal/cancel"],
      [{ cancel: "no" }, "/portal/cancel"],
      [{ changeCard: false }, "/portal/changeCard"],
    ] as const) {
      const { status, body } = await patch(portal);
      expect([status, body.errors.map(({ pointer: at }: Json) => at)], pointer).toEqual([
        422,
        expect.arrayContaining([pointer]),
      ]);
    }
    expect((await app.manage("GET", "/organization")).body.portal.products).toBeNull();
  });

  it("refuses impossible values", async () => {
    const taxId = { type: "eu_vat", value: "DE123456789" };
    const change = { mode: "live", timeZone: "Mars/Olympus", dunning: { retryDays: [5, 3], graceDays: 7 }, taxId };
    const answer = await app.manage("PATCH", "/organization", change);
    expect(answer.status).toBe(422);
    const pointers = answer.body.errors.map((fault: Json) => fault.pointer);
    expect(pointers.sort()).toEqual(["/dunning/retryDays", "/mode", "/taxId/value", "/timeZone"]);
  });
});
