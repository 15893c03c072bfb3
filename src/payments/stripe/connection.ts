import type { Database } from "../../store/driver/db.ts";
import type { Connectable, ConnectionSettings, KeyMode, KeyOfAccount, Probed } from "../connectable-provider.ts";
import { ProviderBusy } from "../limits.ts";
import { ACCOUNT_PERMISSION, type ProbeResult } from "./account.ts";
import { Unanswered } from "./client.ts";
import { openStripeReader } from "./import/reader.ts";
import { openStripeWriter } from "./import/writer.ts";
import { STRIPE_ORIGIN } from "./limits.ts";
import { amountsOf } from "./money.ts";
import { adoptCustomer, customerOfRef } from "./customers.ts";
import { chargeRefs, customerRefs } from "./refs.ts";
import type { Settings } from "./settings.ts";
import { createStripeProvider, probeStripeKey } from "./stripe.ts";

/**
 * `installation`: the id of this installation, which stands in the metadata of all objects at Stripe. `baseUrl`:
 * Stripe's API, or a server of tests on this machine.
 */
type Parts = { db: Database; installation: () => Promise<string>; warn: Settings["warn"]; baseUrl?: string };

/** A secret or a restricted key. A publishable key (`pk_…`) may do nothing that Billow needs. */
const KEY = /^(?:sk|rk)_(live|test)_\w{8,200}$/;

/** The permissions that a key lacks, with Stripe's own words. */
const lacking = (permissions: ProbeResult["permissions"]): string[] =>
  permissions
    .filter(({ granted }) => !granted)
    .map(({ name, says }) => (says === null ? name : `${name} (Stripe: ${says})`));

async function probe(key: string, baseUrl: string): Promise<Probed> {
  try {
    const { isValid, livemode, account, permissions, toForget } = await probeStripeKey(key, baseUrl);
    if (!isValid) return { refused: "key_invalid" };
    // Payments need no look at the account: Stripe's refusals name its id.
    const needed = account === null ? permissions : permissions.filter(({ name }) => name !== ACCOUNT_PERMISSION);
    const missing = lacking(needed);
    if (account === null) return { account: null, missing };
    const { id, chargesEnabled: canCharge } = account;
    return {
      account: id,
      name: null,
      mode: livemode ? "live" : "test",
      canCharge,
      missing,
      missingToForget: lacking(toForget),
    };
  } catch (error) {
    if (error instanceof Unanswered || error instanceof ProviderBusy) return { unreachable: error.message };
    throw error;
  }
}

/** Stripe, as a provider that an operator connects by a secret or restricted key. */
export function createStripeConnectable({ db, installation, warn, baseUrl = STRIPE_ORIGIN }: Parts): Connectable {
  const open = async (settings: ConnectionSettings) =>
    createStripeProvider({ ...settings, installation: await installation(), db, warn, baseUrl });
  const openFor = (of: KeyOfAccount) => open({ ...of, webhookSecrets: [] });
  return {
    name: "stripe",
    amounts: amountsOf,
    // Secret keys (sk_) are taken, too. A restricted key has only the permissions that the guide lists.
    keyBeginnings: { live: "rk_live_", test: "rk_test_" },
    modeOf: (key) => (KEY.exec(key)?.[1] as KeyMode | undefined) ?? null,
    probe: (key) => probe(key, baseUrl),
    open,
    reader: (key) => openStripeReader({ key, baseUrl }),
    customerOfRef,
    adoptCustomer,
    writer: (key) => openStripeWriter({ key, baseUrl }),
    customerRefs,
    chargeRefs,
    async sendNotices(of, url) {
      const { secret } = await (await openFor(of)).registerEndpoint(url);
      return { secret };
    },
    endNotices: async (of, url) => (await openFor(of)).removeEndpoint(url),
  };
}
