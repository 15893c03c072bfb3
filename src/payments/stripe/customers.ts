import { createHash } from "node:crypto";
import { sql, type Database } from "../../store/db.ts";
import type { Payer } from "../provider.ts";
import { StripeFault, Unanswered, type Api } from "./client.ts";
import type { Customer } from "./objects.ts";
import type { Settings } from "./settings.ts";

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
const isOurs = sql(
  "stripe_customers.is_ours",
  `SELECT true AS ours FROM stripe_customers WHERE organization_id = $1 AND provider_account = $2 AND ref = $3`,
);

type Known = { ref: string; payerHash: string };

const hashOf = ({ email, name }: Payer) =>
  createHash("sha256")
    .update(JSON.stringify([email, name]))
    .digest("hex");

export type StripeCustomers = ReturnType<typeof createStripeCustomers>;

/** The Customers of one account at Stripe. Each Customer of ours has one there, with e-mail and name kept in step. */
export function createStripeCustomers(db: Database, { account, installation, warn }: Settings) {
  async function known(organizationId: string, id: string): Promise<Known | null> {
    return (await db.read.query<Known>(find, [organizationId, account, id]))[0] ?? null;
  }

  /**
   * Makes a Customer at Stripe. `before`: the id that Stripe does not know any more. Two processes send the same
   * Idempotency-Key, so they get the same Customer.
   */
  async function make(api: Api, organizationId: string, payer: Payer, before: string | null): Promise<string> {
    const hash = hashOf(payer);
    const metadata = { billow_installation: installation, billow_organization: organizationId, billow_key: payer.id };
    const { id: ref } = await api.post<Customer>(
      "/v1/customers",
      { email: payer.email, name: payer.name, metadata },
      `${payer.id}:customer:${hash.slice(0, 16)}:${before ?? ""}`,
    );
    const values = [organizationId, account, payer.id, ref, hash];
    await db.tx((tx) => (before === null ? tx.query(insert, values) : tx.query(replace, [...values, before])));
    return (await known(organizationId, payer.id))?.ref ?? ref;
  }

  /** A change of e-mail or name. A failure holds up no payment: the next payment sends the change again. */
  async function keepInStep(api: Api, organizationId: string, payer: Payer, { ref }: Known): Promise<void> {
    try {
      await api.post(`/v1/customers/${ref}`, { email: payer.email, name: payer.name ?? "" });
    } catch (error) {
      if (!(error instanceof StripeFault || error instanceof Unanswered)) throw error;
      warn("a Customer at Stripe was not updated", { organizationId, customerId: payer.id, reason: error.message });
      return;
    }
    await db.tx((tx) => tx.query(replace, [organizationId, account, payer.id, ref, hashOf(payer), ref]));
  }

  return {
    /** The Customer's id at Stripe. A deleted Customer of ours (no e-mail) is not updated any more. */
    async refOf(api: Api, organizationId: string, payer: Payer): Promise<string> {
      const found = await known(organizationId, payer.id);
      if (!found) return make(api, organizationId, payer, null);
      if (payer.email !== null && found.payerHash !== hashOf(payer))
        await keepInStep(api, organizationId, payer, found);
      return found.ref;
    },
    /** A new Customer at Stripe in place of one that was deleted there, with its cards. */
    renew: (api: Api, organizationId: string, payer: Payer, before: string) => make(api, organizationId, payer, before),
    find: async (organizationId: string, id: string) => (await known(organizationId, id))?.ref ?? null,
    async isOurs(organizationId: string, ref: string): Promise<boolean> {
      return (await db.read.query(isOurs, [organizationId, account, ref])).length > 0;
    },
    /** Deletes the Customer at Stripe, with the cards. */
    async forget(api: Api, organizationId: string, id: string): Promise<void> {
      const found = await known(organizationId, id);
      if (!found) return;
      try {
        await api.delete(`/v1/customers/${found.ref}`);
      } catch (error) {
        if (!(error instanceof StripeFault && error.status === 404)) throw error;
      }
      await db.tx((tx) => tx.query(remove, [organizationId, account, id]));
    },
  };
}
