import type { Context } from "../../context.ts";
import { changedBy } from "../../domain/team/audit.ts";
import { installationOwners } from "../../domain/team/installation-owner.ts";
import type { Membership } from "../../domain/team/user.ts";
import type { Queryable, Tx } from "../../store/driver/db.ts";
import { insertMembership, listOwnerships, lockMemberships } from "../../store/memberships.ts";
import { findFirstUser } from "../../store/users.ts";
import { note, type By } from "../team/audit.ts";
import { claimForm, type SentForm } from "../team/form-origin.ts";
import { createOrganizationWithKeys, type NewOrganization, type OrganizationWithKeys } from "./create-organization.ts";

/** `owners`: the ids of the people who own the new Organization in the dashboard. */
export type Founded = OrganizationWithKeys & { owners: string[] };

async function readInstallationOwners(db: Queryable): Promise<string[]> {
  const [ownerships, first] = await Promise.all([listOwnerships(db), findFirstUser(db)]);
  return installationOwners(ownerships, first);
}

/** Whether this person is an owner of the installation. `memberships`: the Organizations of the person. */
export async function ownsInstallation(
  db: Queryable,
  userId: string,
  memberships: readonly Membership[],
): Promise<boolean> {
  // Most people own no Organization. They need no further query.
  if (memberships.length > 0 && memberships.every(({ role }) => role !== "owner")) return false;
  return (await readInstallationOwners(db)).includes(userId);
}

/**
 * Makes an Organization that belongs to each owner of the installation, with entries in its audit log.
 * @throws Refusal `validation_failed`
 */
export async function foundOrganization(tx: Tx, wanted: NewOrganization, by: By): Promise<Founded> {
  const made = await createOrganizationWithKeys(tx, wanted);
  const { id, name, mode, timeZone } = made.organization;
  // The loss of an Organization at this moment must keep the person from the new one. Every transaction that locks both
  // tables inserts into organizations first, so no two of them wait for each other.
  await lockMemberships(tx);
  const owners = await readInstallationOwners(tx);
  note(tx, id, { ...by, operation: "createOrganization", resourceId: id, ...changedBy({ name, mode, timeZone }) });
  for (const userId of owners) {
    insertMembership(tx, id, userId, "owner");
    note(tx, id, { ...by, operation: "joinTeam", resourceId: userId, ...changedBy({ role: "owner" }) });
  }
  return { ...made, owners };
}

/** The person is no owner of the installation any more. */
export class NotAnOwner extends Error {}

/** The sender of the form. */
export type Founder = { userId: string; memberships: readonly Membership[]; by: By };

/**
 * `foundOrganization` by a form of the dashboard, once for each form.
 * @throws Refusal `validation_failed`, NotAnOwner, and the errors of `claimForm`
 */
export function foundByForm(
  ctx: Context,
  { userId, memberships, by }: Founder,
  form: SentForm,
  wanted: NewOrganization,
): Promise<Founded> {
  return ctx.db.tx(async (tx) => {
    // The key of the form needs a present Organization. A person without one founds the first one of the person.
    const [home] = memberships;
    if (home) await claimForm(tx, home.organizationId, form);
    const founded = await foundOrganization(tx, wanted, by);
    if (!founded.owners.includes(userId)) throw new NotAnOwner();
    return founded;
  });
}
