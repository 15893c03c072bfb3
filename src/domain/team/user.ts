import type { Instant } from "../calendar.ts";
import type { Role } from "./role.ts";

/** A person with an account of the dashboard. A person belongs to the installation, not to an Organization. */
export type User = {
  id: string;
  email: string;
  /** The key by which the person is found: see `emailKey`. */
  emailKey: string;
  name: string;
  /** Argon2id in the PHC string format; null: the person signs in through the OpenID provider alone. */
  passwordHash: string | null;
  /** The key of the second factor, encrypted; null: no second factor. */
  totpSealed: string | null;
  /** The step of the last code that was used. */
  totpStep: number | null;
  /**
   * The last time at which the person proved that the mailbox of `email` is the person's own: by a link that came by
   * e-mail, or through the OpenID provider. Null: never.
   */
  emailProvenAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
};

/** An Organization to which a person belongs, and the person's role there. */
export type Membership = { organizationId: string; name: string; mode: "live" | "sandbox"; role: Role };

/** A member of an Organization. */
export type Member = Pick<User, "id" | "email" | "name"> & { role: Role; hasFactor: boolean };

/** An open invitation to an Organization. `invitedBy`: the name of the person or the command that invites. */
export type Invitation = {
  organizationId: string;
  id: string;
  email: string;
  emailKey: string;
  role: Role;
  invitedBy: string;
  emailId: string;
  createdAt: Instant;
  expiresAt: Instant;
};
export const INVITATION_DAYS = 7;

/**
 * The way of an invited person into an Organization. `new`: the person chooses a name and a password. `sign_in`: the
 * address has an account, and its owner has to be signed in. `claim`: the address has an account that anyone may have
 * made, so the link gives the account to its reader with new access.
 */
export type Entry = "new" | "sign_in" | "claim";

/**
 * The entry by an invitation to an Organization of this mode. An invitation of a sandbox can make an account in the
 * name of another person. So the first live Organization of an account asks for a proof of the mailbox.
 */
export function entryOf(
  mode: Membership["mode"],
  user: Pick<User, "emailProvenAt"> | null,
  memberships: readonly Pick<Membership, "mode">[],
): Entry {
  if (user === null) return "new";
  const isKnown = user.emailProvenAt !== null || memberships.some((membership) => membership.mode === "live");
  return mode === "live" && !isKnown ? "claim" : "sign_in";
}

/** A session ends 12 hours after the sign-in, whether or not it is used. */
export const USER_SESSION_SECONDS = 12 * 60 * 60;
/** How long a sign-in waits for the code of the second factor after the right password. */
export const CODE_SECONDS = 10 * 60;
/**
 * After the password was given, a dangerous operation asks for the password again once this many milliseconds passed.
 */
export const CONFIRMED_MILLISECONDS = 15 * 60_000;
/** The first-run link is good for an hour, while there is no user. A link for a new password is good as long. */
export const SET_UP_SECONDS = 60 * 60;
/** An e-mail with a link for a new password is not sent later than this: the link would end soon. */
export const FORGOTTEN_MILLISECONDS = 30 * 60_000;
/** How long a sign-in through the OpenID provider may take. */
export const OPEN_ID_SECONDS = 10 * 60;
/** The clocks of Billow and the OpenID provider may differ by this much. */
export const OPEN_ID_SKEW_MILLISECONDS = 60_000;

export const LEAST_PASSWORD_CHARACTERS = 12;
/** Argon2 takes any length. The limit keeps a form small. */
export const MOST_PASSWORD_CHARACTERS = 256;

/** The reasons why a new password is refused. `guessable`: a text that a guesser tries first. */
export type PasswordFault = "too_short" | "too_long" | "broken_character" | "too_uniform" | "guessable";

/** The fault of a new password; null: the password is good. `about`: texts that a guesser tries first. */
export function faultOfPassword(password: string, about: readonly string[]): PasswordFault | null {
  const characters = [...password].length;
  if (characters < LEAST_PASSWORD_CHARACTERS) return "too_short";
  if (characters > MOST_PASSWORD_CHARACTERS) return "too_long";
  if (!password.isWellFormed()) return "broken_character";
  const typed = password.toLowerCase();
  if (new Set(typed).size < 5) return "too_uniform";
  if (about.some((text) => text !== "" && typed === text.toLowerCase())) return "guessable";
  return null;
}
