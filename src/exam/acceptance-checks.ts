import * as z from "zod";
import type { EventType } from "../domain/event.ts";
import { newId } from "../ids.ts";
import { dataSchemaOf } from "../resources/event.ts";
import type { Check, ExamRequest } from "./check.ts";
import type { Story, WebhookMessage } from "./story.ts";

const LARGE_BYTES = 60_000;
const PIECES = 8;
const AT_ONCE = 20;
const TWINS = 5;

const alone = (message: WebhookMessage): ExamRequest[] => [{ message }];

/** The same event with a changed body. `change` gets the parsed event and returns the changed event. */
function rewritten(message: WebhookMessage, change: (event: Record<string, unknown>) => object): WebhookMessage {
  return { ...message, body: Buffer.from(JSON.stringify(change(JSON.parse(message.body.toString())))) };
}

/** Valid JSON of the same meaning, in a form that no serialiser would write by itself. */
function oddlyWritten(story: Story): WebhookMessage {
  // Letters stand in for the numeric names, because JavaScript would reorder numeric names.
  const message = story.event("subscription.updated", (data) => ({
    ...data,
    metadata: { z: "_z_", count: "_count_", ratio: "_ratio_" },
  }));
  const { id, type, createdAt, sequence, data } = JSON.parse(message.body.toString());
  const text = JSON.stringify({ data, sequence, createdAt, type, id }, null, 3)
    .replace('"_z_"', String.raw`"\u0061da\/\u00e9\u003c"`)
    .replace('"_count_"', "12345678901234567890")
    .replace('"_ratio_"', "1.50E+2")
    .replace('"z"', '"20"')
    .replace('"count"', '"3"')
    .replaceAll("\n", "\r\n ");
  return { ...message, body: Buffer.from(`${text}\r\n`) };
}

/** An event with null in every field of its resource that may be null. */
function sparse(story: Story, type: EventType): WebhookMessage {
  const { shape } = dataSchemaOf(type);
  const nullable = Object.keys(shape).filter((name) => shape[name] instanceof z.ZodNullable);
  const nothing = Object.fromEntries(nullable.map((name) => [name, null]));
  return story.eventOfAnother(type, (data) => ({ ...data, ...nothing }));
}

const FOREIGN = "Žofie Łukasiewicz · 東京 · עברית · e\u0301 · 😀 · line\u2028separator · <b>&amp;'/\\";

function foreign(story: Story): WebhookMessage {
  return story.eventOfAnother("customer.created", (data) => ({ ...data, name: FOREIGN }));
}

/** The position of a byte within a character of several bytes. */
const withinCharacter = ({ body }: WebhookMessage) => body.indexOf("東") + 1;

function large(story: Story): WebhookMessage {
  return story.eventOfAnother("invoice.paid", (invoice) => {
    const lines = [...invoice.lines];
    const size = JSON.stringify(lines).length;
    while (lines.length * size < LARGE_BYTES) lines.push({ ...lines[0]!, id: newId("iln") });
    const [subtotalAmount, taxAmount] = [invoice.subtotalAmount * lines.length, invoice.taxAmount * lines.length];
    const total = subtotalAmount + taxAmount;
    const taxes = invoice.taxes.map((rate) => ({ ...rate, taxableAmount: subtotalAmount, taxAmount }));
    return {
      ...invoice,
      lines,
      taxes,
      subtotalAmount,
      taxAmount,
      totalAmount: total,
      amountDue: total,
      amountPaid: total,
    };
  });
}

const RAW =
  "Verify the signature over the bytes as they came, before any parser: " +
  "a body that is parsed and written again differs.";
const STREAM = "Read the body to its end, in any number of pieces. Join the bytes before they are decoded.";
const ONCE = "Answer 2xx to known events, too. Ignore a repeated webhook-id, and a sequence that is not higher.";
const RACE =
  `${ONCE} Use the database, as with INSERT … ON CONFLICT DO NOTHING: ` +
  "another request can come between a read and a write.";

/** Comes first: if this check fails, the failures of later checks tell nothing new. */
export const FIRST: Check = {
  id: "signed-event",
  sent: "a signed subscription.created",
  expected: "accepted",
  advice: "Check the URL of your handler for POST, and the secret with which it verifies.",
  requests: (story) => alone(story.event("subscription.created")),
};

