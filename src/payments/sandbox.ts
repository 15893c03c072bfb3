import { realNow } from "../clock.ts";
import { arraysSql, inTransactions, sql, withArrays, withAsyncCommit } from "../store/driver/db.ts";
import type { Database, Queryable, Tx } from "../store/driver/db.ts";
import type { DeclineCode, Outcome } from "../domain/model/payment-outcome.ts";
import type { AcceptedCard, CardDetails, CardEntry, Charge, PaymentProvider, Refund, SaveCard } from "./provider.ts";
import { coalesce } from "./coalesce.ts";
import { createSandboxIssuer, type SandboxIssuer } from "./sandbox-issuer.ts";
import { createSandboxTransactions, type OutsideRefund, type SandboxTransactions } from "./sandbox-transactions.ts";
import { decide, recognizeCard, type Behavior, type ChargeStatus } from "./sandbox-cards.ts";
import { beginRefusals, storedCard, challengeUrl, createSandboxPages, expire, isRefused } from "./sandbox-page.ts";
import { NOW, openPage, pageUrl, randomToken, storeCard, type SandboxPages } from "./sandbox-page.ts";

type Decided = { status: ChargeStatus; declineCode: DeclineCode | null; actionToken: string | null };
/**
 * `pageToken`: the buyer gives the card on a page; `card` is null until then. `isOver`: the time of the page is over.
 */
type ChargeRow = Decided & {
  card: string | null;
  amount: number;
  currency: string | null;
  pageToken: string | null;
  isOver: boolean | null;
};
type RefundRow = Decided & { chargeKey: string; amount: number };

const CHARGE = `card_ref AS "card", amount, currency, status, decline_code AS "declineCode",
  action_token AS "actionToken", page_token AS "pageToken", page_expires_at <= ${NOW} AS "isOver"`;
// A refund is declined for one reason only: too little is left of the charge. A second try would be declined, too. A
// refund that failed after its success is read as declined.
const REFUND = `charge_key AS "chargeKey", amount,
  CASE WHEN status = 'succeeded' THEN status ELSE 'declined' END AS status,
  CASE WHEN status <> 'succeeded' THEN 'card_declined' END AS "declineCode", NULL AS "actionToken"`;

const findBehavior = sql(
  "sandbox_cards.behavior",
  "SELECT behaviour AS behavior FROM sandbox_cards WHERE organization_id = $1 AND ref = $2",
);
const findBehaviors = arraysSql(
  "sandbox_cards.behaviors",
  { ref: "text" },
  (rows, keyOf) =>
    `SELECT c.organization_id AS "organizationId", c.ref, c.behaviour AS behavior,
       refusal.created_at IS NOT NULL AS "isRefused"
     FROM ${rows} JOIN sandbox_cards c ON c.organization_id = ${keyOf("r")} AND c.ref = r.ref
     LEFT JOIN sandbox_refusals AS refusal ON refusal.organization_id = c.organization_id`,
);

const makeRefused = sql(
  "sandbox_charges.make_refused",
  `UPDATE sandbox_charges SET status = 'succeeded', settled_at = ${NOW}
   WHERE organization_id = $1 AND key = $2 AND status = 'account_refused'`,
);

