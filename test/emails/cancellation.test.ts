import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let buyers = 0;

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  const { id } = await story.ok(
    story.app.manage("POST", "/benefits", { name: "Reports", type: "feature", properties: { feature: "reports" } }),
  );
  await story.plan("pro", 3000, { name: "Pro", benefitIds: [id] });
  await story.plan("team", 6000, { name: "Team" });
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

async function begin(card: string = CARDS.pays): Promise<Json> {
  const externalId = `leaves-${(buyers += 1)}`;
  return story.buy({ productKey: "pro", customer: { email: `${externalId}@example.com`, externalId } }, card);
}
const cancels = (sold: Json, cancelAtPeriodEnd: boolean) => story.change(sold.id, { cancelAtPeriodEnd });

/** The e-mails of a kind to this Customer, newest first, as they were kept or skipped. */
async function emailsTo({ customerId }: Json, kind: string): Promise<Json[]> {
  await mailOnce(story.app.ctx);
  const { data } = await story.ok(story.app.manage("GET", `/emails?customerId=${customerId}&kind=${kind}`));
  return Promise.all(data.map(({ id }: Json) => story.ok(story.app.manage("GET", `/emails/${id}`))));
}
const textOf = ({ text }: Json) => (text as string).replaceAll("\u00a0", " ");

describe("an e-mail about a scheduled cancellation (rule S7)", () => {
  test("has the day, the Benefits that end, the charges to come, and the way back", async () => {
    const sold = await begin();
    await cancels(sold, true);
    const [email] = await emailsTo(sold, "cancellation_scheduled");
    expect(email).toMatchObject({
      status: "kept",
      subject: "[Sandbox] Your subscription to Pro ends on 1 April 2026",
    });
    for (const said of [
      "You keep Pro until 1 April 2026. You won’t be charged again.",
      "You will lose: Reports",
      "undo the cancellation.",
      `/portal/${story.app.organization.id}`,
    ])
      expect(textOf(email!)).toContain(said);
  });

  test("tells a last charge, as the page of the cancellation does", async () => {
    const sold = await begin();
    await story.change(sold.id, { productKey: "team", prorationBehavior: "next_invoice" });
    await cancels(sold, true);
    const [email] = await emailsTo(sold, "cancellation_scheduled");
    expect(textOf(email!)).toContain("On that day, US$30.00 is charged one last time, for an earlier change.");
  });

  test("is not sent once the cancellation is undone; the undoing has the next charge", async () => {
    const sold = await begin();
    await cancels(sold, true);
    await cancels(sold, false);
    expect(await emailsTo(sold, "cancellation_scheduled")).toMatchObject([
      { status: "skipped", reason: "changed_meanwhile" },
    ]);
    const [email] = await emailsTo(sold, "cancellation_undone");
    expect(email).toMatchObject({ status: "kept", subject: "[Sandbox] Your subscription to Pro continues" });
    expect(textOf(email!)).toContain("The cancellation of your subscription to Pro was undone.");
    expect(textOf(email!)).toContain("Next charge: 1 April 2026: US$30.00 to Visa •••• 4242");
  });

  test("is written before the clock passes the end, and can be switched off", async () => {
    const sold = await begin();
    await cancels(sold, true);
    await story.travel("2026-05-01");
    expect(await emailsTo(sold, "cancellation_scheduled")).toMatchObject([{ status: "kept" }]);
    expect(await emailsTo(sold, "canceled")).toMatchObject([{ status: "kept" }]);
    const emails = { cancellationScheduled: false, cancellationUndone: false };
    await story.ok(story.app.manage("PATCH", "/organization", { emails }));
    const silent = await begin();
    await cancels(silent, true);
    await cancels(silent, false);
    expect(await emailsTo(silent, "cancellation_scheduled")).toEqual([]);
    expect(await emailsTo(silent, "cancellation_undone")).toEqual([]);
  });
});

describe("the receipt of a Subscription", () => {
  test("that is to end says that no charge follows", async () => {
    const sold = await begin();
    await cancels(sold, true);
    const [receipt] = await emailsTo(sold, "receipt");
    expect(textOf(receipt!)).toMatch(/You keep Pro until 1 \w+ 2026\. You won’t be charged again\./);
    expect(textOf(receipt!)).not.toContain("Next charge");
  });

  test("leaves out the next charge after its period", async () => {
    const sold = await begin();
    await story.travel("2026-07-02");
    const texts = (await emailsTo(sold, "receipt")).map(textOf);
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.map((text) => text.includes("Next charge"))).toEqual([true, ...texts.slice(1).map(() => false)]);
  });
});
