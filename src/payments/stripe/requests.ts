import { createHash } from "node:crypto";
import type { Outcome } from "../../domain/model/payment-outcome.ts";
import { sql, type Database, type Statement } from "../../store/driver/db.ts";

/** `charge_page`, `setup_page`: the buyer gives the card on Stripe's page. */
export type RequestKind = "charge" | "setup" | "charge_page" | "setup_page" | "refund";
/** An outcome that nothing changes any more. A success on a page is read from Stripe each time, for its card. */
export type Final = Extract<Outcome, { status: "succeeded" | "declined" | "refused" }>;

/** A request to Stripe as the adapter remembers it; the columns are explained in the migration. */
export type StripeRequest = {
  organizationId: string;
  key: string;
  kind: RequestKind;
  requestHash: string;
  currency: string | null;
  chargeKey: string | null;
  attempt: number;
  objectId: string | null;
  intentId: string | null;
  isChallenged: boolean;
  givenUp: boolean;
  verdict: Final | null;
  outcome: Final | null;
};

/** Whether the buyer gives the card on Stripe's page. */
export const isPage = ({ kind }: Pick<StripeRequest, "kind">): boolean =>
  kind === "charge_page" || kind === "setup_page";

/** The identity of a request. `parts`: all that a repetition must not change. */
export type NewRequest = {
  organizationId: string;
  key: string;
  kind: RequestKind;
  parts: readonly (string | number | null)[];
  currency: string | null;
  chargeKey: string | null;
};

const NOW = "date_trunc('milliseconds', statement_timestamp())";
const COLUMNS = `organization_id AS "organizationId", key, kind, request_hash AS "requestHash", currency,
  charge_key AS "chargeKey", attempt, object_id AS "objectId", intent_id AS "intentId",
  is_challenged AS "isChallenged", given_up AS "givenUp", verdict, outcome`;
const ONE = "organization_id = $1 AND provider_account = $2 AND key = $3";

const insert = sql(
  "stripe_requests.insert",
  `INSERT INTO stripe_requests (organization_id, provider_account, key, kind, request_hash, currency, charge_key,
    attempt, object_id, intent_id, is_challenged, given_up, verdict, outcome, created_at, updated_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 1, NULL, NULL, false, $8, NULL, NULL, ${NOW}, ${NOW})
   ON CONFLICT (organization_id, provider_account, key) DO NOTHING
   RETURNING true AS made`,
);
const find = sql("stripe_requests.find", `SELECT ${COLUMNS} FROM stripe_requests WHERE ${ONE}`);
const findByObject = sql(
  "stripe_requests.find_by_object",
  `SELECT ${COLUMNS} FROM stripe_requests
   WHERE organization_id = $1 AND provider_account = $2 AND (object_id = $3 OR intent_id = $3)`,
);
const keysOfIntents = sql(
  "stripe_requests.keys_of_intents",
  `SELECT intent_id AS "intentId", key FROM stripe_requests
   WHERE organization_id = $1 AND provider_account = $2 AND intent_id = ANY($3::text[])`,
);
const findAll = sql(
  "stripe_requests.find_all",
  `SELECT ${COLUMNS} FROM stripe_requests
   WHERE organization_id = $1 AND provider_account = $2 AND key = ANY($3::text[])`,
);
const giveUp = sql(
  "stripe_requests.give_up",
  `UPDATE stripe_requests SET given_up = true, updated_at = ${NOW}
   WHERE ${ONE} AND NOT given_up AND outcome IS NULL`,
);
const attach = sql(
  "stripe_requests.attach",
  `UPDATE stripe_requests SET object_id = $4, intent_id = $5, updated_at = ${NOW}
   WHERE ${ONE} AND object_id IS NULL AND NOT given_up AND outcome IS NULL`,
);
const noteIntent = sql(
  "stripe_requests.note_intent",
  `UPDATE stripe_requests SET intent_id = $4, updated_at = ${NOW}
   WHERE ${ONE} AND object_id IS NOT NULL AND intent_id IS NULL`,
);
const nextAttempt = sql(
  "stripe_requests.next_attempt",
  `UPDATE stripe_requests SET attempt = $4, updated_at = ${NOW}
   WHERE ${ONE} AND attempt < $4`,
);
const challenge = sql(
  "stripe_requests.challenge",
  `UPDATE stripe_requests SET is_challenged = true, updated_at = ${NOW}
   WHERE ${ONE}`,
);
const writeDown = sql(
  "stripe_requests.write_down",
  `UPDATE stripe_requests SET verdict = $4, updated_at = ${NOW}
   WHERE ${ONE} AND verdict IS NULL AND outcome IS NULL`,
);
const settle = sql(
  "stripe_requests.settle",
  `UPDATE stripe_requests SET outcome = $4, updated_at = ${NOW}
   WHERE ${ONE} AND outcome IS NULL`,
);
const settleUnmade = sql(
  "stripe_requests.settle_unmade",
  `UPDATE stripe_requests SET outcome = $4, updated_at = ${NOW}
   WHERE ${ONE} AND outcome IS NULL AND object_id IS NULL`,
);

