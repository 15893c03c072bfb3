import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatMoney } from "../../src/domain/currency.ts";
import { startStripe, type StripeServer } from "../payments/stripe/server.ts";
import { advanceSandbox, startTestApp, type Json, type TestApp } from "../support/app.ts";
import { connectStripe, openStripeCommands, type StripeCommands } from "../support/stripe.ts";
import { foundCompany, type Company } from "./company.ts";
import { differences, invoiced, linesOf, previews, totalsOf, type Difference, type Forecast } from "./forecast.ts";
import { liftLimits } from "../support/unlimited.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MAPPING = "mapping.json";
/** Those that renew within 48 hours have renewed then. */
const NEAR = 3 * DAY;
/** Each subscription renews once until then, whatever month it is. */
const CYCLE = 29.5 * DAY;

/** The seller's settings here. The rate counts for buyers in Germany. */
const SELLER = {
  address: { country: "DE", line1: "Hafenstraße 7", postalCode: "20457", city: "Hamburg" },
  taxRates: [{ country: "DE", basisPoints: 1900, name: "MwSt." }],
};
const UNLIMITED = { file: "unlimited.ts", variables: { TEST_STRIPE_UNLIMITED: "yes" } };

type Ran = { code: number | null; out: Json };

/** All that a rehearsal found. Amounts are in minor units. */
export type Rehearsal = {
  assessed: Ran;
  mapped: Json;
  imported: Ran;
  /** The cut-overs: the first lot, the rest, those that had been too near, and those with another total. */
  cutOvers: Ran[];
  finished: Ran;
  before: Forecast;
  after: Forecast;
  differing: Difference[];
  /** The succeeded charges of both systems since the first reading, by the Customer at Stripe. */
  charges: ReadonlyMap<string, number>;
  company: Company;
  /** The commands of the guide in their order, with the name of the file in it. */
  played: string[];
};

async function run({ billow }: StripeCommands, { key }: StripeServer, args: string[]): Promise<Ran> {
  const { code, stdout, stderr } = await billow(
    ["import", "stripe", ...args, "--format", "json"],
    key,
    undefined,
    UNLIMITED,
  );
  if (code !== 0 && code !== 3) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`);
  return { code, out: JSON.parse(stdout) };
}

/** The subscription at Stripe, by the id of the Subscription here. */
async function refsOf({ manage }: TestApp): Promise<Map<string, string>> {
  const refs = new Map<string, string>();
  for (let cursor: string | null = ""; cursor !== null;) {
    const { body }: Json = await manage("GET", `/subscriptions?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
    for (const { id, imported } of body.data) if (imported !== null) refs.set(id, imported.reference);
    cursor = body.nextCursor;
  }
  return refs;
}

/** Both systems work until an instant: Stripe Billing first, so that a charge of both would be seen. */
async function advance(app: TestApp, stripe: StripeServer, to: number): Promise<void> {
  stripe.operations.advance(to);
  await advanceSandbox(app.manage, { to: new Date(to).toISOString() });
}

function chargesOf({ book }: StripeServer, since: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const { customer, created, status } of book.charges.values())
    if (customer !== null && status === "succeeded" && created * 1000 >= since)
      found.set(customer, (found.get(customer) ?? 0) + 1);
  return found;
}

/** Moves a company from Stripe Billing: from the assessment to the first renewals here, and to the end there. */
export async function rehearse(): Promise<Rehearsal> {
  const restore = liftLimits();
  const app = await startTestApp({ publicOrigin: "https://pay.example.com" });
  const stripe = await startStripe();
  const directory = await mkdtemp(join(tmpdir(), "billow-rehearsal-"));
  const commands = await openStripeCommands(app, stripe);
  try {
    await connectStripe(app, stripe);
    await app.manage("PATCH", "/organization", SELLER);
    const begun = Math.floor(Date.now() / 1000) * 1000;
    const company = foundCompany(stripe);
    const before = await previews(stripe, company);
    const played: string[] = [];
    const play = (line: string) => {
      if (!played.includes(line)) played.push(line);
      return run(commands, stripe, line.replace(MAPPING, join(directory, MAPPING)).split(" "));
    };
    const assessed = await play(`assess --mapping ${MAPPING}`);
    const mapped = JSON.parse(await readFile(join(directory, MAPPING), "utf8"));
    const imported = await play(`import --mapping ${MAPPING}`);
    const cutOvers = [await play("cut-over --limit 10"), await play("cut-over")];
    await advance(app, stripe, begun + NEAR);
    await play(`import --mapping ${MAPPING}`);
    cutOvers.push(await play("cut-over"), await play("cut-over --accept"));
    await advance(app, stripe, begun + CYCLE);
    const finished = await play("finish");
    const after = await invoiced(app, stripe, await refsOf(app), begun);
    const charges = chargesOf(stripe, begun);
    const differing = differences(before, after);
    return { assessed, mapped, imported, cutOvers, finished, before, after, differing, charges, company, played };
  } finally {
    await commands.clear();
    await stripe.close();
    await app.close();
    await rm(directory, { recursive: true });
    restore();
  }
}

/** The forecast before and after, by day and currency, and the subscriptions that differ. */
export function reportOf(found: Rehearsal): string {
  const { before, after, differing } = found;
  return [
    figuresOf(found),
    "Before, by Stripe's previews:",
    ...linesOf(before),
    "After, by the invoices of both systems:",
    ...linesOf(after),
    "Different:",
    ...differing.map((each) => JSON.stringify(each)),
    "",
  ].join("\n");
}

const money = (sums: Record<string, number>): string =>
  Object.entries(sums)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, amount]) => formatMoney(amount, currency))
    .join(", ");
const moved = ({ out }: Ran): number => out.results.moved ?? 0;
const byBillow = (forecast: Forecast): number => [...forecast.values()].filter(({ by }) => by === "billow").length;

/** The figures of the guide. They are the same on each day of a rehearsal. */
export function figuresOf({ assessed, imported, cutOvers, finished, before, after, differing }: Rehearsal): string {
  const { customers, subscriptions, money: monthly } = assessed.out;
  const month = Object.fromEntries(monthly.map(({ currency, moves }: Json) => [currency, moves.monthly]));
  const { imported: held } = imported.out.subscriptions;
  const { differ, causes, productsMade } = imported.out;
  const named = Object.keys(causes).join(", ");
  const [first, rest, near, accepted] = cutOvers.map(moved);
  const { finished: canceled = 0, waiting = 0 } = finished.out.results;
  return [
    `assess    ${subscriptions.total} subscriptions of ${customers.subscribed} Customers`,
    `          ${subscriptions.moves} can move, ${subscriptions.stays} stay`,
    `          a month of those that can move: ${money(month)}`,
    `import    ${held} Subscriptions held, ${productsMade} Products made`,
    `          next invoices: ${held - differ} equal to the cent, ${differ} different (${named})`,
    `cut over  ${first} in the first lot, ${rest} in the second`,
    `          ${near} three days later, after a renewal that was near`,
    `          ${accepted} with --accept`,
    `forecast  before: ${before.size} invoices, ${money(totalsOf(before))}`,
    `          after:  ${after.size} invoices, ${money(totalsOf(after))}`,
    `          ${byBillow(after)} by Billow, ${after.size - byBillow(after)} by Stripe`,
    `          ${differing.length} with another day, currency or total, each accepted before`,
    `finish    ${canceled} canceled at Stripe, ${waiting} wait for their first renewal here`,
  ].join("\n");
}
