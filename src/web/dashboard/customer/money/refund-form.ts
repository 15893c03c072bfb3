import { html } from "hono/html";
import { returnsOf } from "../../../../actions/invoice/returns.ts";
import type { Back } from "../../../../domain/model/invoice-returns.ts";
import { majorUnits } from "../../../../domain/major-units.ts";
import { countedRefunds } from "../../../../domain/refund/limit.ts";
import { refundableOf, type Refundable } from "../../../../domain/model/refundable-amount.ts";
import type { RefundTarget } from "../../../../domain/model/refund.ts";
import { refundLimitOf } from "../../../../domain/team/role.ts";
import { CreateRefundParams } from "../../../../resources/refund.ts";
import { linesOf } from "../../../../store/invoice-lines.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { checkField, OPTIONAL, radioField, textField } from "../../fields.ts";
import { parsed, typed, typedOrNull, type Sent } from "../../sent-form.ts";
import { typedPositiveAmount } from "../../typed-values.ts";
import { askingForm } from "./effect.ts";
import type { InvoicePageData } from "./invoice-page-data.ts";

/**
 * An invoice that may be refunded. `limit`: the most that the role may give back of one invoice, and the part of it
 * that earlier refunds leave; null: the role has no limit.
 */
export type RefundPageData = InvoicePageData & {
  back: Back;
  refundable: Refundable;
  limit: { most: number; left: number } | null;
};

export async function refundPageDataOf(pageData: InvoicePageData): Promise<RefundPageData> {
  const { ctx, request, invoice } = pageData;
  const { organization, role } = request;
  const [lines, back] = await Promise.all([
    linesOf(ctx.db.read, organization.id, invoice.id),
    returnsOf(ctx.db.read, organization.id, invoice.id),
  ]);
  const most = refundLimitOf(role, organization, invoice.currency);
  const limit = most === null ? null : { most, left: Math.max(most - countedRefunds(back), 0) };
  return { ...pageData, back, refundable: refundableOf({ invoice, lines, back }), limit };
}

/** The ways in which the money can go back. */
export const targetsOf = ({ invoice, back, customer }: RefundPageData): RefundTarget[] => [
  ...(back.paymentId !== null && !invoice.paidOutside ? (["card"] as const) : []),
  ...(customer.deletedAt === null ? (["balance"] as const) : []),
];

function targetOf(pageData: RefundPageData, sent: Sent): string {
  return typed(sent, "to") || (targetsOf(pageData)[0] ?? "card");
}

/** The amount of a form without an amount; null: the decision names the amount, rounded as its provider requires. */
function defaultAmount({ refundable, limit }: RefundPageData, to: string): number | null {
  const whole = to === "balance" ? refundable.toBalance : refundable.toCard;
  return limit === null || limit.left === 0 || limit.left >= whole ? null : limit.left;
}

/** The refund that the form asks for. @throws AppError 422, with pointers that name the fields */
export function askedOf(pageData: RefundPageData, sent: Sent): CreateRefundParams {
  const { invoice } = pageData;
  const to = targetOf(pageData, sent);
  const amount = typedPositiveAmount(sent, invoice.currency) ?? defaultAmount(pageData, to);
  return parsed(CreateRefundParams, {
    to,
    ...(amount !== null && { amount }),
    reason: typedOrNull(sent, "reason"),
    revokeGrants: typed(sent, "revokeGrants") === "yes",
  });
}

const TARGET_WORDS: Record<RefundTarget, string> = { card: "The card that paid", balance: "The balance, as credit" };

function targetChoice(pageData: RefundPageData, sent: Sent): Html {
  const { refundable, invoice } = pageData;
  const said = (amount: number) => moneyText(amount, invoice.currency);
  const targets = targetsOf(pageData).map((value) => {
    const [amount, whole] =
      value === "balance" ? [refundable.toBalance, invoice.totalAmount] : [refundable.toCard, invoice.amountPaid];
    const rest = `. The rest of ${said(whole)} was refunded, credited by a later invoice, or disputed.`;
    return [value, TARGET_WORDS[value], `Up to ${said(amount)}${amount < whole ? rest : ""}`] as const;
  });
  return radioField(sent, "to", { legend: "To", choices: targets });
}

function limitHint({ limit, request, invoice }: RefundPageData): string | undefined {
  if (limit === null) return undefined;
  const { defaultCurrency } = request.organization;
  if (invoice.currency !== defaultCurrency) return `Support can refund in ${defaultCurrency.toUpperCase()} alone.`;
  const left = moneyText(limit.left, invoice.currency);
  return `Support can refund up to ${moneyText(limit.most, invoice.currency)} of one invoice. ${left} is left.`;
}

const REVOKE = [["yes", "Revoke the access of this purchase permanently"]] as const;

/**
 * The form whose next page shows the effect. The form changes no data. `proposed`: the amount, unless one was typed.
 */
export function refundForm(pageData: RefundPageData, sent: Sent, proposed: number | null): Html {
  const { currency, subscriptionId } = pageData.invoice;
  return askingForm(
    sent,
    html`${targetChoice(pageData, sent)}
${textField(sent, "amount", {
  label: `Amount in ${currency.toUpperCase()}`,
  maxlength: 20,
  known: proposed === null ? "" : majorUnits(proposed, currency),
  hint: limitHint(pageData),
})}
${textField(sent, "reason", {
  label: "Reason",
  mark: OPTIONAL,
  maxlength: 1000,
  hint: "For your records. The credit note does not show the reason.",
})}
${subscriptionId === null ? checkField(sent, "revokeGrants", { legend: "Access", choices: REVOKE }) : ""}`,
  );
}
