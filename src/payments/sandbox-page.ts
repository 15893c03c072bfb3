import { randomBytes } from "node:crypto";
import { realNow } from "../clock.ts";
import type { Card, DeclineCode } from "../domain/model/payment-outcome.ts";
import { sql, type Database, type Queryable, type Tx } from "../store/driver/db.ts";
import { decide, recognizeCard, type Behavior, type ChargeStatus } from "./sandbox-cards.ts";
import type { CardDetails, CardFault, Charge, HostedPageEntry } from "./provider.ts";

/** The name of the built-in provider for buyers. */
export const SANDBOX_PAY = "Sandbox Pay";

/** The hosted entry of the built-in provider: its own pages, below the same origin as Billow's. */
export const hostedSandbox = (publicOrigin: string): HostedPageEntry => ({
  kind: "hosted",
  origin: new URL(publicOrigin).origin,
  name: SANDBOX_PAY,
});

/** 192 random bits, in characters that need no escaping in a URL. */
export const randomToken = () => randomBytes(24).toString("base64url");

export const NOW = "date_trunc('milliseconds', statement_timestamp())";

/** The address of the page on which the buyer gives a card. */
export const pageUrl = (publicOrigin: string, organizationId: string, token: string) =>
  `${publicOrigin}/sandbox/pay/${organizationId}/${token}`;

/** The address of the page on which the bank asks the buyer. */
export const challengeUrl = (publicOrigin: string, organizationId: string, token: string) =>
  `${publicOrigin}/sandbox/challenge/${organizationId}/${token}`;

const insertCard = sql(
  "sandbox_cards.insert",
  `INSERT INTO sandbox_cards (organization_id, ref, behaviour, brand, last4, exp_month, exp_year, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, ${NOW})`,
);
const findCard = sql(
  "sandbox_cards.find",
  `SELECT ref, brand, last4, exp_month AS "expMonth", exp_year AS "expYear" FROM sandbox_cards
   WHERE organization_id = $1 AND ref = $2`,
);

const findRefusal = sql("sandbox_refusals.find", "SELECT 1 AS found FROM sandbox_refusals WHERE organization_id = $1");
// Sorted, so that two processes never deadlock.
export const beginRefusals = sql(
  "sandbox_refusals.begin",
  `INSERT INTO sandbox_refusals (organization_id, created_at)
   SELECT DISTINCT organization_id, ${NOW} FROM unnest($1::text[]) AS refused (organization_id) ORDER BY organization_id
   ON CONFLICT (organization_id) DO NOTHING`,
);

/** Whether the provider refuses all charges of the Organization, because of a test card. */
export async function isRefused(db: Queryable, organizationId: string): Promise<boolean> {
  return (await db.query(findRefusal, [organizationId])).length > 0;
}

const insertPage = sql(
  "sandbox_charges.insert_page",
  `INSERT INTO sandbox_charges (organization_id, key, amount, currency, presence, return_url, status, page_token,
    page_expires_at, created_at)
   VALUES ($1, $2, $3, $4, 'buyer', $5, 'pending_action', $6, ${NOW} + interval '30 minutes', ${NOW})
   ON CONFLICT (organization_id, key) DO NOTHING`,
);
const findPage = sql(
  "sandbox_charges.page",
  `SELECT key, amount, currency, status, page_decline_code AS "declineCode", return_url AS "returnUrl"
   FROM sandbox_charges WHERE organization_id = $1 AND page_token = $2`,
);
// A row that is being paid is locked, so a payment just before the end of the page's time is waited for and counts.
const expirePage = sql(
  "sandbox_charges.expire_page",
  `UPDATE sandbox_charges SET status = 'declined', decline_code = 'canceled', settled_at = ${NOW}
   WHERE organization_id = $1 AND (key = $2 OR page_token = $3) AND status = 'pending_action'
     AND page_expires_at <= ${NOW}`,
);
const payPage = sql(
  "sandbox_charges.pay_page",
  `UPDATE sandbox_charges SET card_ref = $3, status = $4, action_token = $5, page_decline_code = $6,
     settled_at = ${NOW} + CASE WHEN $4::text <> 'pending_action' THEN interval '0' END
   WHERE organization_id = $1 AND page_token = $2 AND status = 'pending_action' AND page_expires_at > ${NOW}
   RETURNING key`,
);

/**
 * The contents of a hosted page. For a card that is only saved, `amount` is 0 and `currency` null. `declineCode`: why
 * the last card was declined, while the page takes another one. `status` `declined`: the time of the page is over, or
 * the request was canceled.
 */
export type HostedPage = {
  key: string;
  amount: number;
  currency: string | null;
  status: ChargeStatus;
  declineCode: DeclineCode | null;
  returnUrl: string;
};

