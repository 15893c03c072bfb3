import { realNow } from "../../../clock.ts";
import {
  WriteRefused,
  WriteUnanswered,
  type AccountWriter,
  type StoppedSubscription,
  type StopReading,
} from "../../account-writer.ts";
import { Limiter, REAL_PAUSES, type Pauses } from "../../limiter.ts";
import { ProviderBusy } from "../../limits.ts";
import { accountOf, accountRefusal, tried } from "../account.ts";
import { openClient, DEADLINE_MILLISECONDS, StripeFault, Unanswered, type Api } from "../client.ts";
import { LIMITS, STRIPE_ORIGIN } from "../limits.ts";
import { balanceFromStripe, balanceToStripe } from "../money.ts";
import { listOf } from "../pages.ts";
import { isLive } from "../settings.ts";
import { MARK, stateOf, type Marked, type SubscriptionState } from "./pause-state.ts";

const SUBSCRIPTIONS = "/v1/subscriptions";
const INVOICES = "/v1/invoices";
const CUSTOMERS = "/v1/customers";

/** The permissions of a cut-over, by the names of Stripe's dashboard, each with a request that changes no object. */
export const WRITE_PERMISSIONS: readonly [name: string, probe: (api: Api) => Promise<unknown>][] = [
  ["Subscriptions: write", (api) => api.post(`${SUBSCRIPTIONS}/sub_billow_probe`, { metadata: { [MARK]: "probe" } })],
  [
    "Customers: write",
    (api) =>
      api.post(`${CUSTOMERS}/cus_billow_probe/balance_transactions`, {
        amount: 1,
        currency: "usd",
        description: "probe",
      }),
  ],
];

type Invoice = { id: string; status: string | null };
type Customer = { id: string; deleted?: boolean; balance?: number; currency?: string | null };
type BalanceTransaction = Marked & { id: string; amount: number; currency: string };

/** The invoices behind `since`, newest first, and the newest one of all. */
async function readInvoices(api: Api, ref: string, since: string | null) {
  const invoices = [];
  let latestInvoice: string | null = null;
  for await (const { id, status } of listOf<Invoice>(api, INVOICES, { subscription: ref })) {
    latestInvoice ??= id;
    if (id === since) break;
    if (status !== "void") invoices.push(id);
  }
  return { latestInvoice, invoices };
}

/** `null`: Stripe has no such object. */
async function orNone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StripeFault && error.status === 404) return null;
    throw error;
  }
}

async function readStop(api: Api, of: StoppedSubscription, since: string | null): Promise<StopReading> {
  const found = await orNone(api.get<SubscriptionState>(`${SUBSCRIPTIONS}/${of.ref}`));
  const customer = await orNone(api.get<Customer>(`${CUSTOMERS}/${of.customerRef}`));
  const { balance = 0, currency = null } = customer ?? {};
  return {
    there: found === null ? "ended" : stateOf(found, of.mark),
    ...(await readInvoices(api, of.ref, since)),
    // Below zero at Stripe: the seller owes the Customer.
    balance: balance === 0 ? 0 : balanceFromStripe(-balance, currency ?? ""),
    currency,
  };
}

async function readTaken(api: Api, { customerRef, mark }: StoppedSubscription) {
  const taken = { amount: 0, count: 0 };
  const path = `${CUSTOMERS}/${customerRef}/balance_transactions`;
  for await (const { amount, currency, metadata } of listOf<BalanceTransaction>(api, path, {}))
    if (metadata?.[MARK] === mark) {
      taken.amount += balanceFromStripe(amount, currency);
      taken.count += 1;
    }
  return taken;
}

/** A subscription that has ended meanwhile is no error. */
async function cancel(api: Api, ref: string): Promise<void> {
  await orNone(api.delete(`${SUBSCRIPTIONS}/${ref}?invoice_now=false&prorate=false`));
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StripeFault) {
      const says = error.status === 401 ? "the key is not valid, or was revoked" : error.message;
      const isOfKey = error.status === 401 || accountRefusal(error) !== null;
      throw new WriteRefused(`Stripe refuses: ${says.replace(/\.$/, "")}`, isOfKey, error);
    }
    if (error instanceof Unanswered || error instanceof ProviderBusy)
      throw new WriteUnanswered(
        `Stripe can't be reached: ${error.message}`,
        // A gateway's answer is no end of the request.
        error instanceof Unanswered && error.isStored && error.message.endsWith(" 500"),
        error,
      );
    throw error;
  }
}

type WriterSettings = { key: string; baseUrl?: string; pauses?: Pauses };

/** Stops subscriptions of an account at Stripe with a key. `baseUrl`: Stripe's API, or a server of tests on this machine. */
export function openStripeWriter({
  key,
  baseUrl = STRIPE_ORIGIN,
  pauses = REAL_PAUSES,
}: WriterSettings): AccountWriter {
  const client = openClient({ baseUrl, key, deadline: DEADLINE_MILLISECONDS, now: realNow });
  const limiter = new Limiter(LIMITS[isLive(key) ? "live" : "test"], pauses);
  const send = <T>(run: (api: Api) => Promise<T>) =>
    translated(() => limiter.run(() => run(client.begin()), "background"));
  // The limiter would repeat a request that was refused for its rate, later than the lease of a cut-over allows.
  const sendOnce = async (run: (api: Api) => Promise<unknown>) =>
    translated(async () => {
      const busy = await limiter.run(async () => {
        try {
          await run(client.begin());
          return null;
        } catch (error) {
          if (error instanceof ProviderBusy) return error;
          throw error;
        }
      }, "background");
      if (busy) throw busy;
    });

  return {
    async open() {
      const { id } = await send(accountOf);
      const missing = [];
      for (const [name, probe] of WRITE_PERMISSIONS) {
        const { granted, says } = await send((api) => tried(name, () => probe(api)));
        if (!granted) missing.push(says === null ? name : `${name} (Stripe: ${says})`);
      }
      return { account: id, missing };
    },
    readStop: (of, since) => send((api) => readStop(api, of, since)),
    readTaken: (of) => send((api) => readTaken(api, of)),
    pause: ({ ref, mark }, name) =>
      sendOnce((api) =>
        api.post(
          `${SUBSCRIPTIONS}/${ref}`,
          { pause_collection: { behavior: "void" }, metadata: { [MARK]: mark } },
          name,
        ),
      ),
    // An empty text takes a field away.
    resume: ({ ref }, name) =>
      sendOnce((api) => api.post(`${SUBSCRIPTIONS}/${ref}`, { pause_collection: "", metadata: { [MARK]: "" } }, name)),
    cancel: ({ ref }) => sendOnce((api) => cancel(api, ref)),
    takeBalance: ({ customerRef, mark }, amount, currency, name) =>
      sendOnce((api) =>
        api.post(
          `${CUSTOMERS}/${customerRef}/balance_transactions`,
          {
            amount: balanceToStripe(amount, currency),
            currency,
            description: amount > 0 ? `Moved to Billow (${mark})` : `Moved back from Billow (${mark})`,
            metadata: { [MARK]: mark },
          },
          name,
        ),
      ),
  };
}
