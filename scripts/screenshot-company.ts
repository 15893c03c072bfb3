import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { SUBJECTS } from "./screenshot-dashboard-routes.ts";
import { CARDS, SELLER, type Json, type Sandbox } from "./screenshot-shop.ts";

/** A running Billow without a user. `setUp`: the link for the first one. `command` runs a command beside it. */
export type Installation = Sandbox & {
  setUp: string;
  command(...words: string[]): Promise<Json>;
  callerOf(base: string, key: string): Sandbox["api"];
};

/** The ids of the resources in the pictures, by their names; with them those of `OTHER_SUBJECTS`. */
export type CompanyView = Record<(typeof SUBJECTS)[number] | "long" | "empty" | "many", string> &
  Record<string, string>;

/** The company: its APIs, and the addresses that Billow calls. */
export type Company = Sandbox & { id: string; receiver: Server; emptyId: string; manyId: string; endpointId: string };

const CLOCK = "2026-06-30T15:00:00Z";
/** Rows of the list with many rows. */
const MANY = 2000;

async function organization(billow: Installation, name: string, ...more: string[]): Promise<Sandbox & { id: string }> {
  const made = await billow.command("org", "create", "--name", name, "--mode", "sandbox", ...more);
  const { url, callerOf } = billow;
  const api = callerOf(`${url}/public/v2`, made.keys.public);
  return { id: made.organization.id, url, api, manage: callerOf(`${url}/manage/v1`, made.keys.manage) };
}

/** A backend that answers at `/hooks`, and fails at every other address. */
async function startReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === "/hooks" ? 200 : 500, { "Content-Type": "application/json" });
    response.end(request.url === "/hooks" ? '{"received":true}' : '{"error":"The queue is full."}');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

async function addMany({ api }: Sandbox): Promise<void> {
  for (let from = 0; from < MANY; from += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        api("POST", "/customers", {
          email: `${n % 7 === 0 ? "accounts-payable-and-receivable." : ""}reader${from + n}@example.com`,
          name: n % 5 === 0 ? undefined : `Reader ${from + n}`,
          externalId: `reader_${from + n}`,
        }),
      ),
    );
}

/** Makes the Organizations of the pictures: a filled one, an empty one, and one with thousands of Customers. */
export async function foundCompany(billow: Installation): Promise<Company> {
  const found = (name: string) => organization(billow, name, "--clock", CLOCK);
  const [company, empty, many] = await Promise.all([
    found("Kestrel"),
    found("Harbour Lights Publishing and Daughters"),
    found("Reading Room"),
  ]);
  const receiver = await startReceiver();
  const { name: _, ...seller } = SELLER;
  await company.manage("PATCH", "/organization", seller);
  const { port } = receiver.address() as AddressInfo;
  const hook = (path: string, events: string[], description: string) =>
    company.manage("POST", "/webhook-endpoints", { url: `http://127.0.0.1:${port}${path}`, events, description });
  const { id: endpointId } = await hook("/hooks", ["*"], "The backend of the application");
  await hook(
    `/old-accounting-system/${"a-very-long-path/".repeat(6)}`,
    ["invoice.paid", "refund.created"],
    "The bookkeeping, which has been down since the move to the new computing centre",
  );
  await Promise.all([addMany(many), billow.command("seed", "--company", "--organization", "Kestrel")]);
  return { ...company, receiver, emptyId: empty.id, manyId: many.id, endpointId };
}

const LONG = "Maximiliane-Henriette Freifrau von Hohenstein-Schwarzenfels zu Grevenmacher-Wasserbillig";

/** Purchases whose names are long, and Customers for the forms that need a state of their own. */
async function sellMore({ manage, api }: Company): Promise<Record<string, string> & { long: string }> {
  const benefit = await manage("POST", "/benefits", {
    type: "custom",
    key: "help",
    name: "Support by telephone within one working day, in English, German, French, Spanish and Japanese",
    properties: { note: "Call +49 40 1234567." },
  });
  const prices = [{ currency: "usd", amount: 12_900 }];
  const long = "Atlas Professional Workspace for Teams with an archive of every version and a person to call";
  const month = { interval: "month", prices, benefitIds: [benefit.id] };
  await manage("POST", "/products", { key: "atlas", name: long, description: `${long}. `.repeat(4), ...month });
  const billingAddress = { country: "GB", line1: "12 St James’s Square", postalCode: "SW1Y 4JH", city: "London" };
  const buy = async (productKey: string, customer: object): Promise<Json> => {
    const { id } = await api("POST", "/checkouts", { productKey, customer: { billingAddress, ...customer } });
    await manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays });
    return api("GET", `/checkouts/${id}`);
  };
  const named = await buy("atlas", {
    email: `${"long-mailbox-name".repeat(3)}@${"department.".repeat(6)}example.com`,
    name: LONG,
    companyName: "Grevenmacher Binnenschifffahrts- und Umschlaggesellschaft mbH & Co. Kommanditgesellschaft",
    externalId: "workspace_of_the_inland_waterway_shipping_department_0001",
  });
  const credited = await buy("pro", { email: "credited@example.com", name: "Clara Credited" });
  // A large amount, which moves no figure of the overview.
  await manage("POST", `/customers/${named.customerId}/balance-adjustments`, {
    amount: 1_234_567_890,
    currency: "usd",
    reason: "Credit from the contract of the year 2025, as agreed with the shipping department in writing",
  });
  await manage("POST", `/invoices/${credited.invoiceId}/refunds`, { amount: 1200, to: "balance" });
  const leaving = await buy("pro", { email: "leaving@example.com", name: "Lina Leaving" });
  await api("PATCH", `/subscriptions/${leaving.subscriptionId}`, { cancelAtPeriodEnd: true });
  const pausing = await buy("pro", { email: "pausing@example.com", name: "Paula Pausing" });
  await manage("POST", `/subscriptions/${pausing.subscriptionId}/pause`, { access: "revoke" });
  const shrinking = await buy("pro", { email: "shrinking@example.com", name: "Sven Shrinking" });
  const change = { productKey: "starter", prorationBehavior: "next_period" };
  await api("PATCH", `/subscriptions/${shrinking.subscriptionId}`, change);
  const priceChange = await raisePrice({ manage, api }, buy);
  const { currentPeriodEnd: trialEnd } = await api("GET", `/subscriptions/${pausing.subscriptionId}`);
  const trying = await api("POST", "/customers", { email: "trying@example.com", name: "Tara Trying" });
  const tried = await manage("POST", "/subscriptions", { productKey: "pro", customerId: trying.id, trialEnd });
  const licensed = await buy("lifetime", { email: "licensed@example.com", name: "Lisa Licensed" });
  const grants = (await api("GET", `/benefit-grants?customerId=${licensed.customerId}`)).data as Json[];
  return {
    licensed: licensed.customerId,
    licence: grants.find(({ properties }) => properties?.key).id,
    long: named.customerId,
    credited: credited.customerId,
    leaving: leaving.customerId,
    leavingSubscription: leaving.subscriptionId,
    pausing: pausing.customerId,
    pausingSubscription: pausing.subscriptionId,
    trying: trying.id,
    tryingSubscription: tried.id,
    shrinking: shrinking.customerId,
    shrinkingSubscription: shrinking.subscriptionId,
    ...priceChange,
  };
}

