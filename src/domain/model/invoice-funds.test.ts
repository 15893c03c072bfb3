import { describe, expect, it, test } from "vitest";
import { creditWith, invoiceWith, lineWith, refundWith } from "../../../test/support/customer-billing.ts";
import { GRANTED, OUTSIDE, paidBy, type LotPart, type Source, type SourcePart } from "./credit-source.ts";
import type { Refund } from "./refund.ts";
import type { LineCredit } from "./line-credit.ts";
import { drawSources, freedOf, fundsLeft, fundsOf, type Fund, type Funded } from "./invoice-funds.ts";
import type { Invoice, InvoiceLine } from "./invoice.ts";

const [P1, P2, P3] = [paidBy("pay_1"), paidBy("pay_2"), paidBy("pay_3")];
const of = (source: Source, amount: number): SourcePart => ({ ...source, amount });
const lot = (source: Source, amount: number, creditedLineId: string | null = null): LotPart => ({
  ...of(source, amount),
  creditedLineId,
});
const fund = (kind: Fund["kind"], source: Source, amount: number, creditedLineId: string | null = null): Fund => ({
  ...of(source, amount),
  creditedLineId,
  kind,
});
/** A credit on the invoice that gives back a line of another invoice. */
const netted = (id: string, whole: number, ...sources: SourcePart[]) =>
  creditWith(whole, { id, invoiceId: "inv_1", creditedLineId: `iln_of_${id}`, sources });

function funded(invoice: Partial<Invoice>, lines: readonly InvoiceLine[], more: Partial<Funded> = {}): Funded {
  return { invoice: invoiceWith(invoice), lines, refunds: [], credits: [], paymentId: "pay_3", ...more };
}

describe("the funds of a paid invoice (rule I6e)", () => {
  const outside = { paidOutside: true };
  test.each<[what: string, funded: Funded, funds: Fund[]]>([
    ["the charge", funded({}, [lineWith()]), [fund("own", P3, 1000)]],
    ["money from outside", funded(outside, [lineWith()], { paymentId: null }), [fund("own", OUTSIDE, 1000)]],
    [
      "lots that the balance used come before the money, in the order of spending",
      funded({ balanceApplied: 700, balanceSources: [lot(P1, 500, "iln_x"), lot(GRANTED, 200)] }, [lineWith()]),
      [fund("lots", P1, 500, "iln_x"), fund("lots", GRANTED, 200), fund("own", P3, 300)],
    ],
    [
      "a debt that the invoice made counts as granted",
      funded({ balanceApplied: 1000, balanceSources: [lot(P1, 980)] }, [lineWith()], { paymentId: null }),
      [fund("lots", P1, 980), fund("lots", GRANTED, 20)],
    ],
    [
      "a debt that the invoice collected is no part of its price",
      funded({ amountDue: 1300, balanceApplied: -300 }, [lineWith()]),
      [fund("own", P3, 1000)],
    ],
    [
      "credit among its lines comes first, in the order of spending",
      funded({ totalAmount: 600, balanceApplied: 100, balanceSources: [lot(P3, 100)] }, [
        netted("iln_c", 400, of(P3, 300), of(GRANTED, 100)),
        lineWith(),
      ]),
      [
        fund("netted", P3, 300, "iln_of_iln_c"),
        fund("netted", GRANTED, 100, "iln_of_iln_c"),
        fund("lots", P3, 100),
        fund("own", P3, 500),
      ],
    ],
    [
      "not the credit that went to the balance",
      funded({ totalAmount: -500, balanceApplied: -500, balanceSources: [lot(P1, -100), lot(P2, -400)] }, [
        netted("iln_c", 1500, of(P1, 600), of(P2, 900)),
        lineWith(),
      ]),
      [fund("netted", P1, 500, "iln_of_iln_c"), fund("netted", P2, 500, "iln_of_iln_c")],
    ],
    [
      "not held credit, which did not lower the price",
      funded(
        {
          totalAmount: 600,
          amountPaid: 1000,
          balanceApplied: -400,
          balanceBasis: { balance: 0, minimum: 50, held: 400 },
          balanceSources: [lot(P1, -400)],
        },
        [netted("iln_c", 400, of(P1, 400)), lineWith()],
      ),
      [fund("own", P3, 1000)],
    ],
    [
      "less credit that refunds have freed",
      funded({ totalAmount: 600 }, [netted("iln_c", 400, of(P1, 150)), lineWith()]),
      [fund("netted", P1, 150, "iln_of_iln_c"), fund("own", P3, 600)],
    ],
    [
      "a credit of its own line has no source and is no fund",
      funded({ totalAmount: 600 }, [lineWith(), creditWith(400, { invoiceId: "inv_1", sources: null })]),
      [fund("own", P3, 600)],
    ],
    ["no funds of a free invoice", funded({ totalAmount: 0 }, [lineWith({ amount: 0 })], { paymentId: null }), []],
  ])("%s", (_, bill, funds) => expect(fundsOf(bill)).toEqual(funds));

  it("lose the credit that was freed", () => {
    expect(freedOf([netted("iln_c", 400, of(P1, 150)), lineWith()])).toBe(250);
    expect(freedOf([lineWith(), creditWith(400, { sources: null })])).toBe(0);
  });
});

