import { readReceivables, readRevenueReport, readTaxReport } from "../../src/actions/report/read.ts";
import { dateIn, type Instant } from "../../src/domain/calendar.ts";
import type { Organization } from "../../src/domain/model/organization.ts";
import { declaredOf } from "../../src/domain/report/tax.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";
import { listOwed } from "../../src/store/reports.ts";

const SIDES = `SELECT created_at, currency, unnest(ARRAY[debit_account, credit_account]) AS account,
    unnest(ARRAY[amount, -amount]) AS amount FROM ledger_transfers WHERE organization_id = $1`;
const monthsStatement = sql(
  "test.ledger_by_month",
  `SELECT to_char(s.created_at AT TIME ZONE $2, 'YYYY-MM') AS month, s.currency, s.account,
     sum(s.amount)::bigint AS amount
   FROM (${SIDES}) s GROUP BY 1, 2, 3`,
);
const untilStatement = sql(
  "test.receivable_before",
  `SELECT s.currency, sum(s.amount)::bigint AS amount FROM (${SIDES}) s
   WHERE s.account = 'receivable' AND s.created_at < $2 GROUP BY 1 HAVING sum(s.amount) <> 0 ORDER BY 1`,
);
const spanStatement = sql(
  "test.span_of_ledger",
  `SELECT min(created_at) AS first, max(created_at) AS last FROM ledger_transfers WHERE organization_id = $1`,
);

type Sums = Record<string, number>;
/** The sums that are not 0, by a name, in the order of the names. */
function summed<Row>(rows: readonly Row[], nameOf: (row: Row) => string, amountOf: (row: Row) => number): Sums {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + amountOf(row));
  return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function unequal(what: string, report: Sums, ledger: Sums): string[] {
  const [shown, meant] = [JSON.stringify(report), JSON.stringify(ledger)];
  return shown === meant ? [] : [`report ${what}: ${shown}, but the ledger has ${meant}`];
}

async function receivablesAt(db: Database, organization: Organization, on: string | null): Promise<string[]> {
  const { owed, currencies } = await readReceivables({ db }, organization, { on, currency: null });
  const ledger = await db.read.query<{ currency: string; amount: number }>(untilStatement, [
    organization.id,
    new Date(owed.before).toISOString(),
  ]);
  const meant = summed(
    ledger,
    ({ currency }) => currency,
    ({ amount }) => amount,
  );
  const listed = await listOwed(db.read, organization.id, owed, { cursor: null, limit: 100_000 });
  return [
    ...unequal(
      `receivables on ${on}`,
      summed(
        currencies,
        ({ currency }) => currency,
        ({ amount }) => amount,
      ),
      meant,
    ),
    ...unequal(
      `open invoices on ${on}`,
      summed(
        listed,
        ({ currency }) => currency,
        (each) => each.amountDue,
      ),
      meant,
    ),
  ];
}

/** The differences between the reports of an Organization and its ledger at one instant, each a line (rule R10). */
export const reportDifferences = (db: Database, organization: Organization): Promise<string[]> =>
  db.snapshot((snapshot) => {
    const read = { ...snapshot, kind: "read" } as const;
    return differencesIn({ ...db, read, stale: read }, organization);
  }, Infinity);

async function differencesIn(db: Database, organization: Organization): Promise<string[]> {
  const { id, timeZone } = organization;
  const [span] = await db.read.query<{ first: Instant | null; last: Instant | null }>(spanStatement, [id]);
  if (!span || span.first === null || span.last === null) return [];
  const asked = { from: dateIn(span.first, timeZone), to: dateIn(span.last, timeZone), currency: null };
  const ledger = await db.read.query<{ month: string; currency: string; account: string; amount: number }>(
    monthsStatement,
    [id, timeZone],
  );
  const [revenue, taxes] = [
    await readRevenueReport({ db }, organization, asked),
    await readTaxReport({ db }, organization, asked),
  ];
  const monthOf = ({ bucket, currency }: { bucket: number; currency: string }) =>
    `${revenue.months[bucket]!.name} ${currency}`;
  const accounts = revenue.rows.flatMap((row) =>
    Object.entries(row.accounts).map(([account, amount]) => ({ name: `${monthOf(row)} ${account}`, amount })),
  );
  const inLedger = (account: string) =>
    summed(
      ledger.filter((each) => each.account === account),
      ({ month, currency }) => `${month} ${currency}`,
      ({ amount }) => -amount,
    );
  const found = [
    ...unequal(
      "of revenue by account",
      summed(
        accounts,
        ({ name }) => name,
        ({ amount }) => amount,
      ),
      summed(
        ledger,
        ({ month, currency, account }) => `${month} ${currency} ${account}`,
        ({ amount }) => amount,
      ),
    ),
    ...unequal(
      "of net revenue",
      summed(revenue.rows, monthOf, ({ net }) => net),
      inLedger("revenue"),
    ),
    ...unequal(
      "of tax, net",
      summed(taxes.rows, monthOf, (row) => declaredOf(row).net),
      inLedger("revenue"),
    ),
    ...unequal(
      "of tax",
      summed(taxes.rows, monthOf, (row) => declaredOf(row).tax),
      inLedger("tax"),
    ),
  ];
  for (const { first } of revenue.months) found.push(...(await receivablesAt(db, organization, first)));
  return [...found, ...(await receivablesAt(db, organization, null))];
}
