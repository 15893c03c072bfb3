import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller, startTestApp, type TestApp, type TestCall } from "../support/app.ts";

const dataDir = mkdtempSync(join(tmpdir(), "billow-data-"));
let app: TestApp;
let foreign: TestCall;

beforeAll(async () => {
  app = await startTestApp({ dataDir });
  const downloads = join(dataDir, "downloads", app.organization.id);
  mkdirSync(join(downloads, "mac"), { recursive: true });
  writeFileSync(join(downloads, "mac", "app.dmg"), "12345");
  writeFileSync(join(dataDir, "secret.txt"), "secret");
  symlinkSync(join(dataDir, "secret.txt"), join(downloads, "link"));
  foreign = caller(`${app.url}/manage/v1`, (await app.otherOrganization()).keys.manage);
});
afterAll(async () => {
  await app.close();
  rmSync(dataDir, { recursive: true });
});

const file = { path: "mac/app.dmg", size: 5 };

const created = async (body: object) => {
  const answer = await app.manage("POST", "/benefits", body);
  expect(answer.status).toBe(201);
  return answer.body;
};

describe("a Benefit", () => {
  test.each([
    [
      { type: "feature", key: "sso" },
      { feature: "sso", value: true },
    ],
    [
      { type: "feature", properties: { feature: "seats", value: 50 } },
      { feature: "seats", value: 50 },
    ],
    [{ type: "license_key" }, { prefix: null, activationLimit: null }],
    [
      { type: "license_key", properties: { prefix: "app", activationLimit: 3 } },
      { prefix: "APP", activationLimit: 3 },
    ],
    [{ type: "custom" }, { note: null }],
    [{ type: "custom", properties: { note: "Line one\nline two" } }, { note: "Line one\nline two" }],
    [
      { type: "download", properties: { files: [{ path: "mac/../mac/app.dmg" }] } },
      { files: [{ ...file, name: "app.dmg" }] },
    ],
    [
      { type: "download", properties: { files: [{ path: "mac/app.dmg", name: "App" }] } },
      { files: [{ ...file, name: "App" }] },
    ],
  ])("made of %j has %j", async (body, properties) => {
    const benefit = await created({ name: "Benefit", ...body });
    expect(benefit).toMatchObject({ type: body.type, description: null, metadata: {}, properties });
    expect((await app.manage("GET", `/benefits/${benefit.id}`)).body).toEqual(benefit);
  });

  test.each(["missing", "mac", "../secret.txt", "link", "/etc/hostname"])("can't hand out %j", async (path) => {
    const files = [{ path: "mac/app.dmg" }, { path }];
    const answer = await app.manage("POST", "/benefits", { type: "download", name: "App", properties: { files } });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/properties/files/1/path", code: "file_missing" }] },
    });
  });

  test("of another Organization can't hand out our files, wherever theirs are", async () => {
    const { organization, keys } = await app.otherOrganization();
    const theirs = join(dataDir, "downloads", organization.id);
    mkdirSync(theirs);
    writeFileSync(join(theirs, "theirs.txt"), "theirs");
    const name = (path: string) => {
      const properties = { files: [{ path }] };
      return caller(`${app.url}/manage/v1`, keys.manage)("POST", "/benefits", {
        type: "download",
        name: "App",
        properties,
      });
    };
    expect(await name("theirs.txt")).toMatchObject({ status: 201 });
    const ours = `${app.organization.id}/mac/app.dmg`;
    for (const path of ["mac/app.dmg", ours, `../${ours}`, join(dataDir, "downloads", ours)]) {
      const answer = await name(path);
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "/properties/files/0/path", code: "file_missing" }] },
      });
    }
  });

  it("needs a name for its feature", async () => {
    const answer = await app.manage("POST", "/benefits", { type: "feature", name: "Nameless" });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/properties/feature", code: "required" }] },
    });
  });

  it("keeps its type and key; a PATCH replaces all properties by the rules of its type", async () => {
    const properties = { prefix: "A", activationLimit: 2 };
    const { id } = await created({ type: "license_key", key: "license", name: "License", properties });
    const path = `/benefits/${id}`;
    const changed = await app.manage("PATCH", path, { properties: { activationLimit: 5 } });
    expect(changed.body.properties).toEqual({ prefix: null, activationLimit: 5 });
    const wrong = await app.manage("PATCH", path, { properties: { feature: "sso" } });
    expect(wrong).toMatchObject({
      status: 422,
      body: { errors: [{ in: "body", pointer: "/properties/feature", code: "unknown_field" }] },
    });
    expect((await app.manage("PATCH", path, { type: "custom" })).status).toBe(422);
    expect((await app.manage("PATCH", path, { key: "other" })).status).toBe(422);
    const again = () => app.manage("POST", "/benefits", { type: "custom", key: "license", name: "Other" });
    const taken = (detail: string) => ({
      status: 409,
      body: {
        code: "key_taken",
        resourceId: id,
        detail: expect.stringContaining(detail),
        errors: [{ pointer: "/key" }],
      },
    });
    expect(await again()).toMatchObject(taken(`/key: This is taken: the Benefit ${id} has the key "license".`));
    expect((await app.manage("DELETE", path)).status).toBe(204);
    expect(await again()).toMatchObject(taken(`the deleted Benefit ${id} keeps the key "license".`));
  });

  it("leaves its Products when it is deleted", async () => {
    const kept = await created({ type: "custom", name: "Kept" });
    const gone = await created({ type: "custom", key: "gone", name: "Gone" });
    const free = {
      name: "Free",
      interval: "month",
      prices: [{ currency: "usd", amount: 0 }],
      benefitIds: [gone.id, kept.id],
    };
    const product = (await app.manage("POST", "/products", free)).body;
    const path = `/benefits/${gone.id}`;
    expect((await app.manage("DELETE", path, undefined, { "If-Match": '"0"' })).status).toBe(412);
    expect((await app.manage("DELETE", path)).status).toBe(204);
    expect((await app.manage("GET", `/products/${product.id}`)).body.benefitIds).toEqual([kept.id]);
    const { data } = (await app.manage("GET", `/events?resourceId=${product.id}&type=product.updated`)).body;
    expect(data).toMatchObject([{ sequence: 2, data: { benefitIds: [kept.id] } }]);
    for (const [method, body] of [["GET"], ["PATCH", { name: "Back" }], ["DELETE"]] as const) {
      expect((await app.manage(method, path, body)).status).toBe(404);
    }
    expect((await app.manage("GET", "/benefits?search=gone")).body.data).toEqual([]);
    const reuse = await app.manage("PATCH", `/products/${product.id}`, { benefitIds: [gone.id] });
    expect(reuse).toMatchObject({ status: 422, body: { errors: [{ pointer: "/benefitIds/0", code: "not_found" }] } });
  });

  it("does not exist for another Organization", async () => {
    const { id } = await created({ type: "custom", name: "Ours" });
    const answers = [
      await foreign("GET", `/benefits/${id}`),
      await foreign("PATCH", `/benefits/${id}`, { name: "Theirs" }),
      await foreign("DELETE", `/benefits/${id}`),
      await foreign("GET", `/benefits/${newId("bft")}`),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
    expect((await app.manage("GET", `/benefits/${id}`)).body.name).toBe("Ours");
  });
});

describe("the list of Benefits", () => {
  it("filters by key, type and a part of the name", async () => {
    const support = await created({ type: "custom", key: "support", name: "Support by phone" });
    for (const query of ["key=support", "search=by%20PHONE", "type=custom&key=support"]) {
      expect((await app.manage("GET", `/benefits?${query}`)).body.data).toEqual([support]);
    }
    expect((await app.manage("GET", "/benefits?type=download&key=support")).body.data).toEqual([]);
    expect((await app.manage("GET", "/benefits?type=gift")).status).toBe(422);
  });
});