const insertCharge = sql(
  "sandbox_charges.insert",
  `INSERT INTO sandbox_charges (organization_id, key, card_ref, amount, currency, presence, return_url, status,
    decline_code, action_token, created_at, settled_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, ${NOW}, ${NOW} + CASE
   WHEN $8::text <> 'pending_action' THEN interval '0' END)
   ON CONFLICT (organization_id, key) DO NOTHING`,
);
// Sorted by key, so that two processes that charge the same keys never deadlock.
const insertCharges = sql(
  "sandbox_charges.insert_all",
  `INSERT INTO sandbox_charges (organization_id, key, card_ref, amount, currency, presence, return_url, status,
    decline_code, action_token, created_at, settled_at)
   SELECT organization_id, key, card_ref, amount, currency, presence, return_url, status, decline_code, action_token,
     ${NOW}, CASE WHEN status <> 'pending_action' THEN ${NOW} END
   FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
   $9::text[], $10::text[])
     AS asked (organization_id, key, card_ref, amount, currency, presence, return_url, status, decline_code,
     action_token)
   ORDER BY organization_id, key
   ON CONFLICT (organization_id, key) DO NOTHING`,
);
const findCharges = arraysSql(
  "sandbox_charges.find_all",
  { key: "text" },
  (rows, keyOf) =>
    `SELECT c.organization_id AS "organizationId", c.key, ${CHARGE}
     FROM ${rows} JOIN sandbox_charges c ON c.organization_id = ${keyOf("r")} AND c.key = r.key`,
);
const findCharge = sql(
  "sandbox_charges.find",
  `SELECT ${CHARGE} FROM sandbox_charges WHERE organization_id = $1 AND key = $2`,
);
const lockCharge = sql("sandbox_charges.lock", `${findCharge.text} FOR UPDATE`);
const cancelCharge = sql(
  "sandbox_charges.cancel",
  `UPDATE sandbox_charges SET status = 'declined', settled_at = ${NOW},
     decline_code = CASE WHEN status = 'pending_action' AND page_token IS NULL THEN 'authentication_failed'
       ELSE 'canceled' END
   WHERE organization_id = $1 AND key = $2 AND status IN ('pending_action', 'account_refused')`,
);

const endProcessing = sql(
  "sandbox_charges.process",
  `UPDATE sandbox_charges SET status = 'succeeded', settled_at = ${NOW}
   WHERE organization_id = $1 AND key = $2 AND status = 'processing'`,
);

const insertRefund = sql(
  "sandbox_refunds.insert",
  `INSERT INTO sandbox_refunds (organization_id, key, charge_key, amount, status, outside, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, ${NOW})
   ON CONFLICT (organization_id, key) DO NOTHING`,
);
const findRefund = sql(
  "sandbox_refunds.find",
  `SELECT ${REFUND} FROM sandbox_refunds WHERE organization_id = $1 AND key = $2`,
);
const sumRefunds = sql(
  "sandbox_refunds.sum",
  `SELECT coalesce(sum(amount), 0) AS refunded FROM sandbox_refunds
   WHERE organization_id = $1 AND charge_key = $2 AND status = 'succeeded'`,
);

/** The most charges that one transaction books. */
const MOST_AT_ONCE = 200;

/** A card that is only saved. */
const CARD_SAVE = { amount: 0, currency: null, presence: "buyer" } as const;

/** A charge, or a card that is only saved. */
type Asked = SaveCard & Pick<Charge, "amount" | "presence"> & { currency: string | null };
type Request = Asked & { card: string };

const STATUSES: readonly string[] = ["succeeded", "pending_action", "account_refused", "charge_refused", "processing"];
const isStatus = (outcome: string) => STATUSES.includes(outcome);

/**
 * The row of a request, as the columns of `insertCharges`. The charge is settled at once unless the buyer must
 * authenticate.
 */
function newCharge(
  behavior: Behavior,
  { organizationId, key, card, amount, currency, presence, returnUrl }: Request,
): unknown[] {
  const outcome = decide(behavior, { presence, amount });
  const [status, declineCode] = isStatus(outcome) ? [outcome, null] : ["declined", outcome];
  const token = status === "pending_action" ? randomToken() : null;
  return [organizationId, key, card, amount, currency, presence, returnUrl, status, declineCode, token];
}

/** One array for each column of some rows. */
const columnsOf = (rows: readonly unknown[][]) => rows[0]!.map((_, column) => rows.map((row) => row[column]));

type Keyed<Row> = Row & { organizationId: string };

const REFUSED: Outcome = { status: "refused", scope: "account", reason: "account_restricted" };

/** Makes the charges that the provider refused before it took charges again. */
async function makeAgain(tx: Tx, requests: readonly Request[]): Promise<void> {
  for (const { organizationId, key } of requests) await tx.query(makeRefused, [organizationId, key]);
}

