import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Subscription } from "../../src/domain/model/subscription.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { hold } from "../support/held.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory, type WebClient } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
let held: Subscription;
let there: WebClient;
let owner: Desk;
let home: string;
let productId: string;

beforeAll(async () => {
  ({ story, portal } = await startPortalStory());
  const { id } = await story.ok(story.app.api("POST", "/customers", { email: "ben@example.com", locale: "de" }));
  await story.newCard(id, CARDS.pays);
  held = await hold(story.app, id, "pro");
  there = await signInTo(story, id);
  owner = await openDashboard(story.app);
  home = `/dashboard/${story.app.organization.id}`;
  ({ id: productId } = await story.plan("team", 6000));
  await story.news();
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("the portal of a Customer with a held Subscription", () => {
  test("gives the reason, and offers no change and no charge", async () => {
    const { text } = await there.get(portal);
    expect(wordsOf(text)).toContain("Dieses Abonnement zieht in ein neues Abrechnungssystem um.");
    expect(text).not.toContain(`/subscriptions/${held.id}`);
    expect(wordsOf(text)).not.toContain("Nächste Abbuchung");
  });

  const pages = [
    ["get", "cancel"],
    ["get", "pause"],
    ["get", "plan"],
    ["get", "quantity"],
    ["get", "price"],
    ["post", "cancel"],
    ["post", "keep"],
    ["post", "pause"],
    ["post", "resume"],
    ["post", "price"],
    ["post", "card"],
    ["post", "disown"],
    ["post", "keep-plan"],
  ] as const;
  test.each(pages)("leads from %s %s to the home page, and changes no row", async (method, page) => {
    const path = page === "keep-plan" ? "plan/keep" : page;
    const answer = await there[method](`${portal}/subscriptions/${held.id}/${path}`, { months: "1" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, portal]);
    expect(await story.news()).toEqual([]);
  });
});

describe("the dashboard", () => {
  const customer = () => `${home}/customers/${held.customerId}`;
  test("shows the origin of a held Subscription, and only the way to give the import up", async () => {
    const { text } = await owner.get(`${home}/customers/${held.customerId}`);
    const words = wordsOf(text);
    expect(words).toContain("Stripe still bills it");
    expect(words).toContain("Imported: sub_ada");
    expect(words).toContain("Give up the import");
    for (const page of ["change", "pause", "cancel"]) expect(text).not.toContain(`/subscriptions/${held.id}/${page}"`);
  });

  test("counts no next invoice of it", async () => {
    const { text } = await owner.get(`${home}/customers/${held.customerId}/next-invoices`);
    expect(wordsOf(text)).toContain("There is no next invoice");
  });

  test("finds it by the ids of the other system", async () => {
    for (const typed of ["sub_ada", "cus_of_sub_ada"]) {
      const answer = await owner.get(`${home}/search?q=${typed}`);
      const path = `${home}/customers/${held.customerId}?at=${held.id}#${held.id}`;
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);
    }
    expect(wordsOf((await owner.get(`${home}/search?q=sub_none`)).text)).toContain("There is no");
  });

  test("says before the click that the other system goes on", async () => {
    const { text } = await owner.get(`${customer()}/subscriptions/${held.id}/cancel-now`);
    expect(wordsOf(text)).toContain("Given up. The other system goes on to bill the Customer");
  });

  const REASON = "Another billing system still bills this Subscription.";
  /** Sends the form of a page with its hidden fields, as a browser does. */
  async function submit(path: string, fields: Record<string, string>): Promise<string> {
    const { text } = await owner.get(path);
    const hidden = [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, n, v]) => [n!, v!]);
    expect(hidden.length, path).toBeGreaterThan(1);
    return wordsOf((await owner.post(path, { ...Object.fromEntries(hidden), ...fields })).text);
  }

  test("refuses a pause with the reason", async () => {
    expect(await submit(`${customer()}/subscriptions/${held.id}/pause`, { access: "keep" })).toContain(REASON);
    expect(await story.news()).toEqual([]);
  });

  test.each(["cancel", "change"])("gives the reason on the page %s", async (page) => {
    const path = `${customer()}/subscriptions/${held.id}/${page}`;
    const change = new URLSearchParams({ productId, quantity: "1" });
    expect(wordsOf((await owner.get(page === "change" ? `${path}?${change}` : path)).text)).toContain(REASON);
  });

  test("gives the reason before a deletion of the Customer, and deletes nothing", async () => {
    const path = `${customer()}/delete`;
    expect(wordsOf((await owner.get(path)).text)).toContain(REASON);
    expect(wordsOf((await owner.sendOnce(path)).text)).toContain(REASON);
    expect(await story.news()).toEqual([]);
  });

  test("refuses to archive the Product", async () => {
    const path = `${home}/products/${held.productId}/archive`;
    expect(await submit(path, { archived: "true" })).toContain(REASON);
    expect(await story.news()).toEqual([]);
  });
});
