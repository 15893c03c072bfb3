import { expect, test } from "vitest";
import { EXAMPLES } from "./examples.ts";
import { DAY } from "./history.ts";
import { planHistory } from "./plan.ts";
import { Reference } from "./reference.ts";

type End = {
  /** The answers to the last steps. */
  answers: string[];
  /** The amount of each invoice that can be refunded to the card and to the balance. */
  left: [toCard: number, toBalance: number][];
  balance: number;
  /** The balance's entries that are still in use. */
  remaining?: [source: string | null, payment: number | null, remaining: number][];
};

/** The state after the last step, worked out by hand. */
const ENDS: Record<string, End> = {
  "a new price begins with the first period after the notice, with the units of that period": {
    answers: ["201", "200", "200", "200"],
    left: [
      [3000, 3000],
      [3000, 3000],
      [7200, 7200],
    ],
    balance: 0,
  },
  "a new price is withdrawn by the seller before it begins": {
    answers: ["201", "200", "nobody"],
    left: [
      [3000, 3000],
      [3000, 3000],
      [3000, 3000],
    ],
    balance: 0,
  },
  "a Subscription ends in place of a period to whose price its Customer has not agreed": {
    answers: ["201", "nobody"],
    left: [
      [3000, 3000],
      [3000, 3000],
    ],
    balance: 0,
  },
  "a Customer agrees to a new price": {
    answers: ["201", "agreed", "nobody"],
    left: [
      [3000, 3000],
      [3000, 3000],
      [3600, 3600],
    ],
    balance: 0,
  },
  "a refund takes the credit of its own payment off the balance": {
    answers: ["409 credited 30000", "201 30000 with tax of 0"],
    left: [
      [0, 0],
      [0, 0],
    ],
    balance: 0,
  },
  "a refund can't take credit that is spent": {
    answers: ["409 credit_spent 20000", "201 15000 with tax of 0"],
    left: [
      [0, 0],
      [0, 0],
      [0, 10_000],
    ],
    balance: 5000,
    remaining: [["payment", 0, 5000]],
  },
  "a payout gives back the credit that a card paid for": {
    answers: ["201 15250", "409 credit_spent 14750", "201 14750", "409 nothing_to_pay_out"],
    left: [
      [0, 0],
      [0, 0],
    ],
    balance: 500,
    remaining: [["granted", null, 500]],
  },
  "a refund of an upgrade frees the credit in it": {
    answers: ["201 1500 with tax of 0", "201 3000 with tax of 0", "200"],
    left: [
      [0, 0],
      [0, 0],
      [1500, 1500],
    ],
    balance: 0,
  },
  "the older invoice may be refunded first": {
    answers: ["201 1500 with tax of 0", "201 1500 with tax of 0", "201 1500 with tax of 0", "200"],
    left: [
      [0, 0],
      [0, 0],
      [1500, 1500],
    ],
    balance: 0,
  },
  "a refund to the balance gives back credit and charge in proportion": {
    answers: ["201 1500 with tax of 0", "201 1000 with tax of 0"],
    left: [
      [2000, 2000],
      [0, 0],
      [0, 1000],
    ],
    balance: 1000,
    remaining: [["payment", 0, 1000]],
  },
  "a lost payment takes its credit, and its part of an invoice is not refunded": {
    answers: ["201 4000", "201 500", "200", "422 validation_failed", "201 500 with tax of 0"],
    left: [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
    balance: 500,
    remaining: [["payment", 2, 500]],
  },
  "a lost payment lowers the rate of a later invoice that it funded": {
    answers: ["201 3000", "409 payment_disputed", "200", "200"],
    left: [
      [0, 0],
      [145, 145],
      [0, 1355],
    ],
    balance: 0,
  },
  "a waiting credit of a disputed payment is held and then released": {
    answers: ["409 nothing_to_pay_out", "200", "201 2000"],
    left: [
      [2000, 2000],
      [0, 0],
    ],
    balance: 0,
  },
  "held credit pays no part of a renewal": {
    answers: ["201 1500 with tax of 0", "200"],
    left: [
      [0, 0],
      [3000, 3000],
    ],
    balance: 1500,
    remaining: [["payment", 1, 1500]],
  },
  "a void invoice gives its credit back with its source": {
    answers: ["200", "201 3726"],
    left: [
      [1274, 1274],
      [0, 0],
      [0, 10_000],
      [0, 0],
    ],
    balance: 0,
  },
};

test.each(Object.entries(ENDS))("%s", (name, end) => {
  const history = EXAMPLES[name]!;
  const reference = new Reference(history);
  const answers = history.steps.map((step) => {
    reference.advance(step.at);
    return reference.perform(step);
  });
  const { invoices, balances, entries } = reference.seen(0);
  expect({
    answers: answers.slice(-end.answers.length),
    left: invoices.map(({ refundableToCard, refundableToBalance }) => [refundableToCard, refundableToBalance]),
    balance: balances.usd?.amount ?? 0,
    remaining: entries
      .filter(({ remaining }) => remaining !== 0)
      .map(({ source, payment, remaining }) => [source, payment, remaining]),
  }).toEqual({ remaining: [], ...end });
});

test("money of random histories never comes back twice", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const history = planHistory(seed, { days: 120, customers: 4 });
    const reference = new Reference(history);
    for (const step of history.steps) {
      reference.advance(step.at);
      reference.perform(step);
      expect(() => reference.seen(step.customer), `seed ${seed}`).not.toThrow();
    }
    reference.advance(history.end + DAY);
  }
});
