import { isDeepStrictEqual } from "node:util";
import type { Context } from "../context.ts";
import { EMAIL_SWITCHES, SWITCHED_EMAIL_KINDS, type SwitchedEmailKind } from "../domain/email.ts";
import type { Organization } from "../domain/organization.ts";
import { AppError } from "../errors.ts";
import { organizationETag, presentOrganization, type UpdateOrganizationParams } from "../resources/organization.ts";
import { billingNow, organizations } from "../store/organizations.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { portalUrl } from "./links.ts";
import { later } from "./work.ts";

function shown(ctx: Context, organization: Organization): Answer {
  return answer(200, presentOrganization(organization, portalUrl(ctx, organization.id)), { ETag: organizationETag(organization) });
}

/** The kinds that are off once these switches are set. */
function emailsOff(off: readonly SwitchedEmailKind[], switches: UpdateOrganizationParams["emails"] = {}): SwitchedEmailKind[] {
  return SWITCHED_EMAIL_KINDS.filter((kind) => !(switches[EMAIL_SWITCHES[kind]] ?? !off.includes(kind)));
}

/** Settings for what happens from now on: nothing that is sold or issued changes. @throws AppError `precondition_failed`. */
export async function updateOrganization(
  ctx: Context,
  call: Call,
  params: UpdateOrganizationParams,
  match: (etag: string) => void,
): Promise<Answer> {
  const { dunning, emails, ...fields } = params;
  return commitNow(ctx, call, async (tx) => {
    const organization = await organizations.lock(tx, call.organizationId);
    if (!organization) throw new AppError("not_found");
    match(organizationETag(organization));
    const next = { ...organization, ...fields, ...dunning, emailsOff: emailsOff(organization.emailsOff, emails) };
    if (isDeepStrictEqual(next, organization)) return shown(ctx, organization);
    const now = later(await billingNow(tx, organization.id), organization.updatedAt);
    const updated = { ...next, version: organization.version + 1, updatedAt: now };
    organizations.update(tx, updated);
    return shown(ctx, updated);
  });
}
