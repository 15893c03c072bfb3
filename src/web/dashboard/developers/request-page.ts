import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type { Context } from "../../../context.ts";
import type { ApiKey } from "../../../domain/organization/api-key.ts";
import { counted } from "../../../domain/words.ts";
import { ERRORS, type ErrorCode } from "../../../errors.ts";
import { isId } from "../../../ids.ts";
import { apiKeys } from "../../../store/api-keys.ts";
import { apiRequests, type ApiRequest } from "../../../store/api-requests.ts";
import { basePath, developersStylesPath } from "../../assets.ts";
import type { PageEnvironment } from "../../environment.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { exactTime, id, NONE } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import type { DashboardGuard } from "../guard.ts";
import { dashboardPage } from "../frame.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { findResourcePath, resourceLink } from "./event-page.ts";
import { keyPath } from "./paths.ts";
import { requestBadge } from "./request-list.ts";

/** A text with the parts between back quotes as code. */
const withCode = (text: string) => text.split("`").map((part, n) => (n % 2 === 1 ? html`<code>${part}</code>` : part));

/** The reason of a refusal, and the advice of the API's documentation. */
function refusal(ctx: Context, { errorCode }: ApiRequest): Html | "" {
  if (errorCode === null || !Object.hasOwn(ERRORS, errorCode)) return "";
  const [, title, advice] = ERRORS[errorCode as ErrorCode];
  const docs = `${basePath(ctx)}/docs/errors#${errorCode}`;
  return notice("warning", html`${title}. ${withCode(advice)} <a href="${docs}">More about this error</a>`);
}

type RequestData = { found: ApiRequest; key: ApiKey | null; resourcePath: string | null };

function page(request: DashboardRequest, { found, key, resourcePath }: RequestData): Html {
  const { ctx, organization, self } = request;
  const { resourceId, idempotencyKey } = found;
  const body = html`${refusal(ctx, found)}
${definitions([
  ["Status", requestBadge(found)],
  ["Error", found.errorCode === null ? NONE : html`<code>${found.errorCode}</code>`],
  ["Resource", resourceId === null ? NONE : resourceLink(resourceId, resourcePath)],
  ["API key", html`<a href="${keyPath(self, found.keyId)}"><bdi>${key?.name ?? found.keyId}</bdi></a>`],
  ["Client address", found.clientAddress],
  ["Time", exactTime(found.at, organization.timeZone)],
  ["Duration", `${found.durationMs} ms`],
  ["Idempotency-Key", idempotencyKey === null ? NONE : html`<code>${idempotencyKey}</code>`],
  ["Id", id(found.id)],
])}
<p class="older note">Bodies are not kept. Requests are kept for ${counted(ctx.config.retention.requests, "day")}.</p>`;
  const title = `${found.method} ${found.path}`;
  const head = stylesheet(developersStylesPath(ctx));
  return dashboardPage(request, { section: "requests", title, body, head });
}

/** `/dashboard/{organizationId}/developers/requests/{requestId}`: one request of the log. */
export function requestPage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardGuard): void {
  app.get(
    `${ROOT}/developers/requests/:requestId`,
    signedIn("events", async (c, request) => {
      const { organization } = request;
      const requestId = c.req.param("requestId") ?? "";
      const found = isId("req", requestId) ? await apiRequests.find(ctx.db.read, organization.id, requestId) : null;
      if (!found) throw new HTTPException(404);
      const { resourceId } = found;
      const [key, resourcePath] = await Promise.all([
        apiKeys.find(ctx.db.read, organization.id, found.keyId),
        resourceId === null ? null : findResourcePath(ctx, request, resourceId),
      ]);
      return c.html(page(request, { found, key, resourcePath }));
    }),
  );
}
