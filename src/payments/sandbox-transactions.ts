import type { RefundFailureCode } from "../domain/model/refund-failure.ts";
import { sql, type Database, type Queryable } from "../store/driver/db.ts";
import type { ChargeStatus } from "./sandbox-cards.ts";
import { NOW, pageUrl } from "./sandbox-page.ts";
import type { ProviderCharge, HistoryEntry, HistoryPage, HistoryQuery, PaymentProvider } from "./provider.ts";

/**
 * The contents of the challenge page, and the URL that the page leads back to. For a card that is only saved, `amount`
 * is 0 and `currency` null.
 */
export type Challenge = {
  key: string;
  amount: number;
  currency: string | null;
  last4: string;
  status: ChargeStatus;
  returnUrl: string;
};

/** A refund in the provider's book. `key`: the refund's own key; `chargeKey`: the key of the refunded charge. */
export type ProviderRefund = ProviderCharge & { chargeKey: string };

/** A refund that was made in the provider's dashboard. */
export type OutsideRefund = Omit<ProviderRefund, "organizationId" | "key">;

/**
 * A refund that failed after its success. `outside`: the refund was made in the dashboard, so the key is the provider's
 * own id.
 */
export type FailedRefund = OutsideRefund & { outside: boolean; failureCode: RefundFailureCode };

/** The author of refunds in the provider's book: Billow, or the provider's dashboard. */
export type RefundAuthor = "billow" | "dashboard";

/** The parts of a real provider besides its API: a bank's challenge page, and account statements. */
export type SandboxTransactions = {
  /** The challenge at `/sandbox/challenge/{organizationId}/{token}`, or null. */
  challenge(organizationId: string, token: string): Promise<Challenge | null>;
  /**
   * Records the buyer's answer. If `pass`, the charge succeeds; otherwise the charge is declined with
   * `authentication_failed`. A later answer has no effect, and neither has an answer after `cancel`. If the card was
   * given on a page of the provider, a refused challenge leads back to that page, which takes another card.
   */
  answerChallenge(
    organizationId: string,
    token: string,
    pass: boolean,
  ): Promise<{ key: string; returnUrl: string } | null>;
  /** Ends the refusal of all charges that a test card has begun. */
  takeChargesAgain(organizationId: string): Promise<void>;
  /** Succeeded charges ordered by key: at most 500, with keys above `after`. The list after the last page is empty. */
  listCharges(organizationId: string, after?: string): Promise<ProviderCharge[]>;
  /**
   * Succeeded refunds of one author, listed like the charges of `listCharges`. A refund does not change the amount of
   * its charge. A refund that failed later is not listed.
   */
  listRefunds(organizationId: string, after?: string, author?: RefundAuthor): Promise<ProviderRefund[]>;
  /** A refund from the dashboard that has succeeded, even if it failed later; null: no such refund. */
  outsideRefund(organizationId: string, ref: string): Promise<OutsideRefund | null>;
  /** Makes a refund fail that has succeeded. Returns the failed refund, also at a repetition; null: no such refund. */
  failRefund(organizationId: string, key: string, code: RefundFailureCode): Promise<FailedRefund | null>;
  /** The keys of succeeded refunds to cards whose refunds fail later. */
  refundsToFail(organizationId: string): Promise<string[]>;
};

const findChallenge = sql(
  "sandbox_charges.challenge",
  `SELECT key, amount, currency, last4, return_url AS "returnUrl", page_token AS "pageToken",
     CASE WHEN page_decline_code IS NULL THEN status ELSE 'declined' END AS status
   FROM sandbox_charges AS charge
   JOIN sandbox_cards AS card ON card.organization_id = charge.organization_id AND card.ref = charge.card_ref
   WHERE charge.organization_id = $1 AND charge.action_token = $2`,
);
// On a page of the provider, only a passed challenge ends the request: the page takes another card.
const answer = sql(
  "sandbox_charges.answer",
  `UPDATE sandbox_charges SET status = $3, decline_code = $4, settled_at = ${NOW}
   WHERE organization_id = $1 AND action_token = $2 AND status = 'pending_action' AND page_decline_code IS NULL
     AND (page_expires_at IS NULL OR (page_expires_at > ${NOW} AND $3::text = 'succeeded'))`,
);
const refuseOnPage = sql(
  "sandbox_charges.refuse_on_page",
  `UPDATE sandbox_charges SET page_decline_code = 'authentication_failed'
   WHERE organization_id = $1 AND action_token = $2 AND status = 'pending_action' AND page_token IS NOT NULL`,
);
const endRefusal = sql("sandbox_refusals.end", "DELETE FROM sandbox_refusals WHERE organization_id = $1");
const listChargesStatement = sql(
  "sandbox_charges.list",
  `SELECT organization_id AS "organizationId", key, amount, currency, created_at AS "createdAt" FROM sandbox_charges
   WHERE organization_id = $1 AND key > $2 AND status = 'succeeded' AND amount > 0 ORDER BY key LIMIT 500`,
);
const listRefundsStatement = sql(
  "sandbox_refunds.list",
  `SELECT refund.organization_id AS "organizationId", refund.key, refund.charge_key AS "chargeKey", refund.amount,
    charge.currency, refund.created_at AS "createdAt"
   FROM sandbox_refunds AS refund
   JOIN sandbox_charges AS charge ON charge.organization_id = refund.organization_id AND charge.key = refund.charge_key
   WHERE refund.organization_id = $1 AND refund.key > $2 AND refund.status = 'succeeded' AND refund.outside = $3
   ORDER BY refund.key LIMIT 500`,
);
const failStatement = sql(
  "sandbox_refunds.fail",
  `UPDATE sandbox_refunds SET status = 'failed', failure_code = $3
   WHERE organization_id = $1 AND key = $2 AND status = 'succeeded'`,
);
const failedStatement = sql(
  "sandbox_refunds.failed",
  `SELECT refund.charge_key AS "chargeKey", refund.outside, refund.amount, charge.currency,
     refund.failure_code AS "failureCode", refund.created_at AS "createdAt"
   FROM sandbox_refunds AS refund
   JOIN sandbox_charges AS charge ON charge.organization_id = refund.organization_id AND charge.key = refund.charge_key
   WHERE refund.organization_id = $1 AND refund.key = $2 AND refund.status = 'failed'`,
);
const outsideStatement = sql(
  "sandbox_refunds.outside",
  `SELECT refund.charge_key AS "chargeKey", refund.amount, charge.currency, refund.created_at AS "createdAt"
   FROM sandbox_refunds AS refund
   JOIN sandbox_charges AS charge ON charge.organization_id = refund.organization_id AND charge.key = refund.charge_key
   WHERE refund.organization_id = $1 AND refund.key = $2 AND refund.outside AND refund.status <> 'declined'`,
);
const toFailStatement = sql(
  "sandbox_refunds.to_fail",
  `SELECT refund.key FROM sandbox_cards AS card
   JOIN sandbox_charges AS charge ON charge.organization_id = card.organization_id AND charge.card_ref = card.ref
   JOIN sandbox_refunds AS refund ON refund.organization_id = charge.organization_id AND refund.charge_key = charge.key
   WHERE card.organization_id = $1 AND card.behaviour = 'refund_fails' AND refund.status = 'succeeded'
   ORDER BY refund.key`,
);

