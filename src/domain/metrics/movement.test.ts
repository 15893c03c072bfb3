import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { at, subscriptionWith } from "../../../test/support/subscription.ts";
import { formatInstant, instant } from "../calendar.ts";
import type { SubscriptionStatus } from "../model/subscription.ts";
import { figuresOf } from "./day.ts";
import { count, type CountedState, type RecordedState, type Uncounted } from "./movement.ts";

const terms = subscriptionWith();
/** A state by its day in June, its price and its status. */
type Said = [day: number, amount: number, status?: SubscriptionStatus];
const statesOf = (said: readonly Said[], from = 1): RecordedState[] =>
  said.map(([day, amount, status = "active"], n) => ({
    ...terms,
    sequence: from + n,
    at: at(`2025-06-${String(day).padStart(2, "0")}`),
    amount,
    status,
  }));
const of = (subscriptionId: string, said: readonly Said[], more: Partial<Uncounted> = {}): Uncounted => ({
  organizationId: "org_1",
  subscriptionId,
  customerId: "cus_1",
  currency: "usd",
  discount: null,
  pastDiscounts: [],
  states: statesOf(said),
  ...more,
});
const kindsOf = (...uncounted: Uncounted[]) =>
  count([], uncounted).movements.map(({ kind, amount }) => [kind, amount] as const);

describe("movements (rule R4)", () => {
  test.each<[string, Said[], (readonly [string | null, number])[]]>([
    ["a purchase", [[1, 3000]], [["new", 3000]]],
    ["a trial", [[1, 3000, "trialing"]], [[null, 0]]],
    [
      "the end of a trial",
      [
        [1, 3000, "trialing"],
        [15, 3000],
      ],
      [
        [null, 0],
        ["new", 3000],
      ],
    ],
    [
      "a canceled trial",
      [
        [1, 3000, "trialing"],
        [15, 3000, "canceled"],
      ],
      [
        [null, 0],
        [null, 0],
      ],
    ],
    [
      "a renewal",
      [
        [1, 3000],
        [8, 3000],
      ],
      [["new", 3000]],
    ],
    [
      "a larger plan",
      [
        [1, 3000],
        [8, 6000],
      ],
      [
        ["new", 3000],
        ["expansion", 3000],
      ],
    ],
    [
      "a smaller plan",
      [
        [1, 6000],
        [8, 3000],
      ],
      [
        ["new", 6000],
        ["contraction", -3000],
      ],
    ],
    [
      "a free plan",
      [
        [1, 3000],
        [8, 0],
      ],
      [
        ["new", 3000],
        ["churn", -3000],
      ],
    ],
    [
      "back from a free plan",
      [
        [1, 3000],
        [8, 0],
        [9, 1000],
      ],
      [
        ["new", 3000],
        ["churn", -3000],
        ["reactivation", 1000],
      ],
    ],
    [
      "past due",
      [
        [1, 3000],
        [8, 3000, "past_due"],
      ],
      [
        ["new", 3000],
        [null, 0],
      ],
    ],
    [
      "an end",
      [
        [1, 3000],
        [8, 3000, "canceled"],
      ],
      [
        ["new", 3000],
        ["churn", -3000],
      ],
    ],
    [
      "a pause, a resume, a pause and its end",
      [
        [1, 3000],
        [8, 3000, "paused"],
        [9, 6000],
        [10, 6000, "paused"],
        [11, 6000, "canceled"],
      ],
      [
        ["new", 3000],
        ["pause", -3000],
        ["resumption", 6000],
        ["pause", -6000],
        [null, 0],
      ],
    ],
    [
      "a pause after a trial",
      [
        [1, 3000, "trialing"],
        [8, 3000, "paused"],
        [9, 3000],
      ],
      [
        [null, 0],
        [null, 0],
        ["new", 3000],
      ],
    ],
  ])("%s", (_, said, expected) => {
    expect(kindsOf(of("sub_1", said))).toEqual(expected);
  });

  it("calls a Customer who has left and bought again a reactivation, wherever the count stopped", () => {
    const [first, second] = [
      of("sub_1", [
        [1, 3000],
        [5, 3000, "canceled"],
      ]),
      of("sub_2", [[9, 1000]]),
    ];
    expect(kindsOf(second, first).at(-1)).toEqual(["reactivation", 1000]);
    const before = count([], [first]).states;
    expect(count(before, [second]).movements[0]).toMatchObject({ kind: "reactivation", amount: 1000 });
  });

  it("calls a second Subscription new, and one in another currency too", () => {
    const first = of("sub_1", [[1, 3000]]);
    expect(kindsOf(first, of("sub_2", [[9, 1000]]))).toEqual([
      ["new", 3000],
      ["new", 1000],
    ]);
    const ended = of("sub_1", [
      [1, 3000],
      [5, 3000, "canceled"],
    ]);
    expect(kindsOf(ended, of("sub_2", [[9, 1000]], { currency: "eur" })).at(-1)).toEqual(["new", 1000]);
  });

  it("keeps the order of a Subscription's events, even if one is dated before the one before it", () => {
    const { movements, states } = count(
      [],
      [
        of("sub_1", [
          [9, 3000],
          [5, 6000],
          [7, 6000, "canceled"],
        ]),
      ],
    );
    expect(movements.map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [1, "new"],
      [2, "expansion"],
      [3, "churn"],
    ]);
    expect(states).toMatchObject([{ sequence: 3, mrr: 0 }]);
  });

  it("comes to the same states and sums, in whatever turns the events are counted", () => {
    const status = fc.constantFrom<SubscriptionStatus>("trialing", "active", "past_due");
    const history = fc.array(fc.tuple(fc.constantFrom(0, 1000, 2000), status), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(history, fc.nat(), (steps, cut) => {
        const states = statesOf(steps.map(([amount, each], n) => [n + 1, amount, each] as const));
        const whole = count([], [of("sub_1", [], { states })]);
        const at1 = cut % states.length;
        const turns: readonly RecordedState[][] = [states.slice(0, at1), states.slice(at1)];
        let counted: CountedState[] = [];
        const movements = turns.flatMap((turn) => {
          const next = count(counted, [of("sub_1", [], { states: turn })]);
          if (turn.length > 0) counted = next.states;
          return next.movements;
        });
        expect(movements).toEqual(whole.movements);
        expect(counted).toEqual(whole.states);
        expect(movements.reduce((sum, { amount }) => sum + amount, 0)).toBe(counted[0]!.mrr);
      }),
    );
  });
});

