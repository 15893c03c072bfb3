import { realNow } from "../../../clock.ts";
import type { ForeignCustomer } from "../../../domain/import/foreign.ts";
import { ReadError, type AccountReader, type ReadableAccount } from "../../account-reader.ts";
import { Limiter, REAL_PAUSES, type Pauses } from "../../limiter.ts";
import { ProviderBusy } from "../../limits.ts";
import { accountOf, tried } from "../account.ts";
import { openClient, PATIENCE_MILLISECONDS, StripeFault, Unanswered, type Api, type Form } from "../client.ts";
import { LIMITS, STRIPE_ORIGIN } from "../limits.ts";
import type { List } from "../objects.ts";
import { allOf, type ReadPage } from "../pages.ts";
import { isLive } from "../settings.ts";
import type { Coupon, Customer, Invoice, InvoiceItem, Product, Schedule, Subscription } from "./objects.ts";
import { customerOf, type SharedObjects } from "./translate.ts";

/** Reads of one page. Stripe may be away for two minutes: the pauses are 1, 2, 4 … 64 s. */
const MOST_READS = 8;
const FIRST_PAUSE_MILLISECONDS = 1_000;

const CUSTOMERS = "/v1/customers";
const SUBSCRIPTIONS = "/v1/subscriptions";
const SCHEDULES = "/v1/subscription_schedules";
const INVOICES = "/v1/invoices";
const ITEMS = "/v1/invoiceitems";
const COUPONS = "/v1/coupons";
const PRODUCTS = "/v1/products";

/** Stripe expands four levels at most. */
const OF_SUBSCRIPTION = ["default_payment_method", "default_source", "discounts"];
const OF_CUSTOMER = {
  expand: [
    "data.tax_ids",
    "data.default_source",
    "data.invoice_settings.default_payment_method",
    ...OF_SUBSCRIPTION.map((each) => `data.subscriptions.data.${each}`),
  ],
};

/** The permissions that a reading needs, by the names of Stripe's dashboard. */
export const PERMISSIONS: readonly [name: string, path: string][] = [
  ["Customers: read", CUSTOMERS],
  ["Subscriptions: read", SUBSCRIPTIONS],
  ["Subscription schedules: read", SCHEDULES],
  ["Invoices: read", INVOICES],
  ["Invoice items: read", ITEMS],
  ["Coupons: read", COUPONS],
  ["Products: read", PRODUCTS],
  ["PaymentMethods: read", "/v1/payment_methods/pm_billow_probe"],
];

type Send = <T>(run: (api: Api) => Promise<T>) => Promise<T>;
type ReaderSettings = { key: string; baseUrl?: string; pauses?: Pauses };

/** Sends requests that only read, within the limits of Stripe and again after a lost answer. */
function openSend({ key, baseUrl = STRIPE_ORIGIN, pauses = REAL_PAUSES }: ReaderSettings): Send {
  const client = openClient({ baseUrl, key, deadline: PATIENCE_MILLISECONDS, now: realNow });
  const limiter = new Limiter(LIMITS[isLive(key) ? "live" : "test"], pauses);
  return async (run) => {
    for (let read = 1; ; read += 1) {
      try {
        return await limiter.run(() => run(client.begin()), "background");
      } catch (error) {
        if (!(error instanceof Unanswered || error instanceof ProviderBusy) || read === MOST_READS) throw error;
        await pauses.sleep(FIRST_PAUSE_MILLISECONDS * 2 ** (read - 1));
      }
    }
  };
}

/** Stripe's refusals and silences as one kind of error, in words for the operator. */
async function asReadError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StripeFault) {
      const says = error.status === 401 ? "the key is not valid, or was revoked" : error.message;
      throw new ReadError(`Stripe refuses: ${says.replace(/\.$/, "")}`, { cause: error });
    }
    if (error instanceof Unanswered || error instanceof ProviderBusy)
      throw new ReadError(`Stripe can't be reached: ${error.message}`, { cause: error });
    throw error;
  }
}

/** `null` in a parent: the object belongs to no subscription. */
const subscriptionIn = ({ parent }: Invoice | InvoiceItem) => parent?.subscription_details?.subscription ?? null;

async function readSharedObjects(read: ReadPage): Promise<SharedObjects> {
  const shared = {
    products: new Map<string, string>(),
    coupons: new Map<string, Coupon>(),
    invoices: new Set<string>(),
    items: new Set<string>(),
    itemsOf: new Set<string>(),
    scheduled: new Set<string>(),
  };
  for await (const { id, name } of allOf<Product>(read, PRODUCTS, {})) shared.products.set(id, name);
  for await (const each of allOf<Coupon>(read, COUPONS, {})) shared.coupons.set(each.id, each);
  for await (const { customer } of allOf<Schedule>(read, SCHEDULES, { scheduled: true }))
    shared.scheduled.add(customer);
  for (const status of ["draft", "open"]) {
    for await (const each of allOf<Invoice>(read, INVOICES, { status })) {
      const subscription = subscriptionIn(each);
      if (subscription !== null) shared.invoices.add(subscription);
    }
  }
  for await (const each of allOf<InvoiceItem>(read, ITEMS, { pending: true })) {
    const subscription = subscriptionIn(each);
    if (subscription === null) shared.itemsOf.add(each.customer);
    else shared.items.add(subscription);
  }
  return shared;
}

/** The subscriptions of a Customer that have not ended. A Customer shows the first ten. */
async function subscriptionsOf(read: ReadPage, { id, subscriptions }: Customer): Promise<readonly Subscription[]> {
  if (!subscriptions.has_more) return subscriptions.data;
  const form = { customer: id, expand: OF_SUBSCRIPTION.map((each) => `data.${each}`) };
  return Array.fromAsync(allOf<Subscription>(read, SUBSCRIPTIONS, form));
}

async function* customersOf(read: ReadPage): AsyncGenerator<ForeignCustomer> {
  const shared = await readSharedObjects(read);
  for await (const customer of allOf<Customer>(read, CUSTOMERS, OF_CUSTOMER))
    yield customerOf(customer, await subscriptionsOf(read, customer), shared);
}

/** Reads an account at Stripe with a key. `baseUrl`: Stripe's API, or a server of tests on this machine. */
export function openStripeReader(settings: ReaderSettings): AccountReader {
  const { key } = settings;
  const send = openSend(settings);
  const read: ReadPage = <T>(path: string, form: Form) =>
    asReadError(() => send((api) => api.get<List<T>>(path, form)));

  async function open(): Promise<ReadableAccount> {
    const { id } = await send(accountOf);
    const missing = [];
    for (const [name, path] of PERMISSIONS) {
      const form = path.endsWith("_probe") ? {} : { limit: 1 };
      const { granted, says } = await send((api) => tried(name, () => api.get(path, form)));
      if (!granted) missing.push(says === null ? name : `${name} (Stripe: ${says})`);
    }
    return { account: id, missing, isFull: key.startsWith("sk_") };
  }

  return { open: () => asReadError(open), customers: () => customersOf(read) };
}
