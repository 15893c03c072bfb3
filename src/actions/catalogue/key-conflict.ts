import { Refusal } from "../../domain/refusal.ts";
import { violated } from "../../store/driver/failures.ts";

/** A value that only one resource may have. `index`: the unique index of the table. */
type Unique = {
  index: string;
  value: string;
  noun: "Product" | "Benefit" | "Discount" | "payment link";
  findHolder(): Promise<{ id: string; deleted?: boolean } | null>;
};

/**
 * Throws the error of a write again. A violation of `index` becomes a 409 with the place in the body and the id of the
 * resource that has the value.
 * @throws Refusal `key_taken`, `code_taken`
 */
export async function refuseTaken(error: unknown, { index, value, noun, findHolder }: Unique): Promise<never> {
  if (violated(error) !== index) throw error;
  const found = await findHolder();
  // Null: another request deleted the holder meanwhile.
  const holder = found && { id: found.id, deleted: found.deleted ?? false };
  if (noun === "Discount") throw new Refusal("code_taken", { field: "/code", discountCode: value, holder });
  throw new Refusal("key_taken", { field: "/key", key: value, noun, holder });
}
