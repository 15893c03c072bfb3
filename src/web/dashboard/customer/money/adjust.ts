import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { adjustBalance } from "../../../../actions/customer/adjust-balance.ts";
import { previewAdjustment } from "../../../../actions/customer/preview-adjustment.ts";
import type { Context } from "../../../../context.ts";
import type { Effect } from "../../../../domain/collection/effect.ts";
import type { BalanceEntry } from "../../../../domain/model/balance.ts";
import { majorUnits } from "../../../../domain/major-units.ts";
import { AdjustBalanceParams } from "../../../../resources/balance.ts";
import { field } from "../../../components/field.ts";
import type { PageContext, PageEnvironment } from "../../../environment.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { choices } from "../../components/choices.ts";
import { deed } from "../../deed.ts";
import type { DashboardDoor } from "../../door.ts";
import { faultAt, LOOK, originOf, parsed, refusalNotice, refusedField, typed, type Sent } from "../../sent.ts";
import { readAmount } from "../../typed-amount.ts";
import type { Visit } from "../../visit.ts";
import { CUSTOMER, sceneOf, type Scene } from "../part.ts";
import { askedPanel, askingForm, isAsked, reasonItem } from "./asked.ts";
import { deedPage, effects, previewed } from "./deed-page.ts";
import { effectItems } from "./effect.ts";
import { inWords } from "./in-major-units.ts";
import { BALANCE_WORDS, balanceField, seenBalance } from "./seen-balance.ts";

/** @throws HTTPException 404 for a deleted Customer, who has no balance */
export async function balanceSceneOf(ctx: Context, c: PageContext, visit: Visit): Promise<Scene> {
  const scene = await sceneOf(ctx, c, visit);
  if (scene.customer.deletedAt !== null) throw new HTTPException(404);
  return scene;
}

export const currencyOf = ({ visit }: Scene, sent: Sent): string =>
  typed(sent, "currency").toLowerCase() || visit.organization.defaultCurrency;

export const currencyField = (scene: Scene, sent: Sent): Html =>
  field({
    name: "currency",
    label: "Currency",
    value: currencyOf(scene, sent).toUpperCase(),
    inputmode: "text",
    autocomplete: "off",
    required: true,
    maxlength: 3,
    fault: faultAt(sent, "currency"),
  });

const takes = (sent: Sent) => typed(sent, "deed") === "take";

/** @throws AppError 422, with pointers that name the fields */
function askedOf(scene: Scene, sent: Sent): AdjustBalanceParams {
  const currency = currencyOf(scene, sent);
  parsed(AdjustBalanceParams.pick({ currency: true }), { currency });
  const read = readAmount(typed(sent, "amount"), currency);
  if ("fault" in read) throw refusedField("amount", "invalid", read.fault);
  if (!read.amount) throw refusedField("amount", "required", "Enter an amount above 0.");
  return parsed(AdjustBalanceParams, {
    currency,
    amount: takes(sent) ? -read.amount : read.amount,
    reason: typed(sent, "reason"),
  });
}

const DEEDS = [
  { value: "give", label: "Add credit" },
  { value: "take", label: "Deduct credit, or record a debt" },
];

function form(scene: Scene, sent: Sent): Html {
  const input = { autocomplete: "off", inputmode: "text", required: true } as const;
  return askingForm(
    sent,
    html`${choices({
      name: "deed",
      legend: "Adjustment",
      choices: DEEDS,
      chosen: [takes(sent) ? "take" : "give"],
      isOne: true,
    })}
${currencyField(scene, sent)}
${field({
  ...input,
  name: "amount",
  label: "Amount",
  value: typed(sent, "amount"),
  maxlength: 20,
  fault: faultAt(sent, "amount"),
})}
${field({
  ...input,
  name: "reason",
  label: "Reason",
  value: typed(sent, "reason"),
  maxlength: 1000,
  hint: "For your records. The list of movements shows the reason.",
  fault: faultAt(sent, "reason"),
})}`,
  );
}

async function confirmation(scene: Scene, sent: Sent, params: AdjustBalanceParams, effect: Effect): Promise<Html> {
  const { amount, currency, reason } = params;
  const said = moneyText(Math.abs(amount), currency);
  const use =
    amount > 0
      ? "Renewals, changes and purchases use the credit. Granted credit can't be paid out to a card."
      : "Granted credit is deducted first. A debt is collected with the next invoice.";
  const values = {
    deed: amount > 0 ? "give" : "take",
    currency,
    amount: majorUnits(Math.abs(amount), currency),
    reason,
  };
  const stays = "Invoices that exist stay as they are.";
  return askedPanel(sent, {
    values,
    hidden: balanceField(effect, currency),
    effect: effects([...(await effectItems(scene, effect, currency)), use, stays, ...reasonItem(reason)]),
    label: amount > 0 ? `Add ${said} of credit` : `Deduct ${said} from the balance`,
    isDangerous: amount < 0,
    back: scene.self,
  });
}

async function page(scene: Scene, given: Sent): Promise<Html> {
  const { ctx, visit, customer } = scene;
  const run = async () => {
    const params = askedOf(scene, given);
    const preview = () => previewAdjustment(ctx, visit.organization.id, customer.id, params);
    return { params, effect: await inWords(params.currency, preview) };
  };
  const { sent, preview } = isAsked(given) ? await previewed(given, run) : { sent: given, preview: null };
  const body = html`${refusalNotice(sent, ["currency", "amount", "reason"])}
${preview === null ? form(scene, sent) : await confirmation(scene, sent, preview.params, preview.effect)}`;
  return deedPage(scene, "Adjust the balance", body);
}

/** `…/customers/{customerId}/balance/adjust`: gives credit, or takes credit away. */
export function adjustPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Scene>(app, door, {
    path: `${CUSTOMER}/balance/adjust`,
    permission: "money",
    scene: (c, visit) => balanceSceneOf(ctx, c, visit),
    page,
    looks: LOOK,
    async act(scene, sent) {
      const { customer } = scene;
      const body = askedOf(scene, sent);
      const about = { operation: "adjustCustomerBalance", resourceId: customer.id, customerId: customer.id, body };
      const origin = originOf<BalanceEntry>(sent, about);
      await inWords(body.currency, () => adjustBalance(ctx, origin, customer.id, body, seenBalance(sent)));
      return undefined;
    },
    after: ({ self }) => `${self}?done=adjusted`,
    words: BALANCE_WORDS,
  });
}
