import { isRefusal, Refusal } from "../../domain/refusal.ts";
import { AppError } from "../../errors.ts";
import { presentRefusal } from "../../resources/refusal.ts";

/** A fault of a value that can't be changed, or of a name that does not exist. */
export const faultAt = (pointer: string, code: string, message: string) =>
  new AppError("validation_failed", { errors: [{ in: "body", pointer, code, message }] });

/** An error of one row with the place of the row in the catalogue. */
function at(place: string, error: unknown): unknown {
  const known = error instanceof Refusal && !isRefusal(error, "precondition_failed") ? presentRefusal(error) : error;
  if (!(known instanceof AppError) || known.status >= 500) return error;
  const { errors, ...parts } = known.parts;
  if (!errors) return new AppError(known.code, { ...parts, detail: `${place}: ${known.message}` });
  const placedErrors = errors.map((each) => ({ ...each, pointer: place + each.pointer }));
  return new AppError(known.code, { ...parts, errors: placedErrors });
}

/** Runs the change of one row. @throws AppError with the place of the row */
export async function placed<Result>(place: string, run: () => Promise<Result>): Promise<Result> {
  return run().catch((error: unknown) => {
    throw at(place, error);
  });
}
