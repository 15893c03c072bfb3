import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let buyers = 0;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  await story.plan("pro", 3000, { name: "Pro", trialDays: 14 });
});
afterAll(() => story.close());

const begin = (): Promise<Json> => {
  buyers += 1;
  return story.buy({ productKey: "pro", customer: { email: `buyer${buyers}@example.com` } }, CARDS.pays);
};
const lengthen = ({ id }: Json, day: string) =>
  story.ok(story.app.manage("POST", `/subscriptions/${id}/trial`, { trialEnd: `${day}T09:00:00Z` }));
/** The e-mails about longer trials to this Customer, newest first, as they were kept or skipped. */
async function emailsTo({ customerId }: Json): Promise<Json[]> {
  await mailOnce(story.app.ctx);
  const { data } = await story.ok(story.app.manage("GET", `/emails?customerId=${customerId}&kind=trial_extended`));
  return Promise.all(data.map(({ id }: Json) => story.ok(story.app.manage("GET", `/emails/${id}`))));
}

describe("the e-mail about a longer trial (rules S9e, E4e)", () => {
  test("has the new end and the first charge, once for each request with an effect", async () => {
    const sold = await begin();
    await lengthen(sold, "2026-03-29");
    await lengthen(sold, "2026-03-29");
    const [email, ...others] = await emailsTo(sold);
    expect(others).toEqual([]);
    const subject = "[Sandbox] Your free trial of Pro now ends on 29 March 2026";
    expect(email).toMatchObject({ status: "kept", subject });
    const text = (email!["text"] as string).replaceAll("\u00a0", " ").replaceAll("\n", " ");
    expect(text).toContain("Your free trial of Pro has been extended. It now runs until 29 March 2026.");
    expect(text).toContain("29 March 2026: US$30.00 to Visa •••• 4242");
    expect(text).toContain(`/portal/${story.app.organization.id}`);
  });

  test("is skipped if the end has changed again, or if the trial is over", async () => {
    const sold = await begin();
    await lengthen(sold, "2026-03-20");
    await lengthen(sold, "2026-03-21");
    const reasons = (await emailsTo(sold)).map(({ status, reason }) => [status, reason]);
    expect(reasons).toEqual([
      ["kept", null],
      ["skipped", "changed_meanwhile"],
    ]);
  });

  test("is not made if its kind is switched off", async () => {
    await story.ok(story.app.manage("PATCH", "/organization", { emails: { trialExtended: false } }));
    const sold = await begin();
    await lengthen(sold, "2026-03-20");
    expect(await emailsTo(sold)).toEqual([]);
  });
});
