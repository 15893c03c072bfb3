import type { Context } from "../../context.ts";
import { CreateBenefitParams, ListBenefitsQuery } from "../../resources/benefit.ts";
import { CreateProductParams } from "../../resources/product.ts";
import { listBenefits } from "../../store/benefits.ts";
import type { Tx } from "../../store/driver/db.ts";
import { findProductByKey } from "../../store/products.ts";
import { createBenefit } from "../catalogue/create-benefit.ts";
import { createProduct } from "../catalogue/products.ts";
import { ownOrigin } from "../origin.ts";

/** The file that buyers of one of the demo's Benefits can download. The file has to exist before the Benefit. */
export const DOWNLOAD = { path: "demo/handbook.txt", text: "The handbook that came with your purchase.\n" };

const BENEFITS = [
  { key: "sso", type: "feature", name: "Single sign-on" },
  { key: "seats-5", type: "feature", name: "5 seats", properties: { feature: "seats", value: 5 } },
  { key: "seats-25", type: "feature", name: "25 seats", properties: { feature: "seats", value: 25 } },
  { key: "license", type: "license_key", name: "License key", properties: { prefix: "DEMO", activationLimit: 3 } },
  { key: "handbook", type: "download", name: "Handbook", properties: { files: [{ path: DOWNLOAD.path }] } },
  { key: "support", type: "custom", name: "Support by e-mail", properties: { note: "Write to support@example.com." } },
];

const prices = (usd: number, eur: number, jpy: number) => [
  { currency: "usd", amount: usd },
  { currency: "eur", amount: eur },
  { currency: "jpy", amount: jpy },
];
const pro = { interval: "month", prices: prices(3000, 2800, 4500), benefits: ["sso", "seats-25", "support"] };

/** The key of the Product that newcomers buy first. */
export const DEMO_PRODUCT = "pro";

const PRODUCTS = [
  { key: "free", name: "Free", interval: "month", prices: prices(0, 0, 0), benefits: [] },
  { key: "starter", name: "Starter", interval: "month", prices: prices(1000, 900, 1500), benefits: ["seats-5"] },
  { ...pro, key: DEMO_PRODUCT, name: "Pro" },
  { ...pro, key: "pro-trial", name: "Pro, 14 days free", trialDays: 14 },
  { ...pro, key: "pro-yearly", name: "Pro, yearly", interval: "year", prices: prices(30_000, 28_000, 45_000) },
  { key: "lifetime", name: "Lifetime", prices: prices(49_900, 45_900, 75_000), benefits: ["license", "handbook"] },
];

/**
 * Makes the Products and Benefits of the demo, except those with an existing key. Returns the keys of the new
 * Products.
 */
export async function seedCatalogue(ctx: Context, tx: Tx, organizationId: string): Promise<string[]> {
  // All Products and Benefits share one transaction: an error undoes the whole seed.
  const origin = <Row>() => ownOrigin<Row>(organizationId, (_, work) => work(tx));
  const benefitIds = new Map<string, string>();
  for (const benefit of BENEFITS) {
    const [existing] = await listBenefits(tx, organizationId, ListBenefitsQuery.parse({ key: benefit.key }));
    benefitIds.set(
      benefit.key,
      (existing ?? (await createBenefit(ctx, origin(), CreateBenefitParams.parse(benefit)))).id,
    );
  }
  const made: string[] = [];
  for (const { benefits, ...product } of PRODUCTS) {
    if (await findProductByKey(tx, organizationId, product.key)) continue;
    const params = { ...product, benefitIds: benefits.map((key) => benefitIds.get(key)) };
    await createProduct(ctx, origin(), CreateProductParams.parse(params));
    made.push(product.key);
  }
  return made;
}
