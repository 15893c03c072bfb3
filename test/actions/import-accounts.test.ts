import { afterAll, beforeAll, expect, test } from "vitest";
import { mappingFor, prepareCatalogue, readUsedPrices } from "../../src/actions/import/catalogue.ts";
import { assess } from "../../src/actions/import/assess.ts";
import { loadAccount, type LoadedRow } from "../../src/actions/import/load-account.ts";
import { beginReport } from "../../src/actions/import/report-run.ts";
import { realNow } from "../../src/clock.ts";
import { instant } from "../../src/domain/calendar.ts";
import { openStripeReader } from "../../src/payments/stripe/import/reader.ts";
import { fillAccount } from "../payments/stripe-accounts.ts";
import { startStripe } from "../payments/stripe/server.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { connectStripe, reachStripe } from "../support/stripe.ts";

let app: TestApp;
beforeAll(async () => void (app = await startTestApp({ publicOrigin: "https://pay.example.com" })));
afterAll(() => app.close());

const ACCOUNTS = 60;

/** Pauses that take no time, on a clock that goes on by a second with each look. */
function quickPauses() {
  let now = 0;
  return { now: () => (now += 1000), sleep: async () => undefined };
}

/** Imports a generated account into an Organization of its own. */
async function imported(seed: number) {
  const stripe = await startStripe();
  const expected = fillAccount(stripe, seed);
  const { organization } = await app.otherOrganization();
  await connectStripe({ ...app, organization }, stripe);
  const connectable = reachStripe(app, stripe);
  const reader = openStripeReader({ key: stripe.key, baseUrl: stripe.url, pauses: quickPauses() });
  const { id: organizationId } = organization;
  const account = stripe.accountId;
  const circumstances = { now: instant(realNow()), chargeable: connectable.amounts };
  const unheard = { row: () => undefined, customer: () => undefined };
  const mapping = await mappingFor(app.ctx, organizationId, account, await assess(reader, circumstances, unheard));
  const used = await readUsedPrices(reader, circumstances, () => undefined);
  const catalogue = await prepareCatalogue(app.ctx, organizationId, mapping, used);
  if ("faults" in catalogue) throw new Error(JSON.stringify(catalogue));
  const rows: LoadedRow[] = [];
  for (let run = 1; run <= 2; run += 1) {
    rows.length = 0;
    const report = await beginReport(app.ctx, { organizationId, source: "stripe", account }, "import");
    const from = { organizationId, connectable, account, externalId: { metadataKey: null }, reader, circumstances };
    await loadAccount(
      app.ctx,
      { ...from, products: catalogue.products, run: report },
      { row: (row) => void rows.push(row), customer: () => undefined },
    );
    await report.finish({}, true);
  }
  await stripe.close();
  return { expected, rows };
}

test(
  `${ACCOUNTS} generated accounts are imported as far as they move, with equal totals`,
  { timeout: 300_000 },
  async () => {
    const seen = { held: 0, stays: 0, causes: new Set<string>() };
    for (let seed = 1; seed <= ACCOUNTS; seed += 1) {
      const { expected, rows } = await imported(seed);
      const found = rows.map(({ subscription, status, reasons, obstacle, says }) => [
        subscription,
        { status, reasons: [...reasons].sort(), obstacle, says },
      ]);
      const wanted = [...expected.rows].map(([ref, { moves, reasons }]) => [
        ref,
        { status: moves ? "held" : "stays", reasons, obstacle: null, says: null },
      ]);
      expect({ seed, rows: Object.fromEntries(found) }).toEqual({ seed, rows: Object.fromEntries(wanted) });
      for (const { status, subscription, expectedTotal, ownTotal, causes } of rows) {
        if (status === "stays") seen.stays += 1;
        else seen.held += 1;
        if (status === "held" && expectedTotal === ownTotal)
          expect([seed, subscription, causes]).toEqual([seed, subscription, []]);
        else if (status === "held") expect([seed, subscription, causes.length]).not.toEqual([seed, subscription, 0]);
        for (const cause of causes) seen.causes.add(cause);
      }
    }
    expect(seen.held).toBeGreaterThan(20);
    // Taxes here are those of the Organization. Each other part is the same to the minor unit.
    expect([...seen.causes].filter((cause) => cause !== "tax")).toEqual([]);
  },
);
