import { isDeepStrictEqual } from "node:util";
import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { later } from "../../domain/calendar.ts";
import { presentGrantedBenefit } from "../../resources/benefit-grant.ts";
import type { UpdateBenefitParams } from "../../resources/benefit.ts";
import { benefits } from "../../store/benefits.ts";
import { readOrganization } from "../../store/organizations.ts";
import { lockUndeleted } from "../lock.ts";
import type { Origin, VersionCheck } from "../origin.ts";
import { changedProperties } from "./benefit-properties.ts";

/**
 * Changes the Benefit in all of its grants at once: a grant stores only a license key. Each active grant gets an event
 * about the change soon after (rule B1), unless the grant shows no changed field.
 * @throws Refusal `not_found`, `precondition_failed`, `validation_failed`.
 */
export async function updateBenefit(
  ctx: Context,
  origin: Origin<Benefit>,
  id: string,
  params: UpdateBenefitParams,
  checkVersion?: VersionCheck<Benefit>,
): Promise<Benefit> {
  const { organizationId } = origin;
  return origin.transaction(ctx, async (tx) => {
    const benefit = await lockUndeleted(tx, benefits, organizationId, id, checkVersion);
    const next = { ...benefit, ...params, properties: await changedProperties(ctx, benefit, params) };
    if (isDeepStrictEqual(next, benefit)) return benefit;
    const times = await readOrganization(tx, organizationId);
    const version = benefit.version + 1;
    const due = isDeepStrictEqual(presentGrantedBenefit(next), presentGrantedBenefit(benefit))
      ? {}
      : { syncAt: times.realNow, syncCursor: null, shownVersion: version };
    const updated = { ...next, ...due, version, updatedAt: later(times.now, benefit.updatedAt) };
    benefits.update(tx, updated);
    return updated;
  });
}