const hashOf = ({ kind, parts }: NewRequest) =>
  createHash("sha256")
    .update(JSON.stringify([kind, ...parts]))
    .digest("hex");

export type StripeRequests = ReturnType<typeof createStripeRequests>;

/**
 * The adapter's own table. Each write is committed, and on the disk, before its promise resolves: the next request to
 * Stripe relies on the write.
 */
export function createStripeRequests(db: Database, account: string) {
  const keyOf = ({ organizationId, key }: { organizationId: string; key: string }) => [organizationId, account, key];

  async function begin(request: NewRequest, isGivenUp: boolean): Promise<StripeRequest & { isNew: boolean }> {
    const requestHash = hashOf(request);
    const { kind, currency, chargeKey } = request;
    const { row, isNew } = await db.tx(async (tx) => {
      const values = [...keyOf(request), kind, requestHash, currency, chargeKey, isGivenUp];
      const inserted = await tx.query<{ made: boolean }>(insert, values);
      if (inserted.length === 0 && isGivenUp) tx.send(giveUp, keyOf(request));
      const [found] = await tx.query<StripeRequest>(find, keyOf(request));
      return { row: found!, isNew: inserted.length > 0 };
    });
    // Checked after the commit: a request that was given up stays given up, even if its parts are wrong.
    if (row.requestHash !== requestHash) throw new Error(`the key ${request.key} was used for another request`);
    return { ...row, isNew };
  }

  /** Changes the row, and answers the row as it is now: another process may have changed the row before. */
  async function change(row: StripeRequest, statement: Statement, ...values: unknown[]): Promise<StripeRequest> {
    return db.tx(async (tx) => {
      tx.send(statement, [...keyOf(row), ...values]);
      const [changed] = await tx.query<StripeRequest>(find, keyOf(row));
      return changed!;
    });
  }

  return {
    /** The row of a request, made if there is none. @throws Error if the key was used for another request. */
    begin: (request: NewRequest) => begin(request, false),
    /** As `begin`; afterwards no object is attached to the row any more. */
    giveUp: (request: NewRequest) => begin(request, true),
    async find(organizationId: string, key: string): Promise<StripeRequest | null> {
      return (await db.read.query<StripeRequest>(find, [organizationId, account, key]))[0] ?? null;
    },
    /** The request with this object or this intent. */
    async findByObject(organizationId: string, objectId: string): Promise<StripeRequest | null> {
      return (await db.read.query<StripeRequest>(findByObject, [organizationId, account, objectId]))[0] ?? null;
    },
    /** The keys of the charges with these intents. */
    async keysOfIntents(organizationId: string, intents: readonly string[]): Promise<Map<string, string>> {
      const values = [organizationId, account, intents];
      const rows = await db.read.query<{ intentId: string; key: string }>(keysOfIntents, values);
      return new Map(rows.map(({ intentId, key }) => [intentId, key]));
    },
    async findAll(organizationId: string, keys: readonly string[]): Promise<Map<string, StripeRequest>> {
      const rows = await db.read.query<StripeRequest>(findAll, [organizationId, account, keys]);
      return new Map(rows.map((row) => [row.key, row]));
    },
    /** Stores the object that was made for a request, unless another one is stored or the request was given up. */
    attach: (row: StripeRequest, objectId: string, intentId: string | null) => change(row, attach, objectId, intentId),
    /** Stores the intent that a Checkout Session has made. */
    noteIntent: (row: StripeRequest, intentId: string) => change(row, noteIntent, intentId),
    /** The next creation gets a key of its own. */
    nextAttempt: (row: StripeRequest) => change(row, nextAttempt, row.attempt + 1),
    challenge: (row: StripeRequest) => change(row, challenge),
    /** Writes an outcome down before the intent is canceled. The first one written stays. */
    writeDown: (row: StripeRequest, verdict: Final) => change(row, writeDown, JSON.stringify(verdict)),
    /** Makes an outcome final. The first one settled stays. */
    settle: (row: StripeRequest, outcome: Final) => change(row, settle, JSON.stringify(outcome)),
    /** As `settle`, unless another process has made and stored an object meanwhile: its outcome counts. */
    settleUnmade: (row: StripeRequest, outcome: Final) => change(row, settleUnmade, JSON.stringify(outcome)),
  };
}
