import type { Action, History } from "./history.ts";
import { buy, on, product, story } from "./story.ts";

const card = (name: "pays" | "asksBuyer"): Action => ({ do: "card", card: name });
const PASS: Action = { do: "bank", pass: true, heard: true };
const PASS_UNHEARD: Action = { do: "bank", pass: true, heard: false };

/** The shortest histories on which Billow and the reference once disagreed at the local Stripe server. */
export const REGRESSIONS_AT_STRIPE: Record<string, History> = {
  "a card that was given while the buyer was at the bank stays the default": story(
    40,
    [product(3000, "month"), product(4000, "month", { group: "extras" })],
    [on(0, buy(0, "asksBuyer")), on(0.01, card("pays")), on(0.02, PASS)],
  ),
  "the same if all happens at one instant": story(
    40,
    [product(3000, "month"), product(4000, "month", { group: "extras" })],
    [on(0, buy(0, "asksBuyer")), on(0, buy(1, "pays")), on(0, PASS)],
  ),
};

/** The shortest histories on which Billow and the reference once disagreed. */
export const REGRESSIONS: Record<string, History> = {
  "an invoice gives held credit to the balance before it uses other credit": story(
    75,
    [product(400, "month", { group: "extras" }), product(9900, "month")],
    [
      on(0, buy(0, "pays")),
      on(32, {
        do: "change",
        sub: 0,
        product: 1,
        behavior: "next_invoice",
        reprice: false,
        undo: false,
        finish: "pays",
      }),
      on(55, { do: "dispute", invoice: -1 }),
      on(56, { do: "refund", invoice: 0, part: 1, to: "balance", revoke: false }),
    ],
    { graceDays: 0 },
  ),
  "a payment after a passed challenge is no retry: another decline does not use up the schedule": story(
    40,
    [product(1000, "week")],
    [on(0, buy(0, "asksBuyer")), on(0, PASS), on(21.5, PASS), on(30, card("pays"))],
  ),
  "a new card pays all that is open, though the buyer has just passed a challenge that was asked for by hand": story(
    20,
    [product(1000, "week")],
    [
      on(0, buy(0, "asksBuyer")),
      on(0, PASS),
      on(14.5, { do: "pay", invoice: 0 }),
      on(14.5, PASS_UNHEARD),
      on(14.5, card("pays")),
    ],
  ),
  "the card that pays one invoice on its page pays the older one, too, where the bank waits for the old card's buyer":
    story(
      20,
      [product(1000, "week")],
      [on(0, buy(0, "asksBuyer")), on(0, PASS), on(15, { do: "page", invoice: 1, card: "pays" })],
    ),
  "without a grace, access ends with the charge that fails, though the clock stands": story(
    20,
    [product(1000, "week")],
    [on(0, { do: "enroll", product: 0, currency: "usd", amount: null, begun: null, anchor: null, trial: null })],
    { graceDays: 0 },
  ),
  "the periods that ended while a change waited for the bank follow at once, though the clock stands": story(
    5,
    [product(1000, "day"), product(5000, "day")],
    [on(0, buy(0, "pays")), on(0.6, { do: "upgrade", sub: 0, product: 1, card: "asksBuyer" }), on(1.3, PASS)],
  ),
  "a deletion of a Customer while the bank is waited for has to be asked for again, and by then the change is paid":
    story(
      5,
      [product(1000, "month"), product(5000, "month")],
      [
        on(0, buy(0, "pays")),
        on(1, { do: "upgrade", sub: 0, product: 1, card: "asksBuyer" }),
        on(1.3, PASS_UNHEARD),
        on(1.3, { do: "forget", forfeit: true }),
      ],
    ),
  "a card that is given on the page of a change is tried where that very Subscription owes something": story(
    40,
    [product(1000, "month"), product(5000, "month")],
    [
      on(0, buy(0, "failsLater")),
      on(32, { do: "change", sub: 0, product: 1, behavior: "next_period", reprice: false, undo: false, finish: null }),
      on(33, { do: "upgrade", sub: 0, product: 0, card: "pays" }),
    ],
  ),
  "a buyer that pays on the page while the provider can't be reached to give a challenge up looks again, and pays":
    story(
      40,
      [product(1000, "month")],
      [
        on(0, buy(0, "failsLater")),
        on(32, card("asksBuyer")),
        {
          ...on(33, { do: "page", invoice: 0, card: "failsLater" }),
          faults: { way: null, request: { kind: "lose", call: 1, side: "before" } },
        },
      ],
    ),
  "a page that goes back to the current Product completes, though that was archived meanwhile": story(
    40,
    [product(1000, "month"), product(5000, "month")],
    [
      on(0, buy(0, "pays")),
      on(1, { do: "archive", product: 0, archived: true }),
      on(2, { do: "change", sub: 0, product: 1, behavior: "next_period", reprice: false, undo: false, finish: null }),
      on(3, { do: "upgrade", sub: 0, product: 0, card: "pays" }),
    ],
  ),
  "a card that is given while the bank waits for another one stays the default, in any order of the outcomes": story(
    60,
    [product(1000, "week", { group: null }), product(1500, "month", { group: null, trialDays: 1 })],
    [
      on(0, buy(0, "pays")),
      on(1, buy(0, "asksBuyer")),
      on(1.3, PASS_UNHEARD),
      on(1.3, buy(1, "pays")),
      on(10, buy(0, "asksBuyer")),
      on(10.3, PASS_UNHEARD),
      on(10.3, buy(1, "answerLost")),
    ],
  ),
  "a card that was given while a change was being paid is tried on its Subscription afterwards": story(
    40,
    [product(1000, "month"), product(5000, "month")],
    [
      on(0, buy(0, "failsLater")),
      on(32, { do: "change", sub: 0, product: 1, behavior: "next_period", reprice: false, undo: false, finish: null }),
      on(33, { do: "upgrade", sub: 0, product: 0, card: "asksBuyer" }),
      on(33.2, card("pays")),
      on(33.4, PASS),
    ],
  ),
  "the preview of a change that changes nothing tells that a trial without a card ends": story(
    12,
    [product(2700, "month", { trialDays: 7, trialCard: "optional" })],
    [
      on(0, buy(0, null)),
      on(1, { do: "change", sub: 0, product: 0, behavior: "next_invoice", reprice: false, undo: false, finish: null }),
    ],
  ),
  "the preview of a change that changes nothing leaves out a pending change if its group was taken meanwhile": story(
    40,
    [product(1000, "month", { group: null }), product(2800, "month"), product(3600, "month")],
    [
      on(0, buy(0, "pays")),
      on(1, { do: "change", sub: 0, product: 1, behavior: "next_period", reprice: false, undo: false, finish: null }),
      on(2, buy(2, "pays")),
      on(3, { do: "change", sub: 0, product: 1, behavior: "next_period", reprice: false, undo: false, finish: null }),
    ],
  ),
  "a refund at the provider waits for a Checkout that only saves a card": story(
    5,
    [product(6300, "month", { trialDays: 30 })],
    [on(0, buy(0, "asksBuyer")), on(0.7, { do: "refundOutside", invoice: 0, part: 1.2 })],
  ),
  "one entry takes back a collected debt and held credit of an invoice that becomes void": story(
    90,
    [product(23000, "month"), product(887, "month")],
    [
      on(0, buy(0, "failsLater")),
      on(0, { do: "adjust", currency: "usd", amount: -43823 }),
      on(1, { do: "change", sub: 0, product: 1, behavior: "next_invoice", reprice: false, undo: false, finish: null }),
      on(16, { do: "dispute", invoice: -1 }),
      on(48, { do: "oneCard", sub: 0, card: "pays" }),
    ],
    { retryDays: [1], behavior: "next_invoice" },
  ),
  "a pending quantity is shown at the new price that begins with it": story(
    20,
    [product(822, "month", { quantity: { minimum: 1, maximum: 10 } })],
    [
      on(0, buy(0, "pays")),
      on(1, {
        do: "reprice",
        product: 0,
        own: true,
        prices: { usd: 751 },
        currencies: null,
        before: null,
        below: null,
        days: 1,
        consent: "notice",
        hold: false,
      }),
      on(2, { do: "units", sub: 0, quantity: 2, behavior: "next_period", undo: false, finish: null }),
    ],
  ),
  "a pending quantity stays though its own Product is archived, before the request or after it": story(
    80,
    [product(1000, "month", { quantity: { minimum: 1, maximum: 10 } }), product(5000, "month")],
    [
      on(0, buy(0, "pays")),
      on(1, { do: "archive", product: 0, archived: true }),
      on(2, { do: "units", sub: 0, quantity: 3, behavior: "next_period", undo: false, finish: null }),
      on(32, { do: "archive", product: 0, archived: false }),
      on(33, { do: "units", sub: 0, quantity: 5, behavior: "next_period", undo: false, finish: null }),
      on(34, { do: "archive", product: 0, archived: true }),
    ],
  ),
  "the preview of a change tells that waiting credit of a lost payment is written off": story(
    20,
    [product(23000, "month"), product(887, "month")],
    [
      on(0, buy(0, "pays")),
      on(1, { do: "change", sub: 0, product: 1, behavior: "next_invoice", reprice: false, undo: false, finish: null }),
      on(2, { do: "dispute", invoice: -1 }),
      on(3, { do: "lose", dispute: 0 }),
      on(4, { do: "change", sub: 0, product: 0, behavior: "invoice_now", reprice: false, undo: false, finish: null }),
    ],
  ),
};
