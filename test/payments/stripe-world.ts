import { randomBytes } from "node:crypto";
import { createStripeProvider, type StripeProvider, type StripeSettings } from "../../src/payments/stripe/stripe.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";
import { createTestDatabase } from "../support/database.ts";
import type { ProviderUnderTest, TestCard } from "./conformance.ts";
import { startProxy, type Proxy } from "./stripe-proxy.ts";
import { clientOf, type Value } from "./stripe/client.ts";

export const ORGANIZATION = "org_test";
export const INSTALLATION = "inst_test";

/** The cards that Stripe's test mode lacks. */
export const LACKS: readonly TestCard[] = ["charge_refused", "processing"];
/** Stripe's test cards by behaviour. Each of them can be attached to a Customer, so real Stripe takes them all. */
const TOKENS: Partial<Record<TestCard, string>> = {
  pays: "pm_card_visa",
  card_declined: "pm_card_chargeCustomerFail",
  fails_later: "pm_card_chargeCustomerFail",
  authenticates: "pm_card_authenticationRequired",
  answer_lost: "pm_card_visa",
};

const insertCustomer = sql(
  "test.stripe_customer",
  `INSERT INTO stripe_customers (organization_id, provider_account, customer_id, ref, payer_hash, created_at,
     updated_at)
   VALUES ($1, $2, $3, $4, '', statement_timestamp(), statement_timestamp())`,
);

/** A Stripe, or the tests' own server: its address, an account in test mode, and a key of it. */
export type Site = { url: string; key: string; accountId: string };

/** Sends a request to a Stripe as the seller would, and throws for an error. */
export function sellerOf({ url, key }: Site) {
  const send = clientOf({ url, key });
  return async <T>(endpoint: string, params: Record<string, Value> = {}): Promise<T> => {
    const { status, body } = await send(endpoint, params);
    if (status !== 200) throw new Error(`${endpoint}: ${status} ${JSON.stringify(body.error)}`);
    return body as T;
  };
}

type Charge = { id: string; amount: number; currency: string; created: number; status: string; metadata: Data };
type Data = Record<string, string>;

/** The succeeded charges in the book of a Stripe since an instant in seconds, with the keys of ours. */
export async function bookOf(site: Site, since: number) {
  const send = sellerOf(site);
  const charges: Charge[] = [];
  for (let more = true; more;) {
    const after = charges.at(-1)?.id;
    const page = await send<{ data: Charge[]; has_more: boolean }>("GET /v1/charges", {
      limit: 100,
      created: { gte: since },
      ...(after === undefined ? {} : { starting_after: after }),
    });
    charges.push(...page.data);
    more = page.has_more;
  }
  return charges
    .filter(({ status }) => status === "succeeded")
    .map(({ amount, currency, created, metadata }) => ({
      organizationId: metadata["billow_organization"] ?? "",
      key: metadata["billow_key"] ?? "",
      amount,
      currency,
      createdAt: (created * 1000) as never,
    }));
}

export type StripeWorld = ProviderUnderTest & {
  provider: StripeProvider;
  db: Database;
  proxy: Proxy;
  /** Another process with the same database. */
  another(changes?: Partial<StripeSettings>): StripeProvider;
  /** A card of Stripe's test mode, attached to the Customer `cus_conformance`. */
  attached(token: string): Promise<string>;
};

type Opening = {
  answer: ProviderUnderTest["answer"];
  /** The beginning of the book in seconds. */
  since: number;
  settings?: Partial<StripeSettings>;
};

/** The adapter over a Stripe, with a database of its own. */
export async function openStripeWorld(site: Site, { answer, since, settings = {} }: Opening): Promise<StripeWorld> {
  const database = await createTestDatabase();
  const proxy = await startProxy(site.url);
  const send = sellerOf(site);
  const customer = await send<{ id: string }>("POST /v1/customers", { email: "before@example.com" });
  await database.db.tx((tx) =>
    tx.query(insertCustomer, [ORGANIZATION, site.accountId, "cus_conformance", customer.id]),
  );
  const another = (changes: Partial<StripeSettings> = {}) =>
    createStripeProvider({
      db: database.db,
      account: site.accountId,
      key: site.key,
      webhookSecrets: [],
      installation: `${INSTALLATION}_${randomBytes(4).toString("hex")}`,
      baseUrl: proxy.url,
      ...settings,
      ...changes,
    });
  const card = async (token: string) =>
    send<{ id: string; card: { fingerprint: string } }>(`POST /v1/payment_methods/${token}/attach`, {
      customer: customer.id,
    });
  return {
    db: database.db,
    proxy,
    provider: another(),
    another,
    organizationId: ORGANIZATION,
    refuseAccount: async () => {
      const repair = proxy.spoilKey();
      return async () => repair();
    },
    attached: async (token) => (await card(token)).id,
    async card(behavior) {
      const { id } = await card(TOKENS[behavior]!);
      if (behavior === "answer_lost") proxy.loseAnswersOf(id);
      return id;
    },
    async fingerprints() {
      const [once, again, other] = [await card("pm_card_visa"), await card("pm_card_visa"), await card("pm_card_amex")];
      return { once: once.card.fingerprint, again: again.card.fingerprint, other: other.card.fingerprint };
    },
    answer,
    book: () => bookOf(site, since),
    async close() {
      await proxy.close();
      await database.drop();
    },
  };
}

/** Answers a challenge on a page of the tests' own server, as a buyer without script would. */
export async function answerOnPage(url: string, pass: boolean): Promise<void> {
  const body = new URLSearchParams({ result: pass ? "complete" : "fail" });
  await (await fetch(url, { method: "POST", body, redirect: "manual" })).text();
}
