import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { downloadsDirectory } from "../../src/actions/benefit/downloads.ts";
import type { Json } from "../support/app.ts";
import { redirectOf } from "../support/hosted.ts";
import { get, wordsOf } from "../support/pages.ts";
import { signInTo, startWebClient, type WebClient } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";
import { until } from "../support/until.ts";

let story: Story;
let dataDir: string;
let portal: string;
let editorId: string;
let bookId: string;
let buyers = 0;

type Buyer = { sold: Json; editor: Json; book: Json; there: WebClient };

/** A new Customer with a license key and a file, signed in to the portal. */
async function begin(productKey = "pro"): Promise<Buyer> {
  const externalId = `licensed-${(buyers += 1)}`;
  const sold = await story.buy(
    { productKey, customer: { email: `${externalId}@example.com`, externalId } },
    CARDS.pays,
  );
  const { data } = await story.ok(story.app.api("GET", `/benefit-grants?externalCustomerId=${externalId}`));
  const of = (id: string) => data.find(({ benefitId }: Json) => benefitId === id);
  const there = await signInTo(story, sold.customerId);
  await story.news();
  return { sold, editor: of(editorId), book: of(bookId), there };
}
const program = (path: string, { editor }: Buyer, more: object) =>
  story.app.licenses("POST", path, { organizationId: story.app.organization.id, key: editor.properties.key, ...more });
const activate = async (buyer: Buyer, label: string | null): Promise<Json> =>
  (await story.ok(program("/activate", buyer, { label }))).activation;
const page = ({ editor }: Buyer) => `${portal}/licences/${editor.id}`;
const file = ({ book }: Buyer, n: number | string = 0) => `${portal}/downloads/${book.id}/${n}`;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "billow-licences-"));
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { dataDir, trustedProxies: ["127.0.0.1"] });
  const { app, ok } = story;
  portal = `/portal/${app.organization.id}`;
  const directory = downloadsDirectory(app.ctx, app.organization.id);
  await mkdir(directory, { recursive: true });
  for (const name of ["book.pdf", "taken-away.pdf"]) await writeFile(join(directory, name), "It was a dark night.");
  const benefit = async (name: string, type: string, properties: object) =>
    (await ok(app.manage("POST", "/benefits", { name, type, properties }))).id;
  editorId = await benefit("Editor", "license_key", { prefix: "ACME", activationLimit: 2 });
  bookId = await benefit("Book", "download", { files: [{ path: "book.pdf" }, { path: "taken-away.pdf" }] });
  await rm(join(directory, "taken-away.pdf"));
  await story.plan("pro", 3000, { benefitIds: [editorId, bookId] });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
  await rm(dataDir, { recursive: true });
});

