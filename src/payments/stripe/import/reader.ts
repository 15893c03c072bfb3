import type { FoundThere } from "../../../domain/import/both-sides.ts";
import { realNow } from "../../../clock.ts";
import type { ForeignCustomer, UpcomingInvoice } from "../../../domain/import/foreign.ts";
import { ReadError, type AccountReader, type ReadableAccount, type ReadSubscription } from "../../account-reader.ts";
import { Limiter, REAL_PAUSES, type Pauses } from "../../limiter.ts";
import { ProviderBusy } from "../../limits.ts";
import { accountOf, tried } from "../account.ts";
import { openClient, DEADLINE_MILLISECONDS, StripeFault, Unanswered, type Api, type Form } from "../client.ts";
import { LIMITS, STRIPE_ORIGIN } from "../limits.ts";
import type { List } from "../objects.ts";
import { allOf, type ReadPage } from "../pages.ts";
import { isLive } from "../settings.ts";
import type { Coupon, Customer, Invoice, InvoiceItem, Preview, Product, Schedule, Subscription } from "./objects.ts";
import { foundThere, type SubscriptionState } from "./pause-state.ts";
import { couponRef, customerOf, upcomingOf, type SharedObjects } from "./translate.ts";

/** Stripe's largest page. */
const PAGE = 100;
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
const PREVIEW = "/v1/invoices/create_preview";

/** Stripe expands four levels at most. */
const OF_SUBSCRIPTION = ["default_payment_method", "default_source", "discounts"];
const OF_CUSTOMER = [
  "tax_ids",
  "default_source",
  "invoice_settings.default_payment_method",
  ...OF_SUBSCRIPTION.map((each) => `subscriptions.data.${each}`),
];
const inList = (paths: readonly string[]) => paths.map((path) => `data.${path}`);

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
/** A preview makes no invoice, but Stripe asks for the right to make one. */
export const PREVIEW_PERMISSION = "Invoices: write";

type Send = <T>(run: (api: Api) => Promise<T>) => Promise<T>;
type ReaderSettings = { key: string; baseUrl?: string; pauses?: Pauses };

/** Sends requests that only read, within the limits of Stripe and again after a lost answer. */
function openSend({ key, baseUrl = STRIPE_ORIGIN, pauses = REAL_PAUSES }: ReaderSettings): Send {
  const client = openClient({ baseUrl, key, deadline: DEADLINE_MILLISECONDS, now: realNow });
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

/** null: Stripe has no such object. */
async function orAbsent<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StripeFault && error.status === 404) return null;
    throw error;
  }
}

/** `of`: only objects of this Customer, without Products and coupons. */
async function readSharedObjects(read: ReadPage, of: { customer?: string } = {}) {
  const shared = {
    products: new Map<string, Product>(),
    coupons: new Map<string, Coupon>(),
    invoices: new Set<string>(),
    items: new Set<string>(),
    itemsOf: new Set<string>(),
    scheduled: new Set<string>(),
  };
  if (of.customer === undefined) {
    for await (const each of allOf<Product>(read, PRODUCTS, {})) shared.products.set(each.id, each);
    for await (const each of allOf<Coupon>(read, COUPONS, {})) shared.coupons.set(each.id, each);
  }
  for await (const { customer } of allOf<Schedule>(read, SCHEDULES, { ...of, scheduled: true }))
    shared.scheduled.add(customer);
  for (const status of ["draft", "open"]) {
    for await (const each of allOf<Invoice>(read, INVOICES, { ...of, status })) {
      const subscription = subscriptionIn(each);
      if (subscription !== null) shared.invoices.add(subscription);
    }
  }
  for await (const each of allOf<InvoiceItem>(read, ITEMS, { ...of, pending: true })) {
    const subscription = subscriptionIn(each);
    if (subscription === null) shared.itemsOf.add(each.customer);
    else shared.items.add(subscription);
  }
  return shared satisfies SharedObjects;
}

/** The subscriptions of a Customer that have not ended. A Customer shows the first ten. */
async function subscriptionsOf(read: ReadPage, { id, subscriptions }: Customer): Promise<readonly Subscription[]> {
  if (!subscriptions.has_more) return subscriptions.data;
  const form = { customer: id, expand: inList(OF_SUBSCRIPTION) };
  return Array.fromAsync(allOf<Subscription>(read, SUBSCRIPTIONS, form));
}

