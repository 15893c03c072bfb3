import { isDeepStrictEqual } from "node:util";
import type { Context } from "../context.ts";
import type { Organization } from "../domain/organization.ts";
import { AppError } from "../errors.ts";
import { organizationETag, presentOrganization, type UpdateOrganizationParams } from "../resources/organization.ts";
import { billingNow, organizations } from "../store/organizations.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { later } from "./work.ts";

function shown(organization: Organization): Answer {
  return answer(200, presentOrganization(organization), { ETag: organizationETag(organization) });
}

/** Settings for what happens from now on: nothing that is sold or issued changes. @throws AppError `precondition_failed`. */
export async function updateOrganization(
  ctx: Context,
  call: Call,
  params: UpdateOrganizationParams,
  match: (etag: string) => void,
): Promise<Answer> {
  const { dunning, ...fields } = params;
  return commitNow(ctx, call, async (tx) => {
    const organization = await organizations.lock(tx, call.organizationId);
    if (!organization) throw new AppError("not_found");
    match(organizationETag(organization));
    const next = { ...organization, ...fields, ...dunning };
    if (isDeepStrictEqual(next, organization)) return shown(organization);
    const now = later(await billingNow(tx, organization.id), organization.updatedAt);
    const updated = { ...next, version: organization.version + 1, updatedAt: now };
    organizations.update(tx, updated);
    return shown(updated);
  });
}
