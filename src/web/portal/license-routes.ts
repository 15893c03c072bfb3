import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { downloadsDirectory, findBelow } from "../../actions/benefit/downloads.ts";
import { removeActivation } from "../../actions/benefit/licenses.ts";
import { downloadUrl } from "../../actions/links.ts";
import { ownOrigin } from "../../actions/origin.ts";
import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import type { DownloadProperties } from "../../domain/model/benefit.ts";
import { isGranted } from "../../domain/model/license-key.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { isId } from "../../ids.ts";
import { ListLicenseActivationsQuery, type License } from "../../resources/license.ts";
import { presentPage } from "../../resources/page.ts";
import { findActivation, findLicenseOf, listActivations } from "../../store/licenses.ts";
import { pathOf } from "../components/link.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { RequestLimit } from "../guards.ts";
import { licensePage, licensePath, noFilePage, removalPage, type LicenseView } from "./license.ts";
import { allowing } from "./limit.ts";
import { ROOT, type PortalGuard, type PortalRequest } from "./request.ts";

const DEVICES_A_PAGE = 20;

/** The visitor's own grant that the path names. @throws HTTPException 404 for any other grant */
async function openGrant(ctx: Context, c: PageContext, { organization, visitor }: PortalRequest): Promise<License> {
  const id = c.req.param("grantId") ?? "";
  const grant = isId("bgr", id) ? await findLicenseOf(ctx.db.read, organization.id, id) : null;
  if (grant?.customerId !== visitor.customer.id) throw new HTTPException(404);
  return grant;
}

/** @throws HTTPException 404 for a malformed cursor */
function cursorOf(c: PageContext): string | undefined {
  const query = ListLicenseActivationsQuery.pick({ cursor: true }).safeParse({ cursor: c.req.query("cursor") });
  if (!query.success) throw new HTTPException(404);
  return query.data.cursor;
}

async function viewOf(ctx: Context, c: PageContext, request: PortalRequest, license: License): Promise<LicenseView> {
  const page = { cursor: cursorOf(c), limit: DEVICES_A_PAGE };
  const rows = await listActivations(ctx.db.read, request.organization.id, license.id, page);
  const { data: activations, nextCursor: more } = presentPage(rows, DEVICES_A_PAGE, (row) => row);
  return { ...request, license, activations, more };
}

/**
 * Leads to a link that was made at the click, because such links are short-lived. If an operator has taken the file
 * away, the page says so.
 */
async function download(ctx: Context, c: PageContext, request: PortalRequest): Promise<Response> {
  const { organization } = request;
  const grant = await openGrant(ctx, c, request);
  const index = c.req.param("file") ?? "";
  if (grant.benefit.type !== "download" || !/^(0|[1-9]\d{0,5})$/.test(index)) throw new HTTPException(404);
  if (!isGranted(grant, grant.expiresAt, grant.now)) return c.html(noFilePage(ctx, request, null), 410);
  const offered = (grant.benefit.properties as DownloadProperties).files[Number(index)];
  if (!offered) throw new HTTPException(404);
  const found = await findBelow(downloadsDirectory(ctx, organization.id), offered.path);
  if (!found) return c.html(noFilePage(ctx, request, offered.name), 404);
  return c.redirect(pathOf(downloadUrl(ctx, organization.id, grant.id, Number(index), realNow())), 303);
}

/** `{portal}/licences/{grantId}`: a license key with its devices; `{portal}/downloads/…`: the files of a grant. */
export function licensePages(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: PortalGuard): void {
  const removals = new RequestLimit();
  const path = `${ROOT}/licences/:grantId`;
  const onLicense = (answer: (c: PageContext, request: PortalRequest, license: License) => Promise<Response>) =>
    signedIn(
      allowing(ctx, "manageDevices", async (c, request) => {
        const license = await openGrant(ctx, c, request);
        if (license.benefit.type !== "license_key") throw new HTTPException(404);
        return answer(c, request, license);
      }),
    );
  app.get(
    path,
    onLicense(async (c, request, license) => c.html(licensePage(ctx, await viewOf(ctx, c, request, license)))),
  );
  app.get(
    `${path}/devices/:activationId`,
    onLicense(async (c, request, license) => {
      const id = c.req.param("activationId") ?? "";
      const found = isId("act", id) ? await findActivation(ctx.db.read, license.organizationId, license.id, id) : null;
      if (!found) return c.redirect(licensePath(request, license.id), 303);
      return c.html(removalPage(ctx, await viewOf(ctx, c, request, license), found));
    }),
  );
  app.post(
    `${path}/devices/:activationId`,
    onLicense(async (c, request, license) => {
      removals.count(c.env.client);
      const id = c.req.param("activationId") ?? "";
      if (isId("act", id)) await remove(ctx, license, id);
      return c.redirect(licensePath(request, license.id), 303);
    }),
  );
  app.get(
    `${ROOT}/downloads/:grantId/:file`,
    signedIn((c, request) => download(ctx, c, request)),
  );
}

/** Removes a device as the Organization's own API does. A device that is gone already stays gone. */
async function remove(ctx: Context, { organizationId, id }: License, activationId: string): Promise<void> {
  await removeActivation(ctx, ownOrigin(organizationId), id, activationId).catch((error: unknown) => {
    if (!isRefusal(error, "not_found")) throw error;
  });
}
