import type { Context } from "../context.ts";
import { isRefusal } from "../domain/refusal.ts";
import { AppError } from "../errors.ts";
import { isId } from "../ids.ts";
import { readOrganization } from "../store/organizations.ts";
import { listProductKeys } from "../store/products.ts";
import { didYouMean, nearest } from "../suggestion.ts";
import type { Endpoint } from "./endpoint.ts";
import type { RouteMatch } from "./routes.ts";

/** 404 for a path with an id that has not the form of its kind. */
export function malformedId({ route, segments }: RouteMatch): AppError {
  const wrong = route.ids.find(({ prefix }, index) => !isId(prefix, segments[index] ?? ""));
  const detail = wrong && `The ${wrong.name} in the path must be an id that begins with \`${wrong.prefix}_\`.`;
  return new AppError("not_found", detail === undefined ? {} : { detail });
}

/** The text is the same for an id of another Organization and for one that never was. */
function unknownId({ route }: RouteMatch): AppError {
  const names = route.ids.map(({ name }) => name).join(" or the ");
  return new AppError("not_found", {
    detail: `The ${names} in the path is unknown in the Organization of the API key.`,
  });
}

/** The refusal of an unknown Product, with the name of the Organization and its similar keys. */
async function unknownProduct({ db }: Context, organizationId: string, key: string): Promise<AppError> {
  const { organization } = await readOrganization(db.read, organizationId);
  const near = didYouMean(nearest(key, await listProductKeys(db.read, organizationId)));
  const message = `The Organization of the API key, ${organization.name}, has no Product with this key.${near}`;
  const fault = { in: "body", pointer: "/productKey", code: "unknown_product", message } as const;
  return new AppError("validation_failed", { errors: [fault] });
}

/**
 * A handler's refusal with advice that needs the path, or a look-up that only a refused request should pay for. Other
 * errors stay as they are.
 */
export async function advise(
  ctx: Context,
  error: unknown,
  match: RouteMatch,
  { call, body }: Parameters<Endpoint["handle"]>[1],
): Promise<unknown> {
  if (isRefusal(error, "not_found") && match.segments.length > 0) return unknownId(match);
  if (!isRefusal(error, "unknown_product") || error.values.field !== "/productKey") return error;
  // Without the advice, the refusal is still right.
  return unknownProduct(ctx, call.organizationId, (body as { productKey: string }).productKey).catch(() => error);
}
