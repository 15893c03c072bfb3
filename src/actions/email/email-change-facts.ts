import { CONFIRM_HOURS, maskedLocalPart, UNDO_DAYS, type EmailChange } from "../../domain/model/email-change.ts";
import { displayName } from "../../domain/model/organization.ts";
import type { EmailChangedFacts, EmailConfirmFacts } from "../../mail/email-change.ts";
import { changesOf } from "../../store/email-changes.ts";
import { emailChangeUrl } from "../links.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";

async function findChange(
  { ctx, email, organization, customer, realNow }: EmailContext,
  status: EmailChange["status"],
): Promise<EmailChange | Skip> {
  const own = await changesOf(ctx.db.read, organization.id, customer.id);
  const change = own.find(({ confirmEmailId, undoEmailId }) => [confirmEmailId, undoEmailId].includes(email.id));
  if (change?.status !== status) return { skip: "changed_meanwhile" };
  return change.expiresAt > realNow ? change : { skip: "past" };
}

/**
 * The letter to a new address. The letter names neither the Customer nor the present address, because a mistyped
 * address belongs to a stranger.
 */
export async function loadEmailConfirm(occasion: EmailContext): Promise<LoadedFacts<EmailConfirmFacts> | Skip> {
  const change = await findChange(occasion, "asked");
  if ("skip" in change) return change;
  const { ctx, organization } = occasion;
  const url = emailChangeUrl(ctx, "confirm", change);
  const facts = { seller: displayName(organization), hours: CONFIRM_HOURS, url };
  return { facts, to: { name: "", recipient: change.newEmail } };
}

/** The letter to the old address. The new address is shown in part. */
export async function loadEmailChanged(occasion: EmailContext): Promise<LoadedFacts<EmailChangedFacts> | Skip> {
  const change = await findChange(occasion, "changed");
  if ("skip" in change) return change;
  const { ctx, organization, customer } = occasion;
  const url = emailChangeUrl(ctx, "undo", change);
  const address = maskedLocalPart(change.newEmail);
  const facts = { seller: displayName(organization), address, days: UNDO_DAYS, url };
  return { facts, to: { name: customer.name ?? "", recipient: change.oldEmail } };
}
