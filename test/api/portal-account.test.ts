import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../support/app.ts";
import { wordsOf } from "../support/pages.ts";
import { signInTo } from "../support/portal.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let portal: string;

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" });
  await story.plan("pro", 3000, { name: "Pro" });
  portal = `/portal/${story.app.organization.id}`;
});
afterAll(() => story.close());

const signIn = (id: string) => signInTo(story, id);

test("a debt leads to the page where it is paid; invoices come a page at a time", async () => {
  const late = await story.buy({ productKey: "pro", customer: { email: "late@example.com" } }, CARDS.failsLater);
  const there = await signIn(late.customerId);
  expect(wordsOf((await there.get(portal)).text)).toContain("1 April 2026: US$30.00 to Visa •••• 0341");
  await story.travel("2026-04-02");
  const { text } = await there.get(portal);
  for (const said of ["Payment overdue", "Until 8 April 2026", "US$30.00 is overdue", "Pay US$30.00"])
    expect(wordsOf(text)).toContain(said);
  const [open] = (await story.ok(story.app.manage("GET", `/invoices?customerId=${late.customerId}&status=open`))).data;
  const page = new URL(open.url).pathname;
  expect(text).toContain(`<a class="button" href="${page}">Pay US$30.00</a>`);
  expect(text).toContain(`<a class="pay" href="${page}" aria-label="Pay invoice ${open.number}">`);
  for (const query of ["cursor=x", "subscriptions=x"]) expect((await there.get(`${portal}?${query}`)).status).toBe(404);
  const marked = await there.get(`${portal}?utm_source=news&fbclid=x`);
  expect([marked.status, wordsOf(marked.text).includes("Your account")]).toEqual([200, true]);
});

test("Subscriptions come twenty at a time, and the ended ones behind the last", async () => {
  const { id: customerId } = await story.ok(story.app.api("POST", "/customers", { email: "many@example.com" }));
  const sold: Json[] = [];
  for (let n = 1; n <= 23; n += 1) {
    await story.plan(`part-${n}`, 100 * n, { name: `Part ${n}.`, group: `part-${n}` });
    sold.push(await story.ok(story.app.manage("POST", "/subscriptions", { productKey: `part-${n}`, customerId })));
  }
  await story.ok(story.app.manage("POST", `/subscriptions/${sold[22]!.id}/cancel-now`, {}));
  const credit = { currency: "usd", amount: 100, reason: "Sorry" };
  await story.ok(story.app.manage("POST", `/customers/${customerId}/balance-adjustments`, credit));
  const there = await signIn(customerId);
  const partsOf = (text: string) => [...text.matchAll(/<h3><bdi>Part (\d+)\./g)].map(([, n]) => Number(n));
  const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
  const first = (await there.get(portal)).text;
  expect(partsOf(first)).toEqual(upTo(1, 20));
  expect(wordsOf(first)).toContain("US$1.00 from your account balance");
  const [, more] = /href="(\?subscriptions=[^"]+)">More subscriptions</.exec(first)!;
  const rest = (await there.get(portal + more!)).text;
  expect([partsOf(rest), rest.includes("More subscriptions")]).toEqual([[21, 22, 23], false]);
  for (const { id } of sold.slice(20, 22))
    expect((await there.get(`${portal}/subscriptions/${id}/cancel`)).status).toBe(200);
});
