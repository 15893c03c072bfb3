import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import { later } from "../../domain/calendar.ts";
import { EMAIL_SWITCHES, SWITCHED_EMAIL_KINDS, type SwitchedEmailKind } from "../../domain/model/email.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { switched } from "../../domain/model/portal-settings.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Problems, UpdateOrganizationParams } from "../../resources/organization.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { billingNow, organizations } from "../../store/organizations.ts";
import { products } from "../../store/products.ts";
import { dropTaxRegionReview } from "../../store/tax-region-review.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { readProblems } from "./problems.ts";

/** An Organization with the problems that its settings show. */
export type OrganizationView = { organization: Organization; problems: Problems };

/** The kinds of e-mail that are switched off after these switches are set. */
function emailsOff(
  off: readonly SwitchedEmailKind[],
  switches: UpdateOrganizationParams["emails"] = {},
): SwitchedEmailKind[] {
  return SWITCHED_EMAIL_KINDS.filter((kind) => !(switches[EMAIL_SWITCHES[kind]] ?? !off.includes(kind)));
}

/**
 * The settings of the portal after a change (rule I10). Absent fields stay as they are.
 * @throws Refusal `validation_failed` for a Product that does not exist
 */
async function portalChange(
  db: Queryable,
  organization: Organization,
  params: NonNullable<UpdateOrganizationParams["portal"]>,
): Promise<Pick<Organization, "portalOff" | "portalOn" | "portalProducts" | "portalPause">> {
  const { products: listed = organization.portalProducts, pause: portalPause = organization.portalPause } = params;
  if (params.products) await refuseUnknownProducts(db, organization.id, params.products);
  return { ...switched(organization, params), portalProducts: listed, portalPause };
}

async function refuseUnknownProducts(db: Queryable, organizationId: string, ids: readonly string[]): Promise<void> {
  const known = await products.findAll(db, organizationId, ids);
  const fields = ids.flatMap((id, index) => (known.has(id) ? [] : [`/portal/products/${index}` as const]));
  if (fields.length > 0) throw new Refusal("unknown_portal_products", { fields });
}

/**
 * Changes the settings from now on; earlier sales and issued documents stay unchanged.
 * @throws Refusal `precondition_failed`, `validation_failed`.
 */
export async function updateOrganization(
  ctx: Context,
  origin: Origin<OrganizationView>,
  params: UpdateOrganizationParams,
  checkVersion?: VersionCheck<OrganizationView>,
): Promise<OrganizationView> {
  const { dunning, emails, portal, ...fields } = params;
  return origin.transaction(ctx, async (tx) => {
    const organization = await organizations.lock(tx, origin.organizationId);
    if (!organization) throw new Refusal("not_found");
    if (params.sandboxEntry !== undefined && organization.mode === "live")
      throw new Refusal("sandbox_only", { field: "/sandboxEntry" });
    const found = await readProblems(tx, organization.id);
    checkVersion?.({ organization, problems: found });
    const problems = params.taxRates && found.taxRegions ? { ...found, taxRegions: null } : found;
    if (problems !== found) dropTaxRegionReview(tx, organization.id);
    const next = {
      ...organization,
      ...fields,
      ...dunning,
      emailsOff: emailsOff(organization.emailsOff, emails),
      ...(portal && (await portalChange(tx, organization, portal))),
    };
    if (isDeepStrictEqual(next, organization)) return { organization, problems };
    const now = later(await billingNow(tx, organization.id), organization.updatedAt);
    const updated = { ...next, version: organization.version + 1, updatedAt: now };
    organizations.update(tx, updated);
    return { organization: updated, problems };
  });
}
