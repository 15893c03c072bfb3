import type { CardPages, EventRef } from "../provider.ts";
import type { Api, Form } from "./client.ts";
import type { List } from "./objects.ts";

const DAY_SECONDS = 86_400;
/** Stripe's largest page. */
const PAGE = 100;

type Kind = "disputes" | "refunds" | "cards";
/** The next kind, in the order of the money at stake. */
const NEXT: Readonly<Record<Kind, Kind | null>> = { disputes: "refunds", refunds: "cards", cards: null };
/**
 * The age of the oldest objects that may have changed since an instant. A bank decides a dispute within months, and a
 * refund fails within some weeks.
 */
const OLDEST: Readonly<Record<"disputes" | "refunds", number>> = {
  disputes: 365 * DAY_SECONDS,
  refunds: 90 * DAY_SECONDS,
};

/**
 * A place in the objects that may have changed unseen. `since`: the last event that was read. `begunAt`: the beginning
 * of this look at the objects; later changes have events. `after`: the last object of the page before. Instants are in
 * seconds.
 */
export type Gap = { since: number; begunAt: number; kind: Kind; after: string };

/** The objects begin with disputes. */
export const gapSince = (since: number, begunAt: number): Gap => ({ since, begunAt, kind: "disputes", after: "" });

/** A gap as a cursor, which holds a space, and the other way round; null: the cursor is an instant. */
const textOf = ({ since, begunAt, kind, after }: Gap) => `${since} ${begunAt} ${kind} ${after}`;
export function gapOf(cursor: string): Gap | null {
  const [since, begunAt, kind, after = ""] = cursor.split(" ");
  return kind === undefined ? null : { since: Number(since), begunAt: Number(begunAt), kind: kind as Kind, after };
}

type Page = { objects: string[]; next: string | null };

async function listed(api: Api, { since, after }: Gap, kind: "disputes" | "refunds"): Promise<Page> {
  const created = { gte: Math.max(0, since - OLDEST[kind]) };
  const form: Form = { created, limit: PAGE, starting_after: after === "" ? null : after };
  const { data, has_more: more } = await api.get<List<{ id: string }>>(`/v1/${kind}`, form);
  const objects = data.map(({ id }) => id);
  return { objects, next: more ? (objects.at(-1) ?? null) : null };
}

async function onFile(cards: CardPages, { after }: Gap): Promise<Page> {
  const { refs: cardRefs, next } = await cards(after === "" ? null : after);
  return { objects: cardRefs, next };
}

/**
 * A page of objects that may have changed while no event was read. Each of them is read anew. After the last page the
 * cursor is the instant at which this look began.
 */
export async function eventRefsOfGap(
  api: Api,
  gap: Gap,
  cards: CardPages,
): Promise<{ refs: EventRef[]; cursor: string }> {
  const { begunAt, kind } = gap;
  const { objects, next } = kind === "cards" ? await onFile(cards, gap) : await listed(api, gap, kind);
  const type = `gap.${kind}`;
  const refs = objects.map((object): EventRef => ({ id: `gap_${begunAt}_${object}`, type, object }));
  const following = next === null ? NEXT[kind] : kind;
  const cursor = following === null ? String(begunAt) : textOf({ ...gap, kind: following, after: next ?? "" });
  return { refs, cursor };
}