/** Brings a new price to the Subscriptions of a Product of its own. One of them ends before. */
async function raisePrice(
  { manage, api }: Pick<Company, "api" | "manage">,
  buy: (productKey: string, customer: object) => Promise<Json>,
): Promise<{ repriced: string; priceChangeId: string }> {
  const prices = (amount: number) => [{ currency: "usd", amount }];
  const product = { key: "charts", name: "Tidal Charts", interval: "month", prices: prices(900) };
  const { id } = await manage("POST", "/products", product);
  for (const name of ["Ida Increase", "Iris Increase", "Ivo Increase"])
    await buy("charts", { email: `${name.toLowerCase().replace(" ", ".")}@example.com`, name });
  const { subscriptionId } = await buy("charts", { email: "ilka.end@example.com", name: "Ilka End" });
  await api("PATCH", `/subscriptions/${subscriptionId}`, { cancelAtPeriodEnd: true });
  await manage("PATCH", `/products/${id}`, { prices: prices(1200) });
  const priceChange = await manage("POST", `/products/${id}/price-changes`, { consent: "required" });
  await manage("PATCH", `/products/${id}`, { prices: prices(1500) });
  return { repriced: id, priceChangeId: priceChange.id };
}

/** Finds the resources for the pictures. `read` answers the text of a page of the dashboard. */
export async function findView(company: Company, read: (path: string) => Promise<string>): Promise<CompanyView> {
  const { manage, id } = company;
  const first = async (path: string): Promise<Json> => (await manage("GET", path)).data[0];
  const linked = async (list: string, link = list): Promise<string> => {
    const text = await read(`/dashboard/${id}${list}`);
    const [, found] = new RegExp(`href="[^"]*${link}/([a-z]+_\\w+)`).exec(text) ?? [];
    if (found === undefined) throw new Error(`the page ${list} has no link to ${link}/…`);
    return found;
  };
  const more = await sellMore(company);
  const changes = (await manage("GET", "/invoices?reason=product_change&limit=100")).data as Json[];
  const changed = changes.find(({ currency, totalAmount }) => currency === "usd" && totalAmount > 0) ?? changes[0];
  const { customerId } = changed;
  const owed = await first("/invoices?status=open&limit=1");
  const products = [{ productKey: "pro" }, { productId: (await first("/products?archived=false&limit=1")).id }];
  const link = { name: "Pricing page", products };
  const checkout = { productKey: "pro", customer: { email: "ada@example.com", name: "Ada Lovelace" } };
  return {
    ...more,
    checkoutUrl: (await company.api("POST", "/checkouts", checkout)).url,
    organizationId: id,
    empty: company.emptyId,
    many: company.manyId,
    customerId,
    subscriptionId: changed.subscriptionId,
    invoiceId: changed.id,
    creditNoteId: (await first("/credit-notes?limit=1")).id,
    owing: owed.customerId,
    owed: owed.id,
    grantId: more["licence"]!,
    emailId: (await first(`/emails?customerId=${customerId}&limit=1`)).id,
    checkoutId: (await first(`/checkouts?customerId=${customerId}&limit=1`)).id,
    productId: (await first("/products?key=pro")).id,
    priceChangeId: more["priceChangeId"]!,
    benefitId: (await first("/benefits?limit=1")).id,
    discountId: (await first("/discounts?limit=1")).id,
    paymentLinkId: (await manage("POST", "/payment-links", link)).id,
    keyId: await linked("/developers/keys"),
    endpointId: company.endpointId,
    deliveryId: await linked(`/developers/webhooks/${company.endpointId}`, "/developers/deliveries"),
    eventId: await linked("/developers/events"),
    requestId: await linked("/developers/requests"),
    invitationId: await linked("/team", "/team/invitations"),
    userId: await linked("/team", "/team/members"),
    kind: "receipt",
  };
}
