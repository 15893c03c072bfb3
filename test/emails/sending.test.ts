import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openMailer } from "../../src/outbound/smtp.ts";
import { sql } from "../../src/store/driver/db.ts";
import { mailOnce } from "../../src/worker/mailer.ts";
import { startTestApp, type Json, type TestApp } from "../support/app.ts";
import { startMailServer, type MailServer } from "../support/mail-server.ts";

let app: TestApp;
let server: MailServer;

beforeEach(async () => {
  server = await startMailServer();
  // With these time-outs, Billow soon abandons a server that hangs. An operator may set the same parameters.
  app = await startTestApp({ smtpUrl: `${server.url}?greetingTimeout=3000&socketTimeout=3000` });
  const pro = { key: "pro", name: "Pro", interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  await app.manage("POST", "/products", pro);
});
afterEach(async () => {
  await app.close();
  await server.close();
});

async function buy(email = "ada@example.com", more: object = {}): Promise<Json> {
  const { body } = await app.api("POST", "/checkouts", { productKey: "pro", customer: { email, ...more } });
  const paid = await app.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: "4242424242424242" });
  expect(paid.body.status).toBe("completed");
  return paid.body;
}
async function emails(query = ""): Promise<Json[]> {
  return (await app.manage("GET", `/emails${query}`)).body.data;
}
const dueStatement = sql(
  "test.emails_due",
  "UPDATE emails SET attempt_at = statement_timestamp() WHERE attempt_at IS NOT NULL",
);
/** Makes the next attempt due now. */
const comeDue = () => app.ctx.db.tx((tx) => tx.query(dueStatement));
const send = () => mailOnce(app.ctx);

describe("a server that does not take an e-mail", () => {
  test("is asked again, later and later, when it is busy", async () => {
    server.toRecipient = () => ({ code: 451, text: "Try again later" });
    await buy();
    await send();
    const [queued] = await emails();
    expect(queued).toMatchObject({
      status: "queued",
      attempts: 1,
      reason: expect.stringContaining("Try again later"),
      sentAt: null,
    });
    const delay = (email: Json) => Date.parse(email.nextAttemptAt) - Date.parse(email.queuedAt);
    expect(delay(queued!)).toBeGreaterThan(40_000);
    await send();
    expect(server.asked).toHaveLength(1);
    await comeDue();
    await send();
    const [again] = await emails();
    expect([again!.attempts, delay(again!) > delay(queued!)]).toEqual([2, true]);
    server.toRecipient = () => ({ code: 250 });
    await comeDue();
    await send();
    expect(await emails()).toMatchObject([
      { status: "sent", attempts: 3, reason: null, to: "ada@example.com", nextAttemptAt: null },
    ]);
    expect(server.received).toHaveLength(1);
  });

  test("is asked no more after three days", async () => {
    server.toRecipient = () => ({ code: 451 });
    await buy();
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      await comeDue();
      await send();
    }
    expect(await emails()).toMatchObject([
      { status: "failed", attempts: 10, nextAttemptAt: null, to: "ada@example.com" },
    ]);
    await send();
    expect(server.asked).toHaveLength(10);
  });

  test.each<["toRecipient" | "toMessage", number, string]>([
    ["toRecipient", 550, "No such user"],
    ["toRecipient", 553, "Mailbox name not allowed"],
    ["toRecipient", 550, "5.1.1 No such user"],
    ["toRecipient", 501, "5.1.3 Bad address"],
    ["toRecipient", 556, "5.1.10 The domain takes no mail"],
    ["toMessage", 550, "5.1.1 No such user"],
  ])("is believed about a recipient: %s %d %s", async (asked, code, text) => {
    server[asked] = () => ({ code, text });
    await buy();
    await send();
    expect(await emails()).toMatchObject([{ status: "failed", attempts: 1, reason: expect.stringContaining(text) }]);
  });

  test.each<["toSender" | "toRecipient" | "toMessage", number, string]>([
    ["toRecipient", 554, "5.7.1 Relay access denied"],
    ["toRecipient", 553, "sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
    ["toRecipient", 550, "5.7.1 Listed by a blocklist"],
    ["toRecipient", 550, "5.1.8 Sender address rejected: domain not found"],
    ["toRecipient", 552, "5.2.2 Mailbox full"],
    ["toMessage", 550, "Too much for today"],
    ["toMessage", 554, "5.7.1 Looks like spam"],
    ["toSender", 552, "5.3.4 Too large"],
  ])("is asked again when it has something else against an e-mail: %s %d %s", async (asked, code, text) => {
    server[asked] = () => ({ code, text });
    await buy();
    await send();
    expect(await emails()).toMatchObject([{ status: "queued", attempts: 1, reason: expect.stringContaining(text) }]);
    server[asked] = () => ({ code: 250 });
    await comeDue();
    await send();
    expect(await emails()).toMatchObject([{ status: "sent", attempts: 2, reason: null }]);
  });

  test("is asked for as long as it refuses our address, and no e-mail pays for that", async () => {
    server.toSender = () => ({ code: 550, text: "5.7.1 Not your address" });
    await buy();
    for (let day = 0; day < 14; day += 1) {
      await comeDue();
      await send();
    }
    expect(await emails()).toMatchObject([
      { status: "queued", attempts: 0, reason: expect.stringContaining("Not your address") },
    ]);
    server.toSender = () => ({ code: 250 });
    await comeDue();
    await send();
    expect(await emails()).toMatchObject([{ status: "sent", attempts: 1 }]);
  });

  test("is waited for when it is not there", async () => {
    const { port } = new URL(server.url);
    await server.close();
    await buy();
    await send();
    expect(await emails()).toMatchObject([
      { status: "queued", attempts: 1, reason: expect.stringContaining("ECONNREFUSED") },
    ]);
    server = await startMailServer(Number(port));
    await comeDue();
    await send();
    expect(await emails()).toMatchObject([{ status: "sent", attempts: 2 }]);
  });

  test("is left when it hangs", async () => {
    server.toRecipient = () => "hang";
    await buy();
    await send();
    expect(await emails()).toMatchObject([{ status: "queued", attempts: 1 }]);
  });
});

