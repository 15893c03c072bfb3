import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { newId } from "../../src/ids.ts";
import type { Json } from "../support/app.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** `POST /manage/v1/subscriptions/{id}/trial` and `…/trial/preview` (rule S9). */
let story: Story;
let id: string;
const PATHS = ["trial", "trial/preview"] as const;
const post = (what: (typeof PATHS)[number], body: object, headers: Record<string, string> = {}, of = id) =>
  story.app.manage("POST", `/subscriptions/${of}/${what}`, body, headers);
const END = { trialEnd: "2025-07-01T09:00:00Z" };

beforeAll(async () => {
  story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  await story.plan("pro", 3000, { trialDays: 14 });
  ({ id } = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays));
  await story.news();
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
});

describe("a request for a longer trial", () => {
  test.each<[name: string, body: object, pointer: string, code: string]>([
    ["no end", {}, "/trialEnd", "required"],
    ["no instant", { trialEnd: "soon" }, "/trialEnd", "invalid_time"],
    ["an unknown field", { ...END, days: 3 }, "/days", "unknown_field"],
    ["an earlier end", { trialEnd: "2025-06-15T08:59:59Z" }, "/trialEnd", "out_of_range"],
    ["more than 730 days", { trialEnd: "2027-06-01T09:00:01Z" }, "/trialEnd", "out_of_range"],
  ])("is 422 with %s", async (_, body, pointer, code) => {
    for (const what of PATHS) {
      const answer = await post(what, body);
      expect(answer.status).toBe(422);
      expect(answer.body.errors.map((each: Json) => [each.pointer, each.code])).toEqual([[pointer, code]]);
    }
  });

  test("403 for a key of the public API, 404 for another id, and 412 for another version", async () => {
    const headers = { Authorization: `Bearer ${story.app.keys.public}` };
    for (const what of PATHS) {
      expect(await post(what, END, headers)).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
      expect(await post(what, END, {}, newId("sub"))).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
    expect(await post("trial", END, { "If-Match": '"old"' })).toMatchObject({ status: 412 });
  });

  it("is previewed with the next invoice before and after, and the preview writes no row", async () => {
    const before = await story.subscription(id);
    const { status, body } = await post("trial/preview", END);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      before: { date: "2025-06-15T09:00:00.000Z", totalAmount: 3000 },
      after: { date: "2025-07-01T09:00:00.000Z", totalAmount: 3000 },
    });
    expect(body.after.lines.map((line: Json) => [line.amount, line.periodStart, line.periodEnd])).toEqual([
      [3000, "2025-07-01T09:00:00.000Z", "2025-08-01T09:00:00.000Z"],
    ]);
    expect(await story.subscription(id)).toEqual(before);
    expect(await story.news()).toEqual([]);
  });

  it("moves the end, and a repeat with the Idempotency-Key gets the same answer", async () => {
    const headers = { "Idempotency-Key": "longer" };
    const answers = [await post("trial", END, headers), await post("trial", END, headers)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]!.headers.get("Idempotency-Replayed")).toBe("true");
    expect(answers[1]!.body).toEqual(answers[0]!.body);
    const end = "2025-07-01T09:00:00.000Z";
    expect(answers[0]!.body).toMatchObject({ status: "trialing", trialEnd: end, currentPeriodEnd: end });
    expect(await story.subscription(id)).toEqual(answers[0]!.body);
    expect(await post("trial", END)).toMatchObject({ status: 200, body: { trialEnd: end } });
    expect(await story.news()).toEqual(["subscription.updated"]);
  });

  it("is 409 while a pause is scheduled", async () => {
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/pause`, { access: "keep" }));
    for (const what of PATHS)
      expect(await post(what, { trialEnd: "2025-07-02T09:00:00Z" })).toMatchObject({
        status: 409,
        body: { code: "subscription_pause_scheduled" },
      });
    await story.ok(story.app.manage("POST", `/subscriptions/${id}/resume`));
  });

  it("is 409 after the trial, and after the end", async () => {
    await story.travel("2025-07-02");
    for (const code of ["subscription_not_trialing", "subscription_canceled"]) {
      for (const what of PATHS) expect(await post(what, END)).toMatchObject({ status: 409, body: { code } });
      await story.app.manage("POST", `/subscriptions/${id}/cancel-now`);
    }
  });
});
