import { displayName } from "../../domain/model/organization.ts";
import type { TrialFacts } from "../../mail/trial.ts";
import { products } from "../../store/products.ts";
import { portalUrl } from "../links.ts";
import { readDeliverables } from "./goods.ts";
import { readNextCharge } from "./next-charge-facts.ts";
import type { LoadedFacts, EmailContext, Skip } from "./email-context.ts";

/**
 * The facts of a trial that has begun, with the goods. The goods were granted in the transaction that queued the
 * e-mail. An invoice follows only at the end of the trial, so the e-mail has no document (rule E4e).
 */
export async function loadTrial(occasion: EmailContext): Promise<LoadedFacts<TrialFacts> | Skip> {
  const { ctx, email, organization, words } = occasion;
  const { id, status, productId, trialEnd } = occasion.subscription!;
  if (status === "canceled") return { skip: "subscription_ended" };
  if (status !== "trialing") return { skip: "past" };
  const db = ctx.db.read;
  const [product, goods, next] = await Promise.all([
    products.find(db, email.organizationId, productId),
    readDeliverables(occasion, { subscriptionId: id }),
    readNextCharge(occasion),
  ]);
  const facts = {
    product: product?.name ?? "",
    seller: displayName(organization),
    day: words.day(trialEnd!, organization.timeZone),
    portal: portalUrl(ctx, organization.id),
    website: organization.websiteUrl,
    goods,
    next,
  };
  return { facts };
}
