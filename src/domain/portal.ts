/** For how long a link signs in, once, from when it was made. Real time, as everything of the portal. */
export const LINK_MINUTES = 15;
export const LINK_MILLISECONDS = LINK_MINUTES * 60_000;
export const SESSION_SECONDS = 12 * 3_600;

/** Whoever types an address that is not theirs must not be able to fill a mailbox. */
export const MOST_SIGN_IN_EMAILS_AN_HOUR = 10;
/** Customers who share an address are all named in one e-mail, up to so many. */
export const MOST_LINKS_AN_EMAIL = 20;

/** Where a link or a session leads: whose portal it is, and where the merchant wants them back. */
export type PortalVisit = { customerId: string; returnUrl: string | null };
