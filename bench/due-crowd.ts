import type pg from "pg";
import { DAY } from "../src/domain/calendar.ts";
import { until } from "../test/support/until.ts";
import {
  copyStatements,
  organizationAt,
  organizationSql,
  ownNames,
  subscriptionAt,
  type Copying,
  type Name,
} from "./copies.ts";
import { SERVER, WORKER, type Installation, type Running } from "./installation.ts";
import {
  journalOf,
  phasesOf,
  readSchema,
  writesOf,
  type Phases,
  type Row,
  type Schema,
  type Write,
} from "./journal.ts";

/**
 * Numbers of two more Organizations. The first has the copy that is renewed as the model. In the second, the probes
 * change Subscriptions.
 */
const SCRATCH = 1_000_000;
const BYSTANDERS = 1_000_001;
export const BYSTANDER_COUNT = 200;
/** Days of a period: under 30, so that no notice is given before the renewal. */
const PERIOD_DAYS = 29;

type Answer = Record<string, unknown> & { id: string };

/** Calls the API. @throws Error if the call does not succeed. */
export async function call(origin: string, key: string, path: string, body?: object): Promise<Answer> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(origin + path, {
    method: body ? "POST" : "GET",
    headers,
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Answer;
}

export const originOf = ({ output }: Running) => /http:\/\/127\.0\.0\.1:\d+/.exec(output)![0];
export const startServer = (installation: Installation) =>
  installation.start(SERVER, "server", /http:\/\/127\.0\.0\.1:\d+/);
export const startWorker = (installation: Installation) =>
  installation.start(WORKER, "worker", /Billow carries out due work/);

/**
 * A Subscription that was really bought: its Organization and the rows of the purchase, without the e-mails, which
 * are soon deleted.
 */
export type Model = {
  schema: Schema;
  organizationId: string;
  catalogue: Write[];
  purchase: Write[];
  names: Name[];
  periodEnd: number;
};

async function rowsOf(client: pg.Client, schema: Schema, organizationId: string): Promise<Write[]> {
  const found: Write[] = [];
  for (const table of schema.keys()) {
    const key = table === "organizations" ? "id" : "organization_id";
    const { rows } = await client.query<{ row: Row }>(`SELECT to_json(t) AS row FROM ${table} t WHERE ${key} = $1`, [
      organizationId,
    ]);
    if (table !== "api_keys") found.push(...rows.map(({ row }) => ({ table, row, changed: null })));
  }
  return found;
}

/** An Organization with a Product, and a server that sells it. The bases of the APIs are without a slash at the end. */
export type Shop = { organizationId: string; keys: { public: string; manage: string }; api: string; manage: string };

/** Sets a shop up as a merchant does. `work`: everything that needs its server. */
export async function withShop<T>(installation: Installation, work: (shop: Shop) => Promise<T>): Promise<T> {
  const made = (await installation.command(["org", "create", "--name", "Bench", "--mode", "sandbox"])) as {
    organization: { id: string };
    keys: { public: string; manage: string };
  };
  const { organization, keys } = made;
  const server = await startServer(installation);
  const manage = `${originOf(server)}/manage/v1`;
  const benefit = await call(manage, keys.manage, "/benefits", { key: "sso", type: "feature", name: "SSO" });
  const price = { currency: "usd", amount: 3000 };
  const product = {
    key: "pro",
    name: "Pro",
    interval: "day",
    intervalCount: PERIOD_DAYS,
    prices: [price],
    benefitIds: [benefit.id],
  };
  await call(manage, keys.manage, "/products", product);
  const done = await work({ organizationId: organization.id, keys, api: `${originOf(server)}/public/v2`, manage });
  await server.stop("SIGTERM");
  return done;
}

/** Buys in a shop as a buyer does. */
export async function buyModel(client: pg.Client, { organizationId, keys, api, manage }: Shop): Promise<Model> {
  const schema = await readSchema(client);
  const catalogue = await rowsOf(client, schema, organizationId);
  const entries = await journalOf(client, schema, async () => {
    const wanted = { productKey: "pro", customer: { email: "model@example.com" } };
    const checkout = await call(api, keys.public, "/checkouts", wanted);
    await call(manage, keys.manage, `/sandbox/checkouts/${checkout.id}/pay`, { card: "4242424242424242" });
  });
  const purchase = writesOf(entries, schema).filter(({ table }) => table !== "emails");
  const bought = purchase.find(({ table }) => table === "subscriptions")!.row;
  const periodEnd = Date.parse(bought["current_period_end"] as string);
  return { schema, organizationId, catalogue, purchase, names: ownNames(purchase), periodEnd };
}

/** `organizations`: SQL over `n` for the number of a copy's Organization. */
export function copying({ schema, organizationId, names }: Model, organizations: string, shift: number): Copying {
  const own = names.map(({ model, sql }) => [model, sql] as const);
  return { schema, shift, names: new Map([...own, [organizationId, organizationSql(organizations)]]) };
}

/** Writes the copies `first` to `last` of the model into new Organizations, numbered from `organization`. */
async function copyModel(
  client: pg.Client,
  model: Model,
  copies: Range & { organization: number; organizations: number },
  end: number,
) {
  const { first, last, organization, organizations } = copies;
  const shift = end - model.periodEnd;
  const statements = [
    ...copyStatements(model.catalogue, copying(model, `${organization} + n`, shift)).map(
      (text) => [text, [0, organizations - 1]] as const,
    ),
    ...copyStatements(model.purchase, copying(model, `${organization} + n % ${organizations}`, shift)).map(
      (text) => [text, [first, last]] as const,
    ),
  ];
  // Foreign keys are not checked, since the checks would take most of the time. The copies refer to each other as the
  // rows of the model do.
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  for (const [text, values] of statements) await client.query(text, [...values]);
  await client.query("COMMIT");
}

export type Range = { first: number; last: number };

/** Lets a worker renew copy 0, and answers the writes of that renewal. `end`: the end of the renewed period. */
async function renewModel(
  installation: Installation,
  client: pg.Client,
  model: Model,
): Promise<{ phases: Phases; names: Name[]; end: number }> {
  const end = Date.now() - 1000;
  await copyModel(client, model, { first: 0, last: 0, organization: SCRATCH, organizations: 1 }, end);
  const entries = await journalOf(client, model.schema, async () => {
    const worker = await startWorker(installation);
    const paid = "SELECT 1 FROM payments WHERE organization_id = $1 AND purpose = 'renewal' AND status = 'succeeded'";
    await until(async () => (await client.query(paid, [organizationAt(SCRATCH)])).rows.length > 0, { pause: 50 });
    await worker.stop("SIGTERM");
  });
  const phases = phasesOf(entries, model.schema);
  // The model of the renewal is copy 0, so the names of copy 0 replace those of the purchase.
  const known = model.names.map(({ sql, first }) => ({ model: first, sql, first }));
  return { phases, names: ownNames([...phases.invoice, ...phases.charge, ...phases.settle], known), end };
}

/** Subscriptions that are due at the same instant, and the SQL that renews them without Billow. */
export type Crowd = {
  size: number;
  organizations: number;
  /** Epoch milliseconds. */
  dueAt: number;
  schema: Schema;
  /** The statements of each phase of the renewals of the copies $1 to $2. */
  renewal: Record<keyof Phases, string[]>;
  /** A request needs an API key of its Organization: the crowd's first Organization, or that of the bystanders. */
  keys: { crowd: string; bystanders: string };
};

/** The highest id of the measured Organizations. The ids of all other Organizations sort after it. */
export const lastOrganization = ({ organizations }: Pick<Crowd, "organizations">) => organizationAt(organizations - 1);
export const bystander = (n: number) => subscriptionAt((n % BYSTANDER_COUNT) + 1);

async function publicKey(installation: Installation, organization: number): Promise<string> {
  const args = ["keys", "create", "--scope", "public", "--organization", organizationAt(organization)];
  return ((await installation.command(args)) as { secret: string }).secret;
}

/**
 * Creates the crowd in an empty database: copies of one purchase with all its rows, spread over the Organizations.
 * The copies were bought one period before they are due. PostgreSQL analyses them before they are due, so its plans
 * are those of an installation that has run for a while. `seconds`: from now until they are due.
 */
export async function createCrowd(
  installation: Installation,
  client: pg.Client,
  { size, organizations, seconds }: { size: number; organizations: number; seconds: number },
): Promise<Crowd> {
  await installation.command(["migrate"]);
  const model = await withShop(installation, (shop) => buyModel(client, shop));
  const { phases, names, end } = await renewModel(installation, client, model);
  const dueAt = Date.now() + seconds * 1000;
  await copyModel(client, model, { first: 1, last: size, organization: 0, organizations }, dueAt);
  const unchanged = dueAt + (PERIOD_DAYS / 2) * DAY;
  await copyModel(
    client,
    model,
    { first: 1, last: BYSTANDER_COUNT, organization: BYSTANDERS, organizations: 1 },
    unchanged,
  );
  await client.query("ANALYZE");
  const renewed: Model = { ...model, names, organizationId: organizationAt(SCRATCH) };
  const way = copying(renewed, `n % ${organizations}`, dueAt - end);
  const renewal = {
    invoice: copyStatements(phases.invoice, way),
    charge: copyStatements(phases.charge, way),
    settle: copyStatements(phases.settle, way),
  };
  const keys = { crowd: await publicKey(installation, 0), bystanders: await publicKey(installation, BYSTANDERS) };
  return { size, organizations, dueAt, schema: model.schema, renewal, keys };
}
