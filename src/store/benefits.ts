import type { Benefit } from "../domain/model/benefit.ts";
import type { ListBenefitsQuery } from "../resources/benefit.ts";
import { sql, type Queryable, type Tx } from "./driver/db.ts";
import { defineRounds } from "./rounds.ts";
import { defineTable } from "./driver/table.ts";

export const benefits = defineTable<Benefit>(
  "benefits",
  {
    organizationId: "plain",
    id: "plain",
    key: "plain",
    type: "plain",
    name: "plain",
    description: "plain",
    properties: "json",
    metadata: "json",
    deletedAt: "instant",
    syncAt: "instant",
    syncCursor: "plain",
    shownVersion: "plain",
    version: "plain",
    createdAt: "instant",
    updatedAt: "instant",
  },
  { queue: "benefits", at: ({ syncAt }) => syncAt },
);

const manyStatement = sql(
  "benefits.many",
  `SELECT ${benefits.columns()} FROM benefits WHERE organization_id = $1 AND id = ANY($2) AND deleted_at IS NULL`,
);

/** The Benefits among `ids` that exist and are not deleted, in the order of `ids`. */
export async function findBenefits(db: Queryable, organizationId: string, ids: readonly string[]): Promise<Benefit[]> {
  return inOrder(await db.query<Benefit>(manyStatement, [organizationId, ids]), ids);
}

function inOrder(rows: readonly Benefit[], ids: readonly string[]): Benefit[] {
  const found = new Map(rows.map((benefit) => [benefit.id, benefit]));
  return ids.map((id) => found.get(id)).filter((benefit) => benefit !== undefined);
}

/** Rounds over the Customers of edited Benefits, so that the edit reaches their grants (rule B1). */
export const benefitRounds = defineRounds<Benefit>("benefits");

const holdStatement = sql(
  "benefits.hold",
  `SELECT id FROM benefits WHERE organization_id = $1 AND id = ANY($2) AND deleted_at IS NULL ORDER BY id FOR SHARE`,
);
const holderOfKeyStatement = sql(
  "benefits.holder_of_key",
  "SELECT id, deleted_at IS NOT NULL AS deleted FROM benefits WHERE organization_id = $1 AND key = $2",
);
const listStatement = sql(
  "benefits.list",
  `SELECT ${benefits.columns()} FROM benefits
   WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR id < $2)
     AND ($3::text IS NULL OR key = $3) AND ($4::text IS NULL OR type = $4)
     AND ($5::text IS NULL OR position(lower($5) IN lower(name)) > 0)
   ORDER BY id DESC LIMIT $6`,
);

/** Returns the ids that name Benefits. These Benefits can't be deleted until the transaction ends. */
export async function holdBenefits(tx: Tx, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.query<{ id: string }>(holdStatement, [organizationId, ids])).map((row) => row.id));
}

/** The Benefit with this key. A deleted Benefit keeps its key. */
export async function findHolderOfKey(
  db: Queryable,
  organizationId: string,
  key: string,
): Promise<{ id: string; deleted: boolean } | null> {
  return (await db.query<{ id: string; deleted: boolean }>(holderOfKeyStatement, [organizationId, key]))[0] ?? null;
}

/** Newest first; returns one row more than the page holds. */
export async function listBenefits(
  db: Queryable,
  organizationId: string,
  query: ListBenefitsQuery,
): Promise<Benefit[]> {
  const { cursor, key, type, search, limit } = query;
  return db.query<Benefit>(listStatement, [organizationId, cursor, key, type, search, limit + 1]);
}
