import { DAY, HOUR, instant, MINUTE, type Instant } from "../calendar.ts";
import type { Customer } from "./customer.ts";
import { FRESH_MINUTES } from "./portal-session.ts";

/** The lifetime of the link that confirms a new address. Changes of the address use real time throughout (rule I11). */
export const CONFIRM_HOURS = 1;
/** For this long after a change, the former address can undo the change. */
export const UNDO_DAYS = 7;
/** The most confirmations that one Customer can ask for in an hour. */
export const MOST_ASKED_BY_A_CUSTOMER = 5;
/** The most confirmations for one address in an hour, so that Customers can't fill a stranger's mailbox. */
export const MOST_ASKED_FOR_AN_ADDRESS = 5;

/**
 * A change of a Customer's e-mail address in the portal (rule I11). `asked`: the new address is to be confirmed until
 * `expiresAt`. `changed`: the old address can undo the change until `expiresAt`. `ended`: neither any more.
 */
export type EmailChange = {
  organizationId: string;
  id: string;
  customerId: string;
  status: "asked" | "changed" | "ended";
  oldEmail: string;
  oldKey: string;
  newEmail: string;
  newKey: string;
  confirmEmailId: string;
  undoEmailId: string | null;
  askedAt: Instant;
  changedAt: Instant | null;
  expiresAt: Instant;
};

type Address = { email: string; key: string };
type Owner = Pick<Customer, "organizationId" | "id" | "email" | "emailKey">;
/** The ids of a change and of its first e-mail. */
type NewIds = { id: string; confirmEmailId: string };

/**
 * The rows of a new request, and the requests that it ends. `waits`: a fresh request for the same address waits
 * already. `crowded`: the address was sent too many e-mails. The page says the same as after a request then, because
 * other Customers may have caused these e-mails.
 */
export type Asking =
  | { refused: "same" | "too_many" }
  | { asked: EmailChange; ended: EmailChange[] }
  | "waits"
  | "crowded";

/**
 * Decides a Customer's request for another address. `own`: the Customer's changes. `sentLately`: the number of requests
 * of all Customers for the address within the last hour (rules I11a, I11h).
 */
export function askForChange(
  customer: Owner,
  { email, key }: Address,
  { own, sentLately, now }: { own: readonly EmailChange[]; sentLately: number; now: Instant },
  ids: NewIds,
): Asking {
  if (key === customer.emailKey) return { refused: "same" };
  const waiting = own.filter(({ status, expiresAt }) => status === "asked" && expiresAt > now);
  const isFresh = ({ askedAt, newKey }: EmailChange) => newKey === key && now - askedAt < FRESH_MINUTES * MINUTE;
  if (waiting.some(isFresh)) return "waits";
  const lately = own.filter(({ askedAt }) => now - askedAt < HOUR);
  if (lately.length >= MOST_ASKED_BY_A_CUSTOMER) return { refused: "too_many" };
  if (sentLately >= MOST_ASKED_FOR_AN_ADDRESS) return "crowded";
  const asked: EmailChange = {
    ...ids,
    organizationId: customer.organizationId,
    customerId: customer.id,
    status: "asked",
    oldEmail: customer.email,
    oldKey: customer.emailKey,
    newEmail: email,
    newKey: key,
    undoEmailId: null,
    askedAt: now,
    changedAt: null,
    expiresAt: instant(now + CONFIRM_HOURS * HOUR),
  };
  // A repeated e-mail to the same address must not spoil the link of the one before.
  return { asked, ended: waiting.filter(({ newKey }) => newKey !== key).map(ended) };
}

/** An ended request keeps the key of its address until the row is deleted, because such requests are counted. */
function ended(change: EmailChange): EmailChange {
  const newKey = change.changedAt === null ? change.newKey : "";
  return { ...change, status: "ended", oldEmail: "", oldKey: "", newEmail: "", newKey };
}

const isOpen = ({ status, expiresAt }: EmailChange, now: Instant) => status !== "ended" && expiresAt > now;

/** The newest request whose link can still confirm an address; null: there is none. */
export function waitingChange(own: readonly EmailChange[], now: Instant): EmailChange | null {
  const waiting = own.filter((each) => each.status === "asked" && isOpen(each, now));
  return waiting.toSorted((one, other) => other.askedAt - one.askedAt)[0] ?? null;
}

/** Ends the requests of a Customer: no link of them confirms an address any more (rule I11i). */
export function withdrawAsked(own: readonly EmailChange[]): EmailChange[] {
  return own.filter(({ status }) => status === "asked").map(ended);
}

/** Ends all of these changes: no link of them works any more (rule I11g). */
export function endAll(own: readonly EmailChange[]): EmailChange[] {
  return own.filter(({ status }) => status !== "ended").map(ended);
}

/**
 * Confirms a request. Every other request of the Customer ends. Null: the link is not valid, or no longer valid.
 * `undoEmailId`: the id of the e-mail to the old address (rule I11c).
 */
export function confirmChange(
  customer: Owner,
  own: readonly EmailChange[],
  id: string,
  { now, undoEmailId }: { now: Instant; undoEmailId: string },
): { changed: EmailChange; ended: EmailChange[] } | null {
  const asked = own.find((each) => each.id === id && each.status === "asked" && isOpen(each, now));
  if (!asked) return null;
  const changed: EmailChange = {
    ...asked,
    status: "changed",
    oldEmail: customer.email,
    oldKey: customer.emailKey,
    undoEmailId,
    changedAt: now,
    expiresAt: instant(now + UNDO_DAYS * DAY),
  };
  return { changed, ended: own.filter((each) => each.id !== id && each.status === "asked").map(ended) };
}

/**
 * Undoes a change: the Customer gets the address of before. All later changes end, and so do all requests. Earlier
 * changes can still be undone, so a thief who changes the address twice can't keep the owner from undoing the first
 * change. Null: the link is not valid, or no longer valid (rules I11d, I11e).
 */
export function undoChange(
  own: readonly EmailChange[],
  id: string,
  now: Instant,
): { email: string; ended: EmailChange[] } | null {
  const undone = own.find((each) => each.id === id && each.status === "changed" && isOpen(each, now));
  if (!undone) return null;
  const isLater = ({ changedAt }: EmailChange) => changedAt === null || changedAt >= undone.changedAt!;
  return { email: undone.oldEmail, ended: endAll(own.filter(isLater)) };
}

/** The address as the former address is told: `n•••@example.com`. */
export function maskedLocalPart(email: string): string {
  const [first = ""] = email;
  return `${first}•••${email.slice(email.lastIndexOf("@"))}`;
}
