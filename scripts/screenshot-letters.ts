import type { Page } from "playwright-core";
import { instant } from "../src/domain/calendar.ts";
import type { BuyerEmailKind } from "../src/domain/email/email.ts";
import { displayName } from "../src/domain/organization/organization.ts";
import { invitationLetter } from "../src/mail/invitation.ts";
import { setLetter, type Message } from "../src/mail/letter.ts";
import { writeLetter, type LetterFacts } from "../src/mail/letters.ts";
import { SELLER_LETTERS } from "../src/mail/seller.ts";
import { wordsFor, type Words } from "../src/texts/words.ts";
import { organizationWith } from "../test/support/organization.ts";
import { currencyOf, localeOf, SELLER, type Language, type Sandbox } from "./screenshot-shop.ts";
import type { Scene } from "./screenshot-steps.ts";

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
const SOON = instant(Date.parse("2026-03-19T09:00:00Z"));
const LATER = instant(Date.parse("2026-04-10T09:00:00Z"));
const URL = "https://billing.kestrel.example/page";

/** Receipts have many amounts, so their pictures show real ones: see `receiptScenes`. */
type Kind = Exclude<BuyerEmailKind, "receipt">;

/** The letters of each kind, in each of their states. The empty name is the usual state. */
function statesOf(words: Words, language: Language): { [K in Kind]: Record<string, LetterFacts[K]> } {
  const [day, later] = [words.day(SOON, "Europe/Berlin"), words.day(LATER, "Europe/Berlin")];
  const currency = currencyOf(language);
  const amount = words.money(currency === "jpy" ? 14_800 : 11_781, currency);
  const [product, card] = ["Atlas Professional Workspace for Teams", "Visa\u00a0••••\u00a04242"];
  const charge = words.portal.toCard({ amount, card });
  const access = words.unpaid.yourAccessStays({ day: later });
  const unpaid = { amount, product, card, reason: words.decline.card_declined, isDisputed: false, url: URL };
  const failed = { ...unpaid, retryOn: day, access };
  const noCard = { ...failed, card: null, reason: words.unpaid.noCard, retryOn: null };
  const period = { interval: "month", intervalCount: 1 } as const;
  const links = { seller, portal: URL, portalCard: URL };
  const ahead = { product, day, amount, period, isDisputed: false, ...links };
  const onCard = { ...ahead, paidBy: { means: "card" as const, name: card } };
  const states = {
    "": onCard,
    balance: { ...ahead, paidBy: { means: "balance" as const } },
    "no-card": { ...ahead, paidBy: null },
    disputed: { ...onCard, isDisputed: true },
    "by-seller": { ...onCard, portal: null },
  };
  const end = { seller, product, day, endedWithTrial: false };
  const account = { name: "Ada King-Noel", url: URL };
  const next = {
    rows: [{ name: words.portal.nextCharge, value: words.portal.chargeOn({ day, charge }) }],
    text: words.mailSubscription.cancel({ day }),
  };
  const goods = {
    keys: [{ benefit: "Atlas Desktop", key: "ATLAS-7K2M9-QX4TD-PV83N-HW5CZ", devices: 3 }],
    files: [{ benefit: "Handbook", names: ["atlas-handbook.pdf"] }],
    notes: [],
    others: ["Beacon"],
  };
  const bought = { product, seller, portal: URL, website: websiteUrl, goods };
  return {
    payment_failed: {
      "": failed,
      "no-card": noCard,
      disputed: { ...failed, isDisputed: true },
      off: { ...failed, retryOn: null, access: words.unpaid.yourAccessOff },
    },
    authentication_required: { "": { ...failed, reason: words.unpaid.confirmFirst } },
    order_confirmation: { "": { ...bought, url: URL, next: null } },
    trial_started: { "": { ...bought, day, next } },
    trial_ending: states,
    renewal_upcoming: { ...states, quarter: { ...onCard, period: { interval: "month", intervalCount: 3 } } },
    cancellation_scheduled: {
      "": { product, day, effect: words.portalCancel.until({ product, day }), lost: ["Beacon"], portal: URL },
    },
    cancellation_undone: {
      "": {
        product,
        seller,
        ...next,
        portal: URL,
      },
    },
    renewal_failed: { "": end },
    canceled: { "": end, trial: { ...end, endedWithTrial: true } },
    card_expiring: {
      "": { brand: "Visa", last4: "4242", expMonth: 4, expYear: 2026, products: [product, "Beacon"], url: URL },
    },
    portal_sign_in: {
      "": { seller, minutes: 15, accounts: [account] },
      several: { seller, minutes: 15, accounts: [account, { ...account, name: "Kestrel Research Ltd" }] },
    },
    portal_email_confirm: { "": { seller, hours: 24, url: URL } },
    portal_email_changed: { "": { seller, address: "n•••@example.com", days: 7, url: URL } },
  };
}

const nameOf = (kind: string, state: string) =>
  ["email", ...kind.split("_"), ...(state === "" ? [] : [state])].join("-");

const shown = (scene: string, { html }: Message): Scene => ({
  name: scene,
  open: (page: Page) => page.setContent(html),
});

/** Letters to the seller and to the seller's people are in English only. */
function sellerScenes(): Scene[] {
  const invitation = invitationLetter({ seller, invitedBy: "Grace Hopper", role: "Support", url: URL });
  const facts = { provider: "stripe", account: "acct_1PqKestrel", mode: "live", at: "2026-03-12T09:00:00Z" } as const;
  return [
    ...Object.entries(SELLER_LETTERS).map(([kind, write]) =>
      shown(nameOf(kind, ""), setLetter(write(facts), SENDER, "seller")),
    ),
    shown(nameOf("team_invitation", ""), setLetter(invitation, SENDER, "invited")),
  ];
}

/** Every letter except for receipts, written from facts as an occasion gathers them. */
export function letterScenes(language: Language): Scene[] {
  const words = wordsFor(localeOf(language));
  const buyers = Object.entries(statesOf(words, language)).flatMap(([kind, states]) =>
    Object.entries(states).map(([state, facts]) =>
      shown(nameOf(kind, state), writeLetter(kind as Kind, facts as LetterFacts[Kind], SENDER, words)),
    ),
  );
  return [...buyers, ...(language === "en" ? sellerScenes() : [])];
}

/** The names of the receipts: the one of a purchase with license keys, and the one of its renewal. */
export const RECEIPTS = ["email-receipt", "email-receipt-renewal"] as const;

/** The receipts that the sandbox has sent to a Customer who bought one Subscription, which was renewed once. */
export async function receiptScenes({ manage }: Sandbox, customerId: string): Promise<Scene[]> {
  const { data } = await manage("GET", `/emails?kind=receipt&customerId=${customerId}`);
  const urls = (data as { url: string }[]).map(({ url }) => url).reverse();
  return RECEIPTS.map((scene, n) => ({
    name: scene,
    open: async (page) => void (await page.goto(`${urls[n]}/html`)),
  }));
}