const MOST_ENTRIES = 500;
// The cursor is the instant and the key of the last entry of a page.
const historyStatement = sql(
  "sandbox_charges.history",
  `SELECT kind, key AS ref, CASE WHEN NOT outside THEN key END AS key, "chargeKey", amount, currency,
     created_at AS "createdAt" FROM (
     (SELECT 'charge' AS kind, key, false AS outside, NULL AS "chargeKey", amount, currency, created_at
      FROM sandbox_charges
      WHERE organization_id = $1 AND status = 'succeeded' AND amount > 0 AND created_at >= $2 AND created_at < $3
        AND (created_at, key) > ($4, $5) ORDER BY created_at, key LIMIT $6)
     UNION ALL
     (SELECT 'refund', r.key, r.outside, r.charge_key, r.amount, c.currency, r.created_at FROM sandbox_refunds r
      JOIN sandbox_charges c ON c.organization_id = r.organization_id AND c.key = r.charge_key
      WHERE r.organization_id = $1 AND r.status = 'succeeded' AND r.created_at >= $2 AND r.created_at < $3
        AND (r.created_at, r.key) > ($4, $5) ORDER BY r.created_at, r.key LIMIT $6)
   ) entries ORDER BY created_at, ref LIMIT $6`,
);

async function historyPage(db: Database, { organizationId, from, to, cursor }: HistoryQuery): Promise<HistoryPage> {
  const [at, key] = cursor === null ? [from, ""] : [Number(cursor.split(" ")[0]), cursor.split(" ")[1]];
  const [after, ...span] = [at, from, to].map((each) => new Date(each!));
  const entries = await db.read.query<HistoryEntry>(historyStatement, [
    organizationId,
    ...span,
    after,
    key,
    MOST_ENTRIES,
  ]);
  const last = entries.at(-1);
  return { entries, next: last && entries.length === MOST_ENTRIES ? `${last.createdAt} ${last.ref}` : null };
}

export function createSandboxTransactions(
  db: Database,
  publicOrigin: string,
): SandboxTransactions & Pick<PaymentProvider, "history"> {
  async function find(read: Queryable, organizationId: string, token: string): Promise<Challenge | null> {
    const [found] = await read.query<Challenge & { pageToken: string | null }>(findChallenge, [organizationId, token]);
    if (!found) return null;
    const { pageToken, ...challenge } = found;
    if (pageToken === null || challenge.status === "succeeded") return challenge;
    return { ...challenge, returnUrl: pageUrl(publicOrigin, organizationId, pageToken) };
  }
  return {
    history: (query) => historyPage(db, query),
    challenge: (organizationId, token) => find(db.read, organizationId, token),
    answerChallenge(organizationId, token, pass) {
      return db.tx(async (tx) => {
        await tx.query(answer, [
          organizationId,
          token,
          ...(pass ? ["succeeded", null] : ["declined", "authentication_failed"]),
        ]);
        if (!pass) await tx.query(refuseOnPage, [organizationId, token]);
        const challenge = await find(tx, organizationId, token);
        return challenge ? { key: challenge.key, returnUrl: challenge.returnUrl } : null;
      });
    },
    takeChargesAgain: (organizationId) => db.tx(async (tx) => void (await tx.query(endRefusal, [organizationId]))),
    listCharges: (organizationId, after = "") =>
      db.read.query<ProviderCharge>(listChargesStatement, [organizationId, after]),
    listRefunds: (organizationId, after = "", author = "billow") =>
      db.read.query<ProviderRefund>(listRefundsStatement, [organizationId, after, author === "dashboard"]),
    outsideRefund: async (organizationId, ref) =>
      (await db.read.query<OutsideRefund>(outsideStatement, [organizationId, ref]))[0] ?? null,
    failRefund: (organizationId, key, code) =>
      db.tx(async (tx) => {
        await tx.query(failStatement, [organizationId, key, code]);
        return (await tx.query<FailedRefund>(failedStatement, [organizationId, key]))[0] ?? null;
      }),
    refundsToFail: async (organizationId) =>
      (await db.read.query<{ key: string }>(toFailStatement, [organizationId])).map(({ key }) => key),
  };
}
