import type { Membership } from "./user.ts";

/** One owner of one Organization. */
export type Ownership = Pick<Membership, "organizationId" | "mode"> & { userId: string };

/**
 * The ids of the owners of the installation: they own each new Organization, and make one in the dashboard. An owner of
 * the installation owns every live Organization that has an owner. While no live Organization has an owner, the first
 * user is the owner of the installation, because an operator's link made this account, unless other people took every
 * Organization from this user. An owner of a mere sandbox is not an owner of the installation: any owner of a sandbox
 * can invite an address that is not proven.
 * `first`: the first user of the installation; null: there is no user.
 */
export function installationOwners(ownerships: readonly Ownership[], first: string | null): string[] {
  const live = Map.groupBy(
    ownerships.filter(({ mode }) => mode === "live"),
    ({ userId }) => userId,
  );
  const owned = new Set([...live.values()].flat().map(({ organizationId }) => organizationId));
  if (owned.size > 0) return [...live].filter(([, theirs]) => theirs.length === owned.size).map(([userId]) => userId);
  if (first === null) return [];
  return ownerships.length === 0 || ownerships.some(({ userId }) => userId === first) ? [first] : [];
}
