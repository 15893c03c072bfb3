import type { Page } from "playwright-core";
import { instant } from "../src/domain/calendar.ts";
import type { BuyerEmailKind } from "../src/domain/model/email.ts";
import { displayName } from "../src/domain/model/organization.ts";
import { writeAccessResetEmail } from "../src/mail/access-reset.ts";
import { writeInvitationEmail } from "../src/mail/invitation.ts";
import { writePasswordEmail } from "../src/mail/new-password.ts";
import { formatEmail, type Message } from "../src/mail/email-content.ts";
import { emailContent, type EmailFacts } from "../src/mail/email-contents.ts";
import { sampleFacts } from "../src/mail/samples.ts";
import { importAlarm } from "../src/mail/import-alarm.ts";
import { problemMeaning } from "../src/resources/import-meanings.ts";
import { SELLER_LETTERS } from "../src/mail/seller.ts";
import { unitsAtPrice } from "../src/texts/phrases.ts";
import { wordsFor, type Words } from "../src/texts/words.ts";
import { organizationWith } from "../test/support/organization.ts";
import { currencyOf, localeOf, SEATS, SELLER, type Language, type Sandbox } from "./screenshot-shop.ts";
import type { Shot } from "./screenshot-steps.ts";

const { name, branding, supportEmail, supportUrl, termsUrl, privacyUrl, websiteUrl } = SELLER;
const SENDER = organizationWith({
  mode: "live",
  name,
  supportEmail,
  supportUrl,
  termsUrl,
  privacyUrl,
  websiteUrl,
  branding: { ...branding, logoUrl: null },
});
const seller = displayName(SENDER);
const NOW = instant(Date.parse("2026-03-12T09:00:00Z"));
const SOON = instant(Date.parse("2026-03-19T09:00:00Z"));
const LATER = instant(Date.parse("2026-06-19T09:00:00Z"));
const URL = "https://billing.kestrel.example/page";

/** Receipts have many amounts, so their pictures show real ones: see `receiptShots`. */
type Kind = Exclude<BuyerEmailKind, "receipt">;

/** The e-mails of each kind, in each of their states. The empty name is the usual state. */
function statesOf(words: Words, language: Language): { [K in Kind]: Record<string, EmailFacts[K]> } {
  const currency = currencyOf(language);
  const usual = sampleFacts({
    organization: SENDER,
    words,
    product: "Atlas Professional Workspace for Teams",
    currency,
    price: currency === "jpy" ? 14_800 : 11_781,
    now: NOW,
    next: SOON,
    portal: URL,
    portalCard: URL,
    page: URL,
  });
  const { payment_failed: failed, trial_ending: onCard, canceled: end, card_expiring, portal_sign_in } = usual;
  const states = {
    "": onCard,
    balance: { ...onCard, paidBy: { means: "balance" as const } },
    "no-card": { ...onCard, paidBy: null },
    disputed: { ...onCard, isDisputed: true },
    "by-seller": { ...onCard, portal: null },
  };
  const [account] = portal_sign_in.accounts;
  const until = words.day(LATER, SENDER.timeZone);
  return {
    payment_failed: {
      "": failed,
      "no-card": { ...failed, card: null, reason: words.unpaidNotice.noCard, retryOn: null },
      disputed: { ...failed, isDisputed: true },
      off: { ...failed, retryOn: null, access: words.unpaidNotice.yourAccessOff },
    },
    authentication_required: { "": usual.authentication_required },
    order_confirmation: { "": usual.order_confirmation },
    trial_started: { "": usual.trial_started },
    trial_extended: { "": usual.trial_extended },
    trial_ending: states,
    renewal_upcoming: { ...states, quarter: { ...onCard, period: { interval: "month", intervalCount: 3 } } },
    cancellation_scheduled: { "": usual.cancellation_scheduled },
    cancellation_undone: { "": usual.cancellation_undone },
    pause_scheduled: {
      "": usual.pause_scheduled,
      until: { ...usual.pause_scheduled, until, access: "keep" },
    },
    pause_undone: { "": usual.pause_undone },
    pause_begun: {
      "": usual.pause_begun,
      until: { ...usual.pause_begun, until, access: "keep" },
    },
    resume_upcoming: states,
    price_change: priceStates(usual.price_change, units(words, currency)),
    price_change_reminder: { "": usual.price_change_reminder },
    change_dropped: { "": usual.change_dropped },
    renewal_failed: { "": end },
    canceled: {
      "": end,
      trial: { ...end, ended: "trial" },
      unrecognized: { ...end, ended: "unrecognized" },
      price: { ...end, ended: "price" },
    },
    card_expiring: { "": { ...card_expiring, products: [...card_expiring.products, "Beacon"] } },
    card_request: cardStates(usual.card_request),
    portal_sign_in: {
      "": portal_sign_in,
      several: { ...portal_sign_in, accounts: [account!, { ...account!, name: "Kestrel Research Ltd" }] },
    },
    portal_email_confirm: { "": usual.portal_email_confirm },
    portal_email_changed: { "": usual.portal_email_changed },
  };
}

