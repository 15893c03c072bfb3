import type { Refused } from "../../actions/team/sign-in.ts";

/** The words for a client that asks for too many e-mails. */
export const SAID_LATER = "There were too many requests. Try again in an hour.";

/** The words for a refused sign-in, and the status of the page. */
export const SAID: Record<Refused, string> = {
  wrong: "The e-mail address and the password don't match. Check both and try again.",
  too_many: "There were too many attempts. Try again in a quarter of an hour.",
};
export const STATUS = { wrong: 422, too_many: 429 } as const;
