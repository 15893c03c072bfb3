import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { User } from "../../domain/team/user.ts";
import type { Tx } from "../../store/driver/db.ts";
import { deleteIdentity } from "../../store/user-identities.ts";
import { dropUserSessions } from "../../store/user-sessions.ts";
import { users } from "../../store/users.ts";
import { noteOfPerson } from "./audited.ts";
import { queueResetEmail, type ResetWay } from "./tell-reset.ts";

/**
 * A new beginning of an account. `passwordHash` null: the person signs in through the OpenID provider. `isProven`: the
 * person has just proved that the mailbox is the person's own.
 */
export type NewAccess = {
  way: ResetWay;
  name: string;
  passwordHash: string | null;
  isProven: boolean;
  clientAddress: string;
};

/**
 * Gives a person new access, and ends all access of before: password, sessions, second factor and the account at the
 * OpenID provider. A stranger with the former access is out then. `user`: the locked row, with its memberships.
 */
export async function resetAccess(ctx: Context, tx: Tx, user: User, access: NewAccess): Promise<User> {
  const { way, name, passwordHash, isProven, clientAddress } = access;
  const now = instant(realNow());
  const proven = isProven ? { emailProvenAt: now } : {};
  const next = { ...user, name, passwordHash, ...proven, totpSealed: null, totpStep: null, updatedAt: now };
  users.update(tx, next);
  dropUserSessions(tx, user.id);
  const identity = await deleteIdentity(tx, user.id);
  const by = { userId: user.id, clientAddress };
  await noteOfPerson(tx, by, "changePassword");
  if (user.totpSealed !== null) await noteOfPerson(tx, by, "removeSecondFactor");
  if (identity !== null) await noteOfPerson(tx, by, "disconnectOpenId");
  await queueResetEmail(ctx, tx, user, { way, identity });
  return next;
}
