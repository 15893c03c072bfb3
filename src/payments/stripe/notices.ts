import { createHmac, timingSafeEqual } from "node:crypto";
import type { CardPages, EventRef, Notices } from "../provider.ts";
import { API_VERSION, type Api, type Form } from "./client.ts";
import { gapOf, gapSince, eventRefsOfGap } from "./gap.ts";
import type { List, StripeEvent } from "./objects.ts";
import type { Settings } from "./settings.ts";

/** The types of events that the adapter reads. Stripe filters its list by 20 types at most. */
export const EVENT_TYPES = [
  "charge.dispute.closed",
  "charge.dispute.created",
  "charge.dispute.funds_reinstated",
  "charge.dispute.funds_withdrawn",
  "charge.dispute.updated",
  "checkout.session.async_payment_failed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.completed",
  "checkout.session.expired",
  "payment_intent.canceled",
  "payment_intent.payment_failed",
  "payment_intent.succeeded",
  "payment_method.automatically_updated",
  "payment_method.detached",
  "payment_method.updated",
  "refund.created",
  "refund.failed",
  "refund.updated",
  "setup_intent.setup_failed",
  "setup_intent.succeeded",
] as const;

const WANTED: ReadonlySet<string> = new Set(EVENT_TYPES);

/** The age of a signature in seconds, in either direction. */
const TOLERANCE_SECONDS = 5 * 60;
/** Stripe lists an event some seconds late, so the last minute before the cursor is read again. */
const OVERLAP_SECONDS = 60;
/** Stripe keeps events for 30 days. */
const RETENTION_SECONDS = 30 * 86_400;
const PAGE = 100;
/** The most events that one look at the list reads, unless more of them are in the shortest span. */
const MOST_EVENTS = 1_000;

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** The objects that always carry our metadata. Refunds, disputes and cards of ours may carry none. */
const MARKED: ReadonlySet<string> = new Set(["checkout.session", "payment_intent", "setup_intent"]);

/** True if the event's own object shows that the object belongs to other software on the account. */
function isForeign({ installation }: Settings, { data }: StripeEvent): boolean {
  const { object, metadata } = data.object;
  return MARKED.has(object) && metadata !== undefined && metadata?.["billow_installation"] !== installation;
}

const eventRefOf = ({ id, type, data }: StripeEvent): EventRef => ({ id, type, object: data.object.id });

/** The parts of the header `Stripe-Signature`: `t=…,v1=…,v1=…`. Null: not such a header. */
function signaturesOf(header: string): { at: number; signatures: string[] } | null {
  const parts = header.split(",").map((part) => part.trim().split("=") as [string, string?]);
  const at = Number(parts.find(([name]) => name === "t")?.[1] ?? Number.NaN);
  const signatures = parts.flatMap(([name, value]) => (name === "v1" && value ? [value] : []));
  return Number.isInteger(at) && signatures.length > 0 ? { at, signatures } : null;
}

function isSigned(
  secrets: readonly string[],
  { at, signatures }: { at: number; signatures: string[] },
  body: Uint8Array,
) {
  const given = signatures.map((each) => Buffer.from(each, "hex"));
  return secrets.some((secret) => {
    const expected = createHmac("sha256", secret).update(`${at}.`).update(body).digest();
    return given.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  });
}

function parseEvent(body: Uint8Array): StripeEvent | null {
  try {
    const event = JSON.parse(Buffer.from(body).toString("utf8")) as Partial<StripeEvent>;
    const isEvent = typeof event.id === "string" && typeof event.type === "string";
    return isEvent && typeof event.data?.object?.id === "string" ? (event as StripeEvent) : null;
  } catch {
    return null;
  }
}

