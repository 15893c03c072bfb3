import { html } from "hono/html";
import { payOutBalance } from "../../../../actions/refund/pay-out.ts";
import { previewPayout } from "../../../../actions/refund/preview.ts";
import { isCurrency } from "../../../../domain/currency.ts";
import { majorUnits } from "../../../../domain/major-units.ts";
import { sumOf } from "../../../../domain/money.ts";
import { cardName } from "../../../../domain/model/card-name.ts";
import type { PayoutPreview } from "../../../../domain/refund/preview.ts";
import type { Refund } from "../../../../domain/model/refund.ts";
import { PayOutBalanceParams } from "../../../../resources/refund.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { effectPanel } from "../../components/confirm-panel.ts";
import { OPTIONAL, textField } from "../../fields.ts";
import { formPages } from "../../form-action.ts";
import { originOf, parsed, refusalNotice, typed, typedOrNull, type Sent } from "../../sent-form.ts";
import { typedPositiveAmount } from "../../typed-values.ts";
import { besidePage, CUSTOMER, effects, type CustomerPageData } from "../part.ts";
import { balancePageDataOf, currencyField, currencyOf } from "./adjust.ts";
import { askingForm, effectItems, reasonItem, withNames, type NamedEffect } from "./effect.ts";
import { balanceValue, agreedBalance } from "./agreed-balance.ts";

/** @throws AppError 422, with pointers that name the fields */
function read(pageData: CustomerPageData, sent: Sent): PayOutBalanceParams {
  const currency = currencyOf(pageData, sent);
  parsed(PayOutBalanceParams.pick({ currency: true }), { currency });
  const amount = typedPositiveAmount(sent, currency);
  return parsed(PayOutBalanceParams, {
    currency,
    ...(amount !== null && { amount }),
    reason: typedOrNull(sent, "reason"),
  });
}

type Payout = { preview: PayoutPreview; named: NamedEffect };

const sumOfRefunds = ({ preview }: Payout) => sumOf(preview.refunds.map(({ refund }) => refund.amount));

/** `proposed`: the payout of the whole credit, whose amount the form proposes. */
function fields(pageData: CustomerPageData, sent: Sent, proposed: Payout | null): Html {
  const all = proposed === null ? "" : majorUnits(sumOfRefunds(proposed), currencyOf(pageData, sent));
  return askingForm(
    sent,
    html`${currencyField(pageData, sent)}
${textField(sent, "amount", {
  label: "Amount",
  maxlength: 20,
  known: all,
  hint: "If the field is empty, all credit that came from cards is paid out.",
})}
${textField(sent, "reason", { label: "Reason", mark: OPTIONAL, maxlength: 1000 })}`,
  );
}

function effectOf(pageData: CustomerPageData, sent: Sent, payout: Payout): Html {
  const { preview, named } = payout;
  const currency = currencyOf(pageData, sent);
  const sum = sumOfRefunds(payout);
  const items = preview.refunds.map(({ refund, card }) => {
    const destination = card === null ? "the card that paid" : cardName(card);
    return html`${moneyText(refund.amount, currency)} goes to ${destination}.`;
  });
  return effectPanel(sent, {
    values: { currency, amount: majorUnits(sum, currency), ...balanceValue(preview.effect, currency) },
    effect: effects([
      ...items,
      ...effectItems(pageData, named, currency),
      "The credit leaves the balance now. If a refund fails, its credit returns to the balance.",
      ...reasonItem(typed(sent, "reason")),
    ]),
    label: `Pay out ${moneyText(sum, currency)}`,
    isDangerous: true,
    back: pageData.self,
  });
}

/** `…/customers/{customerId}/balance/pay-out`: pays credit out to the cards that the credit came from. */
export const payOutPages = formPages<CustomerPageData, PayOutBalanceParams, Payout>({
  path: `${CUSTOMER}/balance/pay-out`,
  permission: "money",
  asksAgain: true,
  load: balancePageDataOf,
  takes: { currency: isCurrency },
  read,
  proposes: true,
  async preview({ ctx, request, customer }, params) {
    const run = () => previewPayout(ctx, request.organization.id, customer.id, params);
    const preview = await run();
    return { preview, named: await withNames(request, preview.effect) };
  },
  page(pageData, sent, shown) {
    const body = html`${refusalNotice(sent, ["currency", "amount", "reason"])}
${shown !== null && sent.isSent ? effectOf(pageData, sent, shown) : fields(pageData, sent, shown)}`;
    return besidePage(pageData, "Pay credit out", body);
  },
  async act({ ctx, customer: { id } }, body, sent) {
    const about = { operation: "payOutCustomerBalance", resourceId: id, customerId: id, body };
    const origin = originOf<Refund[]>(sent, about);
    await payOutBalance(ctx, origin, id, body, agreedBalance(sent));
  },
  after: ({ self }) => `${self}?done=paid-out`,
});
