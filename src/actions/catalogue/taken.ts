import { AppError } from "../../errors.ts";
import { violated } from "../../store/driver/failures.ts";

/** A value that only one resource may have. `index`: the unique index of the table. */
type Unique = {
  index: string;
  field: "key" | "code";
  value: string;
  noun: "Product" | "Benefit" | "Discount";
  findHolder(): Promise<{ id: string; deleted?: boolean } | null>;
};

/**
 * Throws the error of a write again. A violation of `index` becomes a 409 with the place in the body and the id of the
 * resource that has the value.
 * @throws AppError `key_taken`, `code_taken`
 */
export async function refuseTaken(error: unknown, { index, field, value, noun, findHolder }: Unique): Promise<never> {
  if (violated(error) !== index) throw error;
  const code = `${field}_taken` as const;
  const holder = await findHolder();
  // Another request deleted the holder meanwhile.
  if (!holder) throw new AppError(code, { cause: error });
  const { id, deleted = false } = holder;
  const has = deleted ? `the deleted ${noun} ${id} keeps` : `the ${noun} ${id} has`;
  const change = deleted ? "." : `, or change that ${noun}.`;
  const remedy = field === "key" ? `A key never changes: choose another key${change}` : `Choose another code${change}`;
  const message = `This is taken: ${has} the ${field} "${value}". ${remedy}`;
  throw new AppError(code, {
    errors: [{ in: "body", pointer: `/${field}`, code: "taken", message }],
    extra: { resourceId: id },
    cause: error,
  });
}