/** Verifies a notice over its raw bytes. An event of a type that has no meaning here has no references. */
export function verifyNotice(
  settings: Settings,
  headers: ReadonlyMap<string, string>,
  body: Uint8Array,
): EventRef[] | null {
  const { webhookSecrets, now } = settings;
  const signed = signaturesOf(headers.get("stripe-signature") ?? "");
  if (!signed || Math.abs(seconds(now()) - signed.at) > TOLERANCE_SECONDS) return null;
  if (!isSigned(webhookSecrets, signed, body)) return null;
  const event = parseEvent(body);
  return event && WANTED.has(event.type) && !isForeign(settings, event) ? [eventRefOf(event)] : [];
}

/** The events of a span in seconds, newest first; null: there are more than `most`. */
async function eventsIn(
  api: Api,
  settings: Settings,
  [from, to]: readonly [number, number],
  most: number,
): Promise<EventRef[] | null> {
  const refs: EventRef[] = [];
  let after: string | undefined;
  for (let read = 0; ;) {
    const form: Form = { types: [...EVENT_TYPES], created: { gte: from, lt: to }, limit: PAGE, starting_after: after };
    const { data, has_more: more } = await api.get<List<StripeEvent>>("/v1/events", form);
    refs.push(...data.filter((event) => !isForeign(settings, event)).map(eventRefOf));
    if (!more || data.length === 0) return refs;
    read += data.length;
    if (read >= most) return null;
    after = data.at(-1)!.id;
  }
}

type Since = Awaited<ReturnType<Notices["since"]>>;

/**
 * The references since a cursor, which is an instant in seconds or a place in a gap. If Stripe has forgotten events
 * after the cursor, the references name the objects that may have changed. A span with too many events is halved, and
 * the next call goes on from there. So a long pause needs no large memory, and the oldest events come first.
 */
export async function eventRefsSince(
  api: Api,
  settings: Settings,
  cursor: string | null,
  cards: CardPages,
): Promise<Since> {
  const { now } = settings;
  // The present second is not over: its events are read by the next call.
  const nowSeconds = seconds(now());
  if (cursor === null) return { refs: [], cursor: String(nowSeconds), more: false };
  const isForgotten = Number(cursor) < nowSeconds - RETENTION_SECONDS;
  const gap = gapOf(cursor) ?? (isForgotten ? gapSince(Number(cursor), nowSeconds) : null);
  if (gap) return { ...(await eventRefsOfGap(api, gap, cards)), more: true };
  const from = Number(cursor) - OVERLAP_SECONDS;
  // Each call moves the cursor on by a second at least, however many events that second has.
  const least = Number(cursor) + 1;
  for (let to = Math.max(nowSeconds, least); ; to = Math.max(least, from + Math.ceil((to - from) / 2))) {
    const refs = await eventsIn(api, settings, [from, to], to === least ? Infinity : MOST_EVENTS);
    if (refs) return { refs: refs.reverse(), cursor: String(to), more: to < nowSeconds };
  }
}

const ENDPOINTS = "/v1/webhook_endpoints";
type Endpoint = { id: string; url: string };

/**
 * Registers an inbound address for the events above, in the version of the API that this adapter reads. Earlier
 * registrations of the address are removed afterwards, because Stripe shows a secret only once.
 */
export async function registerEndpoint(api: Api, { installation }: Settings, url: string) {
  const form: Form = {
    url,
    enabled_events: [...EVENT_TYPES],
    api_version: API_VERSION,
    metadata: { billow_installation: installation },
  };
  const { id, secret } = await api.post<{ id: string; secret: string }>(ENDPOINTS, form);
  await removeEndpoints(api, url, id);
  return { id, secret };
}

/** Removes the registrations of an address, but for `ownId`. An account has 16 endpoints at most. */
export async function removeEndpoints(api: Api, url: string, ownId: string | null): Promise<void> {
  const { data } = await api.get<List<Endpoint>>(ENDPOINTS, { limit: PAGE });
  for (const each of data) if (each.url === url && each.id !== ownId) await api.delete(`${ENDPOINTS}/${each.id}`);
}
