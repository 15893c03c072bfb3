import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { listSandboxesForAll } from "../actions/sandbox/try-links.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../domain/refusal.ts";
import { AppError, RETRY_SOON } from "../errors.ts";
import { presentRefusal } from "../resources/refusal.ts";
import { findAsset, ROBOTS } from "./assets.ts";
import { buyPages } from "./buy/routes.ts";
import { checkoutPages } from "./checkout/routes.ts";
import { dashboardPages } from "./dashboard/routes.ts";
import { documentPages } from "./documents/routes.ts";
import { downloadPages } from "./downloads.ts";
import type { PageContext, PageEnvironment } from "./environment.ts";
import { wordsOf } from "./language.ts";
import { protect, refuseForeignForms } from "./guards.ts";
import { homePage } from "./home.ts";
import { portalPages } from "./portal/routes.ts";
import { problemPage } from "./problem-page.ts";
import { returnPages } from "./returns.ts";
import { challengePages } from "./sandbox/challenge.ts";
import { emailPages } from "./sandbox/emails.ts";
import { payPages } from "./sandbox/pay.ts";
import { tryPages } from "./sandbox/try.ts";

/** A static file is named by its content, so a browser never has to ask for it again. */
const FOR_A_DAY = "public, max-age=86400";
const FOR_GOOD = "public, max-age=31536000, immutable";

/** The page for an error. The details of unexpected errors, and of those with a 5xx, go to the log. */
function problem(ctx: Context, c: PageContext, thrown: Error): Response | Promise<Response> {
  const error = thrown instanceof Refusal ? presentRefusal(thrown) : thrown;
  const known = error instanceof HTTPException || error instanceof AppError;
  const status = known ? error.status : 500;
  const { requestId } = c.env;
  if (!known) ctx.log.error({ requestId, err: error }, "a page failed");
  // For example, the database can't be reached. That is no fault of Billow, and may happen many times a second.
  else if (status >= 500) ctx.log.warn({ requestId, err: error.cause ?? error }, "a page can't be shown");
  if (status === 429) c.header("Retry-After", "60");
  if (status === 503) c.header("Retry-After", RETRY_SOON["Retry-After"]);
  return c.html(problemPage(ctx, wordsOf(c), status), status as ContentfulStatusCode);
}

function files(app: Hono<PageEnvironment>): void {
  app.get("/static/:file", async (c) => {
    const asset = findAsset(c.req.path);
    if (!asset) throw new HTTPException(404);
    const { body, headers } = await asset.encoded(c.req.header("Accept-Encoding"));
    return c.body(body, 200, { "Content-Type": asset.type, "Cache-Control": FOR_GOOD, ...headers });
  });
  app.get("/favicon.ico", async (c) => {
    const { encoded, type } = findAsset("/favicon.ico")!;
    const { body, headers } = await encoded(c.req.header("Accept-Encoding"));
    return c.body(body, 200, { "Content-Type": type, "Cache-Control": FOR_A_DAY, ...headers });
  });
  app.get("/robots.txt", (c) => c.text(ROBOTS, 200, { "Cache-Control": FOR_A_DAY }));
}

/** `flush`: writes what the pages keep in memory, before the server ends. */
type WebApp = Hono<PageEnvironment> & { flush(): Promise<void> };

/** The hosted pages. Each page works without a script and loads only files of its own origin. */
export function createWebApp(ctx: Context): WebApp {
  const { publicOrigin } = ctx.config;
  const app = new Hono<PageEnvironment>();
  app.use(async (c, next) => {
    await next();
    c.env.noteRoute?.(routePath(c, -1));
  });
  app.use(protect(publicOrigin));
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => c.html(problemPage(ctx, wordsOf(c), 405), 405, { Allow: methods.join(", ") }),
    }),
  );
  app.use(refuseForeignForms(publicOrigin));
  app.get("/", async (c) => c.html(homePage(ctx, c.env.isLocal ? await listSandboxesForAll(ctx) : [])));
  files(app);
  const flush = buyPages(ctx, app);
  checkoutPages(ctx, app);
  returnPages(ctx, app);
  challengePages(ctx, app);
  payPages(ctx, app);
  emailPages(ctx, app);
  tryPages(ctx, app);
  downloadPages(ctx, app);
  documentPages(ctx, app);
  portalPages(ctx, app);
  dashboardPages(ctx, app);
  app.notFound((c) => c.html(problemPage(ctx, wordsOf(c), 404), 404));
  app.onError((error, c) => problem(ctx, c, error));
  return Object.assign(app, { flush });
}
