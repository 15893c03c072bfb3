import type { BookedCharge } from "../payments/provider.ts";
import type { Example } from "../store/verify/rule.ts";

/** One of our charges or refunds. */
type Own = { id: string; amount: number; currency: string; status: string };
type Booked = Pick<BookedCharge, "key" | "amount" | "currency">;
/** The provider's book from a key on, by key; an empty page is the end. */
type Page = (after: string) => Promise<Booked[]>;

async function* entries(page: Page): AsyncGenerator<Booked> {
  for (let found = await page(""); found.length > 0; found = await page(found.at(-1)!.key)) yield* found;
}

function example(own: Own | undefined, booked: Booked | undefined): Example {
  const { id = null, status = null, amount = null, currency = null } = own ?? {};
  return { key: booked?.key ?? id, status, amount, currency, booked: booked?.amount ?? null, bookedCurrency: booked?.currency ?? null };
}

/** The provider may know first what we have still to settle; never the other way round, and never another amount. */
function agree(own: Own, booked: Booked | undefined): boolean {
  if (!booked) return own.status !== "succeeded";
  return own.status !== "failed" && own.amount === booked.amount && own.currency === booked.currency;
}

/**
 * Where the provider's book and ours disagree: both are read in the order of their keys, a page at a time. Ours is a snapshot, which
 * the provider's is read after; `isNew`: whether an id that it does not have has been recorded since.
 */
export async function* compareBooks(
  ours: AsyncGenerator<Own>,
  book: Page,
  isNew: (id: string) => Promise<boolean>,
): AsyncGenerator<Example> {
  const theirs = entries(book);
  let own = (await ours.next()).value as Own | undefined;
  let booked = (await theirs.next()).value as Booked | undefined;
  while (own || booked) {
    const side = !own ? 1 : !booked ? -1 : own.id < booked.key ? -1 : own.id > booked.key ? 1 : 0;
    const matched = side === 0 ? booked : undefined;
    if (side > 0 && !(await isNew(booked!.key))) yield example(undefined, booked);
    if (side <= 0 && !agree(own!, matched)) yield example(own, matched);
    if (side <= 0) own = (await ours.next()).value as Own | undefined;
    if (side >= 0) booked = (await theirs.next()).value as Booked | undefined;
  }
}
