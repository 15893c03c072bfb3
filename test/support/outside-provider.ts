import type { Outcome } from "../../src/domain/model/payment-outcome.ts";
import { realNow } from "../../src/clock.ts";
import { instant } from "../../src/domain/calendar.ts";
import type {
  Charge,
  HistoryEntry,
  HistoryPage,
  HistoryQuery,
  PaymentProvider,
  Refund,
  SaveCard,
} from "../../src/payments/provider.ts";

/** A payment provider outside of every database: one book for all installations and their copies. */
export type OutsideProvider = {
  provider: PaymentProvider;
  /** The charges that succeeded: the amount by key. */
  charges: Map<string, number>;
  refunds: Map<string, number>;
  /** The provider's book by time. A test may add, change and remove entries. */
  book: HistoryEntry[];
  /** The entries of a page of `history`. */
  pageSize: number;
  /** Each call that could change a state, by kind and key, in order. Repetitions are included. */
  calls: string[];
  /** Cards are declined from now on, or no longer. */
  decline(isDeclined: boolean): void;
};

export const OUTSIDE = { provider: "outside", providerAccount: "acct_1" } as const;

type Request = Charge | SaveCard | Refund;
type Answered = { text: string; outcome: Outcome };

/** The parts of a request that repetitions must share. Descriptions and the buyer's data may differ. */
function essence(request: Request): string {
  if ("chargeKey" in request) return JSON.stringify([request.chargeKey, request.amount]);
  return JSON.stringify([request.card, ...("amount" in request ? [request.amount, request.currency] : [])]);
}

const byTime = (one: HistoryEntry, other: HistoryEntry) =>
  one.createdAt - other.createdAt || (one.ref < other.ref ? -1 : 1);

/** A page of a book. The mark of a page is the number of the entries before it. */
export function pageOf(book: readonly HistoryEntry[], { from, to, cursor }: HistoryQuery, size: number): HistoryPage {
  const all = book.filter(({ createdAt }) => createdAt >= from && createdAt < to).toSorted(byTime);
  const first = Number(cursor ?? 0);
  return { entries: all.slice(first, first + size), next: all.length > first + size ? String(first + size) : null };
}

/** The entry of a request that succeeded. */
function entryOf(request: Charge | Refund, book: readonly HistoryEntry[]): HistoryEntry {
  const { key, amount } = request;
  const entry = { key, amount, createdAt: instant(realNow()) };
  if (!("chargeKey" in request))
    return { ...entry, kind: "charge", ref: `ch_${book.length}`, chargeKey: null, currency: request.currency };
  const { chargeKey } = request;
  const currency = book.find((charge) => charge.key === chargeKey)?.currency ?? "usd";
  return { ...entry, kind: "refund", ref: `re_${book.length}`, chargeKey, currency };
}

export function openOutside(): OutsideProvider {
  const answers = new Map<string, Answered>();
  const [charges, refunds] = [new Map<string, number>(), new Map<string, number>()];
  const calls: string[] = [];
  const outside = { charges, refunds, calls, book: [] as HistoryEntry[], pageSize: 500 };
  let isDeclined = false;

  async function submit(kind: string, request: Request, sums: Map<string, number> | null): Promise<Outcome> {
    const { key } = request;
    const text = essence(request);
    calls.push(`${kind} ${key}`);
    const known = answers.get(key);
    if (known && known.text !== text) throw new Error(`the key ${key} was used for another request`);
    if (known) return known.outcome;
    const outcome: Outcome = isDeclined ? { status: "declined", code: "card_declined" } : { status: "succeeded" };
    answers.set(key, { text, outcome });
    if (sums && "amount" in request && outcome.status === "succeeded") {
      sums.set(key, request.amount);
      outside.book.push(entryOf(request, outside.book));
    }
    return outcome;
  }

  const provider: PaymentProvider = {
    name: OUTSIDE.provider,
    account: OUTSIDE.providerAccount,
    limits: { inFlight: 10, perSecond: Infinity },
    deadline: 10_000,
    entry: {
      kind: "typed",
      accept: async (_, { number, expMonth, expYear }) => {
        const last4 = number.slice(-4);
        const shown = { type: "card", brand: "visa", last4, expMonth, expYear } as const;
        return { card: { ...shown, ref: `ref_${last4}`, fingerprint: `fp_${last4}` } };
      },
    },
    saveCard: (request) => submit("save", request, null),
    charge: (request) => submit("charge", request, charges),
    read: async (_, key) => answers.get(key)?.outcome ?? { status: "absent" },
    cancel: (request) => submit("cancel", request, null),
    refund: (request) => submit("refund", request, refunds),
    forget: async (_, customerId) => void calls.push(`forget ${customerId}`),
    history: async (query) => pageOf(outside.book, query, outside.pageSize),
    notices: null,
  };
  return Object.assign(outside, { provider, decline: (wanted: boolean) => void (isDeclined = wanted) });
}