type Answered = { behavior: Behavior; charge: ChargeRow } | "refused" | Error;

/**
 * Settles requests that were made at the same moment in one transaction. Of several requests with one key, the first
 * counts.
 */
async function settleAll(tx: Tx, requests: readonly Request[]): Promise<Answered[]> {
  const cards = await tx.query<Keyed<{ ref: string; behavior: Behavior; isRefused: boolean }>>(
    ...withArrays(tx, findBehaviors, requests, ({ card }) => card),
  );
  const behaviors = new Map(cards.map(({ organizationId, ref, ...card }) => [`${organizationId} ${ref}`, card]));
  const cardOf = ({ organizationId, card }: Request) => behaviors.get(`${organizationId} ${card}`);
  const taken = requests.filter((request) => cardOf(request)?.isRefused === false);
  const refusable = taken.filter((request) => cardOf(request)!.behavior === "account_refused");
  await makeAgain(tx, refusable);
  const rows = taken.map((request) => newCharge(cardOf(request)!.behavior, request));
  if (rows.length > 0) await tx.query(insertCharges, columnsOf(rows));
  const found = await tx.query<Keyed<ChargeRow & { key: string }>>(
    ...withArrays(tx, findCharges, requests, ({ key }) => key),
  );
  const charges = new Map(found.map((charge) => [`${charge.organizationId} ${charge.key}`, charge]));
  const answers = requests.map((request): Answered => {
    const { organizationId, key, card, amount, currency } = request;
    const known = cardOf(request);
    if (!known) return new Error(`there is no card ${card}`);
    if (known.isRefused) return "refused";
    const charge = charges.get(`${organizationId} ${key}`)!;
    const isSame =
      charge.card === card && charge.pageToken === null && charge.amount === amount && charge.currency === currency;
    if (!isSame) return usedBefore(key);
    return charge.status === "account_refused" ? "refused" : { behavior: known.behavior, charge };
  });
  const refusing = requests.filter((request, n) => answers[n] === "refused" && !cardOf(request)!.isRefused);
  if (refusing.length > 0) await tx.query(beginRefusals, [refusing.map(({ organizationId }) => organizationId)]);
  return answers;
}

const usedBefore = (key: string) => new Error(`the key ${key} was used for another charge`);

/** Makes a page on which the buyer gives a card, or finds the page that was made before. */
async function settlePage(tx: Tx, request: Asked): Promise<ChargeRow | "refused"> {
  const { organizationId, key, amount, currency, presence } = request;
  if (presence !== "buyer") throw new Error(`the request ${key} names no card`);
  if (await isRefused(tx, organizationId)) return "refused";
  await openPage(tx, request);
  await expire(tx, organizationId, { key });
  const [charge] = await tx.query<ChargeRow>(findCharge, [organizationId, key]);
  // A request that was canceled before it arrived has neither a page nor a card.
  const isPage = charge!.pageToken !== null || charge!.card === null;
  if (!isPage || charge!.amount !== amount || charge!.currency !== currency) throw usedBefore(key);
  return charge!;
}

async function cancelRequest(tx: Tx, request: Charge | SaveCard): Promise<ChargeRow> {
  const { organizationId, key, card, returnUrl } = request;
  const { amount, currency, presence } = "amount" in request ? request : CARD_SAVE;
  // A request that never arrived is booked as canceled, so that it is refused if it arrives after all.
  await tx.query(insertCharge, [
    organizationId,
    key,
    card,
    amount,
    currency,
    presence,
    returnUrl,
    "declined",
    "canceled",
    null,
  ]);
  await tx.query(cancelCharge, [organizationId, key]);
  const [charge] = await tx.query<ChargeRow>(findCharge, [organizationId, key]);
  return charge!;
}

/**
 * Refunds at most the rest of a charge, and declines a larger refund. A charge that did not succeed has no rest.
 * `outside`: the refund is made in the provider's dashboard, and the key is the provider's own id.
 */
