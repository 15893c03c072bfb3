import type { ProviderCharge } from "../payments/provider.ts";
import type { Example } from "../store/verify/rule.ts";

/** One of our charges or refunds, by its key at the provider. */
type Own = { key: string; amount: number; currency: string; status: string };
type Listed = Pick<ProviderCharge, "key" | "amount" | "currency">;
/** A page of the provider's book after a key, in the order of the keys. An empty page is the end. */
type Page = (after: string) => Promise<Listed[]>;

async function* entries(page: Page): AsyncGenerator<Listed> {
  for (let found = await page(""); found.length > 0; found = await page(found.at(-1)!.key)) yield* found;
}

function example(own: Own | undefined, booked: Listed | undefined): Example {
  const { key = null, status = null, amount = null, currency = null } = own ?? {};
  return {
    key: booked?.key ?? key,
    status,
    amount,
    currency,
    booked: booked?.amount ?? null,
    bookedCurrency: booked?.currency ?? null,
  };
}

/**
 * The provider's book may have an outcome that we have not settled yet. A success in our book without an entry in the
 * provider's book is wrong, and so is another amount.
 */
function agree(own: Own, booked: Listed | undefined): boolean {
  if (!booked) return own.status !== "succeeded";
  return own.status !== "failed" && own.amount === booked.amount && own.currency === booked.currency;
}

/**
 * The differences between the provider's book and ours. Both books are read in the order of their keys, a page at a
 * time. Our book is a snapshot, and the provider's book is read after it. `isNew`: whether a key that is missing in the
 * snapshot was recorded after the snapshot.
 */
export async function* compareTransactions(
  ours: AsyncGenerator<Own>,
  list: Page,
  isNew: (key: string) => Promise<boolean>,
): AsyncGenerator<Example> {
  const theirs = entries(list);
  let own = (await ours.next()).value as Own | undefined;
  let booked = (await theirs.next()).value as Listed | undefined;
  while (own || booked) {
    const side = !own ? 1 : !booked ? -1 : own.key < booked.key ? -1 : own.key > booked.key ? 1 : 0;
    const matched = side === 0 ? booked : undefined;
    if (side > 0 && !(await isNew(booked!.key))) yield example(undefined, booked);
    if (side <= 0 && !agree(own!, matched)) yield example(own, matched);
    if (side <= 0) own = (await ours.next()).value as Own | undefined;
    if (side >= 0) booked = (await theirs.next()).value as Listed | undefined;
  }
}