/** A missing card at a renewal, at the end of a trial, and at a seller without cancellation in the portal. */
const cardStates = (usual: EmailFacts["card_request"]) => ({
  "": usual,
  trial: { ...usual, isTrial: true },
  "by-seller": { ...usual, portal: null },
});

/** A new price that needs a consent, that of several units, and that of a seller without cancellation in the portal. */
const priceStates = (usual: EmailFacts["price_change"], seats: ReturnType<typeof units>) => ({
  "": usual,
  required: { ...usual, consentUrl: URL },
  units: { ...usual, ...seats },
  "by-seller": { ...usual, portal: null },
});

/** The units of a Subscription with five seats. */
function units(words: Words, currency: string) {
  const sold = { quantity: 5, unitName: SEATS };
  return {
    unitsBefore: unitsAtPrice(words, { ...sold, unitAmount: 2356 }, currency),
    units: unitsAtPrice(words, { ...sold, unitAmount: 2827 }, currency),
  };
}

const nameOf = (kind: string, state: string) =>
  ["email", ...kind.split("_"), ...(state === "" ? [] : [state])].join("-");

const emailShot = (shot: string, { html }: Message): Shot => ({
  name: shot,
  open: (page: Page) => page.setContent(html),
});

/** E-mails to the seller and to the seller's people are in English only. */
function sellerShots(): Shot[] {
  const invitation = writeInvitationEmail({ seller, invitedBy: "Grace Hopper", role: "Support", url: URL }, SENDER);
  const reset = writeAccessResetEmail(
    {
      way: "password",
      at: "2026-03-12T09:00:00Z",
      factor: true,
      openId: "grace@kestrel.example at id.kestrel.example",
      signInUrl: URL,
      forgottenUrl: URL,
    },
    SENDER,
  );
  const password = writePasswordEmail({ url: URL, signInUrl: URL }, SENDER);
  const facts = { provider: "stripe", account: "acct_1PqKestrel", mode: "live", at: "2026-03-12T09:00:00Z" } as const;
  const alarms = [
    { ref: "sub_1PqKestrel", customerRef: "cus_QaKestrel", meaning: problemMeaning(null) },
    { ref: "sub_2PqKestrel", customerRef: "cus_QbKestrel", meaning: problemMeaning("running_there") },
  ];
  return [
    ...Object.entries(SELLER_LETTERS).map(([kind, write]) =>
      emailShot(nameOf(kind, ""), formatEmail(write(facts), SENDER, "seller")),
    ),
    emailShot(nameOf("import_alarm", ""), formatEmail(importAlarm(alarms), SENDER, "seller")),
    emailShot(nameOf("team_invitation", ""), invitation),
    emailShot(nameOf("team_password", ""), password),
    emailShot(nameOf("team_access_reset", ""), reset),
  ];
}

/** Every e-mail except for receipts, written from facts as a sent e-mail has them. */
export function emailShots(language: Language): Shot[] {
  const words = wordsFor(localeOf(language));
  const buyers = Object.entries(statesOf(words, language)).flatMap(([kind, states]) =>
    Object.entries(states).map(([state, facts]) =>
      emailShot(nameOf(kind, state), emailContent(kind as Kind, facts as EmailFacts[Kind], SENDER, words)),
    ),
  );
  return [...buyers, ...(language === "en" ? sellerShots() : [])];
}

/** The names of the receipts: the one of a purchase with license keys, and the one of its renewal. */
export const RECEIPTS = ["email-receipt", "email-receipt-renewal"] as const;

/** The receipts that the sandbox has sent to a Customer who bought one Subscription, which was renewed once. */
export async function receiptShots({ manage }: Sandbox, customerId: string): Promise<Shot[]> {
  const { data } = await manage("GET", `/emails?kind=receipt&customerId=${customerId}`);
  const urls = (data as { url: string }[]).map(({ url }) => url).reverse();
  return RECEIPTS.map((shot, n) => ({
    name: shot,
    open: async (page) => void (await page.goto(`${urls[n]}/html`)),
  }));
}