/** Requests that Billow sends, or may send in a later release. A receiver has to accept all of them. */
export const ACCEPTED: readonly Check[] = [
  {
    id: "every-type",
    sent: "a signed event of every type of the catalogue",
    expected: "accepted",
    advice: "Answer 2xx to every type, also to those that you do not use.",
    requests: (story) => story.eventsOfAllTypes().map((message) => ({ message })),
  },
  {
    id: "two-signatures",
    sent: "two signatures, as while a secret is replaced: a stranger's, then the one of your secret",
    expected: "accepted",
    advice: "Split webhook-signature at its spaces, and accept the event if any of them is right.",
    requests: (story) => [{ message: story.event("subscription.updated"), signers: ["stranger", "own"] }],
  },
  {
    id: "duplicate",
    sent: "the same event again, signed anew",
    expected: "accepted",
    unseen: "whether it was applied twice",
    advice: ONCE,
    requests(story) {
      const message = story.event("subscription.renewed");
      return [
        { message, age: 5, about: "the first time" },
        { message, about: "the second time" },
      ];
    },
  },
  {
    id: "simultaneous-duplicates",
    sent: `the same new event ${TWINS} times at the same moment`,
    expected: "accepted",
    unseen: "whether it was applied more than once",
    advice: RACE,
    together: true,
    requests(story) {
      const message = story.event("subscription.renewed");
      return Array.from({ length: TWINS }, () => ({ message }));
    },
  },
  {
    id: "out-of-order",
    sent: "two events of a Subscription, the later one first",
    expected: "accepted",
    unseen: "whether the earlier one changed anything",
    advice: "Answer 2xx to older events, too, and ignore a sequence that is not higher.",
    requests(story) {
      const [earlier, later] = [story.event("subscription.past_due"), story.event("subscription.recovered")];
      return [
        { message: later, about: "the later one" },
        { message: earlier, about: "the earlier one" },
      ];
    },
  },
  {
    id: "unknown-type",
    sent: "a type that the catalogue does not have yet",
    expected: "accepted",
    advice: "Ignore types that you don't know, and answer 2xx: new types come with new versions of Billow.",
    requests(story) {
      const type = "subscription.transferred";
      return [
        { message: { ...rewritten(story.event("subscription.updated"), (event) => ({ ...event, type })), type } },
      ];
    },
  },
  {
    id: "unknown-fields",
    sent: "a known type with fields that it does not have yet",
    expected: "accepted",
    advice: "Ignore fields that you don't know: new ones come with new versions of Billow.",
    requests(story) {
      const added = { region: "eu", related: { ids: ["a", "b"], count: 2 } };
      const message = story.event("subscription.updated", (data) => ({ ...data, ...added }));
      return alone(rewritten(message, (event) => ({ ...event, attempt: 1, context: added })));
    },
  },
  {
    id: "null-fields",
    sent: "resources with null in every field that may be null",
    expected: "accepted",
    advice: "Expect null wherever the reference shows it.",
    requests: (story) =>
      (["customer.created", "checkout.created", "subscription.created", "product.created"] as const).map((type) => ({
        message: sparse(story, type),
      })),
  },
  {
    id: "raw-bytes",
    sent: "JSON with other spaces, escapes, numbers and order of keys than a serialiser would write",
    expected: "accepted",
    advice: RAW,
    requests: (story) => alone(oddlyWritten(story)),
  },
  {
    id: "any-text",
    sent: "text in several scripts, with an emoji, U+2028, <, & and a backslash",
    expected: "accepted",
    advice: `${RAW} It is UTF-8.`,
    requests: (story) => alone(foreign(story)),
  },
  {
    id: "slow-body",
    sent: `a body in ${PIECES} pieces with pauses`,
    expected: "accepted",
    advice: STREAM,
    requests: (story) => [
      { message: story.event("subscription.updated"), manner: { kind: "pieces", count: PIECES, chunked: false } },
    ],
  },
  {
    id: "split-character",
    sent: "a body in two pieces, split within a character of UTF-8",
    expected: "accepted",
    advice: STREAM,
    requests(story) {
      const message = foreign(story);
      return [{ message, manner: { kind: "parted", at: withinCharacter(message) } }];
    },
  },
  {
    id: "chunked-body",
    sent: "a chunked body without Content-Length",
    expected: "accepted",
    advice: `${STREAM} Proxies pass it on without Content-Length.`,
    requests: (story) => [
      { message: story.event("subscription.updated"), manner: { kind: "pieces", count: 3, chunked: true } },
    ],
  },
  {
    id: "header-case",
    sent: "header names in another case",
    expected: "accepted",
    advice: "Compare header names without regard to case: proxies may change it.",
    requests: (story) => [
      {
        message: story.event("subscription.updated"),
        forge: ({ "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature }) => ({
          "Webhook-Id": id,
          "WEBHOOK-TIMESTAMP": timestamp,
          "wEBHOOK-sIGNATURE": signature,
        }),
      },
    ],
  },
  {
    id: "large-body",
    sent: `an invoice of ${LARGE_BYTES / 1000} KB`,
    expected: "accepted",
    advice: "Allow bodies of 1 MB on this route: limits of servers, proxies and parsers are often lower.",
    requests: (story) => alone(large(story)),
  },
  {
    id: "many-at-once",
    sent: `${AT_ONCE} events of different Customers at the same moment`,
    expected: "accepted",
    advice:
      "Answer first and work later, from a queue. Look for a bottleneck, such as too few connections to a database.",
    together: true,
    requests: (story) => Array.from({ length: AT_ONCE }, () => ({ message: story.eventOfAnother("customer.created") })),
  },
];

/** Comes last: a receiver that does not survive this check gives no more answers. */
export const LAST: Check = {
  id: "cut-off",
  sent: "half a body, then the connection was closed; then a signed event",
  expected: "accepted",
  advice: "Catch errors while a body is read: they must not end the process.",
  requests: (story) => [
    { message: story.eventOfAnother("customer.created"), manner: { kind: "cut" }, ignored: true },
    { message: story.event("subscription.updated"), about: "the event after it" },
  ],
};
