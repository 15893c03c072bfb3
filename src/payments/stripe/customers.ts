import { createHash } from "node:crypto";
import { sql, type Database, type Queryable, type Tx } from "../../store/driver/db.ts";
import type { Payer } from "../provider.ts";
import { accountRefusal } from "./account.ts";
import { StripeFault, Unanswered, type Api, type Form } from "./client.ts";
import { forgetAtStripe } from "./forget.ts";
import type { Customer } from "./objects.ts";
import type { StripeRequests } from "./requests.ts";
import type { Settings } from "./settings.ts";
import { readUse } from "./use.ts";

const NOW = "date_trunc('milliseconds', statement_timestamp())";
const ONE = "organization_id = $1 AND provider_account = $2 AND customer_id = $3";

const find = sql("stripe_customers.find", `SELECT ref, payer_hash AS "payerHash" FROM stripe_customers WHERE ${ONE}`);
const insert = sql(
  "stripe_customers.insert",
  `INSERT INTO stripe_customers (organization_id, provider_account, customer_id, ref, payer_hash, created_at,
    updated_at)
   VALUES ($1, $2, $3, $4, $5, ${NOW}, ${NOW})
   ON CONFLICT (organization_id, provider_account, customer_id) DO NOTHING`,
);
const replace = sql(
  "stripe_customers.replace",
  `UPDATE stripe_customers SET ref = $4, payer_hash = $5, updated_at = ${NOW} WHERE ${ONE} AND ref = $6`,
);
const remove = sql("stripe_customers.remove", `DELETE FROM stripe_customers WHERE ${ONE}`);
const owner = sql(
  "stripe_customers.owner",
  `SELECT customer_id AS "customerId" FROM stripe_customers
   WHERE organization_id = $1 AND provider_account = $2 AND ref = $3`,
);

const ofRef = sql(
  "stripe_customers.of_ref",
  `SELECT customer_id AS id FROM stripe_customers WHERE organization_id = $1 AND provider_account = $2 AND ref = $3`,
);

type Making = { idempotencyKey: string; metadata: Form };
type NewCustomer = { idempotencyKey: string; before: string | null };
type Known = { ref: string; payerHash: string };

const hashOf = ({ email, name }: Payer) =>
  createHash("sha256")
    .update(JSON.stringify([email, name]))
    .digest("hex");

type AccountKey = { organizationId: string; account: string };

/** Our Customer of a Customer at Stripe; null: Billow does not know it. */
export async function customerOfRef(
  db: Queryable,
  { organizationId, account }: AccountKey,
  ref: string,
): Promise<string | null> {
  return (await db.query<{ id: string }>(ofRef, [organizationId, account, ref]))[0]?.id ?? null;
}

/**
 * Makes a Customer at Stripe that other software has made the one of our Customer. Changes no object at Stripe: its
 * metadata would name Billow as the maker. E-mail and name count as sent.
 */
export async function adoptCustomer(
  tx: Tx,
  { organizationId, account }: AccountKey,
  payer: Payer,
  ref: string,
): Promise<void> {
  await tx.query(insert, [organizationId, account, payer.id, ref, hashOf(payer)]);
}

function openRows(db: Database, account: string) {
  return {
    async find(organizationId: string, id: string): Promise<Known | null> {
      return (await db.read.query<Known>(find, [organizationId, account, id]))[0] ?? null;
    },
    /** Stores the Customer at Stripe, unless one is stored. `before`: in place of this one. */
    async put(organizationId: string, payer: Payer, ref: string, before: string | null): Promise<void> {
      const values = [organizationId, account, payer.id, ref, hashOf(payer)];
      await db.tx((tx) => (before === null ? tx.query(insert, values) : tx.query(replace, [...values, before])));
    },
    async remove(organizationId: string, id: string): Promise<void> {
      await db.tx((tx) => tx.query(remove, [organizationId, account, id]));
    },
    async ownerOf(organizationId: string, ref: string): Promise<string | null> {
      const [found] = await db.read.query<{ customerId: string }>(owner, [organizationId, account, ref]);
      return found?.customerId ?? null;
    },
  };
}

/** E-mail and name, as far as Stripe takes them: an address that Stripe finds wrong holds up no payment. */
async function createAtStripe(api: Api, { idempotencyKey, metadata }: Making, payer: Payer): Promise<Customer> {
  try {
    return await api.post("/v1/customers", { email: payer.email, name: payer.name, metadata }, idempotencyKey);
  } catch (error) {
    if (!(error instanceof StripeFault && (error.param === "email" || error.param === "name"))) throw error;
    return api.post("/v1/customers", { metadata }, `${idempotencyKey}:bare`);
  }
}

