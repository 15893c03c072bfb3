import { invite, type Invited } from "../../src/actions/team/invite.ts";
import { makingOrigin } from "../../src/cli/command-audit.ts";
import type { Context } from "../../src/context.ts";
import type { Role } from "../../src/domain/team/role.ts";

/** Invites a person as the command does. */
export function inviteTo(
  ctx: Context,
  organizationId: string,
  wanted: { email: string; role: Role; invitedBy: string },
): Promise<Invited> {
  return invite(ctx, makingOrigin(organizationId, "inviteMember", wanted), wanted);
}
