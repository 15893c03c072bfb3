import { MINUTE, type Instant } from "../calendar.ts";

/** The lifetime of an e-mailed sign-in link, which works once. The portal uses real time throughout. */
export const LINK_MINUTES = 15;
/** The lifetime of a link that the merchant's backend made. The backend sends the browser there at once. */
export const DIRECT_LINK_SECONDS = 60;
/** The lifetime of a link that a person of the dashboard sends to the Customer. */
export const SUPPORT_LINK_HOURS = 24;
export const LINK_MILLISECONDS = LINK_MINUTES * MINUTE;
export const SESSION_SECONDS = 12 * 3_600;

/** The most sign-in e-mails to one Customer: a stranger that types the address can't fill the mailbox. */
export const MOST_SIGN_IN_EMAILS_AN_HOUR = 20;
/** The most sign-in e-mails to one Customer at one client's request: a stranger can't use up the owner's e-mails. */
export const MOST_SIGN_IN_EMAILS_A_CLIENT = 5;
/** For this time after a sign-in e-mail no other one is sent: the owner can still sign in with the first. */
export const FRESH_MINUTES = 2;
/** The most Customers in one e-mail. An e-mail names all Customers that share its address. */
export const MOST_LINKS_AN_EMAIL = 20;

/** The target of a link or session: the Customer's portal, and the merchant's page to return to. */
export type PortalVisit = { customerId: string; returnUrl: string | null };
/** `isDirect`: the merchant's backend made the link, and no e-mail has carried the link. */
export type LinkedVisit = PortalVisit & { isDirect: boolean };

/** A request for a sign-in link. `askedFrom`: the client's IP address, as a keyed hash. `askedAt`: real time. */
export type SignInRequest = { askedFrom: string; askedAt: Instant };
/** A requested sign-in e-mail of the last hour. */
export type SignInEmail = { askedFrom: string | null; isFresh: boolean };

/**
 * The reason why no sign-in e-mail is sent at a client's request; null: one may be sent. `fresh`: the Customer can
 * still sign in with the last e-mail. `too_many`: too many e-mails were sent within the hour (rule E8).
 */
export function whyNoSignIn(lately: readonly SignInEmail[], client: string): "fresh" | "too_many" | null {
  if (lately.some(({ isFresh }) => isFresh)) return "fresh";
  const sentTo = lately.filter(({ askedFrom }) => askedFrom === client).length;
  return lately.length >= MOST_SIGN_IN_EMAILS_AN_HOUR || sentTo >= MOST_SIGN_IN_EMAILS_A_CLIENT ? "too_many" : null;
}

/** Picks the request that an e-mail answers, among the requests for one Customer. Null: no e-mail may be sent now. */
export const requestToAnswer = (
  requests: readonly SignInRequest[],
  lately: readonly SignInEmail[],
): SignInRequest | null => requests.find(({ askedFrom }) => whyNoSignIn(lately, askedFrom) === null) ?? null;
