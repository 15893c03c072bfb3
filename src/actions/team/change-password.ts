import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import type { User } from "../../domain/team/user.ts";
import { dropUserSessions } from "../../store/user-sessions.ts";
import { users } from "../../store/users.ts";
import { noteOfPerson } from "./audit.ts";
import { hashPassword } from "./password-hash.ts";
import { beginSession } from "./sign-in.ts";

/**
 * Stores a new password for a signed-in person, and ends every session of the person. The second factor and the
 * account at the OpenID provider stay. Returns the secret of a new session for this browser; null if the password was
 * changed meanwhile.
 * @throws AppError `rate_limited`
 */
export async function changePassword(
  ctx: Context,
  user: User,
  password: string,
  clientAddress: string,
): Promise<string | null> {
  const passwordHash = await hashPassword(password);
  return ctx.db.tx(async (tx) => {
    const row = await users.lock(tx, user.id);
    if (row?.passwordHash !== user.passwordHash) return null;
    users.update(tx, { ...row, passwordHash, updatedAt: instant(realNow()) });
    dropUserSessions(tx, user.id);
    await noteOfPerson(tx, { userId: user.id, clientAddress }, "changePassword");
    return beginSession(tx, user.id, { former: null });
  });
}