test("figures of a day count kinds and statuses (rule R5)", () => {
  const { movements } = count(
    [],
    [
      of("sub_1", [
        [1, 3000, "trialing"],
        [2, 3000],
        [2, 6000],
        [3, 6000, "past_due"],
        [4, 6000, "canceled"],
      ]),
      of("sub_2", [[2, 1000]], { customerId: "cus_2" }),
    ],
  );
  const dated = movements.map((each) => ({ ...each, day: new Date(instant(each.at)).toISOString().slice(0, 10) }));
  const figures = figuresOf(dated).map(({ day, measure, amount, subscriptions }) => [
    Number(day.slice(-2)),
    measure,
    amount,
    subscriptions,
  ]);
  expect(figures.sort()).toEqual(
    [
      [1, "trialing", 0, 1],
      [2, "new", 4000, 2],
      [2, "trialing", 0, -1],
      [2, "active", 0, 2],
      [2, "expansion", 3000, 1],
      [3, "active", 0, -1],
      [3, "past_due", 0, 1],
      [4, "churn", -6000, 1],
      [4, "past_due", 0, -1],
    ].sort(),
  );
});

describe("units (rule R9)", () => {
  const uncounted = of("sub_1", [
    [1, 3000, "trialing"],
    [8, 5000, "trialing"],
    [15, 5000],
    [20, 2000],
    [22, 2000],
    [25, 2000, "canceled"],
  ]);
  const quantities = [3, 5, 5, 2, 2, 2];
  const states = uncounted.states.map((state, n) => ({ ...state, quantity: quantities[n]! }));
  const counted = count([], [{ ...uncounted, states }]);
  const dated = counted.movements.map((each) => ({ ...each, day: formatInstant(each.at).slice(0, 10) }));

  it("move with the quantity and with the status", () => {
    const moved = dated.map((each) => [each.day, each.quantityBefore, each.quantity, each.kind]);
    expect(moved).toEqual([
      ["2025-06-01", 0, 3, null],
      ["2025-06-08", 3, 5, null],
      ["2025-06-15", 5, 5, "new"],
      ["2025-06-20", 5, 2, "contraction"],
      ["2025-06-25", 2, 2, "churn"],
    ]);
    expect(counted.states).toMatchObject([{ quantity: 2, status: "canceled" }]);
  });

  it("add up to the units of the status at the end of each day", () => {
    const figures = figuresOf(dated);
    const unitsOn = (day: string, status: string) =>
      figures.filter((each) => each.measure === status && each.day <= day).reduce((sum, { units }) => sum + units, 0);
    const days = ["2025-06-01", "2025-06-08", "2025-06-15", "2025-06-20", "2025-06-25"];
    expect(days.map((day) => [unitsOn(day, "trialing"), unitsOn(day, "active")])).toEqual([
      [3, 0],
      [5, 0],
      [0, 5],
      [0, 2],
      [0, 0],
    ]);
    expect(figures.filter(({ measure, units }) => measure === "new" && units !== 0)).toEqual([]);
  });
});
