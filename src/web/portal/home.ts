import { html } from "hono/html";
import { invoiceUrl } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { formatDate } from "../../domain/calendar.ts";
import type { Invoice } from "../../domain/invoice/invoice.ts";
import { displayName } from "../../domain/organization/organization.ts";
import { unbrokenCardName } from "../../domain/payment/card-name.ts";
import type { BenefitGrantResource } from "../../resources/benefit-grant.ts";
import { ENGLISH } from "../../texts/words.ts";
import { portalStylesPath } from "../assets.ts";
import { linkTo, pathOf, safeUrl } from "../components/link.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import { money } from "../money.ts";
import { personOf, type Account } from "./account.ts";
import { heldBack, holdingEntry } from "./subscriptions.ts";

/** The buyer's own part of a Benefit: a key, a note or files. */
function gives({ properties }: BenefitGrantResource): Html | string {
  if ("key" in properties) return html`<p><code>${properties.key}</code></p>`;
  if ("note" in properties) return properties.note === null ? "" : html`<p><bdi>${properties.note}</bdi></p>`;
  if (!("files" in properties)) return "";
  const links = properties.files.map(({ name, url }) => html`<li><a href="${url}"><bdi>${name}</bdi></a></li>`);
  return html`<ul>${links}</ul>`;
}

function benefitEntry(grant: BenefitGrantResource): Html {
  const { name, description } = grant.benefit;
  return html`<li>
<h3><bdi>${name}</bdi></h3>
${description === null ? "" : html`<p class="note"><bdi>${description}</bdi></p>`}
${gives(grant)}
</li>`;
}

const STATES: Record<Invoice["status"], string> = { open: "open", paid: "paid", void: "void" };

function invoiceEntry(ctx: Context, { organization }: Account, invoice: Invoice): Html {
  const { number, status, currency, totalAmount, amountDue, createdAt } = invoice;
  const page = pathOf(invoiceUrl(ctx, invoice));
  const isDue = status === "open" && amountDue > 0;
  return html`<li class="invoice">
<p><a href="${page}">${number}</a> <span class="note">${formatDate(createdAt, organization.timeZone)}</span></p>
<p>${money(totalAmount, currency)} <span class="note">${STATES[status]}</span></p>
<p class="ways">
${isDue ? html`<a class="pay" href="${page}">Pay<span class="unseen"> invoice ${number}</span></a>` : ""}
<a href="${page}/pdf">PDF<span class="unseen"> of invoice ${number}</span></a>
</p>
</li>`;
}

function section(id: string, heading: string, entries: Html[], none: string, more: Html | "" = ""): Html {
  return html`<section class="paper" aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${entries.length === 0 ? html`<p>${none}</p>` : html`<ul class="entries">${entries}</ul>`}
${more}
</section>`;
}

function paidBy(card: Account["card"]): string {
  if (!card) return "There is no card on file.";
  if (card.dead) return `${unbrokenCardName(card)} can't be charged any more.`;
  return card.isDisputed ? `${heldBack(card)}.` : `Charged to ${unbrokenCardName(card)}.`;
}

const changeCard = (card: Account["card"], self: string) =>
  html`<p class="aside"><a href="${self}/card">${card ? "Use another card" : "Add a card"}</a></p>`;

/** A Customer's whole account, and the links to other pages. `self`: the portal's own path. */
export function homePage(ctx: Context, account: Account, self: string): Html {
  const { organization, visitor, holdings, more, grants, invoices, older, card } = account;
  const back = safeUrl(visitor.returnUrl);
  const others =
    more === null ? "" : html`<p class="aside"><a href="?subscriptions=${more}">More subscriptions</a></p>`;
  const next = older === null ? "" : html`<p class="aside"><a href="?cursor=${older}">Older invoices</a></p>`;
  const body = html`<main class="document portal">
${back ? html`<p class="back">${linkTo(back, ENGLISH.frame.back, displayName(organization), "plain")}</p>` : ""}
<header>
${merchantName(organization)}
<h1>Your account</h1>
<form method="post" action="${self}/sign-out">
<p>Signed in as <bdi>${personOf(visitor.customer)}</bdi></p>
<button class="button other small" type="submit">Sign out</button>
</form>
</header>
${section(
  "subscriptions",
  "Subscriptions",
  holdings.map((holding) => holdingEntry(holding, organization, self)),
  "You have no subscription.",
  others,
)}
${grants.length === 0 ? "" : section("benefits", "Your access", grants.map(benefitEntry), "")}
${section(
  "invoices",
  "Invoices and receipts",
  invoices.map((invoice) => invoiceEntry(ctx, account, invoice)),
  "There is no invoice yet.",
  next,
)}
${section("card", "Payment", [], paidBy(card), changeCard(card, self))}
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words: ENGLISH, organization, title: "Your account", head, body });
}
