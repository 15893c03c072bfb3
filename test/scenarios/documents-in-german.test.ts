import { afterAll, beforeAll, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { pagesOf } from "../support/pdf.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

// A buyer in Germany changes a plan, cancels at once, and reads the documents in German. The API stays English.
let story: Story;
let id: string;
let customerId: string;

beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z", timeZone: "Europe/Berlin" });
  await story.ok(
    story.app.manage("PATCH", "/organization", {
      legalName: "Acme GmbH",
      address: { country: "DE", line1: "Hauptstraße 1", postalCode: "10115", city: "Berlin" },
      taxRates: [{ country: "DE", name: "USt", basisPoints: 1900 }],
      supportEmail: "hilfe@acme.example",
      websiteUrl: "https://acme.example/",
    }),
  );
  for (const [key, amount] of [
    ["pro", 10_000],
    ["max", 30_000],
    ["team", 60_000],
  ] as const)
    await story.plan(key, 0, { name: `Tarif ${key}`, prices: [{ currency: "eur", amount }] });
  const billingAddress = { country: "DE", line1: "Königsallee 7", postalCode: "40212", city: "Düsseldorf" };
  const customer = { email: "oezge@example.com", name: "Özge Müßig", billingAddress, locale: "de-DE" };
  ({ id, customerId } = await story.buy({ productKey: "pro", currency: "eur", customer }, CARDS.pays));
});
afterAll(() => story.close());

const newest = async (): Promise<Json> =>
  (await story.ok(story.app.manage("GET", `/invoices?customerId=${customerId}&limit=1`))).data[0];

/** The rows of the newest invoice or of another document, with ` | ` between columns. */
async function rows(url?: string): Promise<string[]> {
  const pdf = await (await fetch(`${url ?? (await newest()).url}/pdf`)).bytes();
  return pagesOf(pdf).flatMap((page) => page.split("\n").map((row) => row.trim().replace(/ {2,}/g, " | ")));
}

const contain = (...expected: string[]) => expect.arrayContaining(expected);

it("1 March: the first invoice is in German from its head to its foot", async () => {
  expect(await rows()).toEqual(
    contain(
      "Rechnung | Bezahlt am 1. März 2026",
      "Ausstellungsdatum | 1. März 2026",
      "Leistungszeitraum | 1. März 2026 – 1. April 2026",
      "Acme GmbH | Özge Müßig",
      "Beschreibung | Menge | Einzelpreis | Steuer | Betrag",
      "Tarif pro | 1 | 100,00 € | 19 % | 100,00 €",
      "Zwischensumme | 100,00 €",
      "19 % USt auf 100,00 € | 19,00 €",
      "Gesamtbetrag | 119,00 €",
      "Bezahlter Betrag | 119,00 €",
      "1. März 2026 | Visa •••• 4242 | 119,00 €",
      "hilfe@acme.example · acme.example",
    ),
  );
});

it("16 March: a change bills the rest of the period and credits the unused rest, to the cent", async () => {
  await story.travel("2026-03-16T09:00:00Z");
  await story.change(id, { productKey: "max" });
  const { lines, totalAmount } = await newest();
  // 15 days and 23 hours of 30 days and 23 hours are left: the clocks go forward on 29 March.
  expect(lines.map(({ description, amount }: Json) => [description, amount])).toEqual([
    ["Tarif pro, unused rest of the period", -5155],
    ["Tarif max, rest of the period", 15_464],
  ]);
  expect(totalAmount).toBe(12_268);
  expect(await rows()).toEqual(
    contain(
      "Tarif pro, ungenutzter Rest des Zeitraums | 1 | −51,55 € | 19 % | −51,55 €",
      "Tarif max, restlicher Zeitraum | 1 | 154,64 € | 19 % | 154,64 €",
      "16. März 2026 – 1. April 2026",
      "19 % USt auf 103,09 € | 19,59 €",
      "Gesamtbetrag | 122,68 €",
    ),
  );
});

it("20 March: a refund stands on the invoice, and has a German credit note", async () => {
  await story.travel("2026-03-20T09:00:00Z");
  const invoice = await newest();
  await story.ok(story.app.manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 1190 }));
  await story.settle();
  const [note] = (await story.ok(story.app.manage("GET", `/credit-notes?invoiceId=${invoice.id}`))).data;
  expect(note).toMatchObject({ locale: "de-DE", lines: [{ description: "Tarif max, rest of the period" }] });
  expect(await rows()).toEqual(contain("20. März 2026 | Erstattung auf Visa •••• 4242 | −11,90 €"));
  expect(await rows(note.url)).toEqual(
    contain(
      "Rechnungskorrektur | 11,90 € erstattet",
      `Zu Rechnung | ${invoice.number}`,
      "Tarif max, restlicher Zeitraum | 1 | 10,00 € | 19 % | 10,00 €",
      "20. März 2026 | Visa •••• 4242 | 11,90 €",
    ),
  );
});

it("25 March: a cancellation bills the lines that waited, and names their shorter span", async () => {
  await story.change(id, { productKey: "team", prorationBehavior: "next_invoice" });
  await story.travel("2026-03-25T09:00:00Z");
  await story.ok(story.app.manage("POST", `/subscriptions/${id}/cancel-now`));
  await story.settle();
  const { lines } = await newest();
  expect(lines.map(({ description }: Json) => description)).toEqual([
    "Tarif max, unused rest of the period up to the cancellation",
    "Tarif team, rest of the period up to the cancellation",
  ]);
  const said = await rows();
  const euros = (amount: number) =>
    `${amount < 0 ? "−" : ""}${(Math.abs(amount) / 100).toFixed(2).replace(".", ",")} €`;
  const [unused, rest] = lines.map(({ amount }: Json) => euros(amount));
  expect(said).toEqual(
    contain(
      expect.stringMatching(
        new RegExp(`^Tarif max, ungenutzter Rest des Zeitraums, bis .*\\| 1 \\| ${unused} \\| 19 % \\| ${unused}$`),
      ),
      `Tarif team, restlicher Zeitraum, bis zur Kündigung | 1 | ${rest} | 19 % | ${rest}`,
      "20. März 2026 – 25. März 2026",
    ),
  );
});