describe("a license key in the portal (rule B4)", () => {
  it("is shown with its devices and the places that are left", async () => {
    const ada = await begin();
    const words = async () => wordsOf((await ada.there.get(page(ada))).text);
    expect(await words()).toContain("0 of 2 devices in use");
    await activate(ada, "Ada's laptop");
    expect(await words()).toContain("1 of 2 devices in use");
    await activate(ada, null);
    const full = await words();
    for (const said of [
      ada.editor.properties.key,
      "2 of 2 devices in use",
      "You’ve reached the limit.",
      "Ada's laptop",
    ])
      expect(full).toContain(said);
    expect(full).toContain("Unnamed device In use since 1 March 2026");
    expect(wordsOf((await ada.there.get(portal)).text)).toContain("2 of 2 devices in use Manage devices");
  });

  it("loses a device after a question, with the event of the API, and the place is free", async () => {
    const ada = await begin();
    const [lost, kept] = [await activate(ada, "Lost laptop"), await activate(ada, "Phone")];
    await story.news();
    const asked = await ada.there.get(`${page(ada)}/devices/${lost.id}`);
    expect(wordsOf(asked.text)).toContain("Remove Lost laptop ?");
    expect(await story.news()).toEqual([]);
    for (let click = 0; click < 2; click += 1) {
      const removed = await ada.there.post(`${page(ada)}/devices/${lost.id}`);
      expect([removed.status, removed.headers.get("Location")]).toEqual([303, page(ada)]);
    }
    expect(await story.news()).toEqual(["benefit_grant.updated"]);
    expect((await program("/validate", ada, { activationId: lost.id })).body).toMatchObject({ valid: false });
    expect((await program("/validate", ada, { activationId: kept.id })).body).toMatchObject({ activations: 1 });
    expect((await program("/activate", ada, {})).status).toBe(201);
    expect((await ada.there.get(`${page(ada)}/devices/${lost.id}`)).status).toBe(303);
  });

  it("tells when a device was last seen, exact to a day", async () => {
    const ada = await begin();
    const { id: activationId } = await activate(ada, "Laptop");
    const validate = () => story.ok(program("/validate", ada, { activationId }));
    const seen = async () => {
      const { data } = await story.ok(story.app.manage("GET", `/benefit-grants/${ada.editor.id}/activations`));
      return data[0].lastSeenAt;
    };
    await validate();
    expect(await seen()).toBeNull();
    await story.travel("2026-03-04");
    await validate();
    await until(async () => (await seen()) !== null);
    expect(await seen()).toBe("2026-03-04T09:00:00.000Z");
    await story.travel("2026-03-04T20:00:00Z");
    expect((await validate()).activation.lastSeenAt).toBe("2026-03-04T09:00:00.000Z");
    expect(wordsOf((await ada.there.get(page(ada))).text)).toContain("Last seen on 4 March 2026");
  });

  it("is the page of its owner alone", async () => {
    const [ada, eve] = [await begin(), await begin()];
    const device = await activate(ada, "Laptop");
    const own = await activate(eve, "Own laptop");
    await story.news();
    for (const path of [
      page(ada),
      `${page(ada)}/devices/${device.id}`,
      `${portal}/licences/${ada.book.id}`,
      `${portal}/licences/x`,
    ])
      expect([path, (await eve.there.get(path)).status]).toEqual([path, 404]);
    expect((await eve.there.post(`${page(ada)}/devices/${device.id}`)).status).toBe(404);
    // A device of another key is none of this key.
    expect((await eve.there.post(`${page(eve)}/devices/${device.id}`)).status).toBe(303);
    expect((await eve.there.get(`${page(eve)}/devices/x`)).status).toBe(303);
    expect((await eve.there.get(`${page(eve)}?cursor=x`)).status).toBe(404);
    expect(await story.news()).toEqual([]);
    expect((await program("/validate", ada, { activationId: device.id })).body).toMatchObject({ valid: true });
    expect((await program("/validate", eve, { activationId: own.id })).body).toMatchObject({ valid: true });
    const stranger = await startWebClient(story.app.url).get(page(ada));
    expect([stranger.status, stranger.headers.get("Location")]).toEqual([303, portal]);
  });

  it("stays readable after its end, and its devices can be removed", async () => {
    const ada = await begin();
    const device = await activate(ada, "Laptop");
    await story.ok(story.app.manage("POST", `/subscriptions/${ada.sold.id}/cancel-now`, {}));
    expect(wordsOf((await ada.there.get(page(ada))).text)).toContain("This key is no longer valid.");
    expect((await ada.there.post(`${page(ada)}/devices/${device.id}`)).status).toBe(303);
    expect(wordsOf((await ada.there.get(page(ada))).text)).toContain("0 of 2 devices in use");
  });

  it("has no page of devices if the seller does not allow it (rule I10)", async () => {
    const ada = await begin();
    const device = await activate(ada, "Laptop");
    const allow = (manageDevices: boolean) =>
      story.ok(story.app.manage("PATCH", "/organization", { portal: { manageDevices } }));
    await allow(false);
    const home = wordsOf((await ada.there.get(portal)).text);
    expect([home.includes(ada.editor.properties.key), home.includes("Manage devices")]).toEqual([true, false]);
    expect((await ada.there.get(page(ada))).status).toBe(403);
    expect((await ada.there.post(`${page(ada)}/devices/${device.id}`)).status).toBe(403);
    expect((await ada.there.get(file(ada))).status).toBe(303);
    await allow(true);
    expect(wordsOf((await ada.there.get(page(ada))).text)).toContain("1 of 2 devices in use");
  });

  it("is written in the Customer's language", async () => {
    const ada = await begin();
    await story.ok(story.app.manage("PATCH", `/customers/${ada.sold.customerId}`, { locale: "de" }));
    await activate(ada, null);
    const { text } = await ada.there.get(page(ada));
    expect(text).toContain('lang="de"');
    expect(wordsOf(text)).toContain("1 von 2 Geräten in Verwendung");
    expect(wordsOf(text)).toContain("In Verwendung seit dem 4. März 2026");
  });

  it("has a page for each twenty devices", async () => {
    const limit = await story.ok(
      story.app.manage("POST", "/benefits", { name: "Fleet", type: "license_key", properties: {} }),
    );
    await story.plan("fleet", 1000, { benefitIds: [limit.id], group: "fleet" });
    const externalId = "fleet";
    const sold = await story.buy(
      { productKey: "fleet", customer: { email: "fleet@example.com", externalId } },
      CARDS.pays,
    );
    const { data } = await story.ok(story.app.api("GET", `/benefit-grants?externalCustomerId=${externalId}`));
    const fleet = { sold, editor: data[0], book: {}, there: await signInTo(story, sold.customerId) };
    for (let n = 1; n <= 21; n += 1) await activate(fleet, `Truck ${n}.`);
    const first = await fleet.there.get(page(fleet));
    expect(wordsOf(first.text)).toContain("21 devices in use, no limit");
    expect(wordsOf(first.text)).not.toContain("Truck 1.");
    const [, more] = /href="(\?cursor=[^"]+)"/.exec(first.text)!;
    expect(wordsOf((await fleet.there.get(page(fleet) + more)).text)).toContain("Truck 1.");
  });
});

