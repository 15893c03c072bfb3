import type { Hono } from "hono";
import { html } from "hono/html";
import { markPaid, voidByHand } from "../../../../actions/invoice/by-hand.ts";
import { previewMarkPaid, previewVoid } from "../../../../actions/invoice/preview.ts";
import type { Origin, VersionCheck } from "../../../../actions/origin.ts";
import type { Context } from "../../../../context.ts";
import type { Back } from "../../../../domain/model/invoice-back.ts";
import type { Bill } from "../../../../domain/invoice/bills.ts";
import type { Invoice } from "../../../../domain/model/invoice.ts";
import type { ByHandPreview } from "../../../../domain/settlement/preview-by-hand.ts";
import { AppError } from "../../../../errors.ts";
import { invoiceETag, MarkInvoicePaidParams, VoidInvoiceParams } from "../../../../resources/invoice.ts";
import { field } from "../../../components/field.ts";
import type { PageEnvironment } from "../../../environment.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { confirmPanel } from "../../components/confirm-panel.ts";
import { deed } from "../../deed.ts";
import type { DashboardDoor } from "../../door.ts";
import { faultAt, hiddenFields, originOf, parsed, refusalNotice, typed, typedOrNull, type Sent } from "../../sent.ts";
import { deedPage, effects, hiddenValues, previewed } from "./deed-page.ts";
import { effectItems } from "./effect.ts";
import { inWords } from "./in-major-units.ts";
import { INVOICE, invoiceSceneOf, type InvoiceScene } from "./invoice-scene.ts";

export const CHALLENGE =
  "The buyer has not confirmed an earlier charge at the bank. Billow cancels the earlier charge first.";

/** The hidden field with the version of the invoice whose effect was shown. */
export const versionField = (invoice: Invoice, back?: Back): Html =>
  hiddenValues({ version: invoiceETag(invoice, back) });

/** Refuses a deed on an invoice that has changed since its page. */
export const sameVersion =
  (sent: Sent) =>
  (invoice: Invoice, back?: Back): void => {
    if (typed(sent, "version") !== invoiceETag(invoice, back)) throw new AppError("precondition_failed");
  };

type ByHand = {
  name: "void" | "mark-paid";
  operation: string;
  title(number: string): string;
  label(due: string): string;
  done: string;
  isDangerous: boolean;
  reason: { label: string; hint: string };
  preview(ctx: Context, organizationId: string, id: string): Promise<ByHandPreview>;
  /** The first sentences of the effect. `due`: the amount due. */
  effect(due: string): string[];
  act(
    ctx: Context,
    origin: Origin<Bill>,
    id: string,
    params: { reason: string | null },
    check: VersionCheck<Invoice>,
  ): Promise<Bill>;
};

const VOID: ByHand = {
  name: "void",
  operation: "voidInvoice",
  title: (number) => `Void invoice ${number}`,
  label: (due) => `Void the invoice of ${due}`,
  done: "voided",
  isDangerous: true,
  reason: { label: "Reason", hint: "For your records. The Customer's page shows the reason." },
  preview: previewVoid,
  effect: (due) => [`The Customer no longer owes ${due}. The void can't be undone.`],
  act: voidByHand,
};

const MARK_PAID: ByHand = {
  name: "mark-paid",
  operation: "markInvoicePaid",
  title: (number) => `Mark invoice ${number} as paid`,
  label: (due) => `Mark the invoice of ${due} as paid`,
  done: "marked",
  isDangerous: false,
  reason: { label: "Reference", hint: "For example the reference of a bank transfer." },
  preview: previewMarkPaid,
  effect: (due) => [
    `The invoice of ${due} is recorded as paid outside of Billow. No card is charged.`,
    "The Customer gets the receipt by e-mail, if receipts are on.",
  ],
  act: markPaid,
};

async function page(scene: InvoiceScene, given: Sent, { preview: run, ...hand }: ByHand): Promise<Html> {
  const { ctx, visit, invoice, self } = scene;
  const { sent, preview } = await previewed(given, () =>
    inWords(invoice.currency, () => run(ctx, visit.organization.id, invoice.id)),
  );
  const title = hand.title(invoice.number);
  if (preview === null) return deedPage(scene, title, html`${refusalNotice(sent)}`);
  const due = moneyText(invoice.amountDue, invoice.currency);
  const items = [
    ...(preview.givesUpChallenge ? [CHALLENGE] : []),
    ...hand.effect(due),
    ...(await effectItems(scene, preview.effect, invoice.currency)),
  ];
  const reason = field({
    name: "reason",
    label: hand.reason.label,
    mark: "optional",
    hint: hand.reason.hint,
    value: typed(sent, "reason"),
    inputmode: "text",
    autocomplete: "off",
    required: false,
    maxlength: 500,
    fault: faultAt(sent, "reason"),
  });
  const panel = confirmPanel({
    hidden: html`${hiddenFields(sent)}${versionField(invoice)}`,
    effect: effects(items),
    fields: reason,
    label: hand.label(due),
    isDangerous: hand.isDangerous,
    back: self,
  });
  return deedPage(scene, title, html`${refusalNotice(sent, ["reason"])}${panel}`);
}

function byHandPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor, hand: ByHand): void {
  const schema = hand.name === "void" ? VoidInvoiceParams : MarkInvoicePaidParams;
  deed<InvoiceScene>(app, door, {
    path: `${INVOICE}/${hand.name}`,
    permission: "money",
    scene: (c, visit) => invoiceSceneOf(ctx, c, visit),
    page: (scene, sent) => page(scene, sent, hand),
    async act({ invoice }, sent) {
      const params = parsed(schema, { reason: typedOrNull(sent, "reason") });
      const { id: resourceId, customerId, currency } = invoice;
      const origin = originOf<Bill>(sent, { operation: hand.operation, resourceId, customerId, body: params });
      await inWords(currency, () => hand.act(ctx, origin, resourceId, params, sameVersion(sent)));
      return undefined;
    },
    after: ({ self }) => `${self}?done=${hand.done}`,
  });
}

/** The pages that void an open invoice, or mark it as paid by other means. */
export function settlementPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  byHandPages(ctx, app, door, VOID);
  byHandPages(ctx, app, door, MARK_PAID);
}
