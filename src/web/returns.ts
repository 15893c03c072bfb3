import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { openReturn } from "../actions/payment/return.ts";
import type { Context } from "../context.ts";
import { displayName, type Organization } from "../domain/model/organization.ts";
import { isOfPortal } from "../domain/model/payment.ts";
import { organizations } from "../store/organizations.ts";
import type { Words } from "../texts/words.ts";
import { linkTo, pathOf, safeUrl } from "./components/link.ts";
import { messagePage } from "./components/message.ts";
import type { PageEnvironment } from "./environment.ts";
import { wordsOf } from "./language.ts";
import type { Html } from "./layout.ts";
import { noteOperation } from "./portal/notice.ts";
import { rememberVisit } from "./visit.ts";

/** The page of a payment that has no page any more. */
export function returnOverPage(ctx: Context, words: Words, organization: Organization): Html {
  const { returnOver, returnOverTitle: title } = words.problem;
  const seller = displayName(organization);
  const site = safeUrl(organization.websiteUrl);
  const more = site ? linkTo(site, words.frame.back, seller, "button") : undefined;
  return messagePage(ctx, { words, organization, title, icon: "late", text: returnOver({ seller }), more });
}

/**
 * `/return/{name}`: the address to which a provider or a bank sends the buyer back. The redirect drops all that the
 * provider appended to the address.
 */
export function returnPages(ctx: Context, app: Hono<PageEnvironment>): void {
  app.get("/return/:name", async (c) => {
    const words = wordsOf(c);
    const returned = await openReturn(ctx, c.req.param("name"));
    if (!returned) throw new HTTPException(404);
    const { payment, page } = returned;
    if (page !== null) {
      const path = pathOf(page);
      if (payment.checkoutId !== null) rememberVisit(ctx, c, path);
      if (isOfPortal(payment) && payment.status === "succeeded") noteOperation(ctx, c, path, "card");
      return c.redirect(path, 303);
    }
    const organization = await organizations.find(ctx.db.read, payment.organizationId);
    return c.html(returnOverPage(ctx, words, organization!), 410);
  });
}