describe("the funds that are left", () => {
  const lines = [netted("iln_c", 400, of(P1, 400)), lineWith()];
  const bill = (refunds: Refund[], credits: LineCredit[] = []) =>
    funded({ totalAmount: 600, balanceApplied: 200, balanceSources: [lot(P2, 200, "iln_x")] }, lines, {
      refunds,
      credits,
    });
  const moved = (netting: boolean, ...sources: SourcePart[]): LineCredit => ({
    creditedLineId: "iln_1",
    amount: sources.reduce((sum, { amount }) => sum + amount, 0),
    netted: netting,
    sources,
  });
  const toCard = (more: Partial<Refund> = {}) => refundWith({ to: "card", amount: 100, ...more });
  const free = { lineId: "iln_c", ...of(P1, 80) };

  test.each<
    [what: string, refunds: Refund[], credits: LineCredit[], left: [netted: number, lots: number, own: number]]
  >([
    ["all at first", [], [], [400, 200, 400]],
    ["less a refund to the card", [toCard()], [], [400, 200, 300]],
    ["not less its part from the balance", [toCard({ fromBalance: 60 })], [], [400, 200, 360]],
    ["not less a refund that failed", [toCard({ status: "failed" })], [], [400, 200, 400]],
    [
      "less the parts of a refund to the balance",
      [
        refundWith({
          amount: 130,
          sources: [
            { ...lot(P2, 50), own: false },
            { ...lot(P3, 80), own: true },
          ],
        }),
      ],
      [],
      [400, 150, 320],
    ],
    [
      "less credit that a pending refund will free",
      [toCard({ status: "pending", settledAt: null, freed: [free] })],
      [],
      [320, 200, 300],
    ],
    ["credit that was freed is off the line already", [toCard({ freed: [free] })], [], [400, 200, 300]],
    ["a refund that failed frees no credit", [toCard({ status: "failed", freed: [free] })], [], [400, 200, 400]],
    ["less the sources of credits elsewhere", [], [moved(false, of(P1, 400), of(P2, 30))], [0, 170, 400]],
    ["also of the money", [], [moved(false, of(P3, 5))], [400, 200, 395]],
    ["not less credits on the invoice itself", [], [moved(true)], [400, 200, 400]],
    ["not less granted parts of credits", [], [moved(false, of(GRANTED, 50))], [400, 200, 400]],
  ])("%s", (_, refunds, credits, left) => {
    const funds = fundsLeft(bill(refunds, credits));
    const amounts = (["netted", "lots", "own"] as const).map((kind) =>
      funds.filter((each) => each.kind === kind).reduce((sum, { amount }) => sum + amount, 0),
    );
    expect(amounts).toEqual(left);
  });
});

describe("the sources of a new credit (rule I6f)", () => {
  const funds = [fund("netted", P1, 300, "a"), fund("lots", P1, 100), fund("lots", GRANTED, 50), fund("own", P2, 200)];
  test.each<[what: string, amount: number, lost: string[], sources: SourcePart[]]>([
    ["credit among the lines first, then lots; one part for each source", 350, [], [of(P1, 350)]],
    ["all lots", 440, [], [of(P1, 400), of(GRANTED, 40)]],
    ["then the money that was taken", 500, [], [of(P1, 400), of(GRANTED, 50), of(P2, 50)]],
    ["a part without funds is granted", 700, [], [of(P1, 400), of(GRANTED, 100), of(P2, 200)]],
    ["lost charges come last", 300, ["pay_1"], [of(GRANTED, 50), of(P2, 200), of(P1, 50)]],
    ["a lost charge of the invoice itself, too", 500, ["pay_2"], [of(P1, 400), of(GRANTED, 50), of(P2, 50)]],
  ])("%s", (_, amount, lost, sources) => expect(drawSources(funds, new Set(lost), amount)).toEqual(sources));

  it("are granted for an invoice without funds", () =>
    expect(drawSources([], new Set(), 70)).toEqual([of(GRANTED, 70)]));
});
