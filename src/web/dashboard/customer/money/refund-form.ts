import { html } from "hono/html";
import { givenBackOf } from "../../../../actions/invoice/given-back.ts";
import type { Back } from "../../../../domain/model/invoice-back.ts";
import { majorUnits } from "../../../../domain/major-units.ts";
import { countedRefunds } from "../../../../domain/refund/limit.ts";
import { refundableOf, type Refundable } from "../../../../domain/model/refundable.ts";
import type { RefundTarget } from "../../../../domain/model/refund.ts";
import { refundLimitOf } from "../../../../domain/team/role.ts";
import { CreateRefundParams } from "../../../../resources/refund.ts";
import { linesOf } from "../../../../store/invoice-lines.ts";
import { field } from "../../../components/field.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { choices } from "../../components/choices.ts";
import { faultAt, parsed, refusedField, typed, typedOrNull, type Sent } from "../../sent.ts";
import { readAmount } from "../../typed-amount.ts";
import { askingForm } from "./asked.ts";
import type { InvoiceScene } from "./invoice-scene.ts";

/**
 * An invoice that may be refunded. `limit`: the most that the role may give back of one invoice, and the part of it
 * that earlier refunds leave; null: the role has no limit.
 */
export type RefundScene = InvoiceScene & {
  back: Back;
  refundable: Refundable;
  limit: { most: number; left: number } | null;
};

export async function refundSceneOf(scene: InvoiceScene): Promise<RefundScene> {
  const { ctx, visit, invoice } = scene;
  const { organization, role } = visit;
  const [lines, back] = await Promise.all([
    linesOf(ctx.db.read, organization.id, invoice.id),
    givenBackOf(ctx.db.read, organization.id, invoice.id),
  ]);
  const most = refundLimitOf(role, organization, invoice.currency);
  const limit = most === null ? null : { most, left: Math.max(most - countedRefunds(back), 0) };
  return { ...scene, back, refundable: refundableOf({ invoice, lines, back }), limit };
}

/** The ways in which the money can go back. */
export const targetsOf = ({ invoice, back, customer }: RefundScene): RefundTarget[] => [
  ...(back.paymentId !== null && !invoice.paidOutside ? (["card"] as const) : []),
  ...(customer.deletedAt === null ? (["balance"] as const) : []),
];

function targetOf(scene: RefundScene, sent: Sent): string {
  return typed(sent, "to") || (targetsOf(scene)[0] ?? "card");
}

/** The amount of a form without an amount; null: the decision names the amount, rounded as its provider requires. */
function defaultAmount({ refundable, limit }: RefundScene, to: string): number | null {
  const whole = to === "balance" ? refundable.toBalance : refundable.toCard;
  return limit === null || limit.left === 0 || limit.left >= whole ? null : limit.left;
}

/** The refund that the form asks for. @throws AppError 422, with pointers that name the fields */
export function askedOf(scene: RefundScene, sent: Sent): CreateRefundParams {
  const { invoice } = scene;
  const to = targetOf(scene, sent);
  const read = readAmount(typed(sent, "amount"), invoice.currency);
  if ("fault" in read) throw refusedField("amount", "invalid", read.fault);
  if (read.amount === 0) throw refusedField("amount", "required", "Enter an amount above 0.");
  const amount = read.amount ?? defaultAmount(scene, to);
  return parsed(CreateRefundParams, {
    to,
    ...(amount !== null && { amount }),
    reason: typedOrNull(sent, "reason"),
    revokeGrants: typed(sent, "revokeGrants") === "yes",
  });
}

const TARGET_WORDS: Record<RefundTarget, string> = { card: "The card that paid", balance: "The balance, as credit" };

function targetChoice(scene: RefundScene, sent: Sent): Html {
  const { refundable, invoice } = scene;
  const said = (amount: number) => moneyText(amount, invoice.currency);
  const targets = targetsOf(scene).map((value) => {
    const [amount, whole] =
      value === "balance" ? [refundable.toBalance, invoice.totalAmount] : [refundable.toCard, invoice.amountPaid];
    const rest = `. The rest of ${said(whole)} was refunded, credited by a later invoice, or disputed.`;
    return { value, label: TARGET_WORDS[value], hint: `Up to ${said(amount)}${amount < whole ? rest : ""}` };
  });
  const chosen = [targetOf(scene, sent)];
  return choices({ name: "to", legend: "To", choices: targets, chosen, isOne: true, fault: faultAt(sent, "to") });
}

function limitHint({ limit, visit, invoice }: RefundScene): string | undefined {
  if (limit === null) return undefined;
  const { defaultCurrency } = visit.organization;
  if (invoice.currency !== defaultCurrency) return `Support can refund in ${defaultCurrency.toUpperCase()} alone.`;
  const left = moneyText(limit.left, invoice.currency);
  return `Support can refund up to ${moneyText(limit.most, invoice.currency)} of one invoice. ${left} is left.`;
}

const REVOKE = { value: "yes", label: "Revoke the access of this purchase permanently" };

const revokeChoice = (sent: Sent): Html =>
  choices({ name: "revokeGrants", legend: "Access", choices: [REVOKE], chosen: [typed(sent, "revokeGrants")] });

/** The form whose next page shows the effect. The form changes no data. `proposed`: the amount, unless one was typed. */
export function refundForm(scene: RefundScene, sent: Sent, proposed: number | null): Html {
  const { currency, subscriptionId } = scene.invoice;
  const input = { autocomplete: "off", inputmode: "text", required: false } as const;
  return askingForm(
    sent,
    html`${targetChoice(scene, sent)}
${field({
  ...input,
  name: "amount",
  label: `Amount in ${currency.toUpperCase()}`,
  value: typed(sent, "amount") || (proposed === null ? "" : majorUnits(proposed, currency)),
  maxlength: 20,
  hint: limitHint(scene),
  fault: faultAt(sent, "amount"),
})}
${field({
  ...input,
  name: "reason",
  label: "Reason",
  mark: "optional",
  value: typed(sent, "reason"),
  maxlength: 1000,
  hint: "For your records. The credit note does not show the reason.",
  fault: faultAt(sent, "reason"),
})}
${subscriptionId === null ? revokeChoice(sent) : ""}`,
  );
}
