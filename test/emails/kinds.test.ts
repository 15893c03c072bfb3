import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mailOnce } from "../../src/worker/mailer.ts";
import type { Json } from "../support/app.ts";
import { startMailServer, type MailServer, type ReceivedMail } from "../support/mail-server.ts";
import { textOf } from "../support/pdf.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
  story = await startStory({ clock: "2026-03-01T09:00:00Z", timeZone: "Europe/Berlin" }, { smtpUrl: server.url });
  const branding = { displayName: "Acme Tools", accentColor: "#ffd400", logoUrl: "https://example.com/logo.png" };
  await story.ok(
    story.app.manage("PATCH", "/organization", {
      branding,
      taxRates: [{ country: "DE", name: "USt", basisPoints: 1900 }],
    }),
  );
  await story.plan("pro", 3000, { name: "Pro" });
  await story.plan("trial", 2000, { name: "Trial", trialDays: 14, trialCard: "optional" });
  await story.plan("free", 0, { name: "Free" });
  await story.plan("yen", 0, { name: "Yen", prices: [{ currency: "jpy", amount: 4500 }] });
  await story.plan("dinar", 0, { name: "Dinar", interval: "year", prices: [{ currency: "kwd", amount: 4500 }] });
});
afterAll(async () => {
  await story.close();
  await server.close();
});

/**
 * Sends every queued e-mail. Returns the e-mails that reached an address since the last call, in the order of their
 * ids. Several are sent side by side, so the order of arrival says little.
 */
async function postOf(name: string): Promise<ReceivedMail[]> {
  await mailOnce(story.app.ctx);
  const mine = server.received.filter(({ to }) => to![0]!.address === `${name}@example.com`);
  server.received = server.received.filter((mail) => !mine.includes(mail));
  return mine.sort((one, other) => (one.messageId! < other.messageId! ? -1 : 1));
}
/** Without the marks that keep words on one line. */
const plain = (text: string) => text.replaceAll("\u00a0", " ").replace(/<\/?span[^>]*>/g, "");
/** The subject and the words of the only mail that came. */
async function onlyMailTo(name: string): Promise<{ subject: string; text: string; html: string }> {
  const mails = await postOf(name);
  expect(mails.map(({ subject }) => subject)).toHaveLength(1);
  const { subject, text, html } = mails[0]!;
  return { subject: plain(subject!.replace("[Sandbox] ", "")), text: plain(text!), html: plain(html!) };
}

