import type { Organization } from "../../domain/model/organization.ts";
import { PORTAL_OPERATIONS, portalAllows } from "../../domain/model/portal-settings.ts";
import { AppError, type Fault } from "../../errors.ts";
import type { UpdateOrganizationParams } from "../../resources/organization.ts";
import type { Queryable } from "../../store/driver/db.ts";
import { products } from "../../store/products.ts";

/**
 * The settings of the portal after a change (rule I10). Absent fields stay as they are.
 * @throws AppError `validation_failed` for a Product that does not exist
 */
export async function portalChange(
  db: Queryable,
  organization: Organization,
  params: NonNullable<UpdateOrganizationParams["portal"]>,
): Promise<Pick<Organization, "portalOff" | "portalProducts">> {
  const { products: listed = organization.portalProducts } = params;
  if (params.products) await refuseUnknownProducts(db, organization.id, params.products);
  const portalOff = PORTAL_OPERATIONS.filter((deed) => !(params[deed] ?? portalAllows(organization, deed)));
  return { portalOff, portalProducts: listed };
}

async function refuseUnknownProducts(db: Queryable, organizationId: string, ids: readonly string[]): Promise<void> {
  const known = await products.findAll(db, organizationId, ids);
  const message = "There is no such Product.";
  const errors = ids.flatMap<Fault>((id, index) =>
    known.has(id) ? [] : [{ in: "body", pointer: `/portal/products/${index}`, code: "not_found", message }],
  );
  if (errors.length > 0) throw new AppError("validation_failed", { errors });
}
