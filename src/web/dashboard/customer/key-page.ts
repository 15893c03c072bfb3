import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { isId } from "../../../ids.ts";
import { benefitGrants } from "../../../store/benefit-grants.ts";
import { benefits } from "../../../store/benefits.ts";
import { secret } from "../components/secret.ts";
import type { Pages } from "../form-action.ts";
import { besidePage, CUSTOMER, pageDataOf } from "./part.ts";

/** `…/customers/{customerId}/access/{grantId}/key`: the whole license key of a grant. */
export const keyPage: Pages = (ctx, app, { confirmed }) => {
  app.get(
    `${CUSTOMER}/access/:grantId/key`,
    confirmed("customers", async (c, visit) => {
      const scene = await pageDataOf(c, visit);
      const grantId = c.req.param("grantId") ?? "";
      const { id: organizationId } = visit.organization;
      const grant = isId("bgr", grantId) ? await benefitGrants.find(ctx.db.read, organizationId, grantId) : null;
      const key = (grant?.properties as { key?: string } | undefined)?.key;
      if (grant?.customerId !== scene.customer.id || key === undefined) throw new HTTPException(404);
      const benefit = await benefits.find(ctx.db.read, organizationId, grant.benefitId);
      const name = benefit?.name ?? grant.benefitId;
      const body = html`<p>The key of <bdi>${name}</bdi>. Give this key only to the Customer.</p>
${secret(`License key of ${name}`, key)}`;
      return c.html(besidePage(scene, "License key", body));
    }),
  );
};
