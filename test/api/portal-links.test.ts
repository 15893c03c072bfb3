import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { createCustomerPortalSession } from "../../src/actions/customer/portal-sessions.ts";
import type { PortalLink } from "../../src/actions/customer/portal-links.ts";
import { ownOrigin } from "../../src/actions/origin.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { wordsOf, type Page } from "../support/pages.ts";
import { age, startPortalStory, startWebClient, type WebClient } from "../support/portal.ts";
import type { Story } from "../support/story.ts";

let story: Story;
let portal: string;
let ada: string;
let bob: Json;

beforeAll(async () => {
  const opened = await startPortalStory();
  ({ story, portal } = opened);
  ada = opened.subscription.customerId;
  bob = await story.ok(story.app.api("POST", "/customers", { email: "bob@example.com", name: "Bob" }));
});
afterAll(() => story.close());

/** The headers of a browser that follows a click on another site, also over redirects. */
const CLICK = {
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-User": "?1",
  "Sec-Fetch-Site": "cross-site",
};

const BACK = "https://app.example.com/settings";

async function linkFor(customerId: string, returnUrl: string | null = null): Promise<string> {
  const made = story.app.manage("POST", `/customers/${customerId}/portal-sessions`, { returnUrl });
  return new URL((await story.ok(made)).url).pathname;
}

/**
 * Opens a path with these headers, as a client's browser. Not with `fetch`: the standard lets no caller set
 * `Sec-Fetch-Mode`.
 */
async function open(
  there: WebClient,
  path: string,
  headers: Record<string, string> = CLICK,
  method = "GET",
): Promise<Page> {
  const cookie = there.cookie === null ? {} : { Cookie: there.cookie };
  const sent = request(story.app.url + path, { method, headers: { Accept: "text/html", ...cookie, ...headers } });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const [set] = answer.headers["set-cookie"] ?? [];
  if (set !== undefined) there.cookie = set.split(";")[0]!;
  const received = Object.entries(answer.headersDistinct).map(([name, values]) => [name, values!.join()] as const);
  return { status: answer.statusCode!, headers: new Headers(Object.fromEntries(received)), text: await text(answer) };
}

