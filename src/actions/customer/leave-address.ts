import type { Tx } from "../../store/driver/db.ts";
import { stopSharingEmail } from "../../store/email-keys.ts";
import { closePortal } from "../../store/portal.ts";

/** A Customer gets another e-mail address. The old address may belong to another person by now (rule I11c). */
export function leaveAddress(tx: Tx, organizationId: string, customerId: string): void {
  closePortal(tx, organizationId, customerId);
  stopSharingEmail(tx, organizationId, customerId);
}
