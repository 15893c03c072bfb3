import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import { DAY } from "../../src/domain/calendar.ts";
import { sql } from "../../src/store/driver/db.ts";
import type { Json } from "../support/app.ts";
import { signInTo } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const clockStatement = sql("test.clock", "UPDATE organizations SET clock_at = $2 WHERE id = $1");

let story: Story;
let buyers = 0;

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  await story.plan("pro", 3000, { name: "Pro" });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

async function begin(): Promise<Json> {
  const externalId = `pauses-${(buyers += 1)}`;
  const customer = { email: `${externalId}@example.com`, externalId };
  return story.buy({ productKey: "pro", customer }, CARDS.pays);
}
const pause = ({ id }: Json, body: object) => story.ok(story.app.manage("POST", `/subscriptions/${id}/pause`, body));
const resume = ({ id }: Json) => story.ok(story.app.manage("POST", `/subscriptions/${id}/resume`));

/** The e-mails of a kind to this Customer, newest first, as they were kept or skipped. */
async function emailsTo({ customerId }: Json, kind: string): Promise<Json[]> {
  await mailOnce(story.app.ctx);
  const { data } = await story.ok(story.app.manage("GET", `/emails?customerId=${customerId}&kind=${kind}`));
  return Promise.all(data.map(({ id }: Json) => story.ok(story.app.manage("GET", `/emails/${id}`))));
}
const textOf = ({ text }: Json) => (text as string).replaceAll("\u00a0", " ").replaceAll("\n", " ");

describe("the e-mails of a pause (rules S8j, E4h)", () => {
  test("tell the days, the access and the way back", async () => {
    const sold = await begin();
    await pause(sold, { access: "keep" });
    await pause(sold, { access: "revoke", resumesAt: "2026-06-15T09:00:00Z" });
    const emails = await emailsTo(sold, "pause_scheduled");
    expect(emails).toHaveLength(2);
    for (const email of emails) {
      expect(email).toMatchObject({
        status: "kept",
        subject: "[Sandbox] Your subscription to Pro pauses on 1 April 2026",
      });
      expect(textOf(email)).toContain("Pro pauses on 1 April 2026 and continues on 15 June 2026.");
      expect(textOf(email)).toContain("Your access is off during the pause.");
      expect(textOf(email)).toContain(`/portal/${story.app.organization.id}`);
    }
  });

  test("are skipped once the pause is undone", async () => {
    const sold = await begin();
    await pause(sold, { access: "keep" });
    await story.ok(story.app.manage("POST", `/subscriptions/${sold.id}/resume`));
    expect(await emailsTo(sold, "pause_scheduled")).toMatchObject([{ status: "skipped", reason: "changed_meanwhile" }]);
  });

  test("report that a pause was undone, with the next charge", async () => {
    const sold = await begin();
    await pause(sold, { access: "keep" });
    await resume(sold);
    await resume(sold);
    const [email, ...others] = await emailsTo(sold, "pause_undone");
    expect(others).toEqual([]);
    expect(email).toMatchObject({ status: "kept", subject: "[Sandbox] Your subscription to Pro continues" });
    expect(textOf(email!)).toContain("The planned pause of your subscription to Pro was undone.");
    expect(textOf(email!)).toContain("Next charge: 1 April 2026: US$30.00 to Visa •••• 4242");
    await pause(sold, { access: "keep" });
    await resume(sold);
    await pause(sold, { access: "keep" });
    const [skipped] = await emailsTo(sold, "pause_undone");
    expect(skipped).toMatchObject({ status: "skipped", reason: "changed_meanwhile" });
  });

  test("leave out a pause that a cancellation in the portal undoes", async () => {
    const sold = await begin();
    await pause(sold, { access: "keep" });
    const there = await signInTo(story, sold.customerId);
    await there.post(`/portal/${story.app.organization.id}/subscriptions/${sold.id}/cancel`);
    expect(await story.subscription(sold.id)).toMatchObject({ pause: null, cancelAtPeriodEnd: true });
    expect(await emailsTo(sold, "pause_undone")).toEqual([]);
    expect(await emailsTo(sold, "cancellation_scheduled")).toHaveLength(1);
  });

  test("announce the resume three days ahead with the amount and the card, and have a switch", async () => {
    const sold = await begin();
    await pause(sold, { access: "keep", resumesAt: "2026-06-15T09:00:00Z" });
    expect(textOf((await emailsTo(sold, "pause_scheduled"))[0]!)).toContain("You keep your access during the pause.");
    await story.travel("2026-06-13");
    const [email] = await emailsTo(sold, "resume_upcoming");
    expect(email).toMatchObject({ status: "kept", subject: "[Sandbox] Pro continues on 15 June 2026" });
    expect(textOf(email!)).toContain(
      "The pause of Pro ends on 15 June 2026. We will charge US$30.00 to Visa •••• 4242 for the next month.",
    );
    await story.travel("2026-06-16");
    expect(await emailsTo(sold, "receipt")).toHaveLength(2);
    await story.ok(story.app.manage("PATCH", "/organization", { emails: { pauseScheduled: false } }));
    await pause(sold, { access: "keep" });
    expect(await emailsTo(sold, "pause_scheduled")).toHaveLength(1);
    await resume(sold);
    await story.ok(story.app.manage("PATCH", "/organization", { emails: { pauseScheduled: true } }));
  });

  test("report the begin, and name no past day once the pause has begun", async () => {
    const sold = await begin();
    await pause(sold, { access: "revoke" });
    const { currentPeriodEnd } = await story.subscription(sold.id);
    await story.travel(currentPeriodEnd);
    const [begun, ...others] = await emailsTo(sold, "pause_begun");
    expect(others).toEqual([]);
    expect(begun).toMatchObject({ status: "kept", subject: "[Sandbox] Your subscription to Pro is paused" });
    expect(textOf(begun!)).toContain("Your subscription continues as soon as you resume it in your account.");
    expect(textOf(begun!)).toContain("Your access is off during the pause.");
    expect(textOf(begun!)).toContain("You can end the pause at any time.");
    await pause(sold, { access: "keep", resumesAt: new Date(Date.parse(currentPeriodEnd) + 40 * DAY).toISOString() });
    const [changed] = await emailsTo(sold, "pause_scheduled");
    expect(changed).toMatchObject({ status: "kept", subject: "[Sandbox] Your subscription to Pro is paused" });
    expect(textOf(changed!)).toMatch(/Pro has been paused since .* and continues on /);
    expect(textOf(changed!)).toContain("You keep your access during the pause.");
    expect(textOf(changed!)).not.toContain("pauses on");
  });

  test("of a begin are skipped if the pause is over before they are written", async () => {
    const sold = await begin();
    await pause(sold, { access: "keep" });
    const { currentPeriodEnd } = await story.subscription(sold.id);
    // A sandbox writes its e-mails before its clock moves on, so the clock moves behind its back.
    await story.app.ctx.db.tx((tx) => tx.query(clockStatement, [story.app.organization.id, currentPeriodEnd]));
    await resume(sold);
    const [skipped] = await emailsTo(sold, "pause_begun");
    expect(skipped).toMatchObject({ status: "skipped", reason: "changed_meanwhile" });
    await story.travel(new Date(Date.parse(currentPeriodEnd) + DAY).toISOString());
  });
});