async function buy(name: string, productKey: string, card: string, more: object = {}): Promise<Json> {
  const customer = { email: `${name}@example.com`, name: "Zoë Müller", billingAddress: { country: "GB" } };
  const bought = await story.buy({ productKey, customer: { ...customer, ...more } }, card);
  return bought;
}
/** As `buy`, but puts the receipt aside. */
async function subscribe(name: string, productKey: string, card: string): Promise<Json> {
  const bought = await buy(name, productKey, card);
  await postOf(name);
  return bought;
}
const openInvoice = async ({ id }: Json): Promise<Json> =>
  (await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${id}&status=open`))).data[0];

describe("a receipt", () => {
  test("comes with the invoice as a PDF, and names the Product, the amount and the card", async () => {
    await buy("zoe", "pro", CARDS.pays, { billingAddress: { country: "DE" } });
    const [mail, ...others] = await postOf("zoe");
    expect(others).toEqual([]);
    expect(mail!.subject).toBe("[Sandbox] Your receipt from Acme Tools: US$35.70");
    expect(mail!.from).toEqual({ name: "Acme Tools", address: "billing@localhost" });
    expect(mail!.to).toEqual([{ name: "Zoë Müller", address: "zoe@example.com" }]);
    expect(mail!.messageId).toMatch(/^<eml_[0-9a-z]{26}@localhost>$/);
    expect(mail!.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
    expect(mail!.headers).toContainEqual(expect.objectContaining({ key: "content-language", value: "en-GB" }));
    for (const part of [mail!.text!, mail!.html!]) {
      for (const said of [
        "Pro",
        "1 March 2026",
        "US$30.00",
        "US$5.70",
        "US$35.70",
        "Visa •••• 4242",
        "/invoices/inv_",
        "1 April 2026: US$35.70 to Visa •••• 4242",
        "If you would rather not continue, sign in to your account and cancel before 1 April 2026.",
      ]) {
        expect(plain(part)).toContain(said);
      }
    }
    const [pdf] = mail!.attachments;
    expect([mail!.attachments.length, pdf!.filename, pdf!.mimeType]).toEqual([
      1,
      expect.stringMatching(/^INV-.*-0001\.pdf$/),
      "application/pdf",
    ]);
    const text = textOf(new Uint8Array(pdf!.content as ArrayBuffer));
    for (const said of ["Zoë Müller", "US$35.70", "Pro"]) expect(text).toContain(said);
  });

  test("is in the Organization's name, colours and logo, and loads nothing else", async () => {
    await buy("looks", "pro", CARDS.pays);
    const { html } = await onlyMailTo("looks");
    expect(html).toContain('<html lang="en-GB">');
    expect(html).toContain("background: #ffd400; color: #000000");
    expect(html.match(/\bsrc="[^"]*"/g)).toEqual(['src="https://example.com/logo.png"']);
  });

  test("is in the language of the Customer, with the attachment", async () => {
    await buy("gisela", "pro", CARDS.pays, { locale: "de-AT", billingAddress: { country: "DE" } });
    const [mail] = await postOf("gisela");
    expect(mail!.headers).toContainEqual(expect.objectContaining({ key: "content-language", value: "de-AT" }));
    expect(plain(mail!.subject!)).toMatch(/^\[Sandbox\] Ihr Zahlungsbeleg von Acme Tools: /);
    for (const said of ["Vielen Dank für Ihre Zahlung", "Rechnung ansehen", "35,70"])
      expect(plain(mail!.html!)).toContain(said);
    expect(mail!.html).toContain('<html lang="de-AT">');
    expect(textOf(new Uint8Array(mail!.attachments[0]!.content as ArrayBuffer))).toContain("Rechnung");
  });

  test.each([
    ["yen", "JP¥4,500"],
    ["dinar", "KWD 4.500"],
  ])("is exact in %s", async (key, amount) => {
    await buy(key, key, CARDS.pays);
    expect((await onlyMailTo(key)).subject).toBe(`Your receipt from Acme Tools: ${amount}`);
  });

  test("is no receipt for a free purchase, but a confirmation", async () => {
    await buy("nothing", "free", CARDS.pays);
    expect((await onlyMailTo("nothing")).subject).toBe("Your order from Acme Tools");
  });

  test("comes for an invoice that was paid elsewhere, and says so", async () => {
    const bought = await subscribe("elsewhere", "pro", CARDS.failsLater);
    await story.travel("2026-04-02");
    await postOf("elsewhere");
    await story.ok(story.app.manage("POST", `/invoices/${(await openInvoice(bought)).id}/mark-paid`, {}));
    expect((await onlyMailTo("elsewhere")).text).toContain("Paid by other means");
  });
});

describe("a renewal that fails", () => {
  let bought: Json;

  test("is told with the reason, the next attempt, the end of access and the page to pay on", async () => {
    bought = await subscribe("ada", "pro", CARDS.failsLater);
    await story.travel("2026-04-30");
    await postOf("ada");
    await story.travel("2026-05-03");
    const { subject, text, html } = await onlyMailTo("ada");
    expect(subject).toBe("Your payment of US$30.00 for Pro failed");
    const { url } = await openInvoice(bought);
    for (const said of [
      "The card was declined.",
      "We will try again on 5 May 2026, unless you pay before then.",
      "Without payment, your access ends on 9 May 2026",
      url,
    ]) {
      expect(text).toContain(said);
      expect(plain(html!)).toContain(said);
    }
  });

  test("tells at each retry how access is then, also where the clock went on at once", async () => {
    await story.travel("2026-05-09T09:00:00Z");
    const mails = await postOf("ada");
    expect(mails.map(({ text }) => /(Without payment, your|Your) access [^.]*\./.exec(text!)![0])).toEqual([
      "Without payment, your access ends on 9 May 2026.",
      "Your access is off until everything you owe is paid.",
    ]);
    const path = `/emails?customerId=${bought.customerId}&kind=payment_failed&limit=2`;
    expect((await story.ok(story.app.manage("GET", path))).data).toMatchObject([
      { status: "sent" },
      { status: "sent" },
    ]);
  });

  test("ends with a last word, and no more than that", async () => {
    await story.travel("2026-05-24");
    await postOf("ada");
    const { data } = await story.ok(story.app.manage("GET", `/emails?customerId=${bought.customerId}&limit=2`));
    expect(data).toMatchObject([
      {
        kind: "renewal_failed",
        status: "sent",
        to: "ada@example.com",
        subject: "[Sandbox] Your subscription to Pro has ended",
      },
      { kind: "payment_failed", status: "skipped", reason: "invoice_void" },
    ]);
  });
});

describe("a renewal that the bank wants confirmed", () => {
  let bought: Json;
  test("asks the buyer to, in one e-mail", async () => {
    bought = await subscribe("bank", "pro", CARDS.pays);
    await story.newCard(bought.customerId, CARDS.asksBuyer);
    await story.travel("2026-06-20");
    await postOf("bank");
    await story.travel("2026-06-25");
    const { subject, text } = await onlyMailTo("bank");
    expect(subject).toBe("Please confirm your payment of US$30.00");
    const retry =
      "as soon as you confirm the payment with your bank. We will try again on 27 June 2026, " +
      "unless you confirm or pay before then.";
    for (const said of [retry, "Without payment, your access ends on", (await openInvoice(bought)).url])
      expect(text).toContain(said);
  });

  test("is thanked for when it was confirmed", async () => {
    await story.answerChallenge(true);
    expect((await onlyMailTo("bank")).subject).toBe("Your receipt from Acme Tools: US$30.00");
  });

  test("is not asked for by e-mail while the buyer is on the page", async () => {
    const asked = await story.ok(
      story.app.api("POST", "/checkouts", {
        productKey: "pro",
        customer: { email: "here@example.com", billingAddress: { country: "GB" } },
      }),
    );
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${asked.id}/pay`, { card: CARDS.asksBuyer }));
    expect(await postOf("here")).toEqual([]);
    await story.answerChallenge(false);
    expect(await postOf("here")).toEqual([]);
  });
});

