import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  amountFrom,
  compareSources,
  GRANTED,
  inSpendingOrder,
  isLostSource,
  isSameSource,
  merged,
  OUTSIDE,
  paidBy,
  takeFront,
  totalOfParts,
  without,
  type LotPart,
  type Source,
  type SourcePart,
} from "./credit-source.ts";

const of = (source: Source, amount: number): SourcePart => ({ ...source, amount });
const [P1, P2] = [paidBy("pay_1"), paidBy("pay_2")];

const anySource = fc.constantFrom(P1, P2, paidBy("pay_3"), OUTSIDE, GRANTED);
const anyPart = fc.tuple(anySource, fc.integer({ min: 1, max: 999 })).map(([source, amount]) => of(source, amount));
const anyParts = fc.array(anyPart, { maxLength: 8 });
const anyLots = fc.array(
  fc
    .tuple(anyPart, fc.constantFrom(null, "iln_1", "iln_2"))
    .map(([part, creditedLineId]): LotPart => ({ ...part, creditedLineId })),
  { maxLength: 8 },
);

describe("the order of spending (rule I6c)", () => {
  test.each<[what: string, one: Source, other: Source, sign: number]>([
    ["an older charge first", P1, P2, -1],
    ["a newer charge later", P2, P1, 1],
    ["a charge before money from outside", P2, OUTSIDE, -1],
    ["money from outside before granted credit", OUTSIDE, GRANTED, -1],
    ["granted credit after a charge", GRANTED, P1, 1],
    ["one charge is no order", P1, P1, 0],
    ["nor is granted credit", GRANTED, GRANTED, 0],
  ])("%s", (_, one, other, sign) => expect(Math.sign(compareSources(one, other))).toBe(sign));

  it("keeps the order of parts of one source", () => {
    const parts = [of(GRANTED, 1), of(P2, 2), of(OUTSIDE, 3), of(P1, 4), of(P2, 5), of(P1, 6)];
    expect(inSpendingOrder(parts).map(({ amount }) => amount)).toEqual([4, 6, 2, 5, 3, 1]);
  });

  it("is the same from every order of the sources", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([P1, P2, paidBy("pay_3"), OUTSIDE, GRANTED]), (sources) => {
        const sorted = inSpendingOrder(sources);
        expect(inSpendingOrder(sources.toReversed())).toEqual(sorted);
        for (const [n, source] of sorted.entries()) {
          for (const later of sorted.slice(n + 1)) expect(compareSources(source, later)).toBeLessThan(0);
        }
      }),
    );
  });
});

describe("sources", () => {
  test.each<[one: Source, other: Source, same: boolean]>([
    [P1, paidBy("pay_1"), true],
    [P1, P2, false],
    [OUTSIDE, GRANTED, false],
    [GRANTED, GRANTED, true],
  ])("%o and %o", (one, other, same) => expect(isSameSource(one, other)).toBe(same));

  it("are lost with their charge alone", () => {
    const lost = new Set(["pay_1"]);
    expect([P1, P2, OUTSIDE, GRANTED].map((source) => isLostSource(source, lost))).toEqual([true, false, false, false]);
  });

  it("have an amount among parts", () => {
    const parts = [of(P1, 3), of(GRANTED, 5), of(P1, 4)];
    expect([P1, P2, GRANTED].map((source) => amountFrom(parts, source))).toEqual([7, 0, 5]);
    expect(totalOfParts(parts)).toBe(12);
  });
});

