import type { EventType } from "../../domain/event.ts";
import { ListManagedBenefitGrantsQuery } from "../../resources/benefit-grant.ts";
import { CreateBenefitParams } from "../../resources/benefit.ts";
import { ActivateLicenseParams } from "../../resources/license.ts";
import { listGrants } from "../../store/benefit-grants.ts";
import { activateLicense } from "../benefit/licenses.ts";
import { createBenefit } from "../catalogue/create-benefit.ts";
import { subscribe } from "./checkout.ts";
import { makeProduct } from "./product.ts";
import { cancelAtOnce } from "./subscription.ts";
import { own, type Recipe, type World } from "./world.ts";

/** Sells a Product with a license key, and answers the license key. */
async function grant(world: World): Promise<string> {
  const { ctx, organizationId, made } = world;
  const benefit = CreateBenefitParams.parse({ type: "license_key", name: "Triggered" });
  const benefitId = (made["benefitId"] = (await createBenefit(ctx, own(world), benefit)).id);
  await makeProduct(world, { benefitIds: [benefitId] });
  const subscriptionId = await subscribe(world);
  const [granted] = await listGrants(
    ctx.db.read,
    organizationId,
    ListManagedBenefitGrantsQuery.parse({ subscriptionId }),
  );
  made["benefitGrantId"] = granted!.id;
  return granted!.properties["key"]!;
}

export const BENEFIT_GRANT_EVENTS = {
  "benefit_grant.granted": grant,
  "benefit_grant.updated": async (world) => {
    const key = await grant(world);
    await activateLicense(
      world.ctx,
      own(world),
      ActivateLicenseParams.parse({ organizationId: world.organizationId, key }),
    );
  },
  "benefit_grant.revoked": async (world) => {
    await grant(world);
    await cancelAtOnce(world);
  },
} satisfies Partial<Record<EventType, Recipe>>;
