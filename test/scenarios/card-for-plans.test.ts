import { afterEach, describe, expect, it } from "vitest";
import { payOnPage } from "../payments/stripe-requests.ts";
import type { Json } from "../support/app.ts";
import { payHosted, takeHostedCards } from "../support/hosted.ts";
import { get, wordsOf } from "../support/pages.ts";
import { signInTo, type Visit } from "../support/portal.ts";
import { openStripeShop, type StripeShop } from "../support/stripe-shop.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

/** Eva has bought Pro by name, and someone has typed her e-mail address to buy Club. Eva is in the portal. */
type Scene = { story: Story; eva: Visit; portal: string; pro: string; club: string };

const EVA = "eva@example.com";
let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

async function sell(story: Story): Promise<void> {
  await story.plan("pro", 10000, { name: "Pro" });
  await story.plan("club", 500, { name: "Club", group: "club" });
}
async function enter(story: Story, [pro, club]: [Json, Json]): Promise<Scene> {
  expect(club["customerId"]).toBe(pro["customerId"]);
  const eva = await signInTo(story, pro["customerId"]);
  return { story, eva, portal: `/portal/${story.app.organization.id}`, pro: pro["id"], club: club["id"] };
}
const home = async ({ eva, portal }: Scene) => wordsOf((await eva.get(portal)).text);
/** Chooses on the portal's page which plans the card is for, and goes on to the provider. Answers the address there. */
async function choose({ eva, portal, club }: Scene, plan: string): Promise<string> {
  const { status, headers } = await eva.post(`${portal}/card`, { plan, seen: club });
  expect(status).toBe(303);
  return headers.get("Location")!;
}
/** The card and outcome of the newest payment of each plan. */
async function renewals({ story, pro, club }: Scene): Promise<string[]> {
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
  ["only Club", ({ club }: Scene) => club, ["4242", "4444"]],
  ["only Pro", ({ pro }: Scene) => pro, ["4444", "0005"]],
] as const;
const paidBy = ([pro, club]: readonly [string, string]) => [`renewal ${pro} succeeded`, `renewal ${club} succeeded`];

describe("the plans that a card on Stripe's page is for (rule C12e)", () => {
  let shop: StripeShop;
  async function open(): Promise<Scene> {
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
    "the buyer's way back": async (scene: Scene, back: string) => {
      const { pathname, search } = new URL(back);
      await get(scene.story.app.url + pathname + search);
    },
    "Stripe's notice": () => shop.notify(),
    "Stripe's list of events": () => shop.poll(),
  };
  it.each(
    Object.entries(WAYS).flatMap(([way, learn]) =>
      CHOICES.map(([choice, of, cards]) => ({ way, learn, choice, of, cards })),
    ),
  )("are $choice, as chosen, if Billow learns of the card by $way", async ({ learn, of, cards }) => {
    const scene = await open();
    await shop.poll();
    const page = await choose(scene, of(scene));
    expect(new URL(page).origin).toBe(shop.stripe.url);
    const { location } = await payOnPage(page, "5555 5555 5555 4444");
    await learn(scene, location!);
    expect(await renewals(scene)).toEqual(paidBy(cards));
  });

  it("stay as chosen if Stripe's answer to the creation of the page was lost", async () => {
    const scene = await open();
    shop.stripe.fault("POST /v1/checkout/sessions", "after");
    const first = await choose(scene, scene.club);
    expect(first).toBe(`${scene.portal}/card`);
    await scene.story.settle();
    expect(await home(scene)).toContain("US$5.00 to American Express •••• 0005");
    const { url } = [...shop.stripe.book.sessions.values()].at(-1)!;
    await payOnPage(url!, "5555 5555 5555 4444");
    await shop.notify();
    expect(await home(scene)).toContain("US$5.00 to Mastercard •••• 4444");
    expect(await renewals(scene)).toEqual(paidBy(["4242", "4444"]));
  });
});

describe("the plans that a card on the sandbox's page is for (rule C12e)", () => {
  async function open(): Promise<Scene> {
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
    const scene = await open();
    const back = await payHosted(await choose(scene, scene.club), CARDS.paysToo);
    if (way === "with") await get(back);
    else await scene.story.settle();
    expect(await renewals(scene)).toEqual(paidBy(["4242", "5556"]));
  });

  it("do not hold a purchase that a stranger made while Eva was on the page", async () => {
    const scene = await open();
    const { story } = scene;
    const page = await choose(scene, "");
    await story.travel("2026-06-01T09:05:00Z");
    await story.plan("gym", 700, { name: "Gym", group: "gym" });
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "gym" }));
    const body = { card: CARDS.failsLater, email: EVA };
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, body));
    await get(await payHosted(page, CARDS.paysToo));
    const text = await home(scene);
    expect(text).toContain("US$7.00 to Visa •••• 0341");
    expect(text).toContain("US$5.00 to Visa •••• 5556");
    expect(text.match(/This was bought with your e-mail address/g)).toHaveLength(1);
    expect(await renewals(scene)).toEqual(paidBy(["5556", "5556"]));
  });

  it("hold no plan that has ended meanwhile: the card is kept, and pays for none of the others", async () => {
    const scene = await open();
    const page = await choose(scene, scene.club);
    await scene.story.ok(scene.story.app.manage("POST", `/subscriptions/${scene.club}/cancel-now`));
    await get(await payHosted(page, CARDS.paysToo));
    expect(await home(scene)).toContain("US$100.00 to Visa •••• 4242");
    expect((await renewals(scene))[0]).toBe("renewal 4242 succeeded");
  });
});
