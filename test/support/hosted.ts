import { expect } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import type { TestApp } from "./app.ts";
import { post, type Page } from "./pages.ts";
import { ok } from "./story.ts";

/** From now on the sandbox's buyers give their cards on the page of the built-in provider. */
export async function takeHostedCards(app: Pick<TestApp, "manage">): Promise<void> {
  await ok(app.manage("PATCH", "/organization", { sandboxEntry: "hosted" }));
}

/** The address to which a redirect leads. */
export const redirectOf = (from: string, { headers }: Pick<Page, "headers">) =>
  new URL(headers.get("Location") ?? "", from).href;

/**
 * Types a card on the provider's page and sends the form. Answers the address of the next page: the bank's, the
 * provider's again, or the return address.
 */
export async function payHosted(url: string, number: string): Promise<string> {
  const answer = await post(url, { number, expiry: "12 / 40", cvc: "123" });
  expect(answer.status).toBe(303);
  return redirectOf(url, answer);
}

const expireStatement = sql(
  "test.expire_hosted_pages",
  `UPDATE sandbox_charges SET page_expires_at = date_trunc('milliseconds', statement_timestamp())
   WHERE organization_id = $1 AND page_token IS NOT NULL AND status = 'pending_action'`,
);

/** Ends the time of all pages of the provider that wait for a buyer. */
export async function expireHostedPages({ ctx, organization }: TestApp): Promise<void> {
  await ctx.db.tx((tx) => tx.query(expireStatement, [organization.id]));
}
