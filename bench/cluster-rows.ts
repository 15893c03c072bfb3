import type pg from "pg";
import { createApiKey } from "../src/actions/organization/create-api-key.ts";
import { openDatabase } from "../src/store/driver/db.ts";
import { copyStatements, organizationAt, ownNames, subscriptionAt, type Name } from "./copies.ts";
import type { Site } from "./cluster-sites.ts";
import { buyModel, call, copying, withShop, type Model, type Range } from "./due-crowd.ts";
import { install } from "./installation.ts";
import { journalOf, writesOf, type Write } from "./journal.ts";
import { findCitus } from "../test/citus/cluster.ts";

/** The number of the large Organization. Small ones have the numbers from 0. */
export const LARGE = 1_000_000;
/** Rows of one statement: a statement is one transaction, and reports its progress at its end. */
const CHUNK = 20_000;

/** A purchase, and a Customer without purchases: the rows that Billow wrote, to be copied by SQL. */
export type Models = { purchase: Model; customer: Write[]; customerNames: Name[] };

/** Buys on a PostgreSQL of its own, because triggers note the rows. */
export async function makeModels(): Promise<Models> {
  const installation = await install(findCitus());
  try {
    await installation.command(["migrate"]);
    const client = await installation.connect("bench");
    return await withShop(installation, async (shop): Promise<Models> => {
      const purchase = await buyModel(client, shop);
      const entries = await journalOf(client, purchase.schema, async () => {
        await call(shop.api, shop.keys.public, "/customers", { email: "idle@example.com" });
      });
      const customer = writesOf(entries, purchase.schema);
      return { purchase, customer, customerNames: ownNames(customer) };
    }).finally(() => client.end());
  } finally {
    await installation.close();
  }
}

/** The foreign keys are not checked: the copies refer to each other as the rows of the model do. */
const UNCHECKED = "SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL session_replication_role = replica";

async function run(client: pg.Client, texts: readonly string[], { first, last }: Range): Promise<void> {
  for (let from = first; from <= last; from += CHUNK) {
    await client.query(`BEGIN; ${UNCHECKED}`);
    for (const text of texts) await client.query(text, [from, Math.min(last, from + CHUNK - 1)]);
    await client.query("COMMIT");
  }
}

/** Creates the Organizations with the numbers `first` to `last`, with the catalogue of the model. */
export async function addOrganizations(client: pg.Client, { purchase }: Models, range: Range): Promise<void> {
  await run(client, copyStatements(purchase.catalogue, copying(purchase, "n", 0)), range);
}

/**
 * Adds the purchases with the numbers `first` to `last`. `owner`: SQL over `n` for the number of the Organization.
 * `dueAt`: the end of their period, in epoch milliseconds.
 */
export async function addPurchases(
  client: pg.Client,
  { purchase }: Models,
  range: Range,
  owner: string,
  dueAt: number,
): Promise<void> {
  await run(client, copyStatements(purchase.purchase, copying(purchase, owner, dueAt - purchase.periodEnd)), range);
}

/** Adds Customers without purchases to the large Organization. Their numbers must not be those of purchases. */
export async function addCustomers(client: pg.Client, models: Models, range: Range): Promise<void> {
  const { purchase, customer, customerNames } = models;
  const way = copying({ ...purchase, names: customerNames }, String(LARGE), 0);
  await run(client, copyStatements(customer, way), range);
}

/**
 * An Organization to which requests are sent. `subscriptions`: the ids of some Subscriptions that are not due.
 * `canceled`: those that end with their period.
 */
export type Target = {
  organizationId: string;
  key: string;
  subscriptions: string[];
  canceled: Set<string>;
  checkout: string;
};

/** Makes a key for an Organization with these Subscriptions. Its Checkout is created by the first request. */
export async function makeTargets(
  site: Site,
  owners: readonly { organization: number; purchases: readonly number[] }[],
): Promise<Target[]> {
  const db = openDatabase({ connectionString: site.url });
  try {
    const targets: Target[] = [];
    for (const { organization, purchases } of owners) {
      const organizationId = organizationAt(organization);
      const wanted = { name: "bench", scopes: ["public" as const], expiresAt: null };
      const { secret } = await db.tx((tx) => createApiKey(tx, { id: organizationId, mode: "sandbox" }, wanted));
      const subscriptions = purchases.map(subscriptionAt);
      targets.push({ organizationId, key: secret, subscriptions, canceled: new Set(), checkout: "" });
    }
    return targets;
  } finally {
    await db.end();
  }
}
