import { MINUTE, type Instant } from "../calendar.ts";

/** The time for which a link can sign in, once, from its creation. The portal uses real time throughout. */
export const LINK_MINUTES = 15;
export const LINK_MILLISECONDS = LINK_MINUTES * MINUTE;
export const SESSION_SECONDS = 12 * 3_600;

/** The most e-mails to one Customer: a stranger that types the address must not be able to fill the mailbox. */
export const MOST_SIGN_IN_EMAILS_AN_HOUR = 20;
/** The most of these e-mails for one client: a stranger must not be able to use up the owner's share. */
export const MOST_SIGN_IN_EMAILS_A_CLIENT = 5;
/** The time in which no other e-mail follows, while the owner can still sign in with the last one. */
export const FRESH_MINUTES = 2;
/** The most Customers in one e-mail. An e-mail names all Customers that share its address. */
export const MOST_LINKS_AN_EMAIL = 20;

/** The target of a link or session: the Customer's portal, and the merchant's page to return to. */
export type PortalVisit = { customerId: string; returnUrl: string | null };

/** A request for a link. `askedFrom`: the client's address, as a keyed hash. `askedAt`: real time. */
export type SignInRequest = { askedFrom: string; askedAt: Instant };
/** A requested sign-in e-mail of the last hour. */
export type SignInEmail = { askedFrom: string | null; isFresh: boolean };

/**
 * The request of one Customer that an e-mail answers. Null: the Customer has a fresh e-mail, or too many were sent
 * within the hour.
 */
export function requestToAnswer(
  requests: readonly SignInRequest[],
  lately: readonly SignInEmail[],
): SignInRequest | null {
  if (lately.length >= MOST_SIGN_IN_EMAILS_AN_HOUR || lately.some(({ isFresh }) => isFresh)) return null;
  const sentTo = (client: string) => lately.filter(({ askedFrom }) => askedFrom === client).length;
  return requests.find(({ askedFrom }) => sentTo(askedFrom) < MOST_SIGN_IN_EMAILS_A_CLIENT) ?? null;
}
