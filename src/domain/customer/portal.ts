import type { Instant } from "../calendar.ts";

/** For how long a link signs in, once, from when it was made. Real time, as everything of the portal. */
export const LINK_MINUTES = 15;
export const LINK_MILLISECONDS = LINK_MINUTES * 60_000;
export const SESSION_SECONDS = 12 * 3_600;

/** Whoever types an address that is not theirs must not be able to fill a mailbox, */
export const MOST_SIGN_IN_EMAILS_AN_HOUR = 20;
/** nor to use up by themselves what its owner may ask for. */
export const MOST_SIGN_IN_EMAILS_A_CLIENT = 5;
/** For so long no other e-mail follows one by which its owner can still sign in. */
export const FRESH_MINUTES = 2;
/** Customers who share an address are all named in one e-mail, up to so many. */
export const MOST_LINKS_AN_EMAIL = 20;

/** Where a link or a session leads: whose portal it is, and where the merchant wants them back. */
export type PortalVisit = { customerId: string; returnUrl: string | null };

/** Somebody asks for a link. `askedFrom`: their client's address, as a keyed hash; `askedAt`: real time. */
export type SignInRequest = { askedFrom: string; askedAt: Instant };
/** An e-mail of the last hour that was asked for. */
export type SignInEmail = { askedFrom: string | null; isFresh: boolean };

/** Which of the requests for one Customer an e-mail is sent for; null: they have one, or too many were sent within the hour. */
export function requestToAnswer(requests: readonly SignInRequest[], lately: readonly SignInEmail[]): SignInRequest | null {
  if (lately.length >= MOST_SIGN_IN_EMAILS_AN_HOUR || lately.some(({ isFresh }) => isFresh)) return null;
  const sentTo = (client: string) => lately.filter(({ askedFrom }) => askedFrom === client).length;
  return requests.find(({ askedFrom }) => sentTo(askedFrom) < MOST_SIGN_IN_EMAILS_A_CLIENT) ?? null;
}