const newClient = () => startWebClient(story.app.url);
const nameIn = async (there: WebClient) =>
  /Signed in as (\S+) \(/.exec(wordsOf((await there.get(portal)).text))?.[1] ?? null;

describe("a link of the merchant's backend", () => {
  test.each([
    ["a click on another site", {}],
    ["a click on the same site", { "Sec-Fetch-Site": "same-site" }],
    ["a click on this server", { "Sec-Fetch-Site": "same-origin" }],
    ["a typed address of the merchant", { "Sec-Fetch-Site": "none" }],
    ["a script that waited for the backend", { "Sec-Fetch-User": "" }],
  ])("opens at once after %s", async (_, headers) => {
    const there = newClient();
    const opened = await open(there, await linkFor(ada), { ...CLICK, ...headers });
    expect([opened.status, opened.headers.get("Location")]).toEqual([303, portal]);
    expect(opened.headers.get("Cache-Control")).toBe("no-store");
    expect(opened.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(await nameIn(there)).toBe("Ada");
  });

  test.each<[reader: string, headers: Record<string, string>, method?: string]>([
    ["a program without Fetch Metadata", {}],
    ["a request for the headers only", CLICK, "HEAD"],
    ["a frame", { ...CLICK, "Sec-Fetch-Dest": "iframe" }],
    ["a script", { ...CLICK, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" }],
    ["a prefetch", { ...CLICK, "Sec-Purpose": "prefetch" }],
    ["a prerendered page", { ...CLICK, "Sec-Purpose": "prefetch;prerender" }],
    ["an older prefetch", { ...CLICK, Purpose: "prefetch" }],
  ])("is not used up by %s, which gets the page with the button", async (_, headers, method = "GET") => {
    const there = newClient();
    const link = await linkFor(ada);
    for (let n = 0; n < 2; n += 1) {
      const shown = await open(there, link, headers, method);
      expect([shown.status, there.cookie]).toEqual([200, null]);
      if (method === "GET") expect(wordsOf(shown.text)).toContain("You’re signing in as Ada (Ada@example.com)");
    }
    expect((await there.post(link)).status).toBe(303);
    expect(await nameIn(there)).toBe("Ada");
  });

  test("opens once, for two browsers at the same moment too", async () => {
    const link = await linkFor(ada);
    const clients = [newClient(), newClient()];
    const answers = await Promise.all(clients.map((there) => open(there, link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
    expect((await newClient().post(link)).status).toBe(410);
  });

  test("is good for a minute; then the sign-in says so, and leads back to the merchant", async () => {
    const link = await linkFor(ada, BACK);
    await age(story.app.ctx.db, "59 seconds");
    expect((await open(newClient(), link, {})).status).toBe(200);
    await age(story.app.ctx.db, "1 second");
    const there = newClient();
    const late = await open(there, link);
    expect([late.status, there.cookie]).toEqual([410, null]);
    const words = wordsOf(late.text);
    for (const said of ["This link no longer works", "Back to Test", "Send me a link"]) expect(words).toContain(said);
    expect(late.text).toContain(`<form method="post" action="${portal}"`);
  });

  test("leads the browser that has used it to the account again, and no other browser", async () => {
    const [there, link] = [newClient(), await linkFor(ada)];
    await open(there, link);
    const again = await open(there, link);
    expect([again.status, again.headers.get("Location")]).toEqual([303, portal]);
    const other = newClient();
    await open(other, await linkFor(bob.id));
    expect((await open(other, link)).status).toBe(410);
    expect(await nameIn(other)).toBe("Bob");
  });

  test("asks before it replaces the session of another Customer, and names both", async () => {
    const there = newClient();
    await open(there, await linkFor(bob.id));
    const { cookie } = there;
    const asked = await open(there, await linkFor(ada));
    expect([asked.status, there.cookie]).toEqual([200, cookie]);
    const words = wordsOf(asked.text);
    expect(words).toContain("You are signed in as Bob (bob@example.com)");
    expect(words).toContain("This link signs you in as Ada (Ada@example.com) instead.");
    expect(asked.text).toContain(`<a class="button other" href="${portal}">Stay signed in</a>`);
    expect(await nameIn(there)).toBe("Bob");
    const link = await linkFor(ada);
    expect((await there.post(link)).status).toBe(303);
    expect(await nameIn(there)).toBe("Ada");
    // The former session has ended: a copy of its cookie is worthless.
    expect(await nameIn(startWebClient(story.app.url, cookie))).toBeNull();
  });

  test("opens at once beside a session of the same Customer, which ends", async () => {
    const there = newClient();
    await open(there, await linkFor(ada));
    const { cookie } = there;
    expect((await open(there, await linkFor(ada, BACK))).status).toBe(303);
    expect((await there.get(portal)).text).toContain(BACK);
    expect(await nameIn(startWebClient(story.app.url, cookie))).toBeNull();
  });

  test("can't be used by a form of another site", async () => {
    const link = await linkFor(ada);
    const there = newClient();
    expect([(await open(there, link, CLICK, "POST")).status, there.cookie]).toEqual([403, null]);
  });
});

test("a link that support makes is good for a day, and always shows the button", async () => {
  const { ctx } = story.app;
  const origin = ownOrigin<PortalLink>(story.app.organization.id, (_, work) => ctx.db.tx(work));
  const { url } = await createCustomerPortalSession(ctx, origin, ada, null, true);
  const link = new URL(url).pathname;
  await age(ctx.db, "1439 minutes");
  const there = newClient();
  expect([(await open(there, link)).status, there.cookie]).toEqual([200, null]);
  expect((await there.post(link)).status).toBe(303);
  expect((await newClient().post(link)).status).toBe(410);
  const late = new URL((await createCustomerPortalSession(ctx, origin, ada, null, true)).url).pathname;
  await age(ctx.db, "1440 minutes");
  expect((await open(newClient(), late)).status).toBe(410);
});

test("a link from an e-mail is good for a quarter of an hour, and always shows the button", async () => {
  await newClient().post(portal, { email: "bob@example.com" });
  await story.app.runDue();
  await mailOnce(story.app.ctx);
  const [{ id }] = (await story.ok(story.app.manage("GET", "/emails?kind=portal_sign_in&limit=1"))).data;
  const { text: mail } = await story.ok(story.app.manage("GET", `/emails/${id}`));
  const link = new URL(/http:\S+\/sign-in\/[\w-]{43}/.exec(mail)![0]).pathname;
  await age(story.app.ctx.db, "14 minutes");
  const there = newClient();
  const shown = await open(there, link);
  expect([shown.status, there.cookie]).toEqual([200, null]);
  expect(wordsOf(shown.text)).toContain("You’re signing in as Bob (bob@example.com)");
  expect((await there.post(link)).status).toBe(303);
  expect(await nameIn(there)).toBe("Bob");
});

test("the card's page names the account, so that no one gives a card to a stranger's account", async () => {
  const there = newClient();
  await open(there, await linkFor(bob.id));
  expect(wordsOf((await there.get(`${portal}/card`)).text)).toContain(
    "This card will be saved for Bob (bob@example.com)",
  );
});
