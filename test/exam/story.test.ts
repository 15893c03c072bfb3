import { describe, expect, test } from "vitest";
import { instant } from "../../src/domain/calendar.ts";
import { EVENT_TYPES } from "../../src/domain/event.ts";
import { CHECKS } from "../../src/exam/examine.ts";
import { judgeTransport } from "../../src/exam/judge.ts";
import { newStory, type WebhookMessage } from "../../src/exam/story.ts";
import { EventResource } from "../../src/resources/event.ts";
import type { Json } from "../support/app.ts";

const NOW = instant(Date.UTC(2026, 0, 31));
const read = ({ body }: WebhookMessage): Json => JSON.parse(body.toString());

test("an event of every type is as the API would show it, of resources that belong together", () => {
  const messages = newStory(NOW).eventsOfAllTypes();
  expect(messages.map(({ type }) => type)).toEqual([...EVENT_TYPES]);
  for (const message of messages) expect(EventResource.parse(read(message))).toEqual(read(message));
  const shown = new Map(messages.map((message) => [message.type, read(message).data]));
  expect(shown.get("invoice.paid")).toMatchObject({
    status: "paid",
    subscriptionId: shown.get("subscription.created").id,
  });
  expect(shown.get("benefit_grant.granted").customerId).toBe(shown.get("customer.created").id);
  expect(shown.get("checkout.completed").productId).toBe(shown.get("product.created").id);
});

describe("the messages of the checks", () => {
  const story = newStory(NOW);
  const sent = CHECKS.map(({ id, requests }) => ({ id, messages: requests(story).map(({ message }) => message) }));
  const all = [...new Set(sent.flatMap(({ messages }) => messages))];
  const messageOf = (id: string) => sent.find((each) => each.id === id)!.messages[0]!;

  test("no two events share an id, or a place in the sequence of a resource", () => {
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const positions = all.map(read).map(({ data, sequence }) => `${data.id} ${sequence}`);
    expect(new Set(positions).size).toBe(positions.length);
  });

  test("are such as Billow might send", () => {
    const known = all.filter(
      ({ type, id }) => type !== "subscription.transferred" && id !== messageOf("unknown-fields").id,
    );
    for (const message of known) expect(EventResource.parse(read(message))).toEqual(read(message));
  });

  test("include one that no serialiser would write, and one as large as it says", () => {
    const { body } = messageOf("raw-bytes");
    expect(JSON.stringify(read(messageOf("raw-bytes")))).not.toBe(body.toString());
    expect(read(messageOf("raw-bytes")).data.metadata).toEqual({ 20: "ada/é<", 3: 12345678901234567000, ratio: 150 });
    expect(messageOf("large-body").body.length).toBeGreaterThan(60_000);
    expect(messageOf("large-body").body.length).toBeLessThan(64 * 1024);
  });
});

test.each([
  ["https://app.example.com/hook", "PASS"],
  ["http://localhost:3000/hook", "PASS"],
  ["http://127.1:3000/hook", "PASS"],
  ["http://[::1]/hook", "PASS"],
  ["http://app.example.com/hook", "WARN"],
  ["http://10.0.0.1/hook", "WARN"],
])("%s: %s", (url, verdict) => expect(judgeTransport(url).verdict).toBe(verdict));
