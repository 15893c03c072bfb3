import { describe, expect, test } from "vitest";
import { instant } from "../domain/calendar.ts";
import { LANGUAGES } from "../domain/locale.ts";
import { accessInWords, accessSentence, unpaidReason } from "./unpaid-notice.ts";
import { wordsFor } from "./words.ts";

const GRACE = { grantsSuspended: false, graceEndsAt: instant(Date.parse("2026-05-09T12:00:00Z")) };
const OFF = { grantsSuspended: true, graceEndsAt: null };
const FINE = { grantsSuspended: false, graceEndsAt: null };

test.each([
  ["en-GB", "Without payment, your access ends on 9 May 2026.", "There is no card on file that can be charged."],
  ["de", "Ohne Zahlung endet Ihr Zugang am 9. Mai 2026.", "Es ist keine Karte hinterlegt, die belastet werden kann."],
  ["fr", "Sans paiement, votre accès prendra fin le 9 mai 2026.", "Aucune carte enregistrée ne peut être débitée."],
  [
    "es",
    "Si no paga, su acceso terminará el 9 de mayo de 2026.",
    "No hay ninguna tarjeta guardada en la que se pueda cobrar.",
  ],
  [
    "ja",
    "お支払いがない場合、2026年5月9日にご利用いただけなくなります。",
    "お支払いに利用できるカードが登録されていません。",
  ],
])("in %s, the access and the missing card are told", (locale, access, missing) => {
  const words = wordsFor(locale);
  const said = accessSentence(words, GRACE, "Europe/Berlin")!;
  expect(said.replaceAll("\u00a0", " ").replaceAll("\u2060", "")).toBe(access);
  expect(unpaidReason(words, null)).toBe(missing);
});

describe.each(LANGUAGES)("in %s", (language) => {
  const words = wordsFor(language);

  test("a declined card has its own reason, and a bank's question another one", () => {
    const reason = (failureCode: string | null) => unpaidReason(words, { failureCode });
    expect(reason("card_expired")).toBe(words.decline.card_expired);
    expect(reason(null)).toBe(words.unpaidNotice.confirmFirst);
  });

  test("access that is off is told, and access that is not affected is no subject", () => {
    expect(accessSentence(words, OFF, "UTC")).toBe(words.unpaidNotice.yourAccessOff);
    expect(accessInWords(words, OFF, "UTC")).toBe(words.unpaidNotice.accessOff);
    expect([accessSentence(words, FINE, "UTC"), accessInWords(words, FINE, "UTC")]).toEqual([null, null]);
  });
});
