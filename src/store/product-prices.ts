import { formatInstant, type Instant } from "../domain/calendar.ts";
import type { Price, Product } from "../domain/model/product.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";

const endStatement = sql(
  "product_prices.end",
  `UPDATE product_prices SET valid_until = $4
   WHERE organization_id = $1 AND product_id = $2 AND currency = ANY($3) AND valid_until IS NULL`,
);
// A clock that stands still may have ended another price at this very instant.
const beginStatement = sql(
  "product_prices.begin",
  `INSERT INTO product_prices (organization_id, product_id, currency, valid_from, amount)
   SELECT $1, $2, p.currency, $5, p.amount FROM unnest($3::text[], $4::bigint[]) AS p (currency, amount)
   ON CONFLICT (organization_id, product_id, currency, valid_from)
   DO UPDATE SET amount = excluded.amount, valid_until = NULL`,
);

type Priced = Pick<Product, "id" | "organizationId" | "prices">;

/** Records the prices that `product` has from `at` on (rule N10). `before`: the prices until then. */
export function recordPrices(tx: Tx, product: Priced, before: readonly Price[], at: Instant): void {
  const { organizationId, id, prices } = product;
  const isIn = (list: readonly Price[], { currency, amount }: Price) =>
    list.some((each) => each.currency === currency && each.amount === amount);
  const ended = before.filter((price) => !isIn(prices, price)).map(({ currency }) => currency);
  const begun = prices.filter((price) => !isIn(before, price));
  if (ended.length > 0) tx.send(endStatement, [organizationId, id, ended, formatInstant(at)]);
  if (begun.length === 0) return;
  const columns = [begun.map(({ currency }) => currency), begun.map(({ amount }) => amount)];
  tx.send(beginStatement, [organizationId, id, ...columns, formatInstant(at)]);
}

/**
 * A price of a unit with its time in the catalogue, and the number of live Subscriptions that pay it. `from` null: the
 * catalogue never had this price, or had it for no time. `until` null: the price is in the catalogue, if `from` is not
 * null.
 */
export type PriceVersion = {
  currency: string;
  amount: number;
  from: Instant | null;
  until: Instant | null;
  subscriptions: number;
};

const versionsStatement = sql(
  "product_prices.versions",
  `SELECT currency, amount, valid_from AS "from", valid_until AS until FROM product_prices
   WHERE organization_id = $1 AND product_id = $2 AND (valid_until IS NULL OR valid_until > valid_from)
   ORDER BY currency, valid_from DESC`,
);
const paidStatement = sql(
  "product_prices.paid",
  `SELECT currency, amount / quantity AS amount, count(*) AS subscriptions FROM subscriptions
   WHERE organization_id = $1 AND product_id = $2 AND status <> 'canceled'
   GROUP BY currency, amount / quantity ORDER BY currency, amount / quantity DESC`,
);

/**
 * The prices of a Product by currency, the latest first, and after them the prices that the catalogue had for no time.
 * If a price was in the catalogue twice, its latest time has the Subscriptions.
 */
export async function readPriceVersions(
  db: Queryable,
  organizationId: string,
  productId: string,
): Promise<PriceVersion[]> {
  type Paid = Pick<PriceVersion, "amount" | "currency" | "subscriptions">;
  const [versions, paid] = await Promise.all([
    db.query<Omit<PriceVersion, "subscriptions">>(versionsStatement, [organizationId, productId]),
    db.query<Paid>(paidStatement, [organizationId, productId]),
  ]);
  const keyOf = ({ currency, amount }: Pick<PriceVersion, "amount" | "currency">) => `${currency} ${amount}`;
  const counts = new Map(paid.map((each) => [keyOf(each), each]));
  const listed = versions.map((version) => {
    const subscriptions = counts.get(keyOf(version))?.subscriptions ?? 0;
    counts.delete(keyOf(version));
    return { ...version, subscriptions };
  });
  const never = [...counts.values()].map((each) => ({ ...each, from: null, until: null }));
  return [...listed, ...never];
}
