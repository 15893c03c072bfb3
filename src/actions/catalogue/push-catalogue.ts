import type { Context } from "../../context.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import type { CatalogueChange, CatalogueParams, CatalogueResult } from "../../resources/catalogue.ts";
import type { Tx } from "../../store/driver/db.ts";
import { violated } from "../../store/driver/failures.ts";
import { findHolderOfKey } from "../../store/benefits.ts";
import { products } from "../../store/products.ts";
import { countLiveOfProducts } from "../../store/subscriptions.ts";
import { Refusal } from "../../domain/refusal.ts";
import { ownOrigin, type Origin } from "../origin.ts";
import { planCatalogue, type CataloguePlan, type PlannedRow } from "./catalogue-plan.ts";
import { placed } from "./catalogue-place.ts";
import { createBenefit } from "./create-benefit.ts";
import { createDiscount, updateDiscount } from "./discounts.ts";
import { createProduct, updateProduct } from "./products.ts";
import { readCatalogueRows } from "./read-catalogue.ts";
import { updateBenefit } from "./update-benefit.ts";

/** The indexes by which a row that was made meanwhile holds a name of the catalogue. */
const NAMES = ["benefits_organization_id_key_key", "products_organization_id_key_key", "discounts_code"];
/** The refusals of a name that a row holds which the plan did not see. */
const TAKEN: readonly ErrorCode[] = ["key_taken", "code_taken"];
const MOST_ROUNDS = 5;

/** One push in the transaction of its caller. */
class Push {
  readonly #ctx: Context;
  readonly #tx: Tx;
  readonly #organizationId: string;
  readonly #plan: CataloguePlan;

  constructor(ctx: Context, tx: Tx, organizationId: string, plan: CataloguePlan) {
    this.#ctx = ctx;
    this.#tx = tx;
    this.#organizationId = organizationId;
    this.#plan = plan;
  }

  #origin<Row>(): Origin<Row> {
    return ownOrigin<Row>(this.#organizationId, (_, work) => work(this.#tx));
  }

  async run(): Promise<void> {
    const { benefits, products: sold, discounts } = this.#plan;
    // Products are locked before Benefits, as in a grant of a Benefit, and in one order.
    const changed = sold.flatMap(({ change, row }) => (row && change.action !== "unchanged" ? [row.id] : []));
    for (const id of changed.sort()) await products.lock(this.#tx, this.#organizationId, id);
    for (const each of benefits) await placed(each.place, () => this.#benefit(each));
    for (const each of sold) await placed(each.place, () => this.#product(each));
    for (const each of discounts) await placed(each.place, () => this.#discount(each));
  }

  async #benefit({ change, row, params }: CataloguePlan["benefits"][number]): Promise<void> {
    if (change.action === "unchanged") return;
    if (row) {
      const { name, description, properties, metadata } = params;
      await updateBenefit(this.#ctx, this.#origin(), row.id, { name, description, properties, metadata });
      return;
    }
    const holder = await findHolderOfKey(this.#tx, this.#organizationId, change.key);
    if (holder) throw new Refusal("key_taken", { field: "/key", key: change.key, noun: "Benefit", holder });
    const { id } = await createBenefit(this.#ctx, this.#origin(), params);
    this.#plan.benefitIds.set(change.key, id);
  }

  async #product({ change, row, params, names }: CataloguePlan["products"][number]): Promise<void> {
    if (change.action === "unchanged") return;
    const { benefits: _, archived, ...fields } = params;
    const benefitIds = names.map((name) => this.#plan.benefitIds.get(name) ?? name);
    let id = row?.id;
    if (row) {
      const { name, description, prices, unitName, metadata, quantity = { minimum: 1, maximum: 1 } } = fields;
      const values = { name, description, prices, quantity, unitName, benefitIds, metadata, archived };
      await updateProduct(this.#ctx, this.#origin(), row.id, values);
    } else {
      ({ id } = await createProduct(this.#ctx, this.#origin(), { ...fields, benefitIds }));
      if (archived) await updateProduct(this.#ctx, this.#origin(), id, { archived });
    }
    this.#plan.productIds.set(change.key, id!);
  }

  async #discount({ change, row, params, names }: CataloguePlan["discounts"][number]): Promise<void> {
    if (change.action === "unchanged") return;
    const { products: _, ...fields } = params;
    if (row) {
      const { code, maxRedemptions, startsAt, endsAt } = fields;
      await updateDiscount(this.#ctx, this.#origin(), row.id, { code, maxRedemptions, startsAt, endsAt });
      return;
    }
    const productIds = names && names.map((name) => this.#plan.productIds.get(name) ?? name);
    await createDiscount(this.#ctx, this.#origin(), { ...fields, productIds });
  }
}

/** The changes, with the number of live Subscriptions of each changed Product. */
async function counted(tx: Tx, organizationId: string, plan: CataloguePlan): Promise<CatalogueChange[]> {
  const changed = plan.products.flatMap(({ change, row }) => (row && change.action !== "unchanged" ? [row.id] : []));
  const counts =
    changed.length === 0 ? new Map<string, number>() : await countLiveOfProducts(tx, organizationId, changed);
  const rows: PlannedRow[] = [...plan.benefits, ...plan.products, ...plan.discounts];
  return rows.map(({ change, row }) => ({ ...change, subscriptions: (row && counts.get(row.id)) ?? 0 }));
}

async function apply(ctx: Context, tx: Tx, organizationId: string, params: CatalogueParams): Promise<CatalogueResult> {
  const plan = await planCatalogue(ctx, organizationId, await readCatalogueRows(tx, organizationId), params);
  const changes = await counted(tx, organizationId, plan);
  await new Push(ctx, tx, organizationId, plan).run();
  return { changes, left: plan.left };
}

/** Whether another row holds a name of the catalogue. The row may have been made after the plan. */
const isTaken = (error: unknown): boolean =>
  error instanceof AppError ? TAKEN.includes(error.code) : NAMES.includes(violated(error) ?? "");

/** Runs the push again if another request has made a row of the same name meanwhile. */
async function repeated<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let round = 1; ; round += 1) {
    try {
      return await run();
    } catch (error) {
      if (round === MOST_ROUNDS || !isTaken(error)) throw error;
    }
  }
}

/**
 * Makes the Benefits, Products and Discounts that a catalogue names, and changes those that differ, all in one
 * transaction. Rows that the catalogue does not name stay.
 * @throws AppError with the places in the catalogue: 422, 409 `key_taken` `subscription_held`
 */
export async function pushCatalogue(
  ctx: Context,
  origin: Origin<CatalogueResult>,
  params: CatalogueParams,
): Promise<CatalogueResult> {
  return repeated(() => origin.transaction(ctx, (tx) => apply(ctx, tx, origin.organizationId, params)));
}

/** Ends the transaction of a preview, so that no change of it stays. */
class Undone extends Error {
  readonly result: CatalogueResult;
  constructor(result: CatalogueResult) {
    super("undone");
    this.result = result;
  }
}

/** The result of `pushCatalogue`: the push is carried out, and its transaction is undone. */
export async function previewCatalogue(
  ctx: Context,
  organizationId: string,
  params: CatalogueParams,
): Promise<CatalogueResult> {
  const run = () =>
    ctx.db.tx<CatalogueResult>(async (tx) => {
      throw new Undone(await apply(ctx, tx, organizationId, params));
    });
  return repeated(run).catch((error: unknown) => {
    if (error instanceof Undone) return error.result;
    throw error;
  });
}
