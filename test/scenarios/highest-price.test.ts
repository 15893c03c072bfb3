import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { post } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

describe("a Checkout over the highest price with tax on top", () => {
  let story: Story;
  beforeAll(async () => void (story = await startStory({ clock: "2025-06-01T09:00:00Z" })));
  afterAll(() => story.close());

  it("2025-06-01: is paid on its page, though the sum has one digit more", async () => {
    const taxRates = [{ country: "ID", basisPoints: 1900, name: "VAT" }];
    await story.ok(story.app.manage("PATCH", "/organization", { taxRates }));
    const prices = [{ currency: "idr", amount: 999_999_999_999 }];
    await story.ok(story.app.manage("POST", "/products", { key: "tower", name: "tower", interval: null, prices }));
    const customer = { email: "ada@example.com", externalId: "ada", billingAddress: { country: "ID" } };
    const checkout = await story.ok(
      story.app.api("POST", "/checkouts", { productKey: "tower", currency: "idr", customer }),
    );
    expect(checkout.totalAmount).toBe(1_189_999_999_999);
    const typed = { number: CARDS.pays, expiry: "12 / 40", cvc: "123", expectedAmount: String(checkout.totalAmount) };
    expect((await post(checkout.url, typed)).status).toBe(303);
    expect(await story.ok(story.app.api("GET", `/checkouts/${checkout.id}`))).toMatchObject({ status: "completed" });
    expect(await story.audit()).toEqual([]);
  });
});
