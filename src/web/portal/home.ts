import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { displayName } from "../../domain/model/organization.ts";
import { portalStylesPath } from "../assets.ts";
import { linkTo, safeUrl, pathOf } from "../components/link.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import { requestOf, type Account } from "./account.ts";
import { benefitsSection } from "./benefits.ts";
import { detailsSection } from "./details.ts";
import { emailSection } from "./email.ts";
import { exportSection } from "./export.ts";
import { invoicesSection } from "./invoices.ts";
import { operationNotice, type PortalOperation } from "./notice.ts";
import { overdueSection } from "./overdue-section.ts";
import { subscriptionsSection } from "./subscriptions.ts";
import type { PortalRequest } from "./request.ts";
import { checkoutUrl } from "../../actions/links.ts";
import type { Unfinished } from "../../domain/checkout/unfinished-checkouts.ts";
import type { Words } from "../../texts/words.ts";
import { cardName } from "../../domain/model/card-name.ts";
import { countedName } from "../components/sold-name.ts";
import { cardBrand } from "../components/card-brand.ts";
import { cardUseOf, type CardUse } from "./card-use.ts";
import { consentSections } from "./price.ts";
import { section } from "./section.ts";

/** Whether a Subscription is charged to another card than the default card (rule C12f). */
const paysElsewhere = (onFile: Account["card"], { plans }: CardUse): boolean =>
  plans.some(({ outlook }) => outlook?.card && outlook.card.id !== onFile?.id);

function cardInWords({ portal }: Words, onFile: Account["card"], use: CardUse): string {
  const isOther = paysElsewhere(onFile, use);
  if (!onFile) return isOther ? portal.noDefaultCard : portal.noCard;
  const card = cardName(onFile);
  if (onFile.dead) return portal.cardEnded({ card });
  if (!use.isPlanned) return portal.cardUnused({ card });
  if (isOther && !onFile.isDisputed) return portal.defaultCard({ card });
  return (onFile.isDisputed ? portal.cardHeldBack : portal.chargedTo)({ card });
}

/** The card on file and the balance, and the way to another card. */
function paymentSection({ self, words }: PortalRequest, billing: Account): Html {
  const { card, balances } = billing;
  const { portal, money } = words;
  const figures = balances.map(({ amount, currency }) =>
    amount > 0
      ? portal.balance({ amount: money(amount, currency) })
      : portal.debt({ amount: money(-amount, currency) }),
  );
  const more = html`${figures.map((sentence) => html`<p>${sentence}</p>`)}
<p class="aside"><a href="${self}/card">${card ? portal.useOther : portal.addCard}</a></p>`;
  const said = cardInWords(words, card, cardUseOf(billing));
  return section("card", portal.payment, [], card ? html`${cardBrand(card.brand)} ${said}` : said, more);
}

function entry(ctx: Context, words: Words, { checkout, asksBuyer }: Unfinished): Html {
  const { id, change } = checkout;
  const { portal, overdue } = words;
  const product = countedName(words, checkout);
  const title = change ? portal.unfinishedChange : portal.unfinishedOrder;
  const page = pathOf(checkoutUrl(ctx, checkout));
  return html`<section class="paper" aria-labelledby="${id}">
<h2 id="${id}">${title.markup({ product })}</h2>
<p>${asksBuyer ? portal.canContinue : overdue.paying.markup({ product })}</p>
${asksBuyer ? html`<p><a class="button small" href="${page}">${portal.goOn}</a></p>` : ""}
</section>`;
}

/** The orders whose payment the buyer has left, each with the way to its page (rule C4). */
function unfinishedSections(ctx: Context, { words }: PortalRequest, { unfinished }: Account): Html[] {
  return unfinished.map((each) => entry(ctx, words, each));
}

/** The seller, the signed-in person, and the ways out. */
function top({ organization, visitor, self, words }: PortalRequest): Html {
  const { portal, frame } = words;
  const back = safeUrl(visitor.returnUrl);
  return html`${back ? html`<p class="back">${linkTo(back, frame.back, displayName(organization), "plain")}</p>` : ""}
<header>
${merchantName(organization)}
<h1>${portal.title}</h1>
<form method="post" action="${self}/sign-out">
<p>${portal.signedInAs.markup({ person: html`<bdi>${requestOf(words, visitor.customer)}</bdi>` })}</p>
<button class="button other small" type="submit">${portal.signOut}</button>
</form>
</header>`;
}

/**
 * A Customer's whole account, and the links to other pages. Each section has a file of its own. `done`: the operation
 * to be confirmed.
 */
export function homePage(ctx: Context, request: PortalRequest, billing: Account, done: PortalOperation | null): Html {
  const { organization, words } = request;
  const body = html`<main class="document portal">
${top(request)}
${operationNotice(words, done)}
${consentSections(request, billing)}
${overdueSection(ctx, request, billing)}
${unfinishedSections(ctx, request, billing)}
${subscriptionsSection(request, billing)}
${benefitsSection(request, billing)}
${invoicesSection(ctx, request, billing)}
${paymentSection(request, billing)}
${detailsSection(request)}
${emailSection(request, billing)}
${exportSection(request)}
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words, organization, title: words.portal.title, head, body });
}
