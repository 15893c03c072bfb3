import { afterAll, beforeAll, expect, it } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

// The e-mails that a buyer reads in the year in which their card breaks, each with the day on which it came.

let story: Story;
let server: MailServer;
let subscription: Json;

beforeAll(async () => {
  server = await startMailServer();
  story = await startStory({ clock: "2026-01-15T09:00:00Z" }, { smtpUrl: server.url });
  await story.ok(story.app.manage("PATCH", "/organization", { name: "Acme" }));
  await story.plan("pro", 3000, { name: "Pro", trialDays: 14 });
});
afterAll(async () => {
  await story.close();
  await server.close();
});

async function post(): Promise<string[]> {
  await mailOnce(story.app.ctx);
  return server.received.splice(0).map(({ subject }) => subject!.replace("[Sandbox] ", "").replaceAll("\u00a0", " "));
}
/** Moves the clock day by day, as real time goes. Returns the e-mails, each behind its date. */
async function live(from: string, to: string): Promise<string[]> {
  const lines: string[] = [];
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000) {
    const date = new Date(day).toISOString().slice(0, 10);
    await story.travel(date);
    lines.push(...(await post()).map((subject) => `${date} ${subject}`));
  }
  return lines;
}

it("begins with a trial, with notice of its end in time, and a first receipt", async () => {
  subscription = await story.buy(
    { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } },
    CARDS.pays,
  );
  expect(await live("2026-01-16", "2026-02-01")).toEqual([
    "2026-01-16 Your free trial of Pro has started",
    "2026-01-26 Your trial of Pro ends on 29 January 2026",
    "2026-01-29 Your receipt from Acme: US$30.00",
  ]);
});

it("goes on with a renewal that is told ahead, and does not need to be told when it is paid for", async () => {
  expect(await live("2026-02-02", "2026-03-02")).toEqual([
    "2026-02-21 Pro renews on 28 February 2026",
    "2026-02-28 Your receipt from Acme: US$30.00",
  ]);
});

it("then the bank asks, and the buyer answers in time", async () => {
  await story.newCard(subscription.customerId, CARDS.asksBuyer);
  expect(await live("2026-03-03", "2026-03-30")).toEqual([
    "2026-03-22 Pro renews on 29 March 2026",
    "2026-03-29 Please confirm your payment of US$30.00",
  ]);
  await story.answerChallenge(true);
  expect(await post()).toEqual(["Your receipt from Acme: US$30.00"]);
});

it("then a card is declined, again and again, and a new one saves it", async () => {
  await story.newCard(subscription.customerId, CARDS.failsLater);
  expect(await live("2026-03-31", "2026-05-03")).toEqual([
    "2026-04-22 Pro renews on 29 April 2026",
    "2026-04-29 Your payment of US$30.00 for Pro failed",
    "2026-05-02 Your payment of US$30.00 for Pro failed",
  ]);
  await story.newCard(subscription.customerId, CARDS.pays);
  expect(await post()).toEqual(["Your receipt from Acme: US$30.00"]);
});

it("and at last no retry helps: one last word, and silence", async () => {
  await story.newCard(subscription.customerId, CARDS.failsLater);
  expect(await live("2026-05-04", "2026-07-31")).toEqual([
    "2026-05-22 Pro renews on 29 May 2026",
    "2026-05-29 Your payment of US$30.00 for Pro failed",
    "2026-06-01 Your payment of US$30.00 for Pro failed",
    "2026-06-05 Your payment of US$30.00 for Pro failed",
    "2026-06-12 Your payment of US$30.00 for Pro failed",
    "2026-06-19 Your subscription to Pro has ended",
  ]);
});
