import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import { bytesOfStep, codeOf, fromBase32, KEY_BYTES, stepAt, toBase32, typedCode } from "../../domain/team/totp.ts";
import type { User } from "../../domain/team/user.ts";
import { isUnderCurrentSecret, open, seal, type SealedField } from "../../encryption.ts";
import type { Tx } from "../../store/driver/db.ts";
import { lockUsersWithFactor, sealedFactors, takeTotpStep, users } from "../../store/users.ts";
import { noteOfPerson } from "./audit.ts";

/** A clock that is off by half a minute is still good. */
const STEPS_AROUND = [0, -1, 1];

// A user belongs to no Organization, so the user's id stands in that place.
const sealedFieldOf = ({ id }: Pick<User, "id">): SealedField => ({ organizationId: id, field: "users.totp" });

/** A new key for an authenticator app, in base32. The key counts once a code of it was given: `addSecondFactor`. */
export const newFactorKey = () => toBase32(randomBytes(KEY_BYTES));

const codeAt = (key: Uint8Array, step: number) => codeOf(createHmac("sha1", key).update(bytesOfStep(step)).digest());

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** The step of a typed code, within half a minute around now; null: the code is wrong. */
function stepOfCode(key: string, typed: string): number | null {
  const [bytes, code, now] = [fromBase32(key), typedCode(typed), stepAt(realNow())];
  if (bytes === null || code === null) return null;
  return STEPS_AROUND.map((n) => now + n).find((step) => isSame(codeAt(bytes, step), code)) ?? null;
}

/** The code that an app shows at an instant in epoch milliseconds. */
export function codeOfApp(key: string, now: number): string {
  const bytes = fromBase32(key);
  if (bytes === null) throw new RangeError("this is not a key of an authenticator app");
  return codeAt(bytes, stepAt(now));
}

/** The key of an encrypted second factor, or the reason why no secret of this process opens it. */
const openFactor = (ctx: Pick<Context, "keyring">, user: { id: string; totpSealed: string }) =>
  open(ctx.keyring, sealedFieldOf(user), user.totpSealed);

/** `current` or `previous`: the factor opens under BILLOW_SECRET or under a previous secret. */
export type FactorState = "current" | "previous" | UnopenedFactor["state"];

/** The state of every second factor of the installation. */
export async function factorStates(ctx: Pick<Context, "db" | "keyring">): Promise<FactorState[]> {
  return (await sealedFactors(ctx.db.read)).map((user) => {
    const opened = openFactor(ctx, user);
    if ("fault" in opened) return opened.fault;
    return isUnderCurrentSecret(ctx.keyring, user.totpSealed) ? "current" : "previous";
  });
}

/** Whether the person has a second factor that no secret of this process opens. The reason is in the log. */
export function hasUnreadableFactor(ctx: Context, { id, totpSealed }: User): boolean {
  const opened = totpSealed === null ? null : openFactor(ctx, { id, totpSealed });
  if (opened === null || !("fault" in opened)) return false;
  ctx.log.warn(
    { userId: id, fault: opened.fault },
    "a second factor can't be decrypted: see node bin/billow.mjs doctor",
  );
  return true;
}

/** Uses up a typed code of the person's second factor. Returns whether the code was right and unused. */
export async function useCode(ctx: Context, user: User, typed: string): Promise<boolean> {
  const { id, totpSealed } = user;
  const opened = totpSealed === null ? null : openFactor(ctx, { id, totpSealed });
  if (opened === null || "fault" in opened) return false;
  const step = stepOfCode(opened.value, typed);
  return step !== null && (await ctx.db.tx((tx) => takeTotpStep(tx, user.id, step)));
}

/** Changes the row of a person under a lock. */
async function update(tx: Tx, userId: string, change: Partial<User>): Promise<void> {
  const row = await users.lock(tx, userId);
  if (row) users.update(tx, { ...row, ...change, updatedAt: instant(realNow()) });
}

/** Gives a person a second factor, once a code of the key is right. Returns whether the code was right. */
export async function addSecondFactor(
  ctx: Context,
  user: User,
  key: string,
  typed: string,
  clientAddress: string,
): Promise<boolean> {
  const step = stepOfCode(key, typed);
  if (step === null) return false;
  const totpSealed = seal(ctx.keyring, sealedFieldOf(user), key);
  await ctx.db.tx(async (tx) => {
    await update(tx, user.id, { totpSealed, totpStep: step });
    await noteOfPerson(tx, { userId: user.id, clientAddress }, "addSecondFactor");
  });
  return true;
}

export async function removeSecondFactor(ctx: Context, user: User, clientAddress: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await update(tx, user.id, { totpSealed: null, totpStep: null });
    await noteOfPerson(tx, { userId: user.id, clientAddress }, "removeSecondFactor");
  });
}

/** A second factor that no secret of this process opens. */
export type UnopenedFactor = { userId: string; state: "unknown_key" | "damaged" };
export type FactorRotation = { reencrypted: number; kept: number; unopened: UnopenedFactor[] };

/** Encrypts the keys of second factors anew that are under a previous secret. */
export function rotateFactors(ctx: Pick<Context, "db" | "keyring">): Promise<FactorRotation> {
  return ctx.db.tx(async (tx) => {
    const sum: FactorRotation = { reencrypted: 0, kept: 0, unopened: [] };
    for (const user of await lockUsersWithFactor(tx)) {
      const opened = open(ctx.keyring, sealedFieldOf(user), user.totpSealed!);
      if ("fault" in opened) sum.unopened.push({ userId: user.id, state: opened.fault });
      else if (isUnderCurrentSecret(ctx.keyring, user.totpSealed!)) sum.kept += 1;
      else {
        users.update(tx, { ...user, totpSealed: seal(ctx.keyring, sealedFieldOf(user), opened.value) });
        sum.reencrypted += 1;
      }
    }
    return sum;
  });
}