async function* customersOf(read: ReadPage): AsyncGenerator<ForeignCustomer> {
  const shared = await readSharedObjects(read);
  for await (const customer of allOf<Customer>(read, CUSTOMERS, { expand: inList(OF_CUSTOMER) }))
    yield customerOf(customer, await subscriptionsOf(read, customer), shared);
}

/** The subscriptions that have not ended. Needs no other permission than to read subscriptions. */
async function* standing(read: ReadPage): AsyncGenerator<readonly FoundThere[]> {
  for (let after: string | undefined, more = true; more;) {
    const page = await read<SubscriptionState>(SUBSCRIPTIONS, { limit: PAGE, starting_after: after });
    yield page.data.map((found) => foundThere(found));
    after = page.data.at(-1)?.id;
    more = page.has_more && after !== undefined;
  }
}

/** Reads an account at Stripe with a key. `baseUrl`: Stripe's API, or a server of tests on this machine. */
export function openStripeReader(settings: ReaderSettings): AccountReader {
  const { key } = settings;
  const send = openSend(settings);
  const read: ReadPage = <T>(path: string, form: Form) =>
    asReadError(() => send((api) => api.get<List<T>>(path, form)));

  const get = <T>(path: string, form: Form = {}) => send((api) => api.get<T>(path, form));

  /** The coupons of these discounts. A coupon that was deleted has no terms any more. */
  async function couponsOf(customer: Customer, subscriptions: readonly Subscription[]): Promise<Coupon[]> {
    const discounts = [customer.discount, ...subscriptions.flatMap((each) => each.discounts)];
    const refs = new Set(discounts.flatMap((each) => (each ? [couponRef(each)] : [])));
    const found = await Promise.all([...refs].map((ref) => orAbsent(() => get<Coupon>(`${COUPONS}/${ref}`))));
    return found.filter((each) => each !== null);
  }

  async function subscription(ref: string): Promise<ReadSubscription | null> {
    const found = await orAbsent(() => get<Subscription>(`${SUBSCRIPTIONS}/${ref}`));
    if (found === null || found.status === "canceled") return null;
    const customer = await get<Customer>(`${CUSTOMERS}/${found.customer}`, { expand: OF_CUSTOMER });
    if (customer.deleted === true) return null;
    const subscriptions = await subscriptionsOf(read, customer);
    const shared = await readSharedObjects(read, { customer: customer.id });
    for (const each of await couponsOf(customer, subscriptions)) shared.coupons.set(each.id, each);
    const translated = customerOf(customer, subscriptions, shared);
    const same = translated.subscriptions.find((each) => each.ref === ref);
    return same ? { customer: translated, subscription: same } : null;
  }

  const preview = (ref: string): Promise<Preview> => send((api) => api.post<Preview>(PREVIEW, { subscription: ref }));

  async function upcoming(ref: string): Promise<UpcomingInvoice | null> {
    try {
      return upcomingOf(await preview(ref));
    } catch (error) {
      if (error instanceof StripeFault && error.code === "invoice_upcoming_none") return null;
      throw error;
    }
  }

  async function open({ previews = false } = {}): Promise<ReadableAccount> {
    const { id } = await send(accountOf);
    const missing: string[] = [];
    const probe = async (name: string, run: (api: Api) => Promise<unknown>) => {
      const { granted, says } = await send((api) => tried(name, () => run(api)));
      if (!granted) missing.push(says === null ? name : `${name} (Stripe: ${says})`);
    };
    for (const [name, path] of PERMISSIONS)
      await probe(name, (api) => api.get(path, path.endsWith("_probe") ? {} : { limit: 1 }));
    // Stripe checks the permission before it looks for the subscription.
    if (previews) await probe(PREVIEW_PERMISSION, (api) => api.post(PREVIEW, { subscription: "sub_billow_probe" }));
    return { account: id, missing, isFull: key.startsWith("sk_") };
  }

  return {
    open: (options) => asReadError(() => open(options)),
    customers: () => customersOf(read),
    standing: () => standing(read),
    subscription: (ref) => asReadError(() => subscription(ref)),
    upcoming: (ref) => asReadError(() => upcoming(ref)),
  };
}
