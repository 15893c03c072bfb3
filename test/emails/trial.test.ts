import { afterAll, beforeAll, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  const { id } = await story.ok(
    story.app.manage("POST", "/benefits", {
      name: "Editor",
      type: "license_key",
      properties: { prefix: "ACME", activationLimit: 2 },
    }),
  );
  const trial = { benefitIds: [id], trialDays: 14 };
  await story.plan("pro", 3000, { name: "Pro", ...trial });
  await story.plan("open", 3000, { name: "Open", ...trial, trialCard: "optional" });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

/** The e-mails to this Customer, newest first, as they were kept or skipped. */
async function emailsTo({ customerId }: Json): Promise<Json[]> {
  await mailOnce(story.app.ctx);
  const { data } = await story.ok(story.app.manage("GET", `/emails?customerId=${customerId}`));
  return Promise.all(data.map(({ id }: Json) => story.ok(story.app.manage("GET", `/emails/${id}`))));
}
const begin = (productKey: string, externalId: string, card: string) =>
  story.buy({ productKey, customer: { email: `${externalId}@example.com`, externalId } }, card);
const keyOf = async ({ customerId }: Json) =>
  (await story.ok(story.app.api("GET", `/benefit-grants?customerId=${customerId}`))).data[0].properties.key as string;
const textOf = ({ text }: Json) => (text as string).replaceAll("\u00a0", " ");

test("the e-mail about a trial has the license key, the first charge and the way to cancel", async () => {
  const sold = await begin("pro", "ada", CARDS.pays);
  const [email, ...others] = await emailsTo(sold);
  expect(others).toEqual([]);
  expect(email).toMatchObject({
    kind: "trial_started",
    status: "kept",
    subject: "[Sandbox] Your free trial of Pro has started",
  });
  for (const said of [
    "Your free trial of Pro runs until 15 March 2026. You were not charged.",
    await keyOf(sold),
    "For up to 2 devices",
    "Next charge: 15 March 2026: US$30.00 to Visa •••• 4242",
    "sign in to your account and cancel before 15 March 2026.",
    `/portal/${story.app.organization.id}`,
  ])
    expect(textOf(email!)).toContain(said);
});

test("a trial without a card says that the access ends then", async () => {
  const order = { productKey: "open", customer: { email: "bob@example.com", externalId: "bob" } };
  const { id } = await story.ok(story.app.api("POST", "/checkouts", order));
  const sold = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, {}));
  expect(textOf((await emailsTo(sold))[0]!)).toContain("there is no card on file, so your access ends then");
});

test("is written before the clock passes the trial, and not after the end", async () => {
  const kept = await begin("pro", "kim", CARDS.pays);
  await story.travel("2026-03-02T09:00:00Z");
  const ended = await begin("pro", "lou", CARDS.pays);
  await story.ok(story.app.manage("POST", `/subscriptions/${ended.id}/cancel-now`, {}));
  await story.travel("2026-05-01");
  expect((await emailsTo(kept)).at(-1)).toMatchObject({ kind: "trial_started", status: "kept" });
  expect((await emailsTo(ended)).at(-1)).toMatchObject({
    kind: "trial_started",
    status: "skipped",
    reason: "subscription_ended",
  });
});

test("can be switched off, and a Subscription without a trial has none", async () => {
  await story.ok(story.app.manage("PATCH", "/organization", { emails: { trialStarted: false } }));
  expect(await emailsTo(await begin("pro", "eve", CARDS.pays))).toEqual([]);
  await story.ok(story.app.manage("PATCH", "/organization", { emails: { trialStarted: true } }));
  await story.plan("paid", 3000, { name: "Paid" });
  expect((await emailsTo(await begin("paid", "joe", CARDS.pays))).map(({ kind }) => kind)).toEqual(["receipt"]);
});
