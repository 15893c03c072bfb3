import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "../support/app.ts";
import { faultAt, leadsTo, startCatalogueDesk, type CatalogueDesk } from "../support/catalogue-desk.ts";
import { fieldsOf, sendOn, submit, type Changes } from "../support/filled-form.ts";
import { wordsOf, type Page } from "../support/pages.ts";
import { CARDS } from "../support/story.ts";

let desk: CatalogueDesk;
beforeAll(async () => void (desk = await startCatalogueDesk()));
afterAll(() => desk.story.close());
const words = ({ text }: Page) => wordsOf(text);

describe("a Benefit", () => {
  test.each<[string, Changes, Json]>([
    ["feature", { "properties.feature": "exports" }, { feature: "exports", value: true }],
    ["feature", { key: "off", kind: "no" }, { feature: "off", value: false }],
    ["feature", { "properties.feature": "n", kind: "number", "properties.value": "2.5" }, { feature: "n", value: 2.5 }],
    ["feature", { "properties.feature": "t", kind: "text", "properties.value": "5" }, { feature: "t", value: "5" }],
    [
      "license_key",
      { "properties.prefix": "acme", "properties.activationLimit": "3" },
      { prefix: "ACME", activationLimit: 3 },
    ],
    [
      "feature",
      { "properties.feature": "u", kind: "number", "properties.value": "5", "properties.perUnit": "true" },
      { feature: "u", value: 5, perUnit: true },
    ],
    [
      "license_key",
      { "properties.activationLimit": "3", "properties.limitPerUnit": "true" },
      { prefix: null, activationLimit: 3, perUnit: true },
    ],
    ["license_key", {}, { prefix: null, activationLimit: null }],
    ["custom", { "properties.note": "Join\r\nus" }, { note: "Join\nus" }],
  ])("of the type %s with %j is created", async (type, typed, properties) => {
    const id = await desk.created("benefits", { name: `Made ${type}`, type, ...typed });
    expect(await desk.manage("GET", `/benefits/${id}`)).toMatchObject({ type, name: `Made ${type}`, properties });
    expect(words(await desk.owner.get(`${desk.home}/benefits/${id}?done=created`))).toContain("The Benefit is ready.");
  });

  test("of the type download finds its files", async () => {
    const folder = join(desk.story.app.ctx.config.dataDir, "downloads", desk.story.app.organization.id);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "book.pdf"), "pages");
    const typed = { name: "Book", type: "download", "properties.files.0.path": "book.pdf" };
    const id = await desk.created("benefits", { ...typed, "properties.files.0.name": "The book" });
    expect(await desk.manage("GET", `/benefits/${id}`)).toMatchObject({
      properties: { files: [{ name: "The book", path: "book.pdf", size: 5 }] },
    });
    const missing = await submit(desk.owner, `${desk.home}/benefits/new`, {
      ...typed,
      "properties.files.0.path": "no.pdf",
    });
    expect([missing.status, faultAt(missing, "properties.files.0.path")]).toEqual([
      422,
      expect.stringContaining("There is no such file."),
    ]);
    const none = await submit(desk.owner, `${desk.home}/benefits/new`, { ...typed, "properties.files.0.path": "" });
    expect([none.status, faultAt(none, "properties.files.0.path")]).toEqual([422, "Name at least one file."]);
  });

  test.each<[string, Changes, string, string]>([
    ["no name", { name: "", key: "x" }, "name", "This must not be empty."],
    ["neither a key nor a feature", {}, "properties.feature", "Enter the feature, or give the Benefit a key."],
    [
      "a number that is none",
      { key: "x", kind: "number", "properties.value": "many" },
      "properties.value",
      "Enter a number",
    ],
    [
      "a fraction for each unit",
      { key: "x", kind: "number", "properties.value": "2.5", "properties.perUnit": "true" },
      "properties.value",
      "A value for each unit is a whole number",
    ],
    [
      "no limit for each unit",
      { type: "license_key", "properties.limitPerUnit": "true" },
      "properties.activationLimit",
      "A limit for each unit needs a limit.",
    ],
    ["an empty text", { key: "x", kind: "text" }, "properties.value", "This must"],
    ["a long prefix", { type: "license_key", "properties.prefix": "x".repeat(17) }, "properties.prefix", "A prefix is"],
    [
      "no device",
      { type: "license_key", "properties.activationLimit": "0" },
      "properties.activationLimit",
      "at least 1",
    ],
  ])("with %s is refused at the field", async (_, typed, name, fault) => {
    const answer = await submit(desk.owner, `${desk.home}/benefits/new`, { name: "Refused", ...typed });
    expect([answer.status, faultAt(answer, name)]).toEqual([422, expect.stringContaining(fault)]);
  });

  test("with a taken key is refused, also by the key of a deleted Benefit", async () => {
    const id = await desk.created("benefits", { name: "Holder", key: "held" });
    const again = () => submit(desk.owner, `${desk.home}/benefits/new`, { name: "Second", key: "held" });
    expect(faultAt(await again(), "key")).toContain(`The Benefit ${id} has this key.`);
    expect(leadsTo(await submit(desk.owner, `${desk.home}/benefits/${id}/delete`))).toBe(
      `${desk.home}/benefits?done=deleted`,
    );
    expect(faultAt(await again(), "key")).toContain(`The deleted Benefit ${id} keeps this key.`);
  });

  test("is edited, and its grants show the new content", async () => {
    const benefit = await desk.manage("POST", "/benefits", {
      type: "custom",
      name: "Noted",
      properties: { note: "Old" },
    });
    await desk.story.plan("noted", 1000, { benefitIds: [benefit.id], group: "noted" });
    await desk.story.buy({ productKey: "noted", customer: { email: "n@example.com" } }, CARDS.pays);
    const path = `${desk.home}/benefits/${benefit.id}/edit`;
    const page = await submit(desk.owner, path, { "properties.note": "New" });
    expect([page.status, words(page)]).toEqual([200, expect.stringContaining("1 active grant shows the new content")]);
    expect(leadsTo(await sendOn(desk.owner, path, page))).toBe(`${desk.home}/benefits/${benefit.id}?done=saved`);
    expect(await desk.manage("GET", `/benefits/${benefit.id}`)).toMatchObject({ properties: { note: "New" } });
    expect(await desk.auditOf(benefit.id)).toContainEqual(
      expect.objectContaining({ operation: "updateBenefit", fields: ["properties.note"] }),
    );
    expect((await submit(desk.owner, path)).status).toBe(422);
    await desk.manage("PATCH", `/benefits/${benefit.id}`, { name: "Theirs" });
    expect((await sendOn(desk.owner, path, page, { once: "x".repeat(22) })).status).toBe(409);
  });

  test("with a number for each unit shows it, keeps it without edits, and can lose it (rule B5)", async () => {
    const typed = { kind: "number", "properties.value": "5", "properties.perUnit": "true" };
    const id = await desk.created("benefits", { name: "Units", key: "units", ...typed });
    const path = `${desk.home}/benefits/${id}`;
    expect(words(await desk.owner.get(path))).toContain("5 for each unit");
    expect((await submit(desk.owner, `${path}/edit`)).status).toBe(422);
    const page = await submit(desk.owner, `${path}/edit`, { "properties.perUnit": null });
    expect(leadsTo(await sendOn(desk.owner, `${path}/edit`, page))).toBe(`${path}?done=saved`);
    const { properties } = await desk.manage("GET", `/benefits/${id}`);
    expect(properties).toEqual({ feature: "units", value: 5 });
  });

  test("with CR LF from the API stays as stored after a form without edits", async () => {
    const texts = { description: "One\r\ntwo", properties: { note: "Three\r\nfour" } };
    const benefit = await desk.manage("POST", "/benefits", { type: "custom", name: "Lines", ...texts });
    const path = `${desk.home}/benefits/${benefit.id}/edit`;
    expect((await submit(desk.owner, path)).status).toBe(422);
    const page = await submit(desk.owner, path, { name: "Two lines" });
    expect(leadsTo(await sendOn(desk.owner, path, page))).toBe(`${desk.home}/benefits/${benefit.id}?done=saved`);
    expect(await desk.manage("GET", `/benefits/${benefit.id}`)).toMatchObject({ name: "Two lines", ...texts });
  });

  test("is deleted once, after a page that says who loses it", async () => {
    const benefit = await desk.manage("POST", "/benefits", { type: "feature", name: "Gone", key: "gone" });
    await desk.story.plan("with-gone", 1000, { name: "With gone", benefitIds: [benefit.id], group: "gone" });
    await desk.manage("POST", "/products", {
      key: "once-gone",
      name: "Once gone",
      prices: [{ currency: "usd", amount: 1000 }],
      benefitIds: [benefit.id],
    });
    await desk.story.buy(
      { productKey: "with-gone", customer: { email: "g1@example.com", externalId: "g1" } },
      CARDS.pays,
    );
    await desk.story.buy(
      { productKey: "once-gone", customer: { email: "g2@example.com", externalId: "g2" } },
      CARDS.pays,
    );
    const list = words(await desk.owner.get(`${desk.home}/benefits?search=Gone`));
    expect(list).toMatch(/Gone Feature gone 2 2 /);
    const path = `${desk.home}/benefits/${benefit.id}/delete`;
    const page = await desk.owner.get(path);
    expect(words(page)).toMatch(/1 Customer loses the Benefit.*1 Customer keeps the Benefit of a one-time purchase/);
    expect(words(page)).toMatch(/“ ?Once gone ?” no longer.*“ ?With gone ?” no longer/);
    const fields = fieldsOf(page.text);
    const answers = [await desk.owner.post(path, fields), await desk.owner.post(path, fields)];
    expect(answers.map(leadsTo)).toEqual([`${desk.home}/benefits?done=deleted`, `${desk.home}/benefits?done=deleted`]);
    expect(words(await desk.owner.get(leadsTo(answers[0]!)!))).toContain("The Benefit has been deleted.");
    await desk.story.app.runDue();
    expect([await desk.story.access("g1"), await desk.story.access("g2")]).toEqual([[], ["Gone"]]);
    expect([
      (await desk.owner.get(path)).status,
      (await desk.owner.get(`${desk.home}/benefits/${benefit.id}`)).status,
    ]).toEqual([404, 404]);
  });
});
