import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { adjustBalance } from "../../../../actions/customer/adjust-balance.ts";
import { previewAdjustment } from "../../../../actions/customer/preview-adjustment.ts";
import type { BalanceEntry } from "../../../../domain/model/balance.ts";
import { majorUnits } from "../../../../domain/major-units.ts";
import { AdjustBalanceParams } from "../../../../resources/balance.ts";
import type { PageContext } from "../../../environment.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { effectPanel } from "../../components/confirm-panel.ts";
import { radioField, textField } from "../../fields.ts";
import { formPages } from "../../form-action.ts";
import { originOf, parsed, refusalNotice, refusedField, typed, type Sent } from "../../sent-form.ts";
import { typedPositiveAmount } from "../../typed-values.ts";
import type { DashboardRequest } from "../../request.ts";
import { besidePage, CUSTOMER, effects, pageDataOf, type CustomerPageData } from "../part.ts";
import { askingForm, effectItems, reasonItem, withNames, type NamedEffect } from "./effect.ts";
import { balanceValue, agreedBalance } from "./agreed-balance.ts";

/** @throws HTTPException 404 for a deleted Customer, who has no balance */
export async function balancePageDataOf(c: PageContext, request: DashboardRequest): Promise<CustomerPageData> {
  const pageData = await pageDataOf(c, request);
  if (pageData.customer.deletedAt !== null) throw new HTTPException(404);
  return pageData;
}

export const currencyOf = ({ request }: CustomerPageData, sent: Sent): string =>
  typed(sent, "currency").toLowerCase() || request.organization.defaultCurrency;

export const currencyField = (pageData: CustomerPageData, sent: Sent): Html =>
  textField({ ...sent, fields: new URLSearchParams() }, "currency", {
    label: "Currency",
    known: currencyOf(pageData, sent).toUpperCase(),
    required: true,
    maxlength: 3,
  });

const takes = (sent: Sent) => typed(sent, "adjustment") === "take";

/** @throws AppError 422, with pointers that name the fields */
function read(pageData: CustomerPageData, sent: Sent): AdjustBalanceParams {
  const currency = currencyOf(pageData, sent);
  parsed(AdjustBalanceParams.pick({ currency: true }), { currency });
  const amount = typedPositiveAmount(sent, currency);
  if (amount === null) throw refusedField("amount", "required", "Enter an amount above 0.");
  return parsed(AdjustBalanceParams, {
    currency,
    amount: takes(sent) ? -amount : amount,
    reason: typed(sent, "reason"),
  });
}

const WAYS = [
  ["give", "Add credit"],
  ["take", "Deduct credit, or record a debt"],
] as const;

const fields = (pageData: CustomerPageData, sent: Sent): Html =>
  askingForm(
    sent,
    html`${radioField(sent, "adjustment", { legend: "Adjustment", choices: WAYS })}
${currencyField(pageData, sent)}
${textField(sent, "amount", { label: "Amount", required: true, maxlength: 20 })}
${textField(sent, "reason", {
  label: "Reason",
  required: true,
  maxlength: 1000,
  hint: "For your records. The list of movements shows the reason.",
})}`,
  );

type Adjustment = { params: AdjustBalanceParams; named: NamedEffect };

function effectOf(pageData: CustomerPageData, sent: Sent, { params, named }: Adjustment): Html {
  const { amount, currency, reason } = params;
  const said = moneyText(Math.abs(amount), currency);
  const use =
    amount > 0
      ? "Renewals, changes and purchases use the credit. Granted credit can't be paid out to a card."
      : "Granted credit is deducted first. A debt is collected with the next invoice.";
  const stays = "Invoices that exist stay as they are.";
  return effectPanel(sent, {
    values: {
      currency,
      amount: majorUnits(Math.abs(amount), currency),
      reason,
      ...balanceValue(named.effect, currency),
    },
    effect: effects([...effectItems(pageData, named, currency), use, stays, ...reasonItem(reason)]),
    label: amount > 0 ? `Add ${said} of credit` : `Deduct ${said} from the balance`,
    isDangerous: amount < 0,
    back: pageData.self,
  });
}

/** `…/customers/{customerId}/balance/adjust`: gives credit, or takes credit away. */
export const adjustPages = formPages<CustomerPageData, AdjustBalanceParams, Adjustment>({
  path: `${CUSTOMER}/balance/adjust`,
  permission: "money",
  load: balancePageDataOf,
  read,
  async preview({ request, customer }, params) {
    const { ctx, organization } = request;
    const run = () => previewAdjustment(ctx, organization.id, customer.id, params);
    return { params, named: await withNames(request, await run()) };
  },
  page(pageData, sent, shown) {
    const body = html`${refusalNotice(sent, ["currency", "amount", "reason"])}
${shown === null ? fields(pageData, sent) : effectOf(pageData, sent, shown)}`;
    return besidePage(pageData, "Adjust the balance", body);
  },
  async act({ ctx, customer: { id } }, body, sent) {
    const about = { operation: "adjustCustomerBalance", resourceId: id, customerId: id, body };
    const origin = originOf<BalanceEntry>(sent, about);
    await adjustBalance(ctx, origin, id, body, agreedBalance(sent));
  },
  after: ({ self }) => `${self}?done=adjusted`,
});
