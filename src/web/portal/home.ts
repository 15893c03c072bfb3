import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { portalStylesPath } from "../assets.ts";
import { linkTo, safeUrl } from "../components/link.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import { personOf, type Account } from "./account.ts";
import { benefitsSection } from "./benefits.ts";
import { detailsSection } from "./details.ts";
import { emailSection } from "./email.ts";
import { invoicesSection } from "./invoices.ts";
import { operationNotice, type Deed } from "./notice.ts";
import { overdueSection } from "./overdue-section.ts";
import { paymentSection } from "./payment.ts";
import { subscriptionsSection } from "./subscriptions.ts";
import { unfinishedSections } from "./unfinished.ts";
import type { Visit } from "./request.ts";

/** The seller, the signed-in person, and the ways out. */
function top({ organization, visitor, self, words }: Visit): Html {
  const { portal, frame } = words;
  const back = safeUrl(visitor.returnUrl);
  return html`${back ? html`<p class="back">${linkTo(back, frame.back, displayName(organization), "plain")}</p>` : ""}
<header>
${merchantName(organization)}
<h1>${portal.title}</h1>
<form method="post" action="${self}/sign-out">
<p>${portal.signedInAs.markup({ person: html`<bdi>${personOf(words, visitor.customer)}</bdi>` })}</p>
<button class="button other small" type="submit">${portal.signOut}</button>
</form>
</header>`;
}

/**
 * A Customer's whole account, and the links to other pages. Each section has a file of its own. `done`: the deed to be
 * confirmed.
 */
export function homePage(ctx: Context, visit: Visit, account: Account, done: Deed | null): Html {
  const { organization, words } = visit;
  const body = html`<main class="document portal">
${top(visit)}
${operationNotice(words, done)}
${overdueSection(ctx, visit, account)}
${unfinishedSections(ctx, visit, account)}
${subscriptionsSection(visit, account)}
${benefitsSection(visit, account)}
${invoicesSection(ctx, visit, account)}
${paymentSection(visit, account)}
${detailsSection(visit)}
${emailSection(visit, account)}
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words, organization, title: words.portal.title, head, body });
}
