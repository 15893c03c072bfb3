import type { Hono } from "hono";
import { isCurrency } from "../../../../domain/currency.ts";
import { html } from "hono/html";
import { payOutBalance } from "../../../../actions/refund/pay-out.ts";
import { previewPayout } from "../../../../actions/refund/preview.ts";
import type { Context } from "../../../../context.ts";
import { majorUnits } from "../../../../domain/major-units.ts";
import { sumOf } from "../../../../domain/money.ts";
import { unbrokenCardName } from "../../../../domain/model/card-name.ts";
import type { PayoutPreview } from "../../../../domain/refund/preview.ts";
import type { Refund } from "../../../../domain/model/refund.ts";
import { PayOutBalanceParams } from "../../../../resources/refund.ts";
import { field } from "../../../components/field.ts";
import type { PageEnvironment } from "../../../environment.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { deed } from "../../deed.ts";
import type { DashboardDoor } from "../../door.ts";
import {
  faultAt,
  LOOK,
  originOf,
  parsed,
  refusalNotice,
  refusedField,
  typed,
  typedOrNull,
  type Sent,
} from "../../sent.ts";
import { readAmount } from "../../typed-amount.ts";
import { CUSTOMER, type Scene } from "../part.ts";
import { balanceSceneOf, currencyField, currencyOf } from "./adjust.ts";
import { askedPanel, askingForm, isAsked, reasonItem } from "./asked.ts";
import { deedPage, effects, previewed } from "./deed-page.ts";
import { effectItems } from "./effect.ts";
import { inWords } from "./in-major-units.ts";
import { BALANCE_WORDS, balanceField, seenBalance } from "./seen-balance.ts";

/** @throws AppError 422, with pointers that name the fields */
function askedOf(scene: Scene, sent: Sent): PayOutBalanceParams {
  const currency = currencyOf(scene, sent);
  parsed(PayOutBalanceParams.pick({ currency: true }), { currency });
  const read = readAmount(typed(sent, "amount"), currency);
  if ("fault" in read) throw refusedField("amount", "invalid", read.fault);
  if (read.amount === 0) throw refusedField("amount", "required", "Enter an amount above 0.");
  return parsed(PayOutBalanceParams, {
    currency,
    ...(read.amount !== null && { amount: read.amount }),
    reason: typedOrNull(sent, "reason"),
  });
}

function form(scene: Scene, sent: Sent, all: string): Html {
  const input = { autocomplete: "off", inputmode: "text", required: false } as const;
  return askingForm(
    sent,
    html`${currencyField(scene, sent)}
${field({
  ...input,
  name: "amount",
  label: "Amount",
  value: typed(sent, "amount") || all,
  maxlength: 20,
  hint: "If the field is empty, all credit that came from cards is paid out.",
  fault: faultAt(sent, "amount"),
})}
${field({
  ...input,
  name: "reason",
  label: "Reason",
  mark: "optional",
  value: typed(sent, "reason"),
  maxlength: 1000,
  fault: faultAt(sent, "reason"),
})}`,
  );
}

const sumOfRefunds = ({ refunds }: PayoutPreview) => sumOf(refunds.map(({ refund }) => refund.amount));

async function confirmation(scene: Scene, sent: Sent, preview: PayoutPreview): Promise<Html> {
  const currency = currencyOf(scene, sent);
  const sum = sumOfRefunds(preview);
  const items = preview.refunds.map(({ refund, card }) => {
    const place = card === null ? "the card that paid" : unbrokenCardName(card);
    return html`${moneyText(refund.amount, currency)} goes to ${place}.`;
  });
  const reason = typed(sent, "reason");
  return askedPanel(sent, {
    values: { currency, amount: majorUnits(sum, currency), reason },
    hidden: balanceField(preview.effect, currency),
    effect: effects([
      ...items,
      ...(await effectItems(scene, preview.effect, currency)),
      "The credit leaves the balance now. If a refund fails, its credit returns to the balance.",
      ...reasonItem(reason),
    ]),
    label: `Pay out ${moneyText(sum, currency)}`,
    isDangerous: true,
    back: scene.self,
  });
}

async function page(scene: Scene, given: Sent): Promise<Html> {
  const { ctx, visit, customer } = scene;
  const currency = currencyOf(scene, given);
  const { sent, preview } = await previewed(given, async () => {
    const asked = askedOf(scene, given);
    return inWords(asked.currency, () => previewPayout(ctx, visit.organization.id, customer.id, asked));
  });
  const all = preview === null ? "" : majorUnits(sumOfRefunds(preview), currency);
  const body = html`${refusalNotice(sent, ["currency", "amount", "reason"])}
${preview !== null && isAsked(sent) ? await confirmation(scene, sent, preview) : form(scene, sent, all)}`;
  return deedPage(scene, "Pay credit out", body);
}

/** `…/customers/{customerId}/balance/pay-out`: pays credit out to the cards that the credit came from. */
export function payOutPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Scene>(app, door, {
    path: `${CUSTOMER}/balance/pay-out`,
    permission: "money",
    asksAgain: true,
    scene: (c, visit) => balanceSceneOf(ctx, c, visit),
    takes: { currency: isCurrency },
    page,
    looks: LOOK,
    async act(scene, sent) {
      const { customer } = scene;
      const body = askedOf(scene, sent);
      const about = { operation: "payOutCustomerBalance", resourceId: customer.id, customerId: customer.id, body };
      const origin = originOf<Refund[]>(sent, about);
      await inWords(body.currency, () => payOutBalance(ctx, origin, customer.id, body, seenBalance(sent)));
      return undefined;
    },
    after: ({ self }) => `${self}?done=paid-out`,
    words: BALANCE_WORDS,
  });
}
