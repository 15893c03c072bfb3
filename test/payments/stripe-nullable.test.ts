import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { challenged } from "./conformance.ts";
import { startStripe, type StripeServer } from "./stripe/server.ts";
import { chargeOf, payOnPage, saveOf } from "./stripe-requests.ts";
import { answerOnPage, openStripeWorld, ORGANIZATION, type StripeWorld } from "./stripe-world.ts";

const START = Date.UTC(2026, 5, 1);

let stripe: StripeServer;
let world: StripeWorld;
/** One object of each kind that the adapter reads, of one charge on Stripe's page and one card save. */
let objects: Record<Kind, Record<string, unknown>>;
let keys: { page: string; save: string; refund: string };

type Kind = "intent" | "setup" | "page" | "save" | "charge" | "refund" | "dispute" | "card";

/** The fields that Stripe's description of this version allows to be null, and those with a status or another list. */
const FIELDS: Record<Kind, { nullable: readonly string[]; words: readonly string[] }> = {
  intent: {
    nullable: ["customer", "last_payment_error", "latest_charge", "next_action", "payment_method"],
    words: ["status"],
  },
  setup: {
    nullable: ["customer", "last_setup_error", "metadata", "next_action", "payment_method"],
    words: ["status", "usage"],
  },
  page: {
    nullable: ["customer", "metadata", "payment_intent", "setup_intent", "status", "url"],
    words: ["status", "mode", "payment_status"],
  },
  save: {
    nullable: ["customer", "metadata", "payment_intent", "setup_intent", "status", "url"],
    words: ["status", "mode"],
  },
  charge: { nullable: ["customer", "payment_intent", "payment_method", "balance_transaction"], words: ["status"] },
  refund: {
    nullable: ["charge", "metadata", "payment_intent", "reason", "status", "balance_transaction"],
    words: ["status", "reason", "failure_reason"],
  },
  dispute: { nullable: ["payment_intent"], words: ["status", "reason"] },
  card: { nullable: ["customer", "metadata"], words: ["type"] },
};

beforeAll(async () => {
  stripe = await startStripe({ now: () => START, isLater: true });
  const settings = { baseUrl: stripe.url, now: () => START };
  world = await openStripeWorld(stripe, { answer: answerOnPage, since: 0, settings });
  const [page, save] = [chargeOf(null, { presence: "buyer" }), saveOf(null)];
  await payOnPage(challenged(await world.provider.charge(page)).url, "4242 4242 4242 4242");
  await payOnPage(challenged(await world.provider.saveCard(save)).url, "4242 4242 4242 4242");
  keys = { page: page.key, save: save.key, refund: `${page.key}_refund` };
  const part = { organizationId: ORGANIZATION, chargeKey: page.key, amount: 100 };
  await world.provider.refund({ ...part, key: keys.refund });
  const { book } = stripe;
  const intent = [...book.paymentIntents.values()].at(-1)!;
  stripe.operations.dispute(intent.id);
  const last = <T>(map: ReadonlyMap<string, T>): T => [...map.values()].at(-1)!;
  const [paid, saved] = [...book.sessions.values()];
  objects = {
    intent,
    setup: last(book.setupIntents),
    page: paid!,
    save: saved!,
    charge: last(book.charges),
    refund: last(book.refunds),
    dispute: last(book.disputes),
    card: last(book.paymentMethods),
  };
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});

/** An unknown word, a word that objects inherit, and an empty one. */
const word = fc.constantFrom("brand_new", "constructor", "");

function changesOf(kind: Kind): fc.Arbitrary<Record<string, unknown>> {
  const { nullable, words } = FIELDS[kind];
  const nulls = fc.subarray([...nullable]).map((names) => Object.fromEntries(names.map((name) => [name, null])));
  const others = fc.record(Object.fromEntries(words.map((name) => [name, word])), { requiredKeys: [] });
  return fc.tuple(others, nulls).map(([some, none]) => ({ ...some, ...none }));
}

const OUTCOMES = ["succeeded", "declined", "requires_action", "processing", "unknown"];
const STATUSES: Record<string, readonly string[]> = {
  refund: ["processing", "succeeded", "failed"],
  dispute: ["inquiry", "open", "won", "lost", "closed"],
};
const query = { organizationId: ORGANIZATION, from: START as never, to: (START + 1_000) as never, cursor: null };

/** Reads all that the adapter reads of this world. Each answer is one that Billow knows. */
async function readAll(): Promise<void> {
  for (const { id } of Object.values(objects)) {
    const found = await world.provider.notices.look(ORGANIZATION, { id: "evt_1", type: "any", object: String(id) });
    for (const fact of found === "unmatched" ? [] : found) {
      const { status } = { status: undefined, ...(fact as unknown as Record<string, { status: string }>)[fact.kind] };
      expect([undefined, ...(STATUSES[fact.kind] ?? [])]).toContain(status);
    }
  }
  for (const key of Object.values(keys)) {
    expect(OUTCOMES).toContain((await world.provider.read(ORGANIZATION, key)).status);
  }
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    cursor = (await world.provider.history({ ...query, cursor })).next;
  }
  await world.provider.orphans(query);
}

describe("Stripe's null, and a word that Stripe adds later", () => {
  test.each(Object.keys(FIELDS) as Kind[])("in an object of the kind %s makes no error", async (kind) => {
    const whole = structuredClone(objects[kind]);
    await fc.assert(
      fc.asyncProperty(changesOf(kind), async (changes) => {
        Object.assign(objects[kind], changes);
        try {
          await readAll();
        } finally {
          Object.assign(objects[kind], structuredClone(whole));
        }
      }),
      { numRuns: 15 },
    );
  });

  test("in the evidence of a dispute is no deadline", async () => {
    const { id } = objects.dispute;
    const evidence = objects.dispute["evidence_details"] as { due_by: number | null };
    for (const due of [0, null]) {
      evidence.due_by = due;
      const facts = await world.provider.notices.look(ORGANIZATION, { id: "evt_1", type: "any", object: String(id) });
      expect(facts).toMatchObject([{ kind: "dispute", dispute: { evidenceDueAt: null } }]);
    }
  });
});
