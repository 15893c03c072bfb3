import { html } from "hono/html";
import { markPaid, voidByHand } from "../../../../actions/invoice/by-hand.ts";
import { previewMarkPaid, previewVoid } from "../../../../actions/invoice/preview.ts";
import type { Origin, VersionCheck } from "../../../../actions/origin.ts";
import type { Context } from "../../../../context.ts";
import type { Back } from "../../../../domain/model/invoice-returns.ts";
import type { Bill } from "../../../../domain/invoice/bills.ts";
import type { Invoice } from "../../../../domain/model/invoice.ts";
import type { ByHandPreview } from "../../../../domain/settlement/preview-by-hand.ts";
import { Refusal } from "../../../../domain/refusal.ts";
import { invoiceETag, MarkInvoicePaidParams, VoidInvoiceParams } from "../../../../resources/invoice.ts";
import type { Html } from "../../../layout.ts";
import { moneyText } from "../../components/cells.ts";
import { confirmPanel } from "../../components/confirm-panel.ts";
import { OPTIONAL, textField } from "../../fields.ts";
import { formPages, together, type Pages } from "../../form-action.ts";
import { hiddenValues, originOf, parsed, refusalNotice, typed, typedOrNull, type Sent } from "../../sent-form.ts";
import { besidePage, effects } from "../part.ts";
import { effectItems, withNames, type NamedEffect } from "./effect.ts";
import { INVOICE, invoicePageDataOf, type InvoicePageData } from "./invoice-page-data.ts";

export const CHALLENGE =
  "The buyer has not confirmed an earlier charge at the bank. Billow cancels the earlier charge first.";

/** The hidden field with the version of the invoice whose effect was shown. */
export const versionField = (invoice: Invoice): Html => hiddenValues({ version: invoiceETag(invoice) });

/** Refuses an operation on an invoice that has changed since its page. */
export const sameVersion =
  (sent: Sent) =>
  (invoice: Invoice, back?: Back): void => {
    if (typed(sent, "version") !== invoiceETag(invoice, back)) throw new Refusal("precondition_failed");
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

type Effects = { preview: ByHandPreview; named: NamedEffect };

function page(pageData: InvoicePageData, sent: Sent, shown: Effects | null, hand: ByHand): Html {
  const { invoice, self } = pageData;
  const title = hand.title(invoice.number);
  if (shown === null) return besidePage(pageData, title, refusalNotice(sent) || html``);
  const due = moneyText(invoice.amountDue, invoice.currency);
  const items = [
    ...(shown.preview.givesUpChallenge ? [CHALLENGE] : []),
    ...hand.effect(due),
    ...effectItems(pageData, shown.named, invoice.currency),
  ];
  const panel = confirmPanel(sent, {
    hidden: versionField(invoice),
    effect: effects(items),
    fields: textField(sent, "reason", { ...hand.reason, mark: OPTIONAL, maxlength: 500 }),
    label: hand.label(due),
    isDangerous: hand.isDangerous,
    back: self,
  });
  return besidePage(pageData, title, html`${refusalNotice(sent, ["reason"])}${panel}`);
}

function byHandPages(hand: ByHand): Pages {
  const schema = hand.name === "void" ? VoidInvoiceParams : MarkInvoicePaidParams;
  return formPages<InvoicePageData, { reason: string | null }, Effects>({
    path: `${INVOICE}/${hand.name}`,
    permission: "money",
    load: invoicePageDataOf,
    async effect({ ctx, request, invoice }) {
      const run = () => hand.preview(ctx, request.organization.id, invoice.id);
      const preview = await run();
      return { preview, named: await withNames(request, preview.effect) };
    },
    page: (pageData, sent, shown) => page(pageData, sent, shown, hand),
    read: (_, sent) => parsed(schema, { reason: typedOrNull(sent, "reason") }),
    async act({ ctx, invoice }, params, sent) {
      const { id: resourceId, customerId } = invoice;
      const origin = originOf<Bill>(sent, { operation: hand.operation, resourceId, customerId, body: params });
      await hand.act(ctx, origin, resourceId, params, sameVersion(sent));
    },
    after: ({ self }) => `${self}?done=${hand.done}`,
  });
}

/** The pages that void an open invoice, or mark it as paid by other means. */
export const settlementPages = together(byHandPages(VOID), byHandPages(MARK_PAID));
