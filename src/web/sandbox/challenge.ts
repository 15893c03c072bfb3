import { carryOutPayment } from "../../actions/payment/carry-out.ts";
import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import type { Context } from "../../context.ts";
import { displayName, type Organization } from "../../domain/model/organization.ts";
import { isId } from "../../ids.ts";
import type { Challenge } from "../../payments/sandbox-transactions.ts";
import { organizations } from "../../store/organizations.ts";
import { findByProviderKey } from "../../store/payments.ts";
import { ENGLISH } from "../../texts/words.ts";
import { basePath } from "../assets.ts";
import { pathOf } from "../components/link.ts";
import { messagePage } from "../components/message.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm } from "../guards.ts";
import { layout, type Html } from "../layout.ts";

const TOKEN = /^[\w-]{32}$/;

type Found = { organization: Organization; challenge: Challenge; token: string };

async function find(ctx: Context, c: PageContext): Promise<Found> {
  const [id, token] = [c.req.param("organizationId") ?? "", c.req.param("token") ?? ""];
  if (!isId("org", id) || !TOKEN.test(token)) throw new HTTPException(404);
  const challenge = await ctx.payments.sandbox.challenge(id, token);
  const organization = challenge && (await organizations.find(ctx.db.read, id));
  if (!organization) throw new HTTPException(404);
  return { organization, challenge, token };
}

function question({ organization, challenge }: Found): Html {
  const { amount, currency, last4 } = challenge;
  const what =
    currency === null
      ? "to use your card later, without a charge now"
      : `to charge you ${ENGLISH.money(amount, currency)}`;
  return html`<main class="message">
<form class="panel" method="post" data-once>
<p class="merchant"><span class="initial bank" aria-hidden="true">B</span> Sandbox bank</p>
<h1>Is this you?</h1>
<p><bdi>${displayName(organization)}</bdi> asks ${what}.</p>
<dl class="figures">
<div><dt>Amount</dt><dd>${currency === null ? "None" : ENGLISH.money(amount, currency)}</dd></div>
<div><dt>Card</dt>
<dd><span aria-hidden="true">••••</span> <span class="unseen">ending in</span> ${last4}</dd></div>
</dl>
<div class="choice">
<button class="button" name="answer" value="pass">Yes, confirm</button>
<button class="button other" name="answer" value="fail">No, refuse</button>
</div>
<p class="aside">This page stands in for the bank’s own, where the buyer would enter a code or confirm in an app.</p>
</form>
</main>`;
}

function answered(ctx: Context, { organization, challenge }: Found): Html {
  const more = html`<a class="button" href="${pathOf(challenge.returnUrl)}">Continue</a>`;
  const title = "This question has already been answered";
  return messagePage(ctx, {
    words: ENGLISH,
    organization,
    title,
    icon: "done",
    text: "Only the first answer counts.",
    more,
  });
}

/** `/sandbox/challenge/{organizationId}/{token}`: the bank of a sandbox, which asks the buyer. */
export function challengePages(ctx: Context, app: Hono<PageEnvironment>): void {
  app.get("/sandbox/challenge/:organizationId/:token", async (c) => {
    const found = await find(ctx, c);
    if (found.challenge.status !== "pending_action") return c.html(answered(ctx, found));
    return c.html(
      layout(ctx, {
        words: ENGLISH,
        organization: found.organization,
        title: "Sandbox bank",
        body: question(found),
        isSellers: false,
      }),
    );
  });
  app.post("/sandbox/challenge/:organizationId/:token", async (c) => {
    const { organization, challenge, token } = await find(ctx, c);
    const answer = (await readForm(c)).get("answer");
    if (answer !== "pass" && answer !== "fail") return c.redirect(basePath(ctx) + c.req.path, 303);
    // Refused, a card of the provider's page leads back to that page.
    const left = await ctx.payments.sandbox.answerChallenge(organization.id, token, answer === "pass");
    // Replaces the provider's notice about the buyer's answer. Without this call, a renewal would learn of the answer
    // only from its next status query to the provider.
    const payment = await findByProviderKey(ctx.db.read, organization.id, challenge.key);
    if (payment) await carryOutPayment(ctx, organization.id, payment.id);
    return c.redirect(pathOf((left ?? challenge).returnUrl), 303);
  });
}