describe("a file in the portal", () => {
  it("gets its short-lived link at the click", async () => {
    const ada = await begin();
    const home = await ada.there.get(portal);
    expect(home.text).toContain(`href="${file(ada)}"`);
    expect(wordsOf(home.text)).toContain("book.pdf 20 bytes");
    const click = await ada.there.get(file(ada));
    expect(click.status).toBe(303);
    expect(await get(redirectOf(story.app.url, click))).toMatchObject({ status: 200, text: "It was a dark night." });
  });

  it("that an operator has taken away has a page that says so", async () => {
    const ada = await begin();
    const gone = await ada.there.get(file(ada, 1));
    expect([gone.status, wordsOf(gone.text).includes("This file is not available")]).toEqual([404, true]);
    expect(wordsOf(gone.text)).toContain("taken-away.pdf can’t be downloaded at the moment. Please let Test know.");
  });

  it("is handed out neither to others nor after the end of the access", async () => {
    const [ada, eve] = [await begin(), await begin()];
    expect((await eve.there.get(file(ada))).status).toBe(404);
    for (const n of [2, "00", "-1", "x"]) expect((await ada.there.get(file(ada, n))).status).toBe(404);
    expect((await ada.there.get(`${portal}/downloads/${ada.editor.id}/0`)).status).toBe(404);
    await story.ok(story.app.manage("POST", `/subscriptions/${ada.sold.id}/cancel-now`, {}));
    const over = await ada.there.get(file(ada));
    expect([over.status, wordsOf(over.text).includes("Your access has ended")]).toEqual([410, true]);
  });
});

describe("a validation", () => {
  it("notes no day of a refused key, so a deleted Customer leaves no trace of a use (rule I5m)", async () => {
    const [ada, eve] = [await begin(), await begin()];
    const { id: activationId } = await activate(ada, "Laptop");
    const { id: present } = await activate(eve, "Desktop");
    await story.app.manage("DELETE", `/customers/${ada.sold.customerId}`);
    await story.travel("2026-03-20");
    const { body } = await program("/validate", ada, { activationId });
    expect(body).toMatchObject({ valid: false, status: "revoked", activation: { lastSeenAt: null } });
    // The note on the other key is written after the one on this key would have been.
    await program("/validate", eve, { activationId: present });
    const seen = async ({ editor }: typeof ada) => {
      const { data } = await story.ok(story.app.manage("GET", `/benefit-grants/${editor.id}/activations`));
      return data[0].lastSeenAt;
    };
    await until(async () => (await seen(eve)) !== null);
    expect(await seen(ada)).toBeNull();
  });
});
