import { instant } from "../../domain/calendar.ts";
import type { HistoryEntry, HistoryPage, HistoryQuery, Orphan, OrphanPage } from "../provider.ts";
import type { Form } from "./client.ts";
import { fromStripe } from "./money.ts";
import type { Charge, Intent, List, Refund } from "./objects.ts";
import { isNeighbours, keyIn } from "./settings.ts";
import type { Work } from "./work.ts";

/** Stripe's largest page. */
const PAGE = 100;

/** A span of instants in Stripe's seconds. `from` is included, `to` is not. */
const spanOf = ({ from, to }: Pick<HistoryQuery, "from" | "to">) => ({
  gte: Math.ceil(from / 1000),
  lt: Math.ceil(to / 1000),
});

function pageForm({ from, to }: HistoryQuery, after: string): Form {
  return { created: spanOf({ from, to }), limit: PAGE, starting_after: after === "" ? null : after };
}

/** The cursor of the next page: the list, and the last object of this page. */
const nextOf = (list: string, { data, has_more: more }: List<{ id: string }>): string | null =>
  more && data.length > 0 ? `${list} ${data.at(-1)!.id}` : null;

async function chargesPage(work: Work, query: HistoryQuery, after: string): Promise<HistoryPage> {
  const page = await work.api.get<List<Charge>>("/v1/charges", pageForm(query, after));
  const { settings } = work;
  const ours = page.data.filter(
    ({ status, metadata }) => status === "succeeded" && !isNeighbours(settings, query.organizationId, metadata),
  );
  const entries = ours.map(({ id, amount, currency, created, metadata }): HistoryEntry => {
    const key = keyIn(settings, query.organizationId, metadata);
    const common = { ref: id, key, currency, createdAt: instant(created * 1000) };
    return { kind: "charge", chargeKey: null, amount: fromStripe(amount, currency), ...common };
  });
  return { entries, next: nextOf("charges", page) ?? "refunds " };
}

/** Refunds of other charges than ours are left out: they belong to another system of the seller. */
async function refundsPage(work: Work, query: HistoryQuery, after: string): Promise<HistoryPage> {
  const page = await work.api.get<List<Refund>>("/v1/refunds", pageForm(query, after));
  const succeeded = page.data.filter(({ status }) => status === "succeeded");
  const intents = succeeded.flatMap(({ payment_intent: intent }) => intent ?? []);
  const keys = await work.requests.keysOfIntents(query.organizationId, intents);
  const entries = succeeded.flatMap(({ id, amount, currency, created, metadata, payment_intent: intent }) => {
    const chargeKey = keys.get(intent ?? "");
    if (chargeKey === undefined) return [];
    const key = keyIn(work.settings, query.organizationId, metadata);
    const common = { ref: id, key, currency, createdAt: instant(created * 1000) };
    return [{ kind: "refund", chargeKey, amount: fromStripe(amount, currency), ...common } satisfies HistoryEntry];
  });
  return { entries, next: nextOf("refunds", page) };
}

/** A page of the account's book: first the charges, newest first, then the refunds. */
export function historyPage(work: Work, query: HistoryQuery): Promise<HistoryPage> {
  const [list, after = ""] = (query.cursor ?? "charges ").split(" ");
  return list === "charges" ? chargesPage(work, query, after) : refundsPage(work, query, after);
}

/**
 * A page of orphans: PaymentIntents with our metadata that no request of ours has stored. An intent that requires a
 * confirmation is left from a creation with a lost answer, and harmless. A succeeded one was confirmed by another copy
 * of this database.
 */
export async function orphansPage(work: Work, query: HistoryQuery): Promise<OrphanPage> {
  const page = await work.api.get<List<Intent>>("/v1/payment_intents", pageForm(query, query.cursor ?? ""));
  const ours = page.data.flatMap(({ id: ref, status, metadata, amount = 0, currency = "", created }) => {
    const key = keyIn(work.settings, query.organizationId, metadata);
    if (key === null || status === "canceled") return [];
    return [{ ref, key, status, amount: fromStripe(amount, currency), currency, createdAt: instant(created * 1000) }];
  });
  const rows = await work.requests.findAll(
    query.organizationId,
    ours.map(({ key }) => key),
  );
  const isOrphan = ({ ref, key }: Orphan) => {
    const row = rows.get(key);
    // The intent of a page is stored when its success is read.
    return !row || (row.intentId === null ? row.kind !== "charge_page" : row.intentId !== ref);
  };
  const last = page.has_more ? page.data.at(-1) : undefined;
  return { orphans: ours.filter(isOrphan), next: last?.id ?? null };
}
