import type { Context } from "../../context.ts";
import type { Email } from "../../domain/model/email.ts";
import { compose, readWritten, type Composed } from "./compose-email.ts";
import { composeInvitation } from "./compose-invitation.ts";
import { composeNewPassword } from "./compose-new-password.ts";
import type { Skip } from "./email-context.ts";

export type { Composed } from "./compose-email.ts";

/** The message of a claimed e-mail: its stored text, or else one that is composed of the present state. */
export async function writeEmail(ctx: Context, email: Email): Promise<Composed | Skip> {
  const written = await readWritten(ctx, email);
  if (written) return written;
  if (email.kind === "team_invitation") return composeInvitation(ctx, email);
  return email.kind === "team_password" ? composeNewPassword(ctx, email) : compose(ctx, email);
}