async function settleRefund(
  tx: Tx,
  { organizationId, key, chargeKey, amount }: Refund,
  outside = false,
): Promise<{ refund: RefundRow; card: string | null }> {
  const [charge] = await tx.query<ChargeRow>(lockCharge, [organizationId, chargeKey]);
  if (!charge) throw new Error(`there is no charge ${chargeKey} to refund`);
  const [sum] = await tx.query<{ refunded: number }>(sumRefunds, [organizationId, chargeKey]);
  const left = charge.status === "succeeded" ? charge.amount - sum!.refunded : 0;
  const status = amount <= left ? "succeeded" : "declined";
  await tx.query(insertRefund, [organizationId, key, chargeKey, amount, status, outside]);
  const [refund] = await tx.query<RefundRow>(findRefund, [organizationId, key]);
  if (refund!.chargeKey !== chargeKey || refund!.amount !== amount)
    throw new Error(`the key ${key} was used for another refund`);
  return { refund: refund!, card: charge.card };
}

async function behaviorOf(tx: Tx, organizationId: string, card: string | null): Promise<Behavior | null> {
  if (card === null) return null;
  const [found] = await tx.query<{ behavior: Behavior }>(findBehavior, [organizationId, card]);
  if (!found) throw new Error(`there is no card ${card}`);
  return found.behavior;
}

type Outcomes = ReturnType<typeof outcomesAt>;

/** The outcomes of rows, with addresses at this origin. */
function outcomesAt(publicOrigin: string) {
  function outcome(organizationId: string, { status, declineCode, actionToken }: Decided): Outcome {
    if (status === "declined") return { status, code: declineCode! };
    if (status === "succeeded" || status === "processing") return { status };
    if (status === "account_refused") return REFUSED;
    if (status === "charge_refused") return { status: "refused", scope: "charge", reason: "amount_too_large" };
    return { status: "requires_action", url: challengeUrl(publicOrigin, organizationId, actionToken!) };
  }

  /** As `outcome`, for a charge that may have a page. The page's address stays while the bank asks the buyer. */
  async function reportOf(read: Queryable, organizationId: string, charge: ChargeRow): Promise<Outcome> {
    const { pageToken, card, status } = charge;
    if (pageToken !== null && status === "succeeded")
      return { status, card: await storedCard(read, organizationId, card!) };
    if (pageToken === null || status !== "pending_action") return outcome(organizationId, charge);
    return { status: "requires_action", url: pageUrl(publicOrigin, organizationId, pageToken) };
  }
  return { outcome, reportOf };
}

/**
 * The outcome of a key by the provider's book. A charge that is processed succeeds after its first reading. A charge
 * that was refused is not in the book, so it may be sent again. A page whose time is over is expired before its outcome
 * is told, so that the outcome stays.
 */
async function readOutcome(
  db: Database,
  { outcome, reportOf }: Outcomes,
  organizationId: string,
  key: string,
): Promise<Outcome | { status: "absent" }> {
  const { read } = db;
  if (await isRefused(read, organizationId)) return REFUSED;
  const find = async () => (await read.query<ChargeRow>(findCharge, [organizationId, key]))[0];
  let charge = await find();
  if (charge?.status === "pending_action" && charge.isOver) {
    await db.tx((tx) => expire(tx, organizationId, { key }));
    charge = await find();
  }
  if (charge?.status === "processing") await db.tx((tx) => tx.query(endProcessing, [organizationId, key]));
  if (charge)
    return charge.status === "account_refused" ? { status: "absent" } : reportOf(read, organizationId, charge);
  const [refund] = await read.query<RefundRow>(findRefund, [organizationId, key]);
  return refund ? outcome(organizationId, refund) : { status: "absent" };
}

async function acceptCard(db: Database, organizationId: string, typed: CardDetails): Promise<AcceptedCard> {
  const recognized = recognizeCard(typed, realNow());
  if ("fault" in recognized) return recognized;
  return { card: await db.tx((tx) => storeCard(tx, organizationId, typed, recognized.known)) };
}