describe("notice ahead of time", () => {
  test("a renewal in a week is told with amount, card and day", async () => {
    await subscribe("soon", "pro", CARDS.pays);
    await story.travel("2026-07-20");
    const { subject, text } = await onlyMailTo("soon");
    expect(subject).toBe("Pro renews on 25 July 2026");
    expect(text).toContain("Pro renews on 25 July 2026. We will charge US$30.00 to Visa •••• 4242 for the next month.");
    expect(text).toContain("sign in to your account and cancel before 25 July 2026");
    expect(text).toContain(`Go to your account:\n${story.app.url}/portal/${story.app.organization.id}`);
  });

  test("with the change that is scheduled for then, and the part that the balance settles", async () => {
    const bought = await subscribe("change", "pro", CARDS.pays);
    await story.plan("max", 9000, { name: "Max" });
    await story.change(bought.id, { productKey: "max", prorationBehavior: "next_period" });
    const credit = { currency: "usd", amount: 1000, reason: "Sorry" };
    await story.ok(story.app.manage("POST", `/customers/${bought.customerId}/balance-adjustments`, credit));
    await story.travel("2026-08-15");
    expect((await onlyMailTo("change")).text).toContain(
      "Max renews on 20 August 2026. We will charge US$80.00 to Visa •••• 4242 for the next month.",
    );
  });

  test("is not given of a renewal that costs nothing, or that does not come", async () => {
    await buy("gratis", "free", CARDS.pays);
    await postOf("gratis");
    const leaving = await subscribe("leaving", "pro", CARDS.pays);
    await story.change(leaving.id, { cancelAtPeriodEnd: true });
    await story.travel("2026-09-10");
    expect(await postOf("gratis")).toEqual([]);
    expect((await onlyMailTo("leaving")).subject).toBe("Your subscription to Pro ends on 15 September 2026");
  });

  test("a trial that ends in three days is told with the price that follows", async () => {
    await subscribe("tries", "trial", CARDS.pays);
    await story.travel("2026-09-22");
    const { subject, text } = await onlyMailTo("tries");
    expect(subject).toBe("Your trial of Trial ends on 24 September 2026");
    expect(text).toContain("After that, we will charge US$20.00 to Visa •••• 4242 for the next month.");
  });

  test("without a card it is told that access ends, and then that it did", async () => {
    const asked = {
      productKey: "trial",
      customer: { email: "cardless@example.com", billingAddress: { country: "GB" } },
    };
    const checkout = await story.ok(story.app.api("POST", "/checkouts", asked));
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, {}));
    expect((await onlyMailTo("cardless")).subject).toBe("Your free trial of Trial has started");
    await story.travel("2026-10-04");
    expect((await onlyMailTo("cardless")).text).toContain(
      "To continue for US$20.00 for the next month, add a card before then. Otherwise, your access ends on that day",
    );
    await story.travel("2026-10-07");
    const { subject, text } = await onlyMailTo("cardless");
    expect(subject).toBe("Your trial of Trial has ended");
    expect(text).toContain("You were not charged.");
  });
});