/** Another payment of the same Customer was faster, and its Customer at Stripe is the one in use. */
async function dropSpare(api: Api, warn: Settings["warn"], ref: string): Promise<void> {
  try {
    await api.delete(`/v1/customers/${ref}`);
  } catch (error) {
    warn("a spare Customer was left at Stripe", { ref, reason: (error as Error).message });
  }
}

export type StripeCustomers = ReturnType<typeof createStripeCustomers>;

/**
 * The Customers of one account at Stripe. Each Customer of ours has one there, with e-mail and name kept in step if no
 * other software uses the Customer.
 */
export function createStripeCustomers(db: Database, settings: Settings, requests: StripeRequests) {
  const { account, installation, warn } = settings;
  const rows = openRows(db, account);

  /** Makes a Customer at Stripe. `before`: the id that Stripe does not know any more. */
  async function make(api: Api, organizationId: string, payer: Payer, making: NewCustomer): Promise<string> {
    const { idempotencyKey, before } = making;
    const metadata = { billow_installation: installation, billow_organization: organizationId, billow_key: payer.id };
    const { id: ref } = await createAtStripe(api, { idempotencyKey, metadata }, payer);
    await rows.put(organizationId, payer, ref, before);
    const stored = (await rows.find(organizationId, payer.id))?.ref ?? ref;
    if (stored !== ref) await dropSpare(api, warn, ref);
    return stored;
  }

  /** A key that can't read the Customer or the subscriptions changes no Customer. */
  async function isOwn(api: Api, organizationId: string, { id }: Payer, ref: string): Promise<boolean> {
    try {
      return (await readUse(api, settings, { organizationId, id, ref }))?.isOwn === true;
    } catch (error) {
      if (error instanceof StripeFault && error.status === 403) return false;
      throw error;
    }
  }

  /**
   * A change of e-mail or name. The Customer of other software keeps its own (`readUse`): Stripe Billing writes to this
   * address. A failure holds up no payment: the next payment sends the change again.
   */
  async function updateAtStripe(api: Api, organizationId: string, payer: Payer, { ref }: Known): Promise<void> {
    try {
      if (await isOwn(api, organizationId, payer, ref))
        await api.post(`/v1/customers/${ref}`, { email: payer.email, name: payer.name ?? "" });
    } catch (error) {
      const isOfKey = error instanceof StripeFault && accountRefusal(error) !== null;
      if (isOfKey || !(error instanceof StripeFault || error instanceof Unanswered)) throw error;
      warn("a Customer at Stripe was not updated", { organizationId, customerId: payer.id, reason: error.message });
      // After a definite refusal only the next change is sent.
      if (error instanceof Unanswered) return;
    }
    await rows.put(organizationId, payer, ref, ref);
  }

  return {
    /**
     * The Customer's id at Stripe. A deleted Customer of ours (no e-mail) is not updated any more. `idempotencyKey`:
     * for the creation, if there is no such Customer yet. @throws StripeFault, Unanswered, ProviderBusy
     */
    async refOf(api: Api, organizationId: string, payer: Payer, idempotencyKey: string): Promise<string> {
      const found = await rows.find(organizationId, payer.id);
      if (!found) return make(api, organizationId, payer, { idempotencyKey, before: null });
      if (payer.email !== null && found.payerHash !== hashOf(payer))
        await updateAtStripe(api, organizationId, payer, found);
      return found.ref;
    },
    /** A new Customer at Stripe in place of `before`, which was deleted there with its cards. */
    renew: (api: Api, organizationId: string, payer: Payer, making: { idempotencyKey: string; before: string }) =>
      make(api, organizationId, payer, making),
    find: async (organizationId: string, id: string) => (await rows.find(organizationId, id))?.ref ?? null,
    /** The Customer here with this id at Stripe; null: there is none. */
    ownerOf: (organizationId: string, ref: string) => rows.ownerOf(organizationId, ref),
    /** Makes Stripe forget the Customer, as far as the Customer is Billow's own. */
    async forget(api: Api, organizationId: string, id: string): Promise<void> {
      const found = await rows.find(organizationId, id);
      if (!found) return;
      await forgetAtStripe(api, settings, requests, { organizationId, id, ref: found.ref });
      await rows.remove(organizationId, id);
    },
  };
}