describe("an e-mail", () => {
  test("is sent once, however many send", async () => {
    for (let n = 0; n < 12; n += 1) await buy(`buyer${n}@example.com`);
    await Promise.all([send(), send(), send()]);
    expect(server.received.map(({ to }) => to![0]!.address).sort()).toEqual(
      Array.from({ length: 12 }, (_, n) => `buyer${n}@example.com`).sort(),
    );
  });

  test("that was sent by a process that died before noting it is recognizable as the same", async () => {
    await buy();
    const dying = { ...app.ctx, db: { ...app.ctx.db, tx: (work: never) => once(work) } } as typeof app.ctx;
    let transactions = 0;
    function once(work: never): Promise<never> {
      transactions += 1;
      return transactions === 1 ? (app.ctx.db.tx(work) as Promise<never>) : Promise.reject(new Error("killed"));
    }
    await expect(mailOnce(dying, AbortSignal.abort())).rejects.toThrow("killed");
    expect([server.received.length, (await emails())[0]!.status]).toEqual([1, "queued"]);
    // Another process must not take the e-mail while its sender may still be alive.
    await send();
    expect(server.received).toHaveLength(1);
    await comeDue();
    await send();
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(1);
    expect([server.received.length, (await emails())[0]!.status]).toEqual([2, "sent"]);
  });

  test("that has arrived is not sent again because that could not be noted at once", async () => {
    await buy();
    let transactions = 0;
    function most(work: never): Promise<never> {
      transactions += 1;
      return [2, 3].includes(transactions)
        ? Promise.reject(new Error("no database"))
        : (app.ctx.db.tx(work) as Promise<never>);
    }
    await mailOnce({ ...app.ctx, db: { ...app.ctx.db, tx: most as typeof app.ctx.db.tx } });
    expect(await emails()).toMatchObject([{ status: "sent", attempts: 1, reason: null, nextAttemptAt: null }]);
    await send();
    expect(server.received).toHaveLength(1);
  });

  test("can't be given headers by a name", async () => {
    const rename = sql("test.rename", "UPDATE customers SET name = $1 WHERE organization_id = $2");
    const paid = await buy();
    expect(paid.customerId).toMatch(/^cus_/);
    await app.ctx.db.tx((tx) =>
      tx.query(rename, ['Eve"\r\nBcc: eve@example.com\r\n\r\n<script>', app.organization.id]),
    );
    const named = sql("test.rename_organization", "UPDATE organizations SET name = $1 WHERE id = $2");
    await app.ctx.db.tx((tx) => tx.query(named, ["Acme\r\nBcc: eve@example.com, \u202eevil", app.organization.id]));
    await send();
    expect(server.asked).toEqual(["ada@example.com"]);
    const [mail] = server.received;
    expect(mail!.headers.filter(({ key }) => key === "bcc")).toEqual([]);
    expect(mail!.to).toEqual([{ name: 'Eve" Bcc: eve@example.com <script>', address: "ada@example.com" }]);
  });

  test("speaks every script, and reaches addresses of other scripts", async () => {
    const customer = { name: "株式会社 – Świętokrzyska" };
    await buy("użytkownik@bücher.example", customer);
    await send();
    const [mail] = server.received;
    expect(mail!.to).toEqual([
      { name: customer.name, address: expect.stringMatching(/^użytkownik@(bücher|xn--bcher-kva)\.example$/) },
    ]);
  });

  test("shows the text that the Organization typed as text", async () => {
    await app.manage("PATCH", "/organization", {
      branding: { displayName: '<b>A&B</b> "x"', accentColor: null, logoUrl: null },
    });
    await buy();
    await send();
    const [mail] = server.received;
    expect(mail!.from!.name).toBe('<b>A&B</b> "x"');
    expect(mail!.html).not.toContain("<b>");
    expect(mail!.html).toContain("&lt;b&gt;A&amp;B&lt;/b&gt;");
    expect(mail!.text).toContain('<b>A&B</b> "x"');
  });

  test("is not sent where its kind was switched off since", async () => {
    await buy();
    await app.manage("PATCH", "/organization", { emails: { receipt: false } });
    await send();
    expect(await emails()).toMatchObject([{ status: "skipped", reason: "switched_off", to: null }]);
    expect(server.asked).toEqual([]);
  });

  test("is not sent where its kind is switched off", async () => {
    const off = await app.manage("PATCH", "/organization", { emails: { receipt: false } });
    expect(off.body.emails).toMatchObject({ receipt: false, paymentFailed: true, canceled: true });
    await buy();
    await send();
    expect(await emails()).toEqual([]);
    await app.manage("PATCH", "/organization", { emails: { canceled: false } });
    const on = await app.manage("PATCH", "/organization", { emails: { receipt: true } });
    expect(on.body.emails).toMatchObject({ receipt: true, canceled: false });
    expect(await app.manage("PATCH", "/organization", { emails: { spam: true } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/emails/spam", code: "unknown_field" }] },
    });
    await buy("eve@example.com");
    await send();
    expect((await emails()).map(({ to }) => to)).toEqual(["eve@example.com"]);
  });
});

test("a server that does not know our login is asked again, and no e-mail pays for that", async () => {
  const guarded = await startMailServer();
  guarded.knows = () => false;
  const locked = await startTestApp({ smtpUrl: guarded.url.replace("smtp://", "smtp://billow:old@") });
  await locked.manage("POST", "/products", { key: "book", name: "Book", prices: [{ currency: "usd", amount: 500 }] });
  const { body } = await locked.api("POST", "/checkouts", {
    productKey: "book",
    customer: { email: "ada@example.com" },
  });
  await locked.manage("POST", `/sandbox/checkouts/${body.id}/pay`, { card: "4242424242424242" });
  await mailOnce(locked.ctx);
  const list = async (): Promise<Json[]> => (await locked.manage("GET", "/emails")).body.data;
  expect(await list()).toMatchObject([{ status: "queued", attempts: 0, reason: expect.stringContaining("5.7.8") }]);
  guarded.knows = () => true;
  await locked.ctx.db.tx((tx) => tx.query(dueStatement));
  await mailOnce(locked.ctx);
  expect(await list()).toMatchObject([{ status: "sent", attempts: 1 }]);
  await locked.close();
  await guarded.close();
});

test("the login and the greeting are those that SMTP_URL asks for", async () => {
  const mailer = openMailer(
    `${server.url.replace("//", "//billow:secret@")}?authMethod=LOGIN&name=[192.0.2.1]&tls.servername=mail.example.com`,
  );
  const box = { name: "", address: "ada@example.com" };
  const outcome = await mailer.send({
    id: "eml_1",
    from: box,
    to: box,
    subject: "Hello",
    text: "Hello",
    html: "Hello",
    language: "en",
    attachments: [],
  });
  mailer.close();
  expect(outcome).toEqual({ sent: true });
  expect(server.logins).toEqual(["LOGIN billow [192.0.2.1]"]);
});
