import { SANDBOX } from "../../../src/domain/model/payment-outcome.ts";
import type { SandboxProvider } from "../../../src/payments/sandbox.ts";
import { createStripeProvider, type StripeProvider } from "../../../src/payments/stripe/stripe.ts";
import type { Database } from "../../../src/store/driver/db.ts";
import { authenticateOn } from "../../payments/stripe/buyer.ts";
import { chargesOf, failRefund, outsideRefund, refundOutside, refundsOf, refundsToFail } from "./books.ts";
import { acceptCard, beforeCharge, intentOf } from "./cards.ts";
import { closeSites, openedSite, siteOf, type Site } from "./site.ts";

const INSTALLATION = "inst_stories";
/** That of the built-in provider. */
const DEADLINE_MILLISECONDS = 10_000;

/** The intent that waits for its buyer on the page whose address ends with this token. */
function challengeAt({ stripe: { book } }: Site, token: string) {
  const waiting = [...book.paymentIntents.values(), ...book.setupIntents.values()];
  for (const { next_action: action, metadata } of waiting) {
    if (action?.type !== "redirect_to_url" || !action.redirect_to_url.url.endsWith(`/${token}`)) continue;
    const { url, return_url: returnUrl } = action.redirect_to_url;
    return { url, returnUrl: returnUrl!, key: metadata["billow_key"]! };
  }
  return null;
}

export type OverStripe = SandboxProvider & {
  /** The account at the local Stripe server, and the adapter for the account. */
  at(organizationId: string): Promise<{ site: Site; adapter: StripeProvider }>;
  /** Closes the accounts that were used. */
  close(): Promise<void>;
};

/** The adapters of one process, one for each Organization. */
function adaptersOver(db: Database) {
  const adapters = new Map<string, Promise<{ site: Site; adapter: StripeProvider }>>();
  async function open(organizationId: string) {
    const site = await siteOf(organizationId);
    const { url: baseUrl, accountId: account, key } = site.stripe;
    const settings = { installation: INSTALLATION, webhookSecrets: [], now: site.now, deadline: DEADLINE_MILLISECONDS };
    return { site, adapter: createStripeProvider({ db, account, key, baseUrl, ...settings }) };
  }
  return {
    at: (organizationId: string) => adapters.getOrInsertComputed(organizationId, () => open(organizationId)),
    async close() {
      const used = [...adapters.keys()];
      adapters.clear();
      await closeSites(used);
    },
  };
}

type At = OverStripe["at"];
type Calls = Pick<SandboxProvider, "saveCard" | "charge" | "read" | "cancel" | "refund" | "forget" | "history">;
type Operations = Omit<SandboxProvider, keyof Calls | "name" | "account" | "limits" | "deadline" | "notices">;

/** The adapter's own calls, at an account that is prepared for the cards. */
function callsOf(at: At): Calls {
  return {
    async charge(request) {
      const { site, adapter } = await at(request.organizationId);
      beforeCharge(site, request);
      return adapter.charge(request);
    },
    async saveCard(request) {
      const { adapter } = await at(request.organizationId);
      const outcome = await adapter.saveCard(request);
      // The sandbox's tool saves a card under the card's own id, and a buyer who is asked then passes.
      if (outcome.status !== "requires_action" || !request.key.startsWith("pm_")) return outcome;
      await authenticateOn(outcome.url, "complete");
      return adapter.saveCard(request);
    },
    async read(organizationId, key) {
      const { site, adapter } = await at(organizationId);
      const outcome = await adapter.read(organizationId, key);
      const intent = intentOf(site, key);
      if (outcome.status === "processing" && intent?.status === "processing")
        site.stripe.operations.settlePayment(intent.id);
      return outcome;
    },
    cancel: async (request) => (await at(request.organizationId)).adapter.cancel(request),
    refund: async (request) => (await at(request.organizationId)).adapter.refund(request),
    forget: async (organizationId, customerId) => (await at(organizationId)).adapter.forget(organizationId, customerId),
    history: async (query) => (await at(query.organizationId)).adapter.history(query),
  };
}

/** The operations of buyers, banks and sellers at the local server, and its book. */
function operationsOf(at: At): Operations {
  return {
    entry: { kind: "typed", accept: async (organizationId, card) => acceptCard((await at(organizationId)).site, card) },
    async answerChallenge(organizationId, token, pass) {
      const challenge = challengeAt((await at(organizationId)).site, token);
      if (!challenge) return null;
      const { url, ...found } = challenge;
      await authenticateOn(url, pass ? "complete" : "fail");
      return found;
    },
    takeChargesAgain: async (organizationId) => (await at(organizationId)).site.accept(),
    async listCharges(organizationId, after = "") {
      const site = await openedSite(organizationId);
      return site ? chargesOf(site, organizationId, after) : [];
    },
    async listRefunds(organizationId, after = "", author = "billow") {
      const site = await openedSite(organizationId);
      return site ? refundsOf(site, organizationId, after, author) : [];
    },
    outsideRefund: async (organizationId, ref) => outsideRefund((await at(organizationId)).site, ref),
    async refundOutside(request) {
      const { site, adapter } = await at(request.organizationId);
      return refundOutside(site, adapter, request);
    },
    async failRefund(organizationId, key, code) {
      const { site, adapter } = await at(organizationId);
      return failRefund(site, adapter, { organizationId, key, code });
    },
    async refundsToFail(organizationId) {
      const site = await openedSite(organizationId);
      return site ? refundsToFail(site) : [];
    },
    async replaceCard(organizationId, ref, { last4, ...expiry }) {
      const { site } = await at(organizationId);
      site.stripe.operations.updateCard(ref, { ...expiry, ...(last4 !== null && { last4 }) });
    },
    endCard: async (organizationId, ref) => (await at(organizationId)).site.stripe.operations.detachCard(ref),
    async presentCard(organizationId, ref) {
      const { adapter } = await at(organizationId);
      const facts = await adapter.notices.look(organizationId, {
        id: ref,
        type: "payment_method.updated",
        object: ref,
      });
      const [fact] = facts === "unmatched" ? [] : facts;
      if (fact?.kind !== "card") throw new Error(`the adapter finds no card ${ref}`);
      return fact.card;
    },
    // The buyer types the card on Billow's page, and a bank's page is one of the local server.
    challenge: async () => null,
    page: async () => null,
    payOnPage: async () => null,
  };
}

/** Stripe's adapter in the place of the built-in provider: typed cards, and accounts at the local Stripe server. */
export function createOverStripe(db: Database): OverStripe {
  const { at, close } = adaptersOver(db);
  return {
    name: SANDBOX,
    account: SANDBOX,
    limits: { inFlight: 200, perSecond: Infinity },
    deadline: DEADLINE_MILLISECONDS,
    notices: null,
    ...callsOf(at),
    ...operationsOf(at),
    at,
    close,
  };
}
