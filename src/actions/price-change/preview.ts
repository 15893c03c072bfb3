import type { Context } from "../../context.ts";
import { summarize, type RepricingExample, type RepricingSummary } from "../../domain/metrics/repricing.ts";
import {
  candidateOf,
  leftOutReason,
  priceOfRound,
  schedulePrice,
  type LeftOutReason,
  type PriceTerms,
} from "../../domain/model/price-change.ts";
import type { CreatePriceChangeParams } from "../../resources/price-change.ts";
import { readOrganization } from "../../store/organizations.ts";
import { groupRepriced, readRepriced } from "../../store/price-changes.ts";
import { products } from "../../store/products.ts";
import { termsOf } from "./terms.ts";

export type PriceChangePreview = RepricingSummary & { terms: PriceTerms; examples: RepricingExample[] };

const MOST_EXAMPLES = 10;
const PAGE = 100;
/** The most pages that are read for examples: the Subscriptions that keep their price may come first. */
const MOST_PAGES = 5;

/** Ten Subscriptions that move, and ten that keep their price for each reason, among the first ones. */
async function examplesOf(ctx: Context, organizationId: string, terms: PriceTerms): Promise<RepricingExample[]> {
  const { organization, now } = await readOrganization(ctx.db.read, organizationId);
  const at = { now, timeZone: organization.timeZone };
  const counts = new Map<LeftOutReason | null, number>();
  const found: RepricingExample[] = [];
  let after = "";
  for (let page = 0; page < MOST_PAGES && (counts.get(null) ?? 0) < MOST_EXAMPLES; page += 1) {
    const rows = await readRepriced(ctx.db.read, organizationId, terms, after, PAGE);
    for (const subscription of rows) {
      const unitAmount = priceOfRound(terms, subscription.currency)!;
      const reason = leftOutReason(candidateOf(subscription), unitAmount);
      const count = counts.get(reason) ?? 0;
      if (count >= MOST_EXAMPLES) continue;
      counts.set(reason, count + 1);
      const effectiveAt =
        reason === null ? schedulePrice(subscription, { ...terms, id: "" }, unitAmount, at).effectiveAt : null;
      found.push({ subscription, unitAmount, effectiveAt, reason });
    }
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.id;
  }
  return found;
}

/**
 * The effect of a round that would begin now, with the decisions of the round (rule N2). No row changes.
 * @throws Refusal 404, 422
 */
export async function previewPriceChange(
  ctx: Context,
  organizationId: string,
  productId: string,
  params: CreatePriceChangeParams,
): Promise<PriceChangePreview> {
  const terms = termsOf(await products.find(ctx.db.read, organizationId, productId), params);
  const [groups, examples] = await Promise.all([
    groupRepriced(ctx.db.read, organizationId, terms),
    examplesOf(ctx, organizationId, terms),
  ]);
  return { terms, ...summarize(groups, terms), examples };
}