describe("an end", () => {
  test("that is planned is told at once, and when it comes", async () => {
    const bought = await subscribe("quits", "pro", CARDS.pays);
    await story.change(bought.id, { cancelAtPeriodEnd: true });
    expect((await onlyMailTo("quits")).subject).toBe("Your subscription to Pro ends on 7 November 2026");
    await story.travel("2026-11-08");
    const { subject, text } = await onlyMailTo("quits");
    expect(subject).toBe("Your subscription to Pro has ended");
    expect(text).toContain("ended on 7 November 2026, and so did your access");
  });

  test("is not told of a deleted Customer, and the earlier e-mails are blank", async () => {
    const bought = await subscribe("forgotten", "pro", CARDS.pays);
    const path = `/emails?customerId=${bought.customerId}`;
    expect((await story.ok(story.app.manage("GET", path))).data).toMatchObject([{ to: "forgotten@example.com" }]);
    expect((await story.app.manage("DELETE", `/customers/${bought.customerId}`)).status).toBe(204);
    expect(await postOf("forgotten")).toEqual([]);
    const { data } = await story.ok(story.app.manage("GET", path));
    expect(data).toMatchObject([
      { kind: "canceled", status: "skipped", reason: "customer_deleted", to: null, subject: null },
      { kind: "receipt", status: "sent", to: null, subject: null },
    ]);
    expect(await story.ok(story.app.manage("GET", `/emails/${data[1].id}`))).toMatchObject({ text: null, html: null });
  });
});

describe("a renewal with a card that a dispute holds back", () => {
  let bought: Json;

  test("is told ahead as one that the buyer has to pay", async () => {
    await story.travel("2027-03-01");
    bought = await subscribe("quarrel", "pro", CARDS.pays);
    const [payment] = (await story.ok(story.app.manage("GET", `/payments?subscriptionId=${bought.id}`))).data;
    await story.ok(story.app.manage("POST", `/sandbox/payments/${payment.id}/dispute`));
    await story.travel("2027-03-29");
    const { text } = await onlyMailTo("quarrel");
    expect(text).toContain(
      "US$30.00 for the next month will be due then. Your bank reversed an earlier payment with Visa •••• 4242",
    );
  });

  test("has words of its own when it has failed, and no promise that the card is charged again", async () => {
    await story.travel("2027-04-02");
    const { subject, text, html } = await onlyMailTo("quarrel");
    expect(subject).toBe("Please pay US$30.00 for Pro");
    const { url } = await openInvoice(bought);
    const said = [
      "your bank reversed an earlier payment with this card",
      "Without payment, your access ends on 8 April 2027",
      url,
    ];
    for (const words of ["We did not charge Visa •••• 4242", ...said]) {
      expect(text).toContain(words);
      expect(plain(html!)).toContain(words);
    }
    expect(text).not.toContain("try again");
  });
});

describe("the receipt of a purchase with deliverables", () => {
  test("has the license key and the names of the files, and a renewal's leads to the portal", async () => {
    const benefit = async (body: object) => (await story.ok(story.app.manage("POST", "/benefits", body))).id;
    await mkdir(join(story.app.ctx.config.dataDir, "downloads", story.app.organization.id), { recursive: true });
    await writeFile(join(story.app.ctx.config.dataDir, "downloads", story.app.organization.id, "guide.pdf"), "x");
    const benefitIds = [
      await benefit({ key: "app", type: "license_key", name: "Editor", properties: { activationLimit: 2 } }),
      await benefit({
        key: "guide",
        type: "download",
        name: "Guide",
        properties: { files: [{ name: "guide.pdf", path: "guide.pdf" }] },
      }),
      await benefit({
        key: "note",
        type: "custom",
        name: "Chat",
        properties: { note: "Join us at chat.example.com." },
      }),
      await benefit({ key: "api", type: "feature", name: "API" }),
    ];
    await story.plan("tools", 2000, { name: "Tools", benefitIds });
    const bought = await buy("deliverables", "tools", CARDS.pays);
    const { data } = await story.ok(story.app.manage("GET", `/benefit-grants?subscriptionId=${bought.id}`));
    const { key } = data.find((grant: Json) => grant.benefit.type === "license_key").properties;
    const first = await onlyMailTo("deliverables");
    const portal = `${story.app.url}/portal/${story.app.organization.id}`;
    for (const said of [
      key,
      "For up to 2 devices",
      "guide.pdf",
      "Join us at chat.example.com.",
      "API",
      portal,
      "/pdf",
    ]) {
      expect(first.text).toContain(said);
      expect(first.html).toContain(said);
    }
    expect(first.text).toContain(`Licence key · Editor:\n${key}\nFor up to 2 devices`);
    expect(first.text).not.toContain("/downloads/");
    await story.travel("2027-05-03");
    const renewal = (await postOf("deliverables")).find(({ subject }) => subject!.includes("receipt"))!;
    expect(renewal.text).not.toContain(key);
    expect(renewal.text).toContain("Your licence keys and downloads are in your account.");
    await story.ok(story.app.manage("POST", `/subscriptions/${bought.id}/cancel-now`, {}));
    await postOf("deliverables");
  });
});
