import { giveUpChallenge } from "../../src/actions/payment/give-up.ts";
import { liveAttempt } from "../../src/store/payments.ts";
import { createWebApp } from "../../src/web/app.ts";
import { authenticateOn, payOn } from "../payments/stripe/buyer.ts";
import type { CardName, StepOf } from "./history.ts";
import { intentOf, NUMBERS, sessionAt, turnCard } from "./stripe-cards.ts";
import type { StripeSandbox } from "./stripe-sandbox.ts";
import type { Challenge, World } from "./world.ts";

/** The buyers of an Organization at Stripe. */
export function openStripeBuyers(sandbox: StripeSandbox) {
  const { ctx, organizationId, stripe, draw } = sandbox;
  const pages = createWebApp(ctx);
  const get = (path: string) =>
    pages.request(path, {}, { requestId: "req", client: path, stopping: new AbortController().signal });

  /** The buyer comes back to the return address, which leads to the page of the Checkout or the invoice. */
  async function comeBack(location: string): Promise<void> {
    const back = await get(new URL(location).pathname);
    // A return address leads nowhere an hour after the payment is settled.
    if (back.status === 410) return;
    const page = await get(back.headers.get("location")!);
    if (page.status !== 200) throw new Error(`a buyer is back, and the page answers ${page.status}`);
  }

  /** Most buyers come back at once, and some never do. Billow must hear of the others in the order of the attempts. */
  const comesBack = () => sandbox.unheard || draw.chance(0.65);

  async function finish(location: string): Promise<void> {
    if (!location.startsWith(ctx.config.publicOrigin)) throw new Error(`Stripe leads the buyer to ${location}`);
    if (comesBack()) await comeBack(location);
  }

  /** The button "Pay another way" on our page. */
  const giveUp = ({ customerId, sourceId }: Omit<Challenge, "url">) =>
    giveUpChallenge(ctx, { organizationId, customerId, sourceId });

  /** The address of Stripe's page. After a fault a worker has made the page ready by now. */
  async function waiting(world: World, sourceId: string): Promise<Challenge | null> {
    for (let isLate = false; ; isLate = true) {
      const attempt = await liveAttempt(ctx.db.read, organizationId, sourceId);
      if (!attempt) return null;
      const { actionUrl: url, customerId } = attempt;
      if (url !== null) return { url, customerId, sourceId };
      if (isLate) throw new Error(`the buyer of ${sourceId} has no page`);
      await world.settle();
    }
  }

  async function payAtProvider(world: World, sourceId: string, card: CardName): Promise<void> {
    const page = await waiting(world, sourceId);
    const session = page && sessionAt(stripe, page.url);
    if (!page || session?.status !== "open") return;
    const { location } = await payOn(page.url, NUMBERS[card]);
    if (card === "declined") return giveUp(page);
    turnCard(stripe, session, card);
    if (card === "pays" || card === "failsLater") await finish(location);
  }

  /** The address of the bank. A buyer who has failed there before types the card once more. */
  async function bankOf(url: string): Promise<string | null> {
    const session = sessionAt(stripe, url);
    if (!session) return url;
    if (session.status !== "open") return null;
    const action = intentOf(stripe, session)?.next_action;
    if (action?.type === "redirect_to_url") return action.redirect_to_url.url;
    return (await payOn(url, NUMBERS.asksBuyer)).location;
  }

  /** The time of some pages ends while the buyer is at the bank. The payment succeeds all the same. */
  function expireSome(url: string): void {
    const session = sessionAt(stripe, url);
    if (session && draw.chance(0.3)) stripe.operations.expireAtBank(session.id);
  }

  async function answer(challenge: Challenge, { pass, heard }: StepOf<"bank">): Promise<void> {
    const bank = await bankOf(challenge.url);
    if (bank === null) return;
    // The answer must not wait any longer than the other answers at the bank.
    if (!heard) stripe.book.hidden.toProcess = 0;
    sandbox.unheard ||= !heard;
    if (pass) expireSome(challenge.url);
    const { location } = await authenticateOn(bank, pass ? "complete" : "fail");
    if (!heard) return;
    if (!pass && sessionAt(stripe, challenge.url)) await giveUp(challenge);
    else if (location.startsWith(ctx.config.publicOrigin)) await finish(location);
  }

  return { payAtProvider, answer };
}
