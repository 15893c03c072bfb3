import { isDeepStrictEqual } from "node:util";
import type { Context } from "../context.ts";
import { EMAIL_SWITCHES, SWITCHED_EMAIL_KINDS, type SwitchedEmailKind } from "../domain/email.ts";
import type { Organization } from "../domain/organization.ts";
import type { WebhookEndpoint } from "../domain/webhook.ts";
import { AppError } from "../errors.ts";
import { organizationETag, presentOrganization, type UpdateOrganizationParams } from "../resources/organization.ts";
import { billingNow, organizations } from "../store/organizations.ts";
import { endpointsGivenUp } from "../store/webhooks.ts";
import { answer, commitNow, type Answer, type Call } from "./answer.ts";
import { portalUrl } from "./links.ts";
import { later } from "./work.ts";

function shown(ctx: Context, organization: Organization, givenUp: readonly WebhookEndpoint[]): Answer {
  const body = presentOrganization(organization, portalUrl(ctx, organization.id), givenUp);
  return answer(200, body, { ETag: organizationETag(organization, givenUp) });
}

/** `GET /organization` @throws AppError `not_found` */
export async function showOrganization(ctx: Context, { organizationId }: Call): Promise<Answer> {
  const { read } = ctx.db;
  const [organization, givenUp] = await Promise.all([organizations.find(read, organizationId), endpointsGivenUp(read, organizationId)]);
  if (!organization) throw new AppError("not_found");
  return shown(ctx, organization, givenUp);
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
    const givenUp = await endpointsGivenUp(tx, organization.id);
    match(organizationETag(organization, givenUp));
    const next = { ...organization, ...fields, ...dunning, emailsOff: emailsOff(organization.emailsOff, emails) };
    if (isDeepStrictEqual(next, organization)) return shown(ctx, organization, givenUp);
    const now = later(await billingNow(tx, organization.id), organization.updatedAt);
    const updated = { ...next, version: organization.version + 1, updatedAt: now };
    organizations.update(tx, updated);
    return shown(ctx, updated, givenUp);
  });
}
