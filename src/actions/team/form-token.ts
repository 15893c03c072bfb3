import type { Context } from "../../context.ts";
import { isSigned, sign } from "../../keyring.ts";
import { digestOf } from "../secret.ts";

const purposeOf = (secret: string) => `dashboard-form:${Buffer.from(digestOf(secret)).toString("hex")}`;

/** The token of all forms of a session. A page of another site can't know the token. `secret`: the session's. */
export function formToken(ctx: Context, secret: string): string {
  return sign(ctx.keyring, purposeOf(secret));
}

/** Whether this is the token of the session. */
export function isFormToken(ctx: Context, secret: string, token: string): boolean {
  return isSigned(ctx.keyring, purposeOf(secret), token);
}