/** The page at `/sandbox/pay/{organizationId}/{token}`, where the provider takes a card itself. */
export type SandboxPages = {
  page(organizationId: string, token: string): Promise<HostedPage | null>;
  /**
   * Pays with a typed card. Returns the address to which the buyer goes next: the bank's challenge, the page itself
   * after a declined card, or the request's return address. A page that is paid or over takes no card.
   */
  payOnPage(
    organizationId: string,
    token: string,
    typed: CardDetails,
  ): Promise<{ fault: CardFault } | { key: string; next: string } | null>;
};

/** Stores a card that the provider recognized. Each of the test numbers has its own last four digits. */
export async function storeCard(
  tx: Tx,
  organizationId: string,
  { expMonth, expYear }: CardDetails,
  { last4, behavior }: { last4: string; behavior: Behavior },
): Promise<Card> {
  const [ref, brand] = [`card_${randomToken()}`, "visa"];
  await tx.query(insertCard, [organizationId, ref, behavior, brand, last4, expMonth, expYear]);
  return { ref, fingerprint: `${brand}_${last4}`, type: "card", brand, last4, expMonth, expYear };
}

/** The card of a paid page. */
export async function storedCard(db: Queryable, organizationId: string, ref: string): Promise<Card> {
  const [found] = await db.query<Omit<Card, "type" | "fingerprint">>(findCard, [organizationId, ref]);
  if (!found) throw new Error(`there is no card ${ref}`);
  return { ...found, fingerprint: `${found.brand}_${found.last4}`, type: "card" };
}

/** A request for a page, without a card. */
export type PageRequest = Pick<Charge, "organizationId" | "key" | "amount" | "returnUrl"> & { currency: string | null };

/** Makes the page of a request, unless there is one. */
export async function openPage(
  tx: Tx,
  { organizationId, key, amount, currency, returnUrl }: PageRequest,
): Promise<void> {
  await tx.query(insertPage, [organizationId, key, amount, currency, returnUrl, randomToken()]);
}

/** Declines the request of a page whose time is over. Found by the request's key or by the page's token. */
export async function expire(tx: Tx, organizationId: string, page: { key: string } | { token: string }): Promise<void> {
  const [key, token] = "key" in page ? [page.key, null] : [null, page.token];
  await tx.query(expirePage, [organizationId, key, token]);
}

/** The outcome on a card that was typed on a page. A refusal of the provider looks like a fault of the bank there. */
async function outcomeOf(
  tx: Tx,
  organizationId: string,
  behavior: Behavior,
  amount: number,
): Promise<"succeeded" | "processing" | "pending_action" | DeclineCode> {
  if (await isRefused(tx, organizationId)) return "processing_error";
  const outcome = decide(behavior, { presence: "buyer", amount });
  if (outcome === "account_refused") await tx.query(beginRefusals, [[organizationId]]);
  return outcome === "account_refused" || outcome === "charge_refused" ? "processing_error" : outcome;
}

export function createSandboxPages(db: Database, publicOrigin: string): SandboxPages {
  async function find(tx: Tx, organizationId: string, token: string): Promise<HostedPage | null> {
    await expire(tx, organizationId, { token });
    return (await tx.query<HostedPage>(findPage, [organizationId, token]))[0] ?? null;
  }

  /** The address of the next page; null: the request's return address. */
  async function pay(
    tx: Tx,
    organizationId: string,
    token: string,
    { ref, behavior, amount }: { ref: string; behavior: Behavior; amount: number },
  ): Promise<string | null> {
    const outcome = await outcomeOf(tx, organizationId, behavior, amount);
    if (outcome === "succeeded" || outcome === "processing") {
      await tx.query(payPage, [organizationId, token, ref, outcome, null, null]);
      return null;
    }
    if (outcome !== "pending_action") {
      const [page] = await tx.query(payPage, [organizationId, token, null, "pending_action", null, outcome]);
      return page ? pageUrl(publicOrigin, organizationId, token) : null;
    }
    const action = randomToken();
    const [page] = await tx.query(payPage, [organizationId, token, ref, outcome, action, null]);
    return page ? challengeUrl(publicOrigin, organizationId, action) : null;
  }

  return {
    page: (organizationId, token) => db.tx((tx) => find(tx, organizationId, token)),
    async payOnPage(organizationId, token, typed) {
      const recognized = recognizeCard(typed, realNow());
      if ("fault" in recognized) return recognized;
      const { known } = recognized;
      return db.tx(async (tx) => {
        const page = await find(tx, organizationId, token);
        if (!page) return null;
        const { key, returnUrl } = page;
        if (page.status !== "pending_action") return { key, next: returnUrl };
        const { ref } = await storeCard(tx, organizationId, typed, known);
        const card = { ref, behavior: known.behavior, amount: page.amount };
        return { key, next: (await pay(tx, organizationId, token, card)) ?? returnUrl };
      });
    },
  };
}
