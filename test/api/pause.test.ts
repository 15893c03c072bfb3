import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** `POST /manage/v1/subscriptions/{id}/pause` and `…/resume`. */
let story: Story;
let id: string;
const post = (what: "pause" | "resume", body?: object, headers: Record<string, string> = {}) =>
  story.app.manage("POST", `/subscriptions/${id}/${what}`, body, headers);
const KEEP = { access: "keep" };
const REQUESTS = [
  ["pause", KEEP],
  ["resume", undefined],
] as const;

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.plan("pro", 3000);
  ({ id } = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays));
  await story.news();
});
afterAll(() => story.close());

describe("a request to pause", () => {
  test.each<[name: string, body: unknown, pointer: string, code: string]>([
    ["no access", {}, "/access", "invalid_value"],
    ["an unknown access", { access: "half" }, "/access", "invalid_value"],
    ["an unknown field", { ...KEEP, until: "2025-09-01T00:00:00Z" }, "/until", "unknown_field"],
    ["no instant", { ...KEEP, resumesAt: "soon" }, "/resumesAt", "invalid_time"],
    ["the end of the period", { ...KEEP, resumesAt: "2025-07-01T09:00:00Z" }, "/resumesAt", "out_of_range"],
    ["more than three years", { ...KEEP, resumesAt: "2028-07-01T09:00:01Z" }, "/resumesAt", "out_of_range"],
  ])("is 422 with %s", async (_, body, pointer, code) => {
    const answer = await post("pause", body as object);
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map((each: Json) => [each.pointer, each.code])).toEqual([[pointer, code]]);
  });

  test("403 for a key of the public API", async () => {
    const headers = { Authorization: `Bearer ${story.app.keys.public}` };
    for (const what of ["pause", "resume"] as const)
      expect(await post(what, KEEP, headers)).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
  });

  test("404 for a Subscription that does not exist", async () => {
    for (const [what, body] of REQUESTS)
      expect(await story.app.manage("POST", `/subscriptions/${newId("sub")}/${what}`, body)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
  });

  test("412 for another version", async () => {
    expect(await post("pause", KEEP, { "If-Match": '"old"' })).toMatchObject({ status: 412 });
    expect(await post("resume", undefined, { "If-Match": '"old"' })).toMatchObject({ status: 412 });
  });

  it("has every field of the Subscription, and a repeat with the Idempotency-Key gets the same answer", async () => {
    const headers = { "Idempotency-Key": "summer" };
    const body = { ...KEEP, resumesAt: "2025-09-15T09:00:00Z" };
    const answers = [await post("pause", body, headers), await post("pause", body, headers)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]!.headers.get("Idempotency-Replayed")).toBe("true");
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    const pause = { startsAt: "2025-07-01T09:00:00.000Z", resumesAt: "2025-09-15T09:00:00.000Z", access: "keep" };
    expect(answers[0]!.body).toMatchObject({ status: "active", pause });
    expect(await story.subscription(id)).toEqual(answers[0]!.body);
    expect(await story.news()).toEqual(["subscription.updated"]);
    const listed = await story.ok(story.app.manage("GET", "/subscriptions?status=paused"));
    expect(listed.data).toEqual([]);
  });

  it("is 409 while a cancellation is scheduled, and the other way round", async () => {
    expect(await story.app.api("PATCH", `/subscriptions/${id}`, { cancelAtPeriodEnd: true })).toMatchObject({
      status: 409,
      body: { code: "subscription_pause_scheduled", detail: expect.stringContaining("/resume") },
    });
    expect(await post("resume")).toMatchObject({ status: 200, body: { pause: null } });
    await story.change(id, { cancelAtPeriodEnd: true });
    expect(await post("pause", KEEP)).toMatchObject({
      status: 409,
      body: { code: "subscription_cancellation_scheduled", detail: expect.stringContaining("Undo") },
    });
    await story.change(id, { cancelAtPeriodEnd: false });
  });

  it("is listed as paused after its begin, and the resume is charged once with an Idempotency-Key", async () => {
    await story.ok(post("pause", KEEP));
    await story.travel("2025-07-02");
    const listed = await story.ok(story.app.manage("GET", "/subscriptions?status=paused"));
    expect(listed.data.map((each: Json) => each.id)).toEqual([id]);
    await story.statement();
    const headers = { "Idempotency-Key": "back" };
    const answers = [await post("resume", undefined, headers), await post("resume", undefined, headers)];
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    expect(answers[0]!.body).toMatchObject({ status: "active", currentPeriodStart: "2025-07-02T09:00:00.000Z" });
    await story.settle();
    expect(await post("resume")).toMatchObject({ status: 200, body: { status: "active" } });
    expect(await story.statement()).toEqual(["0002 renewal paid 3000", "     pro 3000 2025-07-02 → 2025-08-02"]);
  });

  it("is 409 while the Subscription is past due", async () => {
    await story.newCard((await story.subscription(id))["customerId"], CARDS.failsLater);
    await story.travel("2025-08-03");
    expect(await story.subscription(id)).toMatchObject({ status: "past_due" });
    expect(await post("pause", KEEP)).toMatchObject({ status: 409, body: { code: "subscription_past_due" } });
  });

  it("is 409 after the end, and so is a resume", async () => {
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`));
    for (const [what, body] of REQUESTS)
      expect(await post(what, body)).toMatchObject({ status: 409, body: { code: "subscription_canceled" } });
  });
});
