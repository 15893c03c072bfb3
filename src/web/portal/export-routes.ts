import type { Hono } from "hono";
import type { Context } from "../../context.ts";
import type { PageEnvironment } from "../environment.ts";
import { answerWithExport } from "../export-answer.ts";
import { RequestLimit } from "../guards.ts";
import { exportPage } from "./export.ts";
import { allowing } from "./limit.ts";
import { ROOT, type PortalGuard } from "./request.ts";

/** A file of an account takes a connection of the database. */
const MOST_FILES_A_MINUTE = 5;

/** A signed-in Customer downloads all data of the account, if the seller allows it (rule I10a). */
export function exportPages(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: PortalGuard): void {
  const byCustomer = new RequestLimit(MOST_FILES_A_MINUTE);
  const path = `${ROOT}/export`;
  app.get(path, signedIn(allowing(ctx, "export", async (c, request) => c.html(exportPage(ctx, request)))));
  app.get(
    `${path}/file`,
    signedIn(
      allowing(ctx, "export", async (c, { organization, visitor }) => {
        byCustomer.count(visitor.customer.id);
        return answerWithExport(ctx, c, organization.id, visitor.customer.id, "customer");
      }),
    ),
  );
}
