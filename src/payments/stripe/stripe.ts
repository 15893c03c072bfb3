import { realNow } from "../../clock.ts";
import type { Outcome } from "../../domain/payment/outcome.ts";
import type { Database } from "../../store/db.ts";
import type { ProviderLimits } from "../limits.ts";
import type { Charge, PaymentProvider, SaveCard } from "../provider.ts";
import { accountCheck } from "./account.ts";
import { openClient, PATIENCE_MILLISECONDS } from "./client.ts";
import { createStripeCustomers } from "./customers.ts";
import { carryOutIntent, drive, giveUpIntent, readIntent } from "./intents.ts";
import { amountsOf } from "./money.ts";
import { readRefund, refundCharge } from "./refunds.ts";
import { createStripeRequests, type StripeRequest } from "./requests.ts";
import { carryOutSession, giveUpSession, outcomeOf, readSession } from "./sessions.ts";
import { isLive, type Settings } from "./settings.ts";
import { canceled, guarded, newRequest, type Work } from "./work.ts";

/** Stripe's API for accounts of all modes. */
export const STRIPE_ORIGIN = "https://api.stripe.com";

/**
 * Stripe takes 25 requests a second for one endpoint, in live mode too, and 25 for all endpoints in test mode. A charge
 * is one request to each of two endpoints, so in test mode half as many charges fit.
 */
const LIMITS: Record<"live" | "test", ProviderLimits> = {
  live: { inFlight: 40, perSecond: 20 },
  test: { inFlight: 20, perSecond: 10 },
};

export type StripeSettings = Pick<Settings, "account" | "key" | "webhookSecrets" | "installation"> & {
  db: Database;
  baseUrl?: string;
  now?: Settings["now"];
  warn?: Settings["warn"];
};

export type StripeProvider = PaymentProvider;

const isPage = ({ kind }: StripeRequest) => kind === "charge_page" || kind === "setup_page";

/**
 * The provider for one account at Stripe (docs/decisions/0041-stripe.md). `installation`: stands in the metadata of all
 * objects. `webhookSecrets`: two while a secret is rotated, none without webhooks.
 * @throws Error for a base URL without TLS, unless the URL is on this machine
 */
export function createStripeProvider({
  db,
  baseUrl = STRIPE_ORIGIN,
  now = realNow,
  warn = () => undefined,
  ...given
}: StripeSettings): StripeProvider {
  const settings: Settings = { ...given, now, warn };
  const { account, key } = settings;
  const client = openClient({ baseUrl, key });
  const requests = createStripeRequests(db, account);
  const customers = createStripeCustomers(db, settings);
  const checkAccount = accountCheck(settings);

  /** Runs one call within its time. A key of another account is refused before any other request. */
  function call<T>(run: (work: Work) => Promise<T>) {
    return guarded({ settings }, async () => {
      const api = client.begin();
      return (await checkAccount(api)) ?? (await run({ settings, requests, customers, api }));
    });
  }

  async function carryOut(request: Charge | SaveCard): Promise<Outcome> {
    const row = await requests.begin(newRequest(request));
    if (row.outcome) return row.outcome;
    const { card } = request;
    return call((work) =>
      card === null ? carryOutSession(work, request, row) : carryOutIntent(work, { ...request, card }, row),
    );
  }

  async function read(work: Work, row: StripeRequest): Promise<Outcome | { status: "absent" }> {
    if (row.kind === "refund") return readRefund(work, row);
    if (row.givenUp) return isPage(row) ? giveUpSession(work, row) : giveUpIntent(work, row);
    if (row.objectId === null) return { status: "absent" };
    if (isPage(row)) return outcomeOf(work, row, await readSession(work, row.objectId));
    return drive(work, null, row, await readIntent(work, row));
  }

  return {
    name: "stripe",
    account,
    limits: LIMITS[isLive(key) ? "live" : "test"],
    patience: PATIENCE_MILLISECONDS,
    amounts: amountsOf,
    entry: { kind: "hosted" },
    saveCard: carryOut,
    charge: carryOut,
    async read(organizationId, requestKey) {
      const row = await requests.find(organizationId, requestKey);
      if (!row) return { status: "absent" };
      return row.outcome ?? call((work) => read(work, row));
    },
    async cancel(request) {
      const row = await requests.giveUp(newRequest(request));
      if (row.outcome) return row.outcome;
      // Without an object no request to Stripe is needed, so this works with a key that is not valid any more.
      if (row.objectId === null) return (await requests.settleUnmade(row, canceled)).outcome!;
      return call((work) => (isPage(row) ? giveUpSession(work, row) : giveUpIntent(work, row)));
    },
    refund: (request) => call((work) => refundCharge(work, request)),
    async forget(organizationId, customerId) {
      await customers.forget(client.begin(), organizationId, customerId);
    },
    history: async () => ({ entries: [], next: null }),
    notices: null,
  };
}
