import type { Check, ExamRequest } from "./check.ts";
import { newId } from "../ids.ts";
import type { SignedHeaders } from "../outbound/signature.ts";
import type { Story, WebhookMessage } from "./story.ts";

const STALE_SECONDS = 600;

const news = (story: Story) => story.eventOfAnother("subscription.canceled");

/** The same event with a wrong signature. */
function withSignature(message: WebhookMessage, about: string, signature: (given: string) => string): ExamRequest {
  const forge = (headers: SignedHeaders) => ({
    ...headers,
    "webhook-signature": signature(headers["webhook-signature"]),
  });
  return { message, about, forge };
}

function without(message: WebhookMessage, ...names: (keyof SignedHeaders)[]): ExamRequest {
  const forge = (headers: SignedHeaders) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.some((each) => each === name)));
  return { message, about: names.length === 1 ? `no ${names[0]}` : "none of them", forge };
}

const VERIFY = "Verify the signature first, and answer 400 if it is wrong: anybody can send you this.";
const SIGNED = "The signature covers webhook-id, webhook-timestamp and the body, with a dot between them.";
const TIME =
  "Refuse a webhook-timestamp that is more than 5 minutes from now, either way. " +
  "Otherwise a recorded request can be sent again.";

/** Requests that Billow never sends. A receiver has to refuse all of them. */
export const REFUSED: readonly Check[] = [
  {
    id: "wrong-secret",
    sent: "an event signed with another secret",
    expected: "refused",
    advice: VERIFY,
    requests: (story) => [{ message: news(story), signers: ["stranger"] }],
  },
  {
    id: "tampered-body",
    sent: "a body that was changed after it was signed",
    expected: "refused",
    advice: `${VERIFY} ${SIGNED}`,
    requests(story) {
      const message = news(story);
      return [{ message, body: Buffer.from(message.body.toString().replace('"amount":2900', '"amount":2901')) }];
    },
  },
  {
    id: "missing-headers",
    sent: "an event without one of the three headers of the signature, and without all",
    expected: "refused",
    advice: VERIFY,
    requests: (story) => [
      without(news(story), "webhook-id"),
      without(news(story), "webhook-timestamp"),
      without(news(story), "webhook-signature"),
      without(news(story), "webhook-id", "webhook-timestamp", "webhook-signature"),
    ],
  },
  {
    id: "other-id",
    sent: "an event under the webhook-id of another",
    expected: "refused",
    advice: SIGNED,
    requests: (story) => [{ message: news(story), forge: (headers) => ({ ...headers, "webhook-id": newId("evt") }) }],
  },
  {
    id: "altered-timestamp",
    sent: "a webhook-timestamp that was changed after it was signed",
    expected: "refused",
    advice: SIGNED,
    requests: (story) => [
      {
        message: news(story),
        forge: (headers) => ({ ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 30) }),
      },
    ],
  },
  {
    id: "garbage-signature",
    sent: "invalid signatures: other bytes, half of the right one, no base64, another version",
    expected: "refused",
    advice: `${VERIFY} Comparisons in constant time often throw if lengths differ: catch that.`,
    requests: (story) => [
      withSignature(news(story), "other bytes", () => `v1,${Buffer.alloc(32, 7).toString("base64")}`),
      withSignature(news(story), "half of it", (given) => given.slice(0, given.length / 2)),
      withSignature(news(story), "no base64", () => "v1,%%%"),
      withSignature(news(story), "another version", (given) => given.replace("v1,", "v0,")),
    ],
  },
  {
    id: "empty-signature",
    sent: "an empty signature, and `v1,` alone",
    expected: "refused",
    advice: VERIFY,
    requests: (story) => [
      withSignature(news(story), "empty", () => ""),
      withSignature(news(story), "`v1,` alone", () => "v1,"),
    ],
  },
  {
    id: "stale-timestamp",
    sent: "an event that was signed 10 minutes ago",
    expected: "refused",
    advice: TIME,
    requests: (story) => [{ message: news(story), age: STALE_SECONDS }],
  },
  {
    id: "future-timestamp",
    sent: "an event that was signed with a time 10 minutes ahead",
    expected: "refused",
    advice: TIME,
    requests: (story) => [{ message: news(story), age: -STALE_SECONDS }],
  },
];
