import { sumOf, type Amount } from "../money.ts";

/** The kinds of sources, in the order in which credit is spent (rule I6c). */
export const SOURCES = ["payment", "refund_failed", "outside", "granted"] as const;

/**
 * The origin of credit (rule I6a): a charge, a refund that failed late, money that came from outside of Billow, or a
 * grant of an operator. Credit with an unknown origin counts as granted. `paymentId` is set for a charge. For a refund
 * that failed late, `paymentId` is the refunded charge; null: a dispute of that charge was standing (rule I8d).
 */
export type Source = { source: (typeof SOURCES)[number]; paymentId: string | null };

/** An amount of credit from one source, in minor units above zero. */
export type SourcePart = Source & { amount: Amount };

/** Credit from one source, with the billed line that the credit gives back; null if there is no such line. */
export type LotPart = SourcePart & { creditedLineId: string | null };

export const GRANTED: Source = { source: "granted", paymentId: null };
export const OUTSIDE: Source = { source: "outside", paymentId: null };
export const refundFailed = (paymentId: string | null): Source => ({ source: "refund_failed", paymentId });
export const paidBy = (paymentId: string): Source => ({ source: "payment", paymentId });

export const isSameSource = (one: Source, other: Source): boolean =>
  one.source === other.source && one.paymentId === other.paymentId;

/** Whether credit comes from one of these charges, which banks have kept. */
export const isLostSource = ({ paymentId }: Pick<Source, "paymentId">, lost: ReadonlySet<string>): boolean =>
  paymentId !== null && lost.has(paymentId);

/** Below zero: `one` is spent before `other`. Ids of payments grow with time (rule I6c). */
export function compareSources(one: Source, other: Source): number {
  const byKind = SOURCES.indexOf(one.source) - SOURCES.indexOf(other.source);
  if (byKind !== 0 || one.paymentId === other.paymentId) return byKind;
  return (one.paymentId ?? "") < (other.paymentId ?? "") ? -1 : 1;
}

/** Sorts parts by the order of spending (rule I6c). Parts of one source keep their order. */
export const inSpendingOrder = <Part extends Source>(parts: readonly Part[]): Part[] => parts.toSorted(compareSources);

/** The plain part of a lot, without other fields. */
export const lotPartOf = ({ source, paymentId, creditedLineId, amount }: LotPart): LotPart => ({
  source,
  paymentId,
  creditedLineId,
  amount,
});

export const totalOfParts = (parts: readonly { amount: Amount }[]): Amount => sumOf(parts.map(({ amount }) => amount));

/** The amount that parts have from one source. */
export const amountFrom = (parts: readonly SourcePart[], source: Source): Amount =>
  totalOfParts(parts.filter((part) => isSameSource(part, source)));

/** Takes an amount from the front of a list of parts. `taken` is less than the amount if the parts come to less. */
export function takeFront<Part extends { amount: Amount }>(
  parts: readonly Part[],
  amount: Amount,
): { taken: Part[]; left: Part[] } {
  const [taken, left]: [Part[], Part[]] = [[], []];
  let wanted = amount;
  for (const part of parts) {
    const used = Math.max(Math.min(part.amount, wanted), 0);
    wanted -= used;
    if (used > 0) taken.push({ ...part, amount: used });
    if (part.amount > used) left.push({ ...part, amount: part.amount - used });
  }
  return { taken, left };
}

/** The parts less these outflows. An outflow takes from the parts of its own source, front first. */
export function without<Part extends SourcePart>(parts: readonly Part[], outflows: readonly SourcePart[]): Part[] {
  return outflows.reduce<Part[]>(
    (rest, outflow) => {
      let wanted = outflow.amount;
      return rest.flatMap((part) => {
        if (!isSameSource(part, outflow)) return [part];
        const used = Math.min(part.amount, wanted);
        wanted -= used;
        return part.amount > used ? [{ ...part, amount: part.amount - used }] : [];
      });
    },
    [...parts],
  );
}

/** Merges parts of the same source and billed line, in the order of their first appearance. */
export function merged(parts: readonly LotPart[]): LotPart[] {
  return parts.reduce<LotPart[]>((list, part) => {
    const same = list.findIndex((each) => isSameSource(each, part) && each.creditedLineId === part.creditedLineId);
    return same < 0 ? [...list, part] : list.with(same, { ...part, amount: list[same]!.amount + part.amount });
  }, []);
}
