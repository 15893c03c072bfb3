import type { Context } from "../../context.ts";
import type { Role } from "../../domain/team/role.ts";
import type { Tx } from "../../store/driver/db.ts";
import { changeRole, deleteMembership, lockRoles } from "../../store/memberships.ts";
import { organizations } from "../../store/organizations.ts";
import { note, type By } from "./audited.ts";

/** `last_owner`: an Organization without an owner could not be managed. `gone`: the person is no member by now. */
export type MemberRefusal = "last_owner" | "gone";

/** Runs a change of one member with all roles locked, unless the change takes the last owner. */
function onMember(
  ctx: Context,
  organizationId: string,
  userId: string,
  staysOwner: boolean,
  change: (tx: Tx) => void,
): Promise<MemberRefusal | null> {
  return ctx.db.tx(async (tx) => {
    const roles = await lockRoles(tx, organizationId);
    if (!roles.has(userId)) return "gone";
    const hasOtherOwner = [...roles].some(([id, role]) => role === "owner" && id !== userId);
    if (!staysOwner && !hasOtherOwner) return "last_owner";
    change(tx);
    return null;
  });
}

/** Gives a member another role, which counts from the member's next request. */
export function giveRole(
  ctx: Context,
  organizationId: string,
  userId: string,
  role: Role,
  by: By,
): Promise<MemberRefusal | null> {
  return onMember(ctx, organizationId, userId, role === "owner", (tx) => {
    changeRole(tx, organizationId, userId, role);
    const change = { fields: ["role"], values: { role } };
    note(tx, organizationId, { ...by, operation: "changeMemberRole", resourceId: userId, ...change });
  });
}

/** Removes a member. The member's next request finds no Organization. The account stays, for other Organizations. */
export function removeMember(
  ctx: Context,
  organizationId: string,
  userId: string,
  by: By,
): Promise<MemberRefusal | null> {
  return onMember(ctx, organizationId, userId, false, (tx) => {
    deleteMembership(tx, organizationId, userId);
    note(tx, organizationId, { ...by, operation: "removeMember", resourceId: userId });
  });
}

/** Sets the most that support may refund at once, in minor units of the default currency; null: no refund. */
export async function limitSupport(ctx: Context, organizationId: string, limit: number | null, by: By): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const organization = await organizations.lock(tx, organizationId);
    if (!organization) return;
    organizations.update(tx, { ...organization, supportRefundLimit: limit });
    const change = { fields: ["supportRefundLimit"], values: { supportRefundLimit: limit } };
    note(tx, organizationId, { ...by, operation: "updateOrganization", resourceId: organizationId, ...change });
  });
}
