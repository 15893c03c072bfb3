import { expect } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { FaultKind, Seen } from "../payments/stripe/faults.ts";
import { startStripe } from "../payments/stripe/server.ts";
import { startTestApp, type Json } from "./app.ts";
import { importHere } from "./imports.ts";
import { connectStripe, openStripeCommands } from "./stripe.ts";
import { until } from "./until.ts";

export type Asked = Pick<Seen, "method" | "path">;
export const isRead = ({ method, path }: Asked) => method === "GET" && path.startsWith("/v1/subscriptions/sub_");
export const isBalance = ({ method, path }: Asked) =>
  method === "POST" && path.endsWith("/balance_transactions") && !isProbe(path);
export const isChange = ({ method, path }: Asked) =>
  method === "POST" && path.startsWith("/v1/subscriptions/") && !isProbe(path);
export const isProbe = (path: string) => path.includes("billow_probe");

/** The process dies at the nth such request: Stripe carries it out after the death, or before it. */
export type Death = [name: string, matches: (request: Asked) => boolean, nth: number, kind: "slow" | "slow done"];
export const during = (name: string, matches: Death[1], nth = 1): Death => [`during ${name}`, matches, nth, "slow"];
export const after = (name: string, matches: Death[1], nth = 1): Death => [`after ${name}`, matches, nth, "slow done"];

/** The subscription after a cut-over. */
export const MOVED = { state: "moved", there: "paused", here: "charges" };

export const DAY = 86_400;
/** An instant of Stripe so many seconds from now. */
export const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;

const rowStatement = sql("test.import_row", "SELECT * FROM imports WHERE organization_id = $1 AND ref = $2");
const minuteStatement = sql("test.minute_passes", "UPDATE imports SET lease_until = lease_until - interval '1 minute'");

/** An Organization whose account at the local Stripe server has subscriptions to move, and the commands. */
export async function startCutOvers() {
  const app = await startTestApp({ publicOrigin: "https://pay.example.com" });
  const stripe = await startStripe();
  await connectStripe(app, stripe);
  const commands = await openStripeCommands(app, stripe);
  let buyers = 0;

  /** The words of a command after `import stripe`. */
  const command = (words: string, key = stripe.key) =>
    commands.billow(["import", "stripe", ...words.split(" "), "--json"], `${key}\n`);

  /** A Customer with a card and a subscription of 20.00 US dollars a month, imported and held here. */
  async function imported(fields: object = {}, balance = 0) {
    const customer = stripe.operations.makeCustomer({ email: `ada${(buyers += 1)}@example.com`, name: "Ada" });
    const default_payment_method = stripe.operations.attachCard(customer);
    const ref = stripe.operations.subscribe(customer, { default_payment_method, ...fields });
    if (balance !== 0) stripe.operations.changeCustomer(customer, { balance, currency: "usd" });
    return { ref, customer, ...(await importHere(app, stripe, ref)) };
  }

  const rowOf = async (ref: string): Promise<Json> =>
    (await app.ctx.db.read.query<Json>(rowStatement, [app.organization.id, ref]))[0]!;
  const minutePasses = () => app.ctx.db.tx((tx) => tx.query(minuteStatement, []));

  /** Billow's movements of the balance at Stripe. */
  const movements = () => [...stripe.book.customerBalance.values()].map(({ amount }) => amount);

  /** Both sides, as a person sees them. */
  async function bothSides({ ref, customer, customerId, subscriptionId }: Awaited<ReturnType<typeof imported>>) {
    const there = stripe.book.subscriptions.get(ref)!;
    const { body: here } = await app.manage("GET", `/subscriptions/${subscriptionId}`);
    const { body: balances } = await app.manage("GET", `/customers/${customerId}/balance`);
    return {
      state: (await rowOf(ref)).state,
      there: there.status === "canceled" ? "canceled" : there.pause_collection === null ? "charges" : "paused",
      here: here.status === "canceled" ? "canceled" : here.imported.held ? "held" : "charges",
      balance: [0 - stripe.book.customers.get(customer)!.balance, balances.data[0]?.amount ?? 0],
    };
  }

  async function dieAt(words: string, [, matches, nth, kind]: Death): Promise<void> {
    let count = 0;
    const fault = stripe.fault((request) => matches(request) && (count += 1) === nth, kind satisfies FaultKind);
    const process = commands.begin(["import", "stripe", ...words.split(" ")], `${stripe.key}\n`);
    await Promise.race([fault.struck, process.finished.then((ended) => expect(ended).toBe("killed"))]);
    process.signal("SIGKILL");
    await process.finished;
    fault.release();
    await until(() => stripe.requests.every(({ status }) => status !== 0));
    await minutePasses();
  }

  async function close() {
    await commands.clear();
    await stripe.close();
    await app.close();
  }
  return { app, stripe, commands, command, imported, rowOf, minutePasses, movements, bothSides, dieAt, close };
}
export type CutOvers = Awaited<ReturnType<typeof startCutOvers>>;
export type Imported = Awaited<ReturnType<CutOvers["imported"]>>;
