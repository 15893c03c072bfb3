import { afterAll, beforeAll, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** A planned change that is no longer possible is dropped, and the buyer is told (rules C4, P6). */
let story: Story;
const product: Record<string, string> = {};

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  for (const [key, amount, more] of [
    ["pro", 3000],
    ["team", 6000],
    ["free", 0],
    ["tries", 2000, { group: "tries", trialDays: 10, trialCard: "optional" }],
    ["no-cost", 0, { group: "tries" }],
    ["addon", 500, { group: "addons" }],
    ["big-addon", 900, { group: "addons" }],
  ] as const)
    product[key] = (await story.plan(key, amount, { name: key, ...more })).id;
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

const buy = (name: string, productKey = "pro") =>
  story.buy({ productKey, customer: { email: `${name}@example.com`, externalId: name } }, CARDS.pays);
const later = (id: string, productKey: string) =>
  story.change(id, { productKey, prorationBehavior: "next_period" }) as Promise<Json>;
const archive = async (key: string, archived = true) => {
  await story.ok(story.app.manage("PATCH", `/products/${product[key]}`, { archived }));
  await story.app.runDue();
};
/** The e-mails about a dropped change to this Customer, as they were kept or skipped. */
async function emailsTo({ customerId }: Json): Promise<Json[]> {
  await mailOnce(story.app.ctx);
  const { data } = await story.ok(story.app.manage("GET", `/emails?customerId=${customerId}&kind=change_dropped`));
  return Promise.all(data.map(({ id }: Json) => story.ok(story.app.manage("GET", `/emails/${id}`))));
}
const textOf = ({ text }: Json) => (text as string).replaceAll(/\s+/g, " ");

test("when its Product is archived, for each Subscription at once", async () => {
  const [ada, ben, cleo] = await Promise.all(["ada", "ben", "cleo"].map((name) => buy(name)));
  await later(ada!.id, "team");
  await later(ben!.id, "team");
  await later(cleo!.id, "free");
  await story.news();
  await archive("team");
  expect(await story.news()).toEqual(["product.updated", "subscription.updated", "subscription.updated"]);
  for (const { id } of [ada!, ben!])
    expect(await story.subscription(id)).toMatchObject({
      productId: product["pro"],
      amount: 3000,
      pendingChange: null,
    });
  expect((await story.subscription(cleo!.id)).pendingChange).toMatchObject({ productId: product["free"] });
  const [email] = await emailsTo(ada!);
  expect(email).toMatchObject({ status: "kept", subject: "[Sandbox] Your plan pro stays as it is" });
  for (const said of [
    "The change of your plan that was planned for 1 April 2026 is no longer possible, so we cancelled it.",
    "Your plan stays pro.",
    "Next charge: 1 April 2026: US$30.00 to Visa •••• 4242",
  ])
    expect(textOf(email!)).toContain(said);
  expect(await emailsTo(cleo!)).toEqual([]);
  await archive("team", false);
});

test("and no longer gives a trial without a card its way on (rule C2)", async () => {
  const { app, ok } = story;
  const customer = { email: "dora@example.com", externalId: "dora" };
  const checkout = await ok(app.api("POST", "/checkouts", { productKey: "tries", customer }));
  const { subscriptionId: id } = await ok(app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {}));
  await later(id, "no-cost");
  await archive("no-cost");
  const sold = await story.subscription(id);
  expect(sold.pendingChange).toBeNull();
  expect(await emailsTo(sold)).toMatchObject([{ status: "kept" }]);
  await story.travel("2026-03-12");
  expect(await story.subscription(id)).toMatchObject({ status: "canceled" });
});

test("also at its day, if another Subscription holds the group; not if another change is planned", async () => {
  const mover = await buy("emil");
  await later(mover.id, "big-addon");
  await buy("emil", "addon");
  await story.travel("2026-04-20");
  expect(await story.subscription(mover.id)).toMatchObject({ productId: product["pro"], pendingChange: null });
  expect(await emailsTo(mover)).toMatchObject([{ status: "kept" }]);

  const other = await buy("frida");
  await later(other.id, "team");
  await archive("team");
  await later(other.id, "free");
  expect(await emailsTo(other)).toMatchObject([{ status: "skipped", reason: "changed_meanwhile" }]);
  await archive("team", false);
});

test("can be switched off", async () => {
  await story.ok(story.app.manage("PATCH", "/organization", { emails: { changeDropped: false } }));
  const sold = await buy("gus");
  await later(sold.id, "team");
  await archive("team");
  expect(await emailsTo(sold)).toEqual([]);
});
