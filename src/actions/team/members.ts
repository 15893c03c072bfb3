import type { Context } from "../../context.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/team/role.ts";
import type { Tx } from "../../store/driver/db.ts";
import { changeRole, deleteMembership, lockRoles } from "../../store/memberships.ts";
import { organizations } from "../../store/organizations.ts";
import type { Origin } from "../origin.ts";

/**
 * Runs a change of one member with all roles locked. An Organization without an owner could not be managed.
 * @throws Refusal `not_found` for a person who is no member by now, `last_owner`
 */
function onMember(
  ctx: Context,
  origin: Origin<void>,
  userId: string,
  staysOwner: boolean,
  change: (tx: Tx) => void,
): Promise<void> {
  return origin.transaction(ctx, async (tx) => {
    const roles = await lockRoles(tx, origin.organizationId);
    if (!roles.has(userId)) throw new Refusal("not_found");
    const hasOtherOwner = [...roles].some(([id, role]) => role === "owner" && id !== userId);
    if (!staysOwner && !hasOtherOwner) throw new Refusal("last_owner");
    change(tx);
  });
}

/** Gives a member another role, which counts from the member's next request. @throws as `onMember` */
export function giveRole(ctx: Context, origin: Origin<void>, userId: string, role: Role): Promise<void> {
  return onMember(ctx, origin, userId, role === "owner", (tx) => changeRole(tx, origin.organizationId, userId, role));
}

/**
 * Removes a member. The member's next request finds no Organization. The account stays, for other Organizations.
 * @throws as `onMember`
 */
export function removeMember(ctx: Context, origin: Origin<void>, userId: string): Promise<void> {
  return onMember(ctx, origin, userId, false, (tx) => deleteMembership(tx, origin.organizationId, userId));
}

/**
 * Sets the most that support may refund at once, in minor units of the default currency; null: no refund.
 * @throws Refusal `not_found`
 */
export function limitSupport(ctx: Context, origin: Origin<void>, limit: number | null): Promise<void> {
  return origin.transaction(ctx, async (tx) => {
    const organization = await organizations.lock(tx, origin.organizationId);
    if (!organization) throw new Refusal("not_found");
    organizations.update(tx, { ...organization, supportRefundLimit: limit });
  });
}
