import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { createWebApp } from "../../src/web/app.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { caller, type Json } from "../support/app.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";
import { wordsOf } from "../support/pages.ts";
import { age, signInTo, startPortalStory, startWebClient, type WebClient } from "../support/portal.ts";
import type { Story } from "../support/story.ts";

let story: Story;
let server: MailServer;
let portal: string;
let customer: Json;
const linksStatement = sql("test.portal_links", "SELECT email_id IS NOT NULL AS mailed FROM portal_links");

beforeAll(async () => {
  server = await startMailServer();
  const opened = await startPortalStory({ smtpUrl: server.url });
  ({ story, portal } = opened);
  customer = { id: opened.subscription.customerId };
});
afterAll(async () => {
  await story.close();
  await server.close();
});
beforeEach(async () => {
  await post();
  server.received = [];
  server.toMessage = () => ({ code: 250 });
});

/** Writes and sends all e-mails that were asked for. */
async function post(): Promise<void> {
  await story.app.runDue();
  await mailOnce(story.app.ctx);
}

const newClient = (cookie: string | null = null) => startWebClient(story.app.url, cookie);
const linksIn = (text: string) =>
  [...text.matchAll(/\bhttp:\S+\/sign-in\/[\w-]{43}/g)].map(([url]) => new URL(url).pathname);
const ask = (email: string, path = portal) => newClient().post(path, { email });
async function linksTo(email: string): Promise<string[]> {
  expect((await ask(email)).status).toBe(200);
  await post();
  return server.received.flatMap(({ text }) => linksIn(text!));
}
/** The address of a new Customer, because links for one address are limited. */
async function addressOf(name: string): Promise<string> {
  return (await story.ok(story.app.api("POST", "/customers", { email: `${name}@example.com` }))).email;
}
/** Signs in with a link from the API. */
const signIn = (id: string = customer.id, returnUrl: string | null = null) => signInTo(story, id, returnUrl);
const isSignedIn = async (there: WebClient) => wordsOf((await there.get(portal)).text).includes("Your account");

