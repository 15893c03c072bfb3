import { emailKey } from "../domain/model/customer.ts";
import { sql, type Queryable, type Statement, type Tx } from "./driver/db.ts";

/** A domain with letters that are not ASCII. Collation "C" takes the range by the codes of the letters. */
const INTERNATIONAL = `'@.*[^ -~]'`;

type Keyed = { organizationId: string; id: string; key: string };

const customersStatement = sql(
  "email_keys.customers",
  `SELECT organization_id AS "organizationId", id, email_key AS key FROM customers
   WHERE email_key ~ ${INTERNATIONAL} ORDER BY organization_id, id`,
);
const setCustomerStatement = sql(
  "email_keys.set_customer",
  `UPDATE customers c SET email_key = $3, shares_email = c.external_id IS NULL AND EXISTS (
     SELECT 1 FROM customers o WHERE o.organization_id = $1 AND o.email_key = $3 AND o.id <> $2
       AND o.external_id IS NULL AND o.deleted_at IS NULL)
   WHERE c.organization_id = $1 AND c.id = $2`,
);

// A later invitation of a mailbox takes the place of an earlier one.
const invitationsStatement = sql(
  "email_keys.invitations",
  `SELECT organization_id AS "organizationId", id, email_key AS key FROM invitations
   WHERE email_key ~ ${INTERNATIONAL} ORDER BY organization_id, id`,
);
const dropInvitationStatement = sql(
  "email_keys.drop_invitation",
  "DELETE FROM invitations WHERE organization_id = $1 AND email_key = $3 AND id <> $2",
);
const setInvitationStatement = sql(
  "email_keys.set_invitation",
  "UPDATE invitations SET email_key = $3 WHERE organization_id = $1 AND id = $2",
);

const changesStatement = sql(
  "email_keys.changes",
  `SELECT organization_id AS "organizationId", id, old_key AS "oldKey", new_key AS "newKey" FROM email_changes
   WHERE old_key ~ ${INTERNATIONAL} OR new_key ~ ${INTERNATIONAL}`,
);
const setChangeStatement = sql(
  "email_keys.set_change",
  "UPDATE email_changes SET old_key = $3, new_key = $4 WHERE organization_id = $1 AND id = $2",
);

const usersStatement = sql(
  "email_keys.users",
  `SELECT id, email_key AS key FROM users WHERE email_key ~ ${INTERNATIONAL} ORDER BY id`,
);
// Of two users with one mailbox, the one with the ASCII form signs in. `doctor` names the other one.
const setUserStatement = sql(
  "email_keys.set_user",
  `UPDATE users SET email_key = $2 WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM users o WHERE o.email_key = $2)`,
);

// Requests are answered within seconds. The visitor of a request that is dropped here asks again.
const dropRequestsStatement = sql(
  "email_keys.drop_requests",
  `DELETE FROM portal_requests WHERE email_key COLLATE "C" ~ ${INTERNATIONAL}`,
);

async function rekey(tx: Tx, select: Statement, ...updates: Statement[]): Promise<void> {
  for (const { organizationId, id, key } of await tx.query<Keyed>(select))
    for (const update of updates) await tx.query(update, [organizationId, id, emailKey(key)]);
}

/**
 * The step of the migration `0086-international-domains.sql`: gives e-mail addresses with international domains the key
 * that `emailKey` computes now. A second run changes no row.
 */
export async function rekeyEmails(tx: Tx): Promise<void> {
  await rekey(tx, customersStatement, setCustomerStatement);
  await rekey(tx, invitationsStatement, dropInvitationStatement, setInvitationStatement);
  type Change = { organizationId: string; id: string; oldKey: string; newKey: string };
  for (const { organizationId, id, oldKey, newKey } of await tx.query<Change>(changesStatement))
    await tx.query(setChangeStatement, [organizationId, id, emailKey(oldKey), emailKey(newKey)]);
  for (const { id, key } of await tx.query<Omit<Keyed, "organizationId">>(usersStatement))
    await tx.query(setUserStatement, [id, emailKey(key)]);
  await tx.query(dropRequestsStatement);
}

const stopSharingStatement = sql(
  "email_keys.stop_sharing",
  "UPDATE customers SET shares_email = false WHERE organization_id = $1 AND id = $2 AND shares_email",
);

/** The Customer gets an address of its own, so the address identifies the Customer again. */
export function stopSharingEmail(tx: Tx, organizationId: string, customerId: string): void {
  tx.send(stopSharingStatement, [organizationId, customerId]);
}

/** Two Customers without an `externalId` that have one mailbox. */
export type SharedMailbox = { organizationId: string; id: string; otherId: string };

const sharedStatement = sql(
  "email_keys.shared",
  `SELECT c.organization_id AS "organizationId", c.id, o.id AS "otherId"
   FROM customers c JOIN customers o ON o.organization_id = $1 AND o.email_key = c.email_key
   WHERE c.organization_id = $1 AND c.shares_email AND c.deleted_at IS NULL AND c.external_id IS NULL
     AND o.id <> c.id AND o.external_id IS NULL AND o.deleted_at IS NULL
   ORDER BY c.id, o.id`,
);

/** The Customers of an Organization that were two before the forms of a domain were taken as one. */
export function sharedMailboxes(db: Queryable, organizationId: string): Promise<SharedMailbox[]> {
  return db.query<SharedMailbox>(sharedStatement, [organizationId]);
}

const unreachableUsersStatement = sql(
  "email_keys.unreachable_users",
  `SELECT id FROM users WHERE email_key ~ ${INTERNATIONAL} ORDER BY id`,
);

/** The users of the dashboard that can't sign in, because another user has the ASCII form of the address. */
export async function shadowedUsers(db: Queryable): Promise<string[]> {
  return (await db.query<{ id: string }>(unreachableUsersStatement)).map(({ id }) => id);
}
