import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory, type WebClient } from "../support/portal.ts";
import type { Story } from "../support/story.ts";

let story: Story;
let portal: string;
let subscription: Json;

beforeAll(async () => {
  ({ story, portal, subscription } = await startPortalStory());
});
afterAll(() => story.close());

const allow = (settings: object) => story.ok(story.app.manage("PATCH", "/organization", { portal: settings }));
const signIn = (): Promise<WebClient> => signInTo(story, subscription.customerId);

/** A switch that is off leaves no way into its action, also from a page that was opened before (rule I10). */
describe("a portal that allows no cancellation", () => {
  const path = (verb: string) => `${portal}/subscriptions/${subscription.id}/${verb}`;
  const state = () => story.subscription(subscription.id);

  test("has neither its button, nor its page, nor its form", async () => {
    const there = await signIn();
    expect((await there.get(portal)).text).toContain(path("cancel"));
    expect((await there.get(path("cancel"))).status).toBe(200);
    await allow({ cancel: false });
    await story.ok(story.app.manage("PATCH", "/organization", { supportUrl: "https://shop.example/help" }));
    await story.news();
    expect((await there.get(portal)).text).not.toContain(path("cancel"));
    for (const refused of [await there.get(path("cancel")), await there.post(path("cancel"), { reason: "unused" })]) {
      expect(refused.status).toBe(403);
      expect(wordsOf(refused.text)).toContain(
        "Not available here You can’t do this in your account. Please contact Test",
      );
      expect(refused.text).toMatch(/<p class="contact"><a href="https:\/\/shop\.example\/help"/);
    }
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: false });
    expect(await story.news()).toEqual([]);
    await allow({ cancel: true });
    expect((await there.post(path("cancel"))).status).toBe(303);
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: true });
  });

  test("still lets a Customer undo one", async () => {
    await allow({ cancel: false });
    const there = await signIn();
    expect((await there.get(portal)).text).toContain(path("keep"));
    expect((await there.post(path("keep"))).status).toBe(303);
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: false });
    await allow({ cancel: true });
  });

  test("does not limit the API", async () => {
    await allow({ cancel: false });
    const patch = (cancelAtPeriodEnd: boolean) =>
      story.ok(story.app.api("PATCH", `/subscriptions/${subscription.id}`, { cancelAtPeriodEnd }));
    expect(await patch(true)).toMatchObject({ cancelAtPeriodEnd: true });
    await patch(false);
    await allow({ cancel: true });
  });

  test("asks for a sign-in before all else", async () => {
    await allow({ cancel: false });
    const there = await signIn();
    there.cookie = null;
    const sent = await there.post(path("cancel"));
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, portal]);
    await allow({ cancel: true });
  });

  test("says so in the Customer's language", async () => {
    await allow({ cancel: false });
    for (const [locale, title] of [
      ["de", "Hier nicht möglich"],
      ["fr", "Non disponible ici"],
      ["es", "No disponible aquí"],
      ["ja", "ここではご利用いただけません"],
    ] as const) {
      await story.ok(story.app.manage("PATCH", `/customers/${subscription.customerId}`, { locale }));
      expect(wordsOf((await (await signIn()).get(path("cancel"))).text)).toContain(title);
    }
    await allow({ cancel: true });
  });
});
