import { realNow } from "../../clock.ts";
import type { Outcome } from "../../domain/model/payment-outcome.ts";
import type { Database } from "../../store/driver/db.ts";
import type { Charge, HistoryQuery, Notices, OrphanPage, PaymentProvider, SaveCard } from "../provider.ts";
import { accountCheck, probeAccount, type ProbeResult } from "./account.ts";
import { openClient, DEADLINE_MILLISECONDS } from "./client.ts";
import { createStripeCustomers } from "./customers.ts";
import { reportsOf } from "./facts.ts";
import { historyPage, orphansPage } from "./history.ts";
import { carryOutIntent, drive, giveUpIntent, readIntent } from "./intents.ts";
import { LIMITS, STRIPE_ORIGIN } from "./limits.ts";
import { eventRefsSince, registerEndpoint, removeEndpoints, verifyNotice } from "./notices.ts";
import { readRefund, refundCharge } from "./refunds.ts";
import { createStripeRequests, isPage, type StripeRequest } from "./requests.ts";
import { carryOutSession, giveUpSession, outcomeOf, readSession } from "./sessions.ts";
import { isLive, type Settings } from "./settings.ts";
import { canceled, guarded, newRequest, type Work } from "./work.ts";

const PAGES_ORIGIN = "https://checkout.stripe.com";
/** Another server than Stripe's own has its pages beside its API. */
const pagesOf = (baseUrl: string) => (baseUrl === STRIPE_ORIGIN ? PAGES_ORIGIN : new URL(baseUrl).origin);

export type StripeSettings = Pick<Settings, "account" | "key" | "webhookSecrets" | "installation"> & {
  db: Database;
  baseUrl?: string;
} & Partial<Pick<Settings, "now" | "deadline" | "warn">>;

export type StripeProvider = PaymentProvider & {
  notices: Notices;
  /** Reads the account and tries the key's permissions. Changes nothing at Stripe. */
  probe(): Promise<ProbeResult>;
  /**
   * Registers `url` for the events that the adapter reads, in the adapter's version of the API and in place of an
   * earlier registration of `url`. `secret` verifies the notices; Stripe shows the secret only here.
   * @throws StripeFault, Unanswered
   */
  registerEndpoint(url: string): Promise<{ id: string; secret: string }>;
  /** Ends the notices to `url`. A repetition has no effect. */
  removeEndpoint(url: string): Promise<void>;
  /** A page of intents with our metadata that our table does not have. `next` is the cursor of the next page. */
  orphans(query: HistoryQuery): Promise<OrphanPage>;
};

/** The calls of one provider. Each call has its own time, and a key of another account carries out none of them. */
function openCalls(db: Database, settings: Settings, baseUrl: string) {
  const client = openClient({ baseUrl, ...settings });
  const requests = createStripeRequests(db, settings.account);
  const customers = createStripeCustomers(db, settings, requests);
  const checkAccount = accountCheck(settings);
  const begin = (): Work => ({ settings, requests, customers, api: client.begin() });
  return {
    client,
    requests,
    /** Returns a refusal, or `unknown`, in place of an error of Stripe. */
    decide: <T>(run: (work: Work) => Promise<T>) =>
      guarded({ settings }, async () => {
        const work = begin();
        return (await checkAccount(work.api)) ?? (await run(work));
      }),
    /** @throws StripeFault, Unanswered; Error for a key of another account */
    async read<T>(run: (work: Work) => Promise<T>): Promise<T> {
      const work = begin();
      if (await checkAccount(work.api)) throw new Error(`the key is not a key of ${settings.account}`);
      return run(work);
    },
  };
}

async function readRow(work: Work, row: StripeRequest): Promise<Outcome | { status: "absent" }> {
  if (row.kind === "refund") return readRefund(work, row);
  if (row.givenUp) return isPage(row) ? giveUpSession(work, row) : giveUpIntent(work, row);
  if (row.objectId === null) return { status: "absent" };
  if (isPage(row)) return outcomeOf(work, row, await readSession(work, row.objectId));
  return drive(work, null, row, await readIntent(work, row));
}

/**
 * The provider for one account at Stripe (docs/decisions/0041-stripe.md). `installation`: stands in the metadata of all
 * objects. `webhookSecrets`: two while a secret is rotated, none without webhooks.
 * @throws Error for a base URL without TLS, unless the URL is on this machine
 */
export function createStripeProvider(given: StripeSettings): StripeProvider {
  const { db, baseUrl = STRIPE_ORIGIN, ...own } = given;
  const settings: Settings = { now: realNow, deadline: DEADLINE_MILLISECONDS, warn: () => undefined, ...own };
  const { client, requests, decide, read } = openCalls(db, settings, baseUrl);

  async function carryOut(request: Charge | SaveCard): Promise<Outcome> {
    const row = await requests.begin(newRequest(request));
    if (row.outcome) return row.outcome;
    const { card } = request;
    return decide((work) =>
      card === null ? carryOutSession(work, request, row) : carryOutIntent(work, { ...request, card }, row),
    );
  }

  return {
    name: "stripe",
    account: settings.account,
    limits: LIMITS[isLive(settings.key) ? "live" : "test"],
    deadline: settings.deadline,
    entry: { kind: "hosted", origin: pagesOf(baseUrl), name: "Stripe" },
    saveCard: carryOut,
    charge: carryOut,
    async read(organizationId, key) {
      const row = await requests.find(organizationId, key);
      if (!row) return { status: "absent" };
      return row.outcome ?? decide((work) => readRow(work, row));
    },
    async cancel(request) {
      const row = await requests.giveUp(newRequest(request));
      if (row.outcome) return row.outcome;
      // Without an object no request to Stripe is needed, so this works with a key that is not valid any more.
      if (row.objectId === null) return (await requests.settleUnmade(row, canceled)).outcome!;
      return decide((work) => (isPage(row) ? giveUpSession(work, row) : giveUpIntent(work, row)));
    },
    refund: (request) => decide((work) => refundCharge(work, request)),
    forget: (organizationId, customerId) =>
      read(({ customers, api }) => customers.forget(api, organizationId, customerId)),
    history: (query) => read((work) => historyPage(work, query)),
    orphans: (query) => read((work) => orphansPage(work, query)),
    registerEndpoint: (url) => read(({ api }) => registerEndpoint(api, settings, url)),
    removeEndpoint: (url) => read(({ api }) => removeEndpoints(api, url, null)),
    probe: () => probeAccount(client.begin(), settings.key, settings.account),
    notices: {
      verify: (headers, body) => verifyNotice(settings, headers, body),
      since: (_, cursor, cards) => read(({ api }) => eventRefsSince(api, settings, cursor, cards)),
      look: (organizationId, ref) => read((work) => reportsOf(work, organizationId, ref)),
    },
  };
}

/** As `probe`, for a key whose account is not known yet. @throws Unanswered, ProviderBusy */
export function probeStripeKey(key: string, baseUrl = STRIPE_ORIGIN): Promise<ProbeResult> {
  const client = openClient({ baseUrl, key, deadline: DEADLINE_MILLISECONDS, now: realNow });
  return probeAccount(client.begin(), key, null);
}