describe("signing in by e-mail", () => {
  test("takes the address as it was typed, and a link that only its button uses up", async () => {
    const [link, ...others] = await linksTo(" aDA@example.com ");
    expect(others).toEqual([]);
    expect(server.received).toMatchObject([
      { subject: "[Sandbox] Sign in to Test", to: [{ address: "Ada@example.com", name: "Ada" }] },
    ]);
    const there = newClient();
    for (let n = 0; n < 3; n += 1)
      expect(wordsOf((await there.get(link!)).text)).toContain("You’re signing in as Ada (Ada@example.com)");
    expect(there.cookie).toBeNull();
    const opened = await there.post(link!);
    expect([opened.status, opened.headers.get("Location")]).toEqual([303, portal]);
    expect(opened.headers.get("Set-Cookie")).toMatch(
      new RegExp(`^billow_portal=[\\w-]{43}; Max-Age=43200; Path=${portal}; HttpOnly; SameSite=Lax$`),
    );
    expect(await isSignedIn(there)).toBe(true);
  });

  test("a link works once, also for two clients at the same moment", async () => {
    const [link] = await linksTo("ada@example.com");
    const answers = await Promise.all([newClient().post(link!), newClient().post(link!)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
    for (const again of [await newClient().get(link!), await newClient().post(link!)]) {
      expect([again.status, again.headers.get("Set-Cookie")]).toEqual([410, null]);
      expect(wordsOf(again.text)).toContain("This link no longer works");
    }
  });

  test("for fifteen minutes, and a session twelve hours", async () => {
    const [late] = await linksTo(await addressOf("waits"));
    await age(story.app.ctx.db, "15 minutes");
    expect([(await newClient().get(late!)).status, (await newClient().post(late!)).status]).toEqual([410, 410]);
    const there = await signIn();
    await age(story.app.ctx.db, "11 hours 59 minutes");
    expect(await isSignedIn(there)).toBe(true);
    await age(story.app.ctx.db, "1 minute");
    expect(await isSignedIn(there)).toBe(false);
  });

  test("an altered link, or one of another Organization, signs nobody in", async () => {
    const [link] = await linksTo(await addressOf("altered"));
    const other = (await story.app.otherOrganization()).organization.id;
    const altered = [
      `${link!.slice(0, -1)}${link!.endsWith("A") ? "E" : "A"}`,
      link!.slice(0, -1),
      `${link}A`,
      `${portal}/sign-in/x`,
    ];
    for (const path of [...altered, link!.replace(story.app.organization.id, other)]) {
      expect([(await newClient().get(path)).status, (await newClient().post(path)).status], path).toEqual([410, 410]);
    }
    expect((await newClient().post(link!)).status).toBe(303);
  });

  test("an unknown address gets the same answer, and no e-mail", async () => {
    const [known, unknown] = [await ask("ada@example.com"), await ask("nobody@example.com")];
    expect(unknown.text).toBe(known.text);
    expect(unknown.status).toBe(known.status);
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
    await post();
    expect(server.received.map(({ to }) => to![0]!.address)).toEqual(["Ada@example.com"]);
  });

  test.each(["", "ada", "ada@", "a b@example.com", `${"a".repeat(400)}@example.com`])("422 for %j", async (email) => {
    const answer = await ask(email);
    expect([answer.status, /Enter (an|your) e-mail address/.test(wordsOf(answer.text))]).toEqual([422, true]);
  });

  test("is not there for an Organization that is not", async () => {
    for (const id of ["org_01h455vb4pex5vsknk084sn02q", "org_x", "x"]) {
      expect((await newClient().get(`/portal/${id}`)).status).toBe(404);
      expect((await ask("ada@example.com", `/portal/${id}`)).status).toBe(404);
      expect((await newClient().post(`/portal/${id}/sign-in/x`)).status).toBe(404);
    }
  });

  test("Customers that share an address get one e-mail with a link for each", async () => {
    for (const externalId of ["studio", "lab"]) {
      await story.ok(
        story.app.api("POST", "/customers", {
          email: "both@example.com",
          externalId,
          ...(externalId === "lab" && { name: "Lab" }),
        }),
      );
    }
    const links = await linksTo("BOTH@example.com");
    expect([server.received.length, links.length]).toEqual([1, 2]);
    expect(server.received[0]!.text).toMatch(/Sign in as studio:\n[^]*Sign in as Lab \(lab\):\n/);
    const lab = newClient();
    await lab.post(links[1]!);
    expect(wordsOf((await lab.get(portal)).text)).toContain("Signed in as Lab (both@example.com)");
  });

  test("an e-mail that comes too late is not sent", async () => {
    await ask(await addressOf("slow"));
    await story.app.runDue();
    await age(story.app.ctx.db, "15 minutes");
    await post();
    const { data } = await story.ok(story.app.manage("GET", "/emails?kind=portal_sign_in&limit=1"));
    expect([server.received, data[0].status, data[0].reason]).toEqual([[], "skipped", "past"]);
  });

  test("a client asks five times a minute for an address, known or not; others still can", async () => {
    for (const email of [await addressOf("eve"), "nobody@example.org"]) {
      const eve = newClient();
      for (let n = 0; n < 5; n += 1) expect((await eve.post(portal, { email })).status).toBe(200);
      expect((await eve.post(portal, { email: email.toUpperCase() })).status).toBe(429);
      expect((await ask(email)).status).toBe(200);
    }
  });

  test("all addresses of a /64 of IPv6 are one client", async () => {
    const email = await addressOf("mallory");
    const askFrom = async (address: string) => {
      const request = { method: "POST", headers: { "X-Forwarded-For": address }, body: new URLSearchParams({ email }) };
      return (await fetch(new URL(portal, story.app.url), request)).status;
    };
    for (let n = 1; n <= 5; n += 1) expect(await askFrom(`2001:db8:0:1::${n}`)).toBe(200);
    expect(await askFrom("2001:db8:0:1::6")).toBe(429);
    expect(await askFrom("2001:db8:0:2::1")).toBe(200);
  });

  test("one is not sent while another of the last two minutes is good", async () => {
    const email = await addressOf("patient");
    const [first] = await linksTo(email);
    for (let n = 0; n < 3; n += 1) await ask(email);
    expect(await linksTo(email)).toEqual([first]);
    await age(story.app.ctx.db, "2 minutes");
    const [, second] = await linksTo(email);
    expect(second).toBeTruthy();
    // A buyer that has used one link may need the next one.
    await newClient().post(second!);
    expect(await linksTo(email)).toHaveLength(3);
  });

  test("requests by one client do not use up those of the owner; twenty an hour are sent in all", async () => {
    const email = await addressOf("owner");
    const sentTo = async (client: string) => {
      server.received = [];
      // A new process has not counted this minute's requests.
      const request = { method: "POST", body: new URLSearchParams({ email }) };
      const answer = await createWebApp(story.app.ctx).request(portal, request, { client, requestId: "req_1" });
      expect(answer.status).toBe(200);
      await post();
      await age(story.app.ctx.db, "2 minutes");
      return server.received.length;
    };
    for (let n = 1; n <= 6; n += 1) expect(await sentTo("192.0.2.1")).toBe(n <= 5 ? 1 : 0);
    for (let n = 6; n <= 21; n += 1) expect(await sentTo(`198.51.100.${n}`)).toBe(n <= 20 ? 1 : 0);
  });
});

describe("the kept part of a link", () => {
  const textStatement = sql(
    "test.portal_texts",
    `SELECT string_agg(t, ' ') AS text FROM (SELECT l::text AS t FROM portal_links l UNION ALL SELECT s::text
      FROM portal_sessions s
     UNION ALL SELECT i.body FROM idempotency_keys i) rows`,
  );

  test("is neither its secret nor that of the session", async () => {
    const [link] = await linksTo(await addressOf("secret"));
    const made = await story.ok(
      story.app.manage("POST", `/customers/${customer.id}/portal-sessions`, {}, { "Idempotency-Key": "kept" }),
    );
    const there = newClient();
    await there.post(link!);
    const [{ text }] = (await story.app.ctx.db.read.query<{ text: string }>(textStatement)) as [{ text: string }];
    for (const secret of [link!.split("/").at(-1)!, made.url.split("/").at(-1), there.cookie!.split("=")[1]!]) {
      expect(text).not.toContain(secret);
    }
  });

  test("is shown in a sandbox, and once it is sent nowhere else", async () => {
    await linksTo(await addressOf("shown"));
    const [shown] = (await story.ok(story.app.manage("GET", "/emails?kind=portal_sign_in&limit=1"))).data;
    expect(linksIn((await story.ok(story.app.manage("GET", `/emails/${shown.id}`))).text)).toHaveLength(1);
    const { organization, keys } = await story.app.otherOrganization({ mode: "live" });
    const [api, manage] = [
      caller(`${story.app.url}/public/v2`, keys.public),
      caller(`${story.app.url}/manage/v1`, keys.manage),
    ];
    await story.ok(api("POST", "/customers", { email: "live@example.com" }));
    server.received = [];
    await ask("live@example.com", `/portal/${organization.id}`);
    await post();
    expect(linksIn(server.received[0]!.text!)).toHaveLength(1);
    const [sent] = (await story.ok(manage("GET", "/emails"))).data;
    expect(await story.ok(manage("GET", `/emails/${sent.id}`))).toMatchObject({
      status: "sent",
      to: "live@example.com",
      text: null,
      html: null,
    });
  });
});

test("links outside an e-mail are forgotten once they have expired, the others with their e-mails", async () => {
  const [mailed] = await linksTo(await addressOf("forgotten"));
  await story.ok(story.app.manage("POST", `/customers/${customer.id}/portal-sessions`));
  const left = async () =>
    (await story.app.ctx.db.read.query<{ mailed: boolean }>(linksStatement)).map((row) => row.mailed);
  expect(await left()).toContain(false);
  await age(story.app.ctx.db, "15 minutes");
  await story.app.runDue();
  expect(new Set(await left())).toEqual(new Set([true]));
  await age(story.app.ctx.db, "31 days");
  await story.app.runDue();
  expect([await left(), (await newClient().get(mailed!)).status]).toEqual([[], 410]);
});

describe("a session", () => {
  test("leads back to the merchant's address, and nowhere else", async () => {
    const there = await signIn(customer.id, "https://app.example.com/settings?a=b");
    expect((await there.get(portal)).text).toContain(
      'href="https://app.example.com/settings?a=b" rel="noreferrer">Back to',
    );
    expect((await (await signIn()).get(portal)).text).not.toContain("Back to");
  });

  test("does not count in another Organization", async () => {
    const there = await signIn();
    const { organization } = await story.app.otherOrganization();
    const other = await there.get(`/portal/${organization.id}`);
    expect(wordsOf(other.text)).toContain("Send me a link");
    await there.post(`/portal/${organization.id}/sign-out`);
    const again = await signIn();
    const { cookie } = again;
    await again.post(`/portal/${organization.id}/sign-out`);
    expect(await isSignedIn(newClient(cookie))).toBe(true);
  });

  test("is over for good when its owner signs out", async () => {
    const there = await signIn();
    const { cookie } = there;
    const out = await there.post(`${portal}/sign-out`);
    expect([out.status, out.headers.get("Location"), there.cookie]).toEqual([303, portal, null]);
    expect(await isSignedIn(newClient(cookie))).toBe(false);
    expect((await newClient().post(`${portal}/sign-out`)).status).toBe(303);
  });

  test("ends when the Customer's address changes, and when they are deleted", async () => {
    const { id } = await story.ok(story.app.api("POST", "/customers", { email: "wrong@example.com" }));
    const [before] = await linksTo("wrong@example.com");
    const there = await signIn(id);
    await story.ok(story.app.manage("PATCH", `/customers/${id}`, { name: "Bob" }));
    expect(await isSignedIn(there)).toBe(true);
    await story.ok(story.app.manage("PATCH", `/customers/${id}`, { email: "bob@example.com" }));
    expect([await isSignedIn(there), (await newClient().post(before!)).status]).toEqual([false, 410]);
    const again = await signIn(id);
    server.received = [];
    const [open] = await linksTo("bob@example.com");
    expect((await story.app.manage("DELETE", `/customers/${id}`)).status).toBe(204);
    expect([
      await isSignedIn(again),
      (await newClient().get(open!)).status,
      (await newClient().post(open!)).status,
    ]).toEqual([false, 410, 410]);
  });

  test("a deleted Customer is not named any more in e-mails that were sent to another one", async () => {
    const [kept, gone] = await Promise.all(
      ["kept", "gone"].map((externalId) =>
        story.ok(story.app.api("POST", "/customers", { email: "two@example.com", externalId })),
      ),
    );
    await linksTo("two@example.com");
    expect((await story.app.manage("DELETE", `/customers/${gone!.id}`)).status).toBe(204);
    for (const { id } of (await story.ok(story.app.manage("GET", `/emails?kind=portal_sign_in&customerId=${kept!.id}`)))
      .data) {
      expect((await story.ok(story.app.manage("GET", `/emails/${id}`))).text).toBeNull();
    }
  });

  test("over TLS its cookie goes over TLS alone", async () => {
    const pages = createWebApp({
      ...story.app.ctx,
      config: { ...story.app.ctx.config, publicOrigin: "https://shop.example/billing" },
    });
    const { url } = await story.ok(story.app.manage("POST", `/customers/${customer.id}/portal-sessions`));
    const answer = await pages.request(
      new URL(url).pathname,
      { method: "POST" },
      { client: "192.0.2.1", requestId: "req_1" },
    );
    expect(answer.headers.get("Location")).toBe(`/billing${portal}`);
    expect(answer.headers.get("Set-Cookie")).toMatch(
      new RegExp(
        `^__Secure-billow_portal=[\\w-]{43}; Max-Age=43200; Path=/billing${portal}; HttpOnly; Secure; SameSite=Lax$`,
      ),
    );
  });
});
