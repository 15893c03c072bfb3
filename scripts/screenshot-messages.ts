import type { Page } from "playwright-core";
import type { Context } from "../src/context.ts";
import { Refusal } from "../src/domain/refusal.ts";
import type { Words } from "../src/texts/words.ts";
import { wordsFor } from "../src/texts/words.ts";
import { obstaclePage, type Obstacle } from "../src/web/checkout/obstacle.ts";
import type { View } from "../src/web/checkout/view.ts";
import type { Html } from "../src/web/layout.ts";
import { problemPage, PROBLEMS } from "../src/web/problem-page.ts";
import { returnOverPage } from "../src/web/returns.ts";
import { organizationWith } from "../test/support/organization.ts";
import { localeOf, SELLER, type Language } from "./screenshot-shop.ts";
import type { Shot } from "./screenshot-steps.ts";

const { name, branding, supportEmail, supportUrl, termsUrl, privacyUrl, websiteUrl } = SELLER;
const links = { supportEmail, supportUrl, termsUrl, privacyUrl, websiteUrl };
const ORGANIZATION = organizationWith({ mode: "live", name, ...links, branding: { ...branding, logoUrl: null } });

/** Reasons that a sandbox can't bring about, or only with much ado, each in the words of its page. */
const OBSTACLES: Record<string, Obstacle> = {
  "no-provider": "no_provider",
  paused: "payments_paused",
  ...Object.fromEntries(
    (
      [
        "subscription_canceled",
        "subscription_cancellation_scheduled",
        "subscription_past_due",
        "refund_in_progress",
        "payment_disputed",
        "catch_up_pending",
      ] as const
    ).map((code) => [code.replaceAll("_", "-"), { refusal: new Refusal(code) }]),
  ),
  "change-in-progress": { refusal: new Refusal("change_in_progress", { checkoutId: null }) },
  "already-subscribed": { refusal: new Refusal("no_change", { subscriptionId: null }) },
  "other-plan": {
    refusal: new Refusal("already_subscribed", { subscriptionId: "sub_1", checkoutId: null, foundByEmail: null }),
  },
};

/** Pages with a message, written as the server writes them, for faults that are no state of the sandbox. */
export function messageShots(origin: string, language: Language): Shot[] {
  const words: Words = wordsFor(localeOf(language));
  const ctx = { config: { publicOrigin: origin } } as Context;
  const written = (shot: string, body: Html): Shot => ({
    name: `message-${shot}`,
    async open(page: Page) {
      await page.route(`${origin}/message`, async (route) =>
        route.fulfill({ contentType: "text/html", body: `${await body}` }),
      );
      await page.goto(`${origin}/message`);
    },
  });
  // The parts of an open Checkout that these pages show.
  const checkout = { productName: "Atlas Company", cancelUrl: websiteUrl, successUrl: null };
  const parts = {
    words,
    organization: ORGANIZATION,
    checkout,
    self: "/message",
    status: "open",
    payment: null,
    closed: null,
  };
  const view = parts as unknown as View;
  return [
    ...PROBLEMS.map((status) => written(String(status), problemPage(ctx, words, status))),
    ...Object.entries(OBSTACLES).map(([shot, obstacle]) => written(shot, obstaclePage(ctx, view, obstacle))),
    written("return", returnOverPage(ctx, words, ORGANIZATION)),
  ];
}
