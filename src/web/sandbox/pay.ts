import { carryOutPayment } from "../../actions/payment/carry-out.ts";
import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type { Context } from "../../context.ts";
import { displayName, type Organization } from "../../domain/model/organization.ts";
import { isId } from "../../ids.ts";
import { SANDBOX_PAY, type HostedPage } from "../../payments/sandbox-page.ts";
import { organizations } from "../../store/organizations.ts";
import { findByProviderKey } from "../../store/payments.ts";
import { ENGLISH } from "../../texts/words.ts";
import { assetPaths, sandboxPayStylesPath } from "../assets.ts";
import { CARD_FIELDS, cardFields, readCard, typedExpiry, type CardFaults } from "../components/card-fields.ts";
import { pathOf } from "../components/link.ts";
import { formNotice } from "../components/notice.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import { stylesheet, type Html } from "../layout.ts";

const TOKEN = /^[\w-]{32}$/;

type Found = { organization: Organization; page: HostedPage; token: string };
type Input = { expiry: string; faults: CardFaults };

async function find(ctx: Context, c: PageContext): Promise<Found> {
  const [id, token] = [c.req.param("organizationId") ?? "", c.req.param("token") ?? ""];
  if (!isId("org", id) || !TOKEN.test(token)) throw new HTTPException(404);
  const page = await ctx.payments.sandbox.page(id, token);
  const organization = page && (await organizations.find(ctx.db.read, id));
  if (!organization) throw new HTTPException(404);
  return { organization, page, token };
}

/** A page of the provider: without Billow's styles, script and banner. */
function shell(ctx: Context, title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${SANDBOX_PAY}</title>
<link rel="icon" type="image/svg+xml" href="${assetPaths(ctx, null).icon}">
${stylesheet(sandboxPayStylesPath(ctx))}
</head>
<body>
<header><strong>${SANDBOX_PAY}</strong>
<span>This is the test provider’s page. No real money moves here: never enter a real card.</span></header>
<main>${body}</main>
</body>
</html>
`;
}

const backLink = ({ organization, page }: Found) =>
  html`<p class="back"><a href="${pathOf(page.returnUrl)}">Back to <bdi>${displayName(organization)}</bdi></a></p>`;

/** The form, with the reason why the last card was declined. */
function form(ctx: Context, found: Found, { expiry, faults }: Input): Html {
  const { organization, page } = found;
  const { amount, currency, declineCode } = page;
  const seller = html`<bdi>${displayName(organization)}</bdi>`;
  const [title, label] =
    currency === null
      ? [html`Save a card for ${seller}`, "Save card"]
      : [html`Pay ${ENGLISH.money(amount, currency)} to ${seller}`, `Pay ${ENGLISH.money(amount, currency)}`];
  const isFaulty = Object.keys(faults).length > 0;
  const problem =
    isFaulty || declineCode === null ? null : { title: "Payment failed", text: ENGLISH.decline[declineCode] };
  const card = cardFields({ words: ENGLISH, legend: "Card", without: null, expiry, faults, sandbox: true });
  const body = html`<h1>${title}</h1>
${currency === null ? html`<p>Your card won’t be charged now.</p>` : ""}
<form method="post" novalidate>
${formNotice(ENGLISH, CARD_FIELDS, { faults, problem })}
${card}
<button type="submit">${label}</button>
</form>
${backLink(found)}`;
  return shell(ctx, `${isFaulty || problem ? "Error: " : ""}${label}`, body);
}

function over(ctx: Context, found: Found): Html {
  const isPaid = found.page.status === "succeeded";
  const title = isPaid ? "This payment is finished" : "This page has expired";
  const text = isPaid
    ? "Your card was accepted."
    : "This page was available for a limited time. Your card was not charged.";
  return shell(ctx, title, html`<h1>${title}</h1><p>${text}</p>${backLink(found)}`);
}

const show = (ctx: Context, found: Found, input: Input = { expiry: "", faults: {} }) =>
  found.page.status === "pending_action" ? form(ctx, found, input) : over(ctx, found);

async function pay(ctx: Context, c: PageContext): Promise<Response> {
  const found = await find(ctx, c);
  const { organization, token } = found;
  const typed = await readForm(c);
  const { faults, card } = readCard(typed, true, ENGLISH);
  const again = (wrong: CardFaults) => c.html(show(ctx, found, { expiry: typedExpiry(typed), faults: wrong }), 422);
  if (!card || Object.keys(faults).length > 0) return again(faults);
  const result = await ctx.payments.sandbox.payOnPage(organization.id, token, card);
  if (!result) throw new HTTPException(404);
  if ("fault" in result) return again({ [result.fault.field]: result.fault.message });
  // Replaces the provider's notice. A buyer that closes the browser now has paid all the same.
  const payment = await findByProviderKey(ctx.db.read, organization.id, result.key);
  if (payment) await carryOutPayment(ctx, organization.id, payment.id);
  return c.redirect(pathOf(result.next), 303);
}

/**
 * `/sandbox/pay/{organizationId}/{token}`: the built-in provider's own page, on which buyers of a sandbox give a card
 * if the sandbox's entry is hosted.
 */
export function payPages(ctx: Context, app: Hono<PageEnvironment>): void {
  const submissions = new RequestLimit();
  const path = "/sandbox/pay/:organizationId/:token";
  app.get(path, async (c) => c.html(show(ctx, await find(ctx, c))));
  app.post(path, async (c) => {
    submissions.count(c.env.client);
    return pay(ctx, c);
  });
}