/**
 * The built-in provider, which accepts typed cards, and also takes cards on pages of its own. Both entries have one
 * book, so a sandbox may change its entry at any time.
 */
export type SandboxProvider = PaymentProvider &
  SandboxTransactions &
  SandboxIssuer &
  SandboxPages & {
    entry: Extract<CardEntry, { kind: "typed" }>;
    /**
     * A refund in the provider's dashboard. `key`: the provider's own id. A repetition with the same key makes no
     * second refund. Null: too little is left of the charge.
     */
    refundOutside(refund: Refund): Promise<OutsideRefund | null>;
  };

/**
 * The provider of every sandbox, with cards that behave by their number (SANDBOX_CARDS). It has its own book in
 * Billow's database, and writes the book in its own transactions. So Billow and this provider may each know facts that
 * the other does not, as with any provider.
 */
export function createSandboxProvider({ db, publicOrigin }: { db: Database; publicOrigin: string }): SandboxProvider {
  const outcomes = outcomesAt(publicOrigin);
  const { outcome, reportOf } = outcomes;
  const transactions = createSandboxTransactions(db, publicOrigin);
  // Billow's own later commit also brings this transaction to the disk. If a power cut loses both, Billow sends the
  // charge again.
  const charges = withAsyncCommit(db);

  const settleGroup = async (group: readonly Request[]) => {
    const answers = await charges.tx((tx) => settleAll(tx, group)).catch((error: Error) => group.map(() => error));
    return group.map((request, n) => [request, answers[n]!] as const);
  };
  const settle = coalesce(async (requests: readonly Request[]) => {
    const settled = new Map((await Promise.all(inTransactions(db, requests).map(settleGroup))).flat());
    return requests.map((request) => settled.get(request)!);
  }, MOST_AT_ONCE);

  async function openedPage(asked: Asked): Promise<Outcome> {
    return charges.tx(async (tx) => {
      const charge = await settlePage(tx, asked);
      return charge === "refused" ? REFUSED : reportOf(tx, asked.organizationId, charge);
    });
  }

  async function submit(asked: Asked): Promise<Outcome> {
    const { organizationId, card } = asked;
    if (card === null) return openedPage(asked);
    const settled = await settle({ ...asked, card });
    if (settled === "refused") return REFUSED;
    const { behavior, charge } = settled;
    return behavior === "answer_lost" ? { status: "unknown" } : outcome(organizationId, charge);
  }

  return {
    name: "sandbox",
    account: "sandbox",
    limits: { inFlight: MOST_AT_ONCE, perSecond: Infinity },
    deadline: 10_000,
    entry: { kind: "typed", accept: (organizationId, typed) => acceptCard(db, organizationId, typed) },
    saveCard: (request) => submit({ ...request, ...CARD_SAVE }),
    charge: submit,
    read: (organizationId, key) => readOutcome(db, outcomes, organizationId, key),
    cancel: (request) =>
      db.tx(async (tx) => {
        if (await isRefused(tx, request.organizationId)) return REFUSED;
        return reportOf(tx, request.organizationId, await cancelRequest(tx, request));
      }),
    refund: (request) =>
      db.tx(async (tx) => {
        if (await isRefused(tx, request.organizationId)) return REFUSED;
        const { refund, card } = await settleRefund(tx, request);
        const behavior = await behaviorOf(tx, request.organizationId, card);
        return behavior === "answer_lost" ? { status: "unknown" } : outcome(request.organizationId, refund);
      }),
    async refundOutside(request) {
      await db.tx((tx) => settleRefund(tx, request, true));
      return transactions.outsideRefund(request.organizationId, request.key);
    },
    // The sandbox stores no data of a Customer but the cards' last digits.
    forget: async () => undefined,
    notices: null,
    ...transactions,
    ...createSandboxIssuer(db),
    ...createSandboxPages(db, publicOrigin),
  };
}
