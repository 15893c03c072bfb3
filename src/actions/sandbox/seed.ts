import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/organization/organization.ts";
import { CreateBenefitParams, ListBenefitsQuery } from "../../resources/benefit.ts";
import { CreateProductParams } from "../../resources/product.ts";
import { listBenefits } from "../../store/benefits.ts";
import type { Tx } from "../../store/db.ts";
import { lockFirstOrganization } from "../../store/organizations.ts";
import { findProductByKey } from "../../store/products.ts";
import { createBenefit } from "../catalogue/create-benefit.ts";
import { downloadsDirectory } from "../benefit/downloads.ts";
import { createOrganizationWithKeys, type OrganizationWithKeys } from "../organization/create-organization.ts";
import { ownOrigin } from "../origin.ts";
import { createProduct } from "../catalogue/products.ts";

const DOWNLOAD = { path: "demo/handbook.txt", text: "The handbook that came with your purchase.\n" };

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

const PRODUCTS = [
  { key: "free", name: "Free", interval: "month", prices: prices(0, 0, 0), benefits: [] },
  { key: "starter", name: "Starter", interval: "month", prices: prices(1000, 900, 1500), benefits: ["seats-5"] },
  { ...pro, key: "pro", name: "Pro" },
  { ...pro, key: "pro-trial", name: "Pro, 14 days free", trialDays: 14 },
  { ...pro, key: "pro-yearly", name: "Pro, yearly", interval: "year", prices: prices(30_000, 28_000, 45_000) },
  { key: "lifetime", name: "Lifetime", prices: prices(49_900, 45_900, 75_000), benefits: ["license", "handbook"] },
];

async function writeDownload(ctx: Context, organizationId: string): Promise<void> {
  const path = join(downloadsDirectory(ctx, organizationId), DOWNLOAD.path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, DOWNLOAD.text);
}

async function seedCatalogue(ctx: Context, tx: Tx, organizationId: string): Promise<string[]> {
  // Parts of one transaction: all of them are kept or none.
  const origin = <Row>() => ownOrigin<Row>(organizationId, (_, work) => work(tx));
  const benefitIds = new Map<string, string>();
  for (const benefit of BENEFITS) {
    const [present] = await listBenefits(tx, organizationId, ListBenefitsQuery.parse({ key: benefit.key }));
    benefitIds.set(benefit.key, (present ?? (await createBenefit(ctx, origin(), CreateBenefitParams.parse(benefit)))).id);
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

/** The Products and Benefits of the demo for an Organization, but for those whose key it has. Answers the keys of the new Products. */
export async function seed(ctx: Context, organization: Pick<Organization, "id">): Promise<string[]> {
  await writeDownload(ctx, organization.id);
  return ctx.db.tx((tx) => seedCatalogue(ctx, tx, organization.id));
}

/** The sandbox "Demo" with Products, Benefits and keys, if there is no Organization yet; else null. */
export async function seedDemo(ctx: Context): Promise<OrganizationWithKeys | null> {
  return ctx.db.tx(async (tx) => {
    if (!(await lockFirstOrganization(tx))) return null;
    const demo = await createOrganizationWithKeys(tx, { name: "Demo", mode: "sandbox" });
    await writeDownload(ctx, demo.organization.id);
    await seedCatalogue(ctx, tx, demo.organization.id);
    return demo;
  });
}
