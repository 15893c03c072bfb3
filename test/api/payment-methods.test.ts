import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json, TestAnswer } from "../support/app.ts";
import { startPortalStory } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let customerId: string;
let card: Json;
let buyers = 0;

beforeAll(async () => {
  ({ story } = await startPortalStory());
});
afterAll(() => story.close());
beforeEach(async () => {
  const email = `buyer${(buyers += 1)}@example.com`;
  ({ customerId } = await story.buy({ productKey: "pro", customer: { email } }, CARDS.pays));
  [card] = (await listed()) as [Json];
});

const read = (path: string): Promise<TestAnswer> => story.app.manage("GET", path);
const listed = async (): Promise<Json[]> => (await story.ok(read(`/customers/${customerId}/payment-methods`))).data;

describe("GET /payment-methods/{id}", () => {
  it("answers the card as the list does", async () => {
    expect(card).toMatchObject({ last4: "4242", isDefault: true, disputed: false });
    expect((await read(`/payment-methods/${card.id}`)).body).toEqual(card);
  });

  it("shows that another card is the default now, and that a payment is disputed", async () => {
    const [payment] = (await story.ok(read(`/payments?customerId=${customerId}`))).data;
    await story.ok(story.app.manage("POST", `/sandbox/payments/${payment.id}/dispute`));
    await story.newCard(customerId, CARDS.paysToo);
    expect((await read(`/payment-methods/${card.id}`)).body).toMatchObject({ isDefault: false, disputed: true });
    expect(await listed()).toMatchObject([
      { last4: "5556", isDefault: true, disputed: false },
      { last4: "4242", isDefault: false, disputed: true },
    ]);
  });

  it("is 404 for the card of a deleted Customer, and for an unknown id", async () => {
    expect((await story.app.manage("DELETE", `/customers/${customerId}`)).status).toBe(204);
    expect((await read(`/payment-methods/${card.id}`)).status).toBe(404);
    expect((await read(`/payment-methods/${newId("pm")}`)).status).toBe(404);
  });
});