describe("an amount from the front of parts", () => {
  test.each<[what: string, amount: number, taken: SourcePart[], left: SourcePart[]]>([
    ["no part for 0", 0, [], [of(P1, 3), of(P2, 4)]],
    ["no part for less than 0", -5, [], [of(P1, 3), of(P2, 4)]],
    ["a part of the first", 2, [of(P1, 2)], [of(P1, 1), of(P2, 4)]],
    ["all of the first", 3, [of(P1, 3)], [of(P2, 4)]],
    ["a part of the second, too", 5, [of(P1, 3), of(P2, 2)], [of(P2, 2)]],
    ["at most all", 99, [of(P1, 3), of(P2, 4)], []],
  ])("%s", (_, amount, taken, left) => expect(takeFront([of(P1, 3), of(P2, 4)], amount)).toEqual({ taken, left }));

  it("splits the parts and loses no unit", () => {
    fc.assert(
      fc.property(anyParts, fc.nat(5000), (parts, amount) => {
        const { taken, left } = takeFront(parts, amount);
        expect(totalOfParts(taken)).toBe(Math.min(amount, totalOfParts(parts)));
        for (const source of parts) {
          expect(amountFrom(taken, source) + amountFrom(left, source)).toBe(amountFrom(parts, source));
        }
        for (const { amount: each } of [...taken, ...left]) expect(each).toBeGreaterThan(0);
      }),
    );
  });

  it("comes to the same in two steps", () => {
    fc.assert(
      fc.property(anyLots, fc.nat(2000), fc.nat(2000), (parts, one, other) => {
        const first = takeFront(parts, one);
        const second = takeFront(first.left, other);
        const once = takeFront(parts, one + other);
        expect(second.left).toEqual(once.left);
        expect(merged([...first.taken, ...second.taken])).toEqual(merged(once.taken));
      }),
    );
  });
});

describe("parts without outflows", () => {
  test.each<[what: string, outflows: SourcePart[], left: SourcePart[]]>([
    ["all without outflows", [], [of(P1, 3), of(P2, 4), of(P1, 5)]],
    ["an outflow takes from its own source", [of(P2, 1)], [of(P1, 3), of(P2, 3), of(P1, 5)]],
    ["from the front", [of(P1, 4)], [of(P2, 4), of(P1, 4)]],
    ["several of one source add up", [of(P1, 3), of(P1, 1)], [of(P2, 4), of(P1, 4)]],
    ["more than there is takes all", [of(P1, 99)], [of(P2, 4)]],
    ["an unknown source takes no part", [of(GRANTED, 9)], [of(P1, 3), of(P2, 4), of(P1, 5)]],
  ])("%s", (_, outflows, left) => expect(without([of(P1, 3), of(P2, 4), of(P1, 5)], outflows)).toEqual(left));

  it("leave of each source the amount less the outflows, in any order of the outflows", () => {
    fc.assert(
      fc.property(anyParts, anyParts, (parts, outflows) => {
        const left = without(parts, outflows);
        for (const source of [P1, P2, paidBy("pay_3"), OUTSIDE, GRANTED]) {
          const expected = Math.max(amountFrom(parts, source) - amountFrom(outflows, source), 0);
          expect(amountFrom(left, source)).toBe(expected);
        }
        expect(without(parts, outflows.toReversed())).toEqual(left);
      }),
    );
  });
});

describe("merged parts", () => {
  it("join parts of one source and line, at the place of the first", () => {
    const lot = (source: Source, creditedLineId: string | null, amount: number) => ({
      ...of(source, amount),
      creditedLineId,
    });
    const parts = [lot(P1, "a", 1), lot(GRANTED, null, 2), lot(P1, "b", 3), lot(P1, "a", 4), lot(GRANTED, null, 5)];
    expect(merged(parts)).toEqual([lot(P1, "a", 5), lot(GRANTED, null, 7), lot(P1, "b", 3)]);
  });

  it("keep each sum, and are merged already", () => {
    fc.assert(
      fc.property(anyLots, (parts) => {
        const once = merged(parts);
        expect(merged(once)).toEqual(once);
        expect(totalOfParts(once)).toBe(totalOfParts(parts));
        for (const part of parts) expect(amountFrom(once, part)).toBe(amountFrom(parts, part));
        expect(new Set(once.map((part) => `${part.source} ${part.paymentId} ${part.creditedLineId}`)).size).toBe(
          once.length,
        );
      }),
    );
  });
});
