import { Readable } from "node:stream";
import { customerExportHeaders, exportCustomer, type Audience } from "../actions/export/customer-export.ts";
import type { Context } from "../context.ts";
import type { PageContext } from "./environment.ts";

/** Answers all data of a Customer as a file. @throws Refusal `not_found`, AppError `rate_limited`, `unavailable` */
export async function answerWithExport(
  ctx: Context,
  c: PageContext,
  organizationId: string,
  customerId: string,
  audience: Audience,
): Promise<Response> {
  const { bytes, open } = await exportCustomer(ctx, organizationId, customerId, audience);
  for (const [name, value] of Object.entries(customerExportHeaders(customerId))) c.header(name, value);
  c.header("Content-Length", String(bytes));
  if (c.req.method === "HEAD") return c.body(null);
  return c.body(Readable.toWeb(open()) as ReadableStream);
}
