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
import type { Visit } from "../../request.ts";
import { besidePage, CUSTOMER, effects, pageDataOf, type Scene } from "../part.ts";
import { askingForm, effectItems, reasonItem, withNames, type NamedEffect } from "./effect.ts";
import { inWords } from "./in-major-units.ts";
import { BALANCE_WORDS, balanceField, seenBalance } from "./seen-balance.ts";

/** @throws HTTPException 404 for a deleted Customer, who has no balance */
export async function balancePageDataOf(c: PageContext, visit: Visit): Promise<Scene> {
  const scene = await pageDataOf(c, visit);
  if (scene.customer.deletedAt !== null) throw new HTTPException(404);
  return scene;
}

export const currencyOf = ({ visit }: Scene, sent: Sent): string =>
  typed(sent, "currency").toLowerCase() || visit.organization.defaultCurrency;

export const currencyField = (scene: Scene, sent: Sent): Html =>
  textField({ ...sent, fields: new URLSearchParams() }, "currency", {
    label: "Currency",
    known: currencyOf(scene, sent).toUpperCase(),
    required: true,
    maxlength: 3,
  });

const takes = (sent: Sent) => typed(sent, "deed") === "take";

/** @throws AppError 422, with pointers that name the fields */
function read(scene: Scene, sent: Sent): AdjustBalanceParams {
  const currency = currencyOf(scene, sent);
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

const fields = (scene: Scene, sent: Sent): Html =>
  askingForm(
    sent,
    html`${radioField(sent, "deed", { legend: "Adjustment", choices: WAYS })}
${currencyField(scene, sent)}
${textField(sent, "amount", { label: "Amount", required: true, maxlength: 20 })}
${textField(sent, "reason", {
  label: "Reason",
  required: true,
  maxlength: 1000,
  hint: "For your records. The list of movements shows the reason.",
})}`,
  );

type Adjustment = { params: AdjustBalanceParams; named: NamedEffect };

function effectOf(scene: Scene, sent: Sent, { params, named }: Adjustment): Html {
  const { amount, currency, reason } = params;
  const said = moneyText(Math.abs(amount), currency);
  const use =
    amount > 0
      ? "Renewals, changes and purchases use the credit. Granted credit can't be paid out to a card."
      : "Granted credit is deducted first. A debt is collected with the next invoice.";
  const stays = "Invoices that exist stay as they are.";
  return effectPanel(sent, {
    values: { currency, amount: majorUnits(Math.abs(amount), currency), reason },
    hidden: balanceField(named.effect, currency),
    effect: effects([...effectItems(scene, named, currency), use, stays, ...reasonItem(reason)]),
    label: amount > 0 ? `Add ${said} of credit` : `Deduct ${said} from the balance`,
    isDangerous: amount < 0,
    back: scene.self,
  });
}

/** `…/customers/{customerId}/balance/adjust`: gives credit, or takes credit away. */
export const adjustPages = formPages<Scene, AdjustBalanceParams, Adjustment>({
  path: `${CUSTOMER}/balance/adjust`,
  permission: "money",
  load: balancePageDataOf,
  read,
  async preview({ visit, customer }, params) {
    const { ctx, organization } = visit;
    const run = () => previewAdjustment(ctx, organization.id, customer.id, params);
    return { params, named: await withNames(visit, await inWords(params.currency, run)) };
  },
  page(scene, sent, shown) {
    const body = html`${refusalNotice(sent, ["currency", "amount", "reason"])}
${shown === null ? fields(scene, sent) : effectOf(scene, sent, shown)}`;
    return besidePage(scene, "Adjust the balance", body);
  },
  async act({ ctx, customer: { id } }, body, sent) {
    const about = { operation: "adjustCustomerBalance", resourceId: id, customerId: id, body };
    const origin = originOf<BalanceEntry>(sent, about);
    await inWords(body.currency, () => adjustBalance(ctx, origin, id, body, seenBalance(sent)));
  },
  after: ({ self }) => `${self}?done=adjusted`,
  words: BALANCE_WORDS,
});
