import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { ImportRow } from "../../src/domain/import/import.ts";
import { findImport } from "../../src/store/imports.ts";
import { makeProduct } from "../payments/stripe/billing.ts";
import type { JsonObject } from "../payments/stripe/json.ts";
import { startStripe, type StripeServer } from "../payments/stripe/server.ts";
import { caller, type Json, type TestApp, type TestCall } from "./app.ts";
import type { Finished } from "./command-line.ts";
import { connectStripe, openStripeCommands, type Imported } from "./stripe.ts";

/** `card`: null for none, and left out for a new one. */
export type GivenSubscriber = {
  customer?: JsonObject;
  card?: string | null;
  price?: string;
  quantity?: number;
} & JsonObject;

/** The report of an import, by subscription. */
export type LoadReport = { code: number | null; rows: Map<string, Json>; sums: Json };

/** An Organization that takes its payments at a local Stripe, where other software sells subscriptions. */
export type ImportShop = {
  organizationId: string;
  stripe: StripeServer;
  manage: TestCall;
  api: TestCall;
  /** The mapping of `assess` and `load`. */
  file: string;
  /** A Customer of the other software, with a subscription of 20.00 US dollars a month for a seat of "Team". */
  subscriber(given?: GivenSubscriber): { customer: string; ref: string; method: string | null };
  billow(args: string[], imported?: Imported, key?: string): Promise<Finished>;
  /** Writes the mapping anew. */
  assess(): Promise<Finished>;
  load(args?: string[], imported?: Imported): Promise<Finished>;
  report(args?: string[]): Promise<LoadReport>;
  importRow(ref: string): Promise<ImportRow | null>;
  subscriptionOf(ref: string): Promise<Json>;
  customerOf(ref: string): Promise<Json>;
  listed(path: string): Promise<Json[]>;
  close(): Promise<void>;
};

export async function openImportShop(app: TestApp): Promise<ImportShop> {
  const stripe = await startStripe();
  const folder = await mkdtemp(join(tmpdir(), "billow-import-"));
  const file = join(folder, "mapping.json");
  const { organization, keys } = await app.otherOrganization();
  await connectStripe({ ...app, organization }, stripe);
  const commands = await openStripeCommands(app, stripe);
  const manage = caller(`${app.url}/manage/v1`, keys.manage);
  const organizationId = organization.id;
  const { operations } = stripe;
  let price: string | null = null;
  const team = () => (price ??= operations.price({ product: makeProduct(stripe.book, { unit_label: "seat" }).id }));

  const billow: ImportShop["billow"] = (args, imported, key = stripe.key) => {
    const own = args.includes("--organization") ? [] : ["--organization", organizationId];
    return commands.billow(["import", "stripe", ...args, ...own], key, undefined, imported);
  };
  const importRow = (ref: string) =>
    findImport(app.ctx.db.read, { organizationId, source: "stripe", account: stripe.accountId, ref });
  const read = async (path: string): Promise<Json> => (await manage("GET", path)).body;
  const load: ImportShop["load"] = (args = [], imported) => billow(["import", "--mapping", file, ...args], imported);
  return {
    organizationId,
    stripe,
    manage,
    api: caller(`${app.url}/public/v2`, keys.public),
    file,
    subscriber({ customer: fields = {}, card, price: sold, quantity = 1, ...others } = {}) {
      const customer = operations.makeCustomer({ email: "ada@example.com", name: "Ada" });
      operations.changeCustomer(customer, fields);
      const method = card === undefined ? operations.attachCard(customer) : card;
      const items = [{ price: sold ?? team(), quantity }];
      const ref = operations.subscribe(customer, { default_payment_method: method, items, ...others });
      return { customer, ref, method };
    },
    billow,
    async assess() {
      await rm(file, { force: true });
      return billow(["assess", "--mapping", file]);
    },
    load,
    async report(args = []) {
      const { code, stdout, stderr } = await load(["--format", "json", ...args]);
      expect([code, stdout === "" ? stderr : ""]).toEqual([code, ""]);
      const { data, ...sums } = JSON.parse(stdout);
      return { code, rows: new Map<string, Json>(data.map((row: Json) => [row.subscription, row])), sums };
    },
    importRow,
    subscriptionOf: async (ref) => read(`/subscriptions/${(await importRow(ref))!.subscriptionId}`),
    customerOf: async (ref) => read(`/customers/${(await importRow(ref))!.customerId}`),
    listed: async (path) => (await read(path)).data,
    async close() {
      await commands.clear();
      await stripe.close();
      await rm(folder, { recursive: true });
    },
  };
}
