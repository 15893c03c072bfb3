import { afterAll, beforeAll, expect, test } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

const UNICODE = "Eva@Bücher.example";
const ASCII = "eva@xn--bcher-kva.example";
let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2026-06-01T09:00:00Z" });
  await story.plan("pro", 3000, { trialDays: 14 });
});
afterAll(() => story.close());

test("2026-06-01: both forms of an international domain are one buyer, with one plan and one trial", async () => {
  const bought = await story.buy({ productKey: "pro", customer: { email: UNICODE } }, CARDS.pays);
  for (const email of [ASCII, "EVA@XN--BCHER-KVA.EXAMPLE", "eva@bu\u0308cher.example"]) {
    const again = await story.app.api("POST", "/checkouts", { productKey: "pro", customer: { email } });
    expect([email, again.status, again.body.code]).toEqual([email, 409, "already_subscribed"]);
    const found = await story.ok(story.app.manage("GET", `/customers?email=${encodeURIComponent(email)}`));
    expect(found.data).toMatchObject([{ id: bought.customerId, email: UNICODE }]);
  }
  for (const search of ["bücher", "eva@bücher.ex", "xn--bcher"]) {
    const found = await story.ok(story.app.manage("GET", `/customers?search=${encodeURIComponent(search)}`));
    expect([search, found.data.length]).toEqual([search, 1]);
  }
  expect((await story.ok(story.app.manage("GET", "/customers"))).data).toHaveLength(1);
});

test("2026-06-01: a page that gets the form of a browser finds the buyer that typed the other one", async () => {
  const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro" }));
  const paid = await story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays, email: ASCII });
  expect([paid.status, paid.body.code]).toEqual([409, "already_subscribed"]);
  expect(await story.audit()).toEqual([]);
});
