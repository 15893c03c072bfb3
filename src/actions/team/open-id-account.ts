import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import { emailKey } from "../../domain/model/customer.ts";
import { OPEN_ID_SKEW_MILLISECONDS, type User } from "../../domain/team/user.ts";
import { email as emailSchema } from "../../resources/fields.ts";
import { deleteIdentity, findUserByIdentity, insertIdentity } from "../../store/user-identities.ts";
import { users } from "../../store/users.ts";
import { joinByLink, type OpenInvitation } from "./accept.ts";
import { noteOfPerson, type OwnOperation } from "./audit.ts";
import type { Ended, Identity } from "./open-id.ts";
import { userRow, makeFirstUser } from "./set-up.ts";
import { confirmSession, openSession } from "./sign-in.ts";

/**
 * `unknown`: the account at the provider is not connected. `unverified`: the provider has not verified an e-mail
 * address. `other_address`: the address is not the one of the invitation. `taken`: the account, or the e-mail address,
 * has a person already. `gone`: the link or the session is over. `other_account`: another account than that of the
 * session's person. `not_asked`: the provider did not ask for the password again.
 */
export type OpenIdRefusal =
  | "unknown"
  | "unverified"
  | "other_address"
  | "taken"
  | "gone"
  | "other_account"
  | "not_asked";

/** The last time at which the person gave the password, for a new session. Without a time, the person has to again. */
const confirmedAt = ({ authenticatedAt }: Identity) => instant(authenticatedAt ?? 0);

/** Opens a session for the person of an account. `awaitsCode`, `former`: as in `signInByPassword`. */
export async function signInByOpenId(
  ctx: Context,
  identity: Identity,
  former: string | null,
): Promise<{ secret: string; awaitsCode: boolean } | { refused: OpenIdRefusal }> {
  const user = await findUserByIdentity(ctx.db.read, identity);
  if (!user) return { refused: "unknown" };
  const awaitsCode = user.totpSealed !== null;
  const opening = { former, awaitsCode, confirmedAt: confirmedAt(identity) };
  return { secret: await openSession(ctx, user.id, opening), awaitsCode };
}

/** Records that the person of a session has given the password at the provider again. Returns null, or the refusal. */
export async function confirmByOpenId(
  ctx: Context,
  { user, secret }: { user: User; secret: string },
  { identity, begunAt }: Pick<Ended, "identity" | "begunAt">,
): Promise<OpenIdRefusal | null> {
  const found = await findUserByIdentity(ctx.db.read, identity);
  if (found?.id !== user.id) return "other_account";
  const { authenticatedAt } = identity;
  if (authenticatedAt === null || authenticatedAt < begunAt - OPEN_ID_SKEW_MILLISECONDS) return "not_asked";
  await confirmSession(ctx, secret);
  return null;
}

/** Connects a signed-in person with an account. Returns null, or the refusal. */
export function connectOpenId(ctx: Context, identity: Identity, by: OwnOperation): Promise<OpenIdRefusal | null> {
  return ctx.db.tx(async (tx) => {
    if (!(await insertIdentity(tx, identity, by.userId))) return "taken";
    await noteOfPerson(tx, by, "connectOpenId");
    return null;
  });
}

/** `no_password`: without a password, the person could not sign in any more. */
export function disconnectOpenId(ctx: Context, by: OwnOperation): Promise<"no_password" | null> {
  return ctx.db.tx(async (tx) => {
    const user = await users.lock(tx, by.userId);
    if (user?.passwordHash === null) return "no_password";
    if ((await deleteIdentity(tx, by.userId)) !== null) await noteOfPerson(tx, by, "disconnectOpenId");
    return null;
  });
}

const MOST_NAME_CHARACTERS = 128;

/** A name for a new person. The text of a provider may have any characters. */
function nameOf({ name }: Identity, email: string): string {
  const printed = (name ?? "").replace(/[\p{Cc}\p{Cs}]/gu, "").trim();
  return [...(printed === "" ? email : printed)].slice(0, MOST_NAME_CHARACTERS).join("");
}

type Made = { user: User; secret: string } | { refused: OpenIdRefusal };

/** Opens the first session of a person who was made just now. */
async function begin(ctx: Context, user: User, identity: Identity, former: string | null): Promise<Made> {
  return { user, secret: await openSession(ctx, user.id, { former, confirmedAt: confirmedAt(identity) }) };
}

/**
 * Makes a person with the verified e-mail address of an open invitation, or claims the account of the address, and
 * opens a session of the new member.
 */
export async function joinByOpenId(
  ctx: Context,
  found: OpenInvitation,
  identity: Identity,
  { former, clientAddress }: { former: string | null; clientAddress: string },
): Promise<Made> {
  const { email } = identity;
  if (email === null) return { refused: "unverified" };
  if (emailKey(email) !== found.invitation.emailKey) return { refused: "other_address" };
  const holder = await findUserByIdentity(ctx.db.read, identity);
  // A claim also ends the connection of the account that is claimed, so the person may have connected this one before.
  if (holder && holder.emailKey !== found.invitation.emailKey) return { refused: "taken" };
  const own = { name: nameOf(identity, email), passwordHash: null, isProven: true, clientAddress };
  const user = await joinByLink(ctx, found, own, (tx, { id }) => insertIdentity(tx, identity, id));
  return user ? begin(ctx, user, identity, former) : { refused: "gone" };
}

/** Makes the first person of the installation, an owner of each Organization. Check the link first. */
export async function setUpByOpenId(ctx: Context, identity: Identity, former: string | null): Promise<Made> {
  const read = emailSchema.safeParse(identity.email);
  if (!read.success) return { refused: "unverified" };
  const email = read.data;
  const user = userRow({ email, name: nameOf(identity, email), passwordHash: null }, true);
  const isMade = await makeFirstUser(ctx, user, (tx) => insertIdentity(tx, identity, user.id));
  return isMade ? begin(ctx, user, identity, former) : { refused: "gone" };
}
