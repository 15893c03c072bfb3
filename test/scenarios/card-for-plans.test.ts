import { afterEach, describe, expect, it } from "vitest";
import { payOnPage } from "../payments/stripe-requests.ts";
import type { Json } from "../support/app.ts";
import { payHosted, takeHostedCards } from "../support/hosted.ts";
import { get, wordsOf } from "../support/pages.ts";
import { signInTo, type WebClient } from "../support/portal.ts";
import { openStripeShop, type StripeShop } from "../support/stripe-shop.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** Eva has bought Pro by name, and someone has typed her e-mail address to buy Club. Eva is in the portal. */
type Fixture = { story: Story; eva: WebClient; portal: string; pro: string; club: string };

const EVA = "eva@example.com";
let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

async function sell(story: Story): Promise<void> {
  await story.plan("pro", 10000, { name: "Pro" });
  await story.plan("club", 500, { name: "Club", group: "club" });
}
async function enter(story: Story, [pro, club]: [Json, Json]): Promise<Fixture> {
  expect(club["customerId"]).toBe(pro["customerId"]);
  const eva = await signInTo(story, pro["customerId"]);
  return { story, eva, portal: `/portal/${story.app.organization.id}`, pro: pro["id"], club: club["id"] };
}
const home = async ({ eva, portal }: Fixture) => wordsOf((await eva.get(portal)).text);
/** Chooses on the portal's page which plans the card is for, and goes on to the provider. Answers the address there. */
async function choose({ eva, portal, club }: Fixture, plan: string): Promise<string> {
  const { status, headers } = await eva.post(`${portal}/card`, { plan, seen: club });
  expect(status).toBe(303);
  return headers.get("Location")!;
}
/** The card and outcome of the newest payment of each plan. */
async function renewals({ story, pro, club }: Fixture): Promise<string[]> {
  await story.travel("2026-07-02");
  await story.settle();
  const newest = async (id: string) => {
    const [{ trigger, status, method }] = (
      await story.ok(story.app.manage("GET", `/payments?subscriptionId=${id}&limit=1`))
    ).data;
    return `${trigger} ${method.last4} ${status}`;
  };
  return [await newest(pro), await newest(club)];
}

const CHOICES = [
  ["all plans", () => "", ["4444", "4444"]],
  ["only Club", ({ club }: Fixture) => club, ["4242", "4444"]],
  ["only Pro", ({ pro }: Fixture) => pro, ["4444", "0005"]],
] as const;
const paidBy = ([pro, club]: readonly [string, string]) => [`renewal ${pro} succeeded`, `renewal ${club} succeeded`];

describe("the plans that a card on Stripe's page is for (rule C12e)", () => {
  let shop: StripeShop;
  async function open(): Promise<Fixture> {
    shop = await openStripeShop("2026-06-01T09:00:00Z");
    close = async () => {
      expect(await shop.story.audit()).toEqual([]);
      await shop.close();
    };
    const { story } = shop;
    await sell(story);
    const pro = await shop.buy({ productKey: "pro", customer: { email: EVA } });
    const { id, url } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "club" }));
    const { pathname, search } = new URL(url);
    const body = new URLSearchParams({ expectedAmount: "500", email: EVA });
    await fetch(story.app.url + pathname + search, { method: "POST", body, redirect: "manual" });
    await payOnPage([...shop.stripe.book.sessions.values()].at(-1)!.url!, "3782 822463 10005");
    await story.settle();
    const { subscriptionId } = await story.ok(story.app.api("GET", `/checkouts/${id}`));
    return enter(story, [pro, await story.subscription(subscriptionId)]);
  }

  const WAYS = {
    "the buyer's way back": async (fixture: Fixture, back: string) => {
      const { pathname, search } = new URL(back);
      await get(fixture.story.app.url + pathname + search);
    },
    "Stripe's notice": () => shop.notify(),
    "Stripe's list of events": () => shop.poll(),
  };
  it.each(
    Object.entries(WAYS).flatMap(([way, learn]) =>
      CHOICES.map(([choice, of, cards]) => ({ way, learn, choice, of, cards })),
    ),
  )("are $choice, as chosen, if Billow learns of the card by $way", async ({ learn, of, cards }) => {
    const fixture = await open();
    await shop.poll();
    const page = await choose(fixture, of(fixture));
    expect(new URL(page).origin).toBe(shop.stripe.url);
    const { location } = await payOnPage(page, "5555 5555 5555 4444");
    await learn(fixture, location!);
    expect(await renewals(fixture)).toEqual(paidBy(cards));
  });

  it("stay as chosen if Stripe's answer to the creation of the page was lost", async () => {
    const fixture = await open();
    shop.stripe.fault("POST /v1/checkout/sessions", "after");
    const first = await choose(fixture, fixture.club);
    expect(first).toBe(`${fixture.portal}/card`);
    await fixture.story.settle();
    expect(await home(fixture)).toContain("US$5.00 to American Express •••• 0005");
    const { url } = [...shop.stripe.book.sessions.values()].at(-1)!;
    await payOnPage(url!, "5555 5555 5555 4444");
    await shop.notify();
    expect(await home(fixture)).toContain("US$5.00 to Mastercard •••• 4444");
    expect(await renewals(fixture)).toEqual(paidBy(["4242", "4444"]));
  });
});

describe("the plans that a card on the sandbox's page is for (rule C12e)", () => {
  async function open(): Promise<Fixture> {
    const story = await startStory({ clock: "2026-06-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
    close = async () => {
      expect(await story.audit()).toEqual([]);
      await story.close();
    };
    await sell(story);
    const pro = await story.buy({ productKey: "pro", customer: { email: EVA } }, CARDS.pays);
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "club" }));
    const body = { card: CARDS.pays, email: EVA };
    const { subscriptionId } = await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, body));
    await takeHostedCards(story.app);
    return enter(story, [pro, await story.subscription(subscriptionId)]);
  }

  it.each(["with", "without"])("are the chosen one, %s the buyer's way back", async (way) => {
    const fixture = await open();
    const back = await payHosted(await choose(fixture, fixture.club), CARDS.paysToo);
    if (way === "with") await get(back);
    else await fixture.story.settle();
    expect(await renewals(fixture)).toEqual(paidBy(["4242", "5556"]));
  });

  it("do not hold a purchase that a stranger made while Eva was on the page", async () => {
    const fixture = await open();
    const { story } = fixture;
    const page = await choose(fixture, "");
    await story.travel("2026-06-01T09:05:00Z");
    await story.plan("gym", 700, { name: "Gym", group: "gym" });
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "gym" }));
    const body = { card: CARDS.failsLater, email: EVA };
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, body));
    await get(await payHosted(page, CARDS.paysToo));
    const text = await home(fixture);
    expect(text).toContain("US$7.00 to Visa •••• 0341");
    expect(text).toContain("US$5.00 to Visa •••• 5556");
    expect(text.match(/This was bought with your e-mail address/g)).toHaveLength(1);
    expect(await renewals(fixture)).toEqual(paidBy(["5556", "5556"]));
  });

  it("hold no plan that has ended meanwhile: the card is kept, and pays for none of the others", async () => {
    const fixture = await open();
    const page = await choose(fixture, fixture.club);
    await fixture.story.ok(fixture.story.app.manage("POST", `/subscriptions/${fixture.club}/cancel-now`));
    await get(await payHosted(page, CARDS.paysToo));
    expect(await home(fixture)).toContain("US$100.00 to Visa •••• 4242");
    expect((await renewals(fixture))[0]).toBe("renewal 4242 succeeded");
  });
});
