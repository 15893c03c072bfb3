import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/ids.ts";
import { caller, type Json, type TestAnswer } from "../support/app.ts";
import { foreignCallersOf } from "../support/operations.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo, startPortalStory } from "../support/portal.ts";
import { CARDS, type Story } from "../support/story.ts";

let story: Story;
let portal: string;
let customerId: string;
let card: Json;
let buyers = 0;

beforeAll(async () => {
  ({ story, portal } = await startPortalStory());
});
afterAll(() => story.close());
beforeEach(async () => {
  const email = `buyer${(buyers += 1)}@example.com`;
  ({ customerId } = await story.buy({ productKey: "pro", customer: { email } }, CARDS.pays));
  [card] = (await listed()) as [Json];
  await story.news();
});

const read = (path: string): Promise<TestAnswer> => story.app.manage("GET", path);
const listed = async (): Promise<Json[]> => (await story.ok(read(`/customers/${customerId}/payment-methods`))).data;
type Operation = "update" | "detach";
const REPLACED = { expMonth: 4, expYear: 2031 };
const bodyOf = (operation: Operation) => (operation === "update" ? REPLACED : {});
const act = (operation: Operation, body: object = REPLACED, headers?: Record<string, string>): Promise<TestAnswer> =>
  story.app.manage(
    "POST",
    `/sandbox/payment-methods/${card.id}/${operation}`,
    operation === "update" ? body : {},
    headers,
  );
const eventsOf = async (): Promise<Json[]> => (await story.ok(read(`/events?resourceId=${card.id}`))).data;

describe("GET /payment-methods/{id}", () => {
  it("answers the card as the list does", async () => {
    expect(card).toMatchObject({ last4: "4242", isDefault: true, disputed: false, detachedAt: null });
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
    expect((await act("detach")).status).toBe(404);
    expect((await read(`/payment-methods/${newId("pm")}`)).status).toBe(404);
  });
});

describe("POST /sandbox/payment-methods/{id}/update", () => {
  it("replaces the card, and makes one event with the answered PaymentMethod", async () => {
    const { status, body } = await act("update", { ...REPLACED, last4: "1881" });
    expect([status, body]).toEqual([200, { ...card, ...REPLACED, last4: "1881" }]);
    expect(await eventsOf()).toMatchObject([{ type: "payment_method.updated", sequence: 1, data: body }]);
    expect((await read(`/payment-methods/${card.id}`)).body).toEqual(body);
    expect(await listed()).toEqual([body]);
  });

  it("makes an event for each change, and none without a change", async () => {
    for (const expYear of [2031, 2031, 2032]) expect((await act("update", { expMonth: 4, expYear })).status).toBe(200);
    expect((await eventsOf()).map(({ sequence, data }) => [sequence, data.expYear])).toEqual([
      [1, 2031],
      [2, 2032],
    ]);
  });

  it("holds a disputed card back under its new number, too", async () => {
    const [payment] = (await story.ok(read(`/payments?customerId=${customerId}`))).data;
    await story.ok(story.app.manage("POST", `/sandbox/payments/${payment.id}/dispute`));
    expect((await act("update", { ...REPLACED, last4: "1881" })).body).toMatchObject({ disputed: true });
  });

  it.each([
    [{}, "/expMonth"],
    [{ expMonth: 13, expYear: 2031 }, "/expMonth"],
    [{ expMonth: 1, expYear: 31 }, "/expYear"],
    [{ ...REPLACED, last4: "12" }, "/last4"],
    [{ ...REPLACED, brand: "visa" }, "/brand"],
  ])("refuses %j", async (body, pointer) => {
    const answer = await act("update", body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((each: Json) => each.pointer)).toContain(pointer);
    expect(await eventsOf()).toEqual([]);
  });
});

describe("POST /sandbox/payment-methods/{id}/detach", () => {
  it("ends the card with one event, and the card stays readable", async () => {
    const { status, body } = await act("detach");
    expect([status, body]).toEqual([200, { ...card, detachedAt: "2026-03-01T09:00:00.000Z" }]);
    expect(await eventsOf()).toMatchObject([{ type: "payment_method.detached", sequence: 1, data: body }]);
    expect((await read(`/payment-methods/${card.id}`)).body).toEqual(body);
    expect(await listed()).toEqual([]);
  });

  it("is final", async () => {
    await act("detach");
    for (const operation of ["update", "detach"] as const)
      expect((await act(operation)).body).toMatchObject({ status: 409, code: "payment_method_detached" });
    expect(await eventsOf()).toHaveLength(1);
  });

  it("leaves a change of the Product without a card", async () => {
    const [subscription] = (await story.ok(read(`/subscriptions?customerId=${customerId}`))).data;
    await story.plan(`max${buyers}`, 5000);
    await act("detach");
    const answer = await story.app.api("PATCH", `/subscriptions/${subscription.id}`, { productKey: `max${buyers}` });
    expect(answer.body).toMatchObject({ status: 402, code: "payment_method_required" });
  });

  it("makes room for another default card, which pays", async () => {
    await act("detach");
    await story.newCard(customerId, CARDS.paysToo);
    expect(await listed()).toMatchObject([{ last4: "5556", isDefault: true }]);
    expect((await read(`/payment-methods/${card.id}`)).body).toMatchObject({ isDefault: false });
  });

  it("is shown in the portal, also if an earlier card is still on file", async () => {
    await story.newCard(customerId, CARDS.paysToo);
    const [later] = await listed();
    expect(await listed()).toHaveLength(2);
    await story.ok(story.app.manage("POST", `/sandbox/payment-methods/${later.id}/detach`, {}));
    const text = wordsOf((await (await signInTo(story, customerId)).get(portal)).text);
    expect(text).toContain("Visa •••• 5556 can no longer be charged.");
    expect(text).not.toContain("no other card on file");
  });

  it("is shown in the portal", async () => {
    const home = async () => wordsOf((await (await signInTo(story, customerId)).get(portal)).text);
    await act("update", { ...REPLACED, last4: "1881" });
    expect(await home()).toContain("are charged to Visa •••• 1881");
    await act("detach");
    const text = await home();
    expect(text).toContain("Visa •••• 1881 can no longer be charged.");
    expect(text).toContain("$30.00, but there is no card on file");
  });
});

describe.each(["update", "detach"] as const)("the sandbox operation %s", (operation) => {
  it("repeats the answer to a repeated request", async () => {
    const key = { "Idempotency-Key": `once-${operation}` };
    const first = await act(operation, REPLACED, key);
    expect(first.status).toBe(200);
    expect((await act(operation, REPLACED, key)).body).toEqual(first.body);
    expect(await eventsOf()).toHaveLength(1);
  });

  it("is unknown to another Organization", async () => {
    const { manage } = await foreignCallersOf(story.app);
    expect((await manage("POST", `/sandbox/payment-methods/${card.id}/${operation}`, bodyOf(operation))).status).toBe(
      404,
    );
    expect((await manage("GET", `/payment-methods/${card.id}`)).status).toBe(404);
    expect(await eventsOf()).toEqual([]);
  });

  it("is missing in a live Organization", async () => {
    const { keys } = await story.app.otherOrganization({ mode: "live" });
    const manage = caller(`${story.app.url}/manage/v1`, keys.manage);
    const answer = await manage("POST", `/sandbox/payment-methods/${newId("pm")}/${operation}`, bodyOf(operation));
    expect(answer.status).toBe(404);
  });
});
