import { countedName } from "../../components/sold-name.ts";
import { html } from "hono/html";
import { cancelNow } from "../../../actions/subscription/cancel-now.ts";
import { updateSubscription } from "../../../actions/subscription/change.ts";
import { previewCancelNow, previewChange } from "../../../actions/subscription/preview.ts";
import type { Origin, VersionCheck } from "../../../actions/origin.ts";
import type { SubscriptionView } from "../../../actions/views.ts";
import { lostWith } from "../../../domain/benefit/loss.ts";
import type { ChangePreview } from "../../../domain/model/plan-change.ts";
import { CANCELLATION_REASONS, isHeldForImport, type Subscription } from "../../../domain/model/subscription.ts";
import { CancelSubscriptionParams, UpdateSubscriptionParams } from "../../../resources/subscription.ts";
import { listGrants } from "../../../store/benefit-grants.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import type { Definition } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { besidePage } from "../customer/part.ts";
import { OPTIONAL, selectField, textField } from "../fields.ts";
import { formPages, together, type Pages } from "../form-action.ts";
import {
  inOneText,
  originOf,
  parsed,
  refusalNotice,
  requireSeen,
  typed,
  versionField,
  type Sent,
} from "../sent-form.ts";
import { effect } from "./effect.ts";
import { afterOperation, heldOf, SUBSCRIPTION, type Held } from "./page-data.ts";

type Body = Record<string, unknown>;

/** A change of a Subscription that has one button. `operation`: of the API. `body`: the body of its request. */
type Simple = {
  name: string;
  title: string;
  operation: string;
  /** The reason why the page offers no button; null: the change is possible. */
  needless?(held: Held): string | null;
  body(held: Held, sent: Sent): Body;
  preview(held: Held, body: Body): Promise<ChangePreview>;
  /** `lost`: the names of the Benefits that end. */
  facts(held: Held, preview: ChangePreview, lost: readonly string[]): Definition[];
  fields?(sent: Sent): Html;
  note?: string;
  label: string;
  /** Whether the change ends access. */
  isDangerous?: boolean;
  act(held: Held, origin: Origin<SubscriptionView>, body: Body, check: Check): Promise<unknown>;
  /** A word of `DONE` in `customer/routes.ts`. */
  done: string;
};
type Check = VersionCheck<SubscriptionView>;

const params = (body: Body) => parsed(UpdateSubscriptionParams, body);
const patch: Pick<Simple, "operation" | "preview" | "act"> = {
  operation: "updateSubscription",
  preview: ({ ctx, subscription: { organizationId, id } }, body) =>
    previewChange(ctx, organizationId, id, params(body)),
  act: ({ ctx, subscription }, origin, body, check) =>
    updateSubscription(ctx, origin, subscription.id, params(body), check),
};

/** The most grants that are read for the names of lost Benefits. */
const MOST_GRANTS = 100;

async function lostBy({ ctx, customer, subscription }: Held): Promise<string[]> {
  const query = { customerId: customer.id, status: "active", limit: MOST_GRANTS } as const;
  const grants = await listGrants(ctx.db.read, customer.organizationId, query);
  return lostWith(subscription.id, grants).map(({ benefit }) => benefit.name);
}

/** The other system of a held Subscription knows of no end here (rule V6). */
const importFacts = (subscription: Subscription): Definition[] =>
  isHeldForImport(subscription)
    ? [["Import", "Given up. The other system goes on to bill the Customer until you end the subscription there."]]
    : [];

const lossFacts = (lost: readonly string[], at: Html | string): Definition[] => [
  ["Ends", at],
  [
    "Access that is lost",
    lost.length === 0 ? "None" : html`<ul>${lost.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`,
  ],
];

/** The fields of the reason; empty ones are left out. */
function reasonOf(sent: Sent): Body {
  const [cancellationReason, cancellationComment] = [
    typed(sent, "cancellationReason"),
    typed(sent, "cancellationComment"),
  ];
  return { ...(cancellationReason && { cancellationReason }), ...(cancellationComment && { cancellationComment }) };
}

const reasonFields = (sent: Sent): Html => html`${selectField(sent, "cancellationReason", {
  label: "Reason",
  mark: OPTIONAL,
  none: "No reason given",
  options: CANCELLATION_REASONS.map((reason) => [reason, ENGLISH.portalCancel[reason]] as const),
})}
${textField(sent, "cancellationComment", { label: "Comment", mark: OPTIONAL, maxlength: 1000 })}`;

const isEnding = ({ subscription }: Held) => subscription.cancelAtPeriodEnd;

const CANCEL: Simple = {
  ...patch,
  name: "cancel",
  title: "Cancel at period end",
  needless: (held) => (isEnding(held) ? "The Subscription ends with its period already." : null),
  body: (_, sent) => ({ cancelAtPeriodEnd: true, ...reasonOf(sent) }),
  facts: ({ zone }, { effectiveAt }, lost) => lossFacts(lost, time(effectiveAt, zone)),
  fields: reasonFields,
  note: "A scheduled change of the plan is dropped. The cancellation can be undone until the end.",
  label: "Cancel at period end",
  isDangerous: true,
  done: "ending",
};

const UNDO: Simple = {
  ...patch,
  name: "undo-cancellation",
  title: "Undo the cancellation",
  needless: (held) => (isEnding(held) ? null : "No cancellation is scheduled."),
  body: () => ({ cancelAtPeriodEnd: false }),
  facts: ({ subscription, zone }) => [["Renews", time(subscription.currentPeriodEnd, zone)]],
  label: "Undo the cancellation",
  done: "resumed",
};

const KEEP: Simple = {
  ...patch,
  name: "keep-plan",
  title: "Keep the current plan",
  needless: ({ subscription }) => (subscription.pendingChange === null ? "No change of the plan is scheduled." : null),
  body: ({ subscription }) => ({ productId: subscription.productId }),
  facts: ({ subscription: { pendingChange }, product, zone }) => [
    ["The plan stays", html`<bdi>${product.name}</bdi>`],
    ["Canceled change", html`${countedName(ENGLISH, pendingChange!)}, ${time(pendingChange!.effectiveAt, zone)}`],
  ],
  label: "Cancel the scheduled change",
  done: "kept",
};

const CANCEL_NOW: Simple = {
  name: "cancel-now",
  title: "Cancel immediately",
  operation: "cancelSubscriptionNow",
  body: (_, sent) => reasonOf(sent),
  preview: ({ ctx, subscription: { organizationId, id } }, body) =>
    previewCancelNow(ctx, organizationId, id, parsed(CancelSubscriptionParams, body)),
  facts: ({ subscription }, __, lost) => [...lossFacts(lost, "Now"), ...importFacts(subscription)],
  fields: reasonFields,
  note:
    "Open invoices of the Subscription become void, and no payment is refunded. Lines that wait for the next invoice " +
    "count up to the click, so their amounts can be slightly larger than these.",
  label: "Cancel immediately",
  isDangerous: true,
  act: ({ ctx, subscription }, origin, body, check) =>
    cancelNow(ctx, origin, subscription.id, parsed(CancelSubscriptionParams, body), check),
  done: "ended",
};

type Ending = { preview: ChangePreview; lost: string[] };

async function effectOf(simple: Simple, held: Held, sent: Sent): Promise<Ending | null> {
  if (simple.needless?.(held)) return null;
  // A faulty reason has its own fault, so the preview leaves the reason out.
  const body = simple.body(held, { ...sent, fields: new URLSearchParams() });
  const [preview, lost] = await Promise.all([simple.preview(held, body), simple.isDangerous ? lostBy(held) : []]);
  return { preview, lost };
}

function pageOf(simple: Simple, held: Held, sent: Sent, shown: Ending | null): Html {
  const { product, subscription, zone } = held;
  const title = `${simple.title}: ${product.name}`;
  const needless = simple.needless?.(held) ?? null;
  if (needless !== null) return besidePage(held, title, html`${refusalNotice(sent)}${notice("hint", needless)}`);
  if (shown === null) return besidePage(held, title, notice("warning", inOneText(sent.refusal!)));
  const facts = simple.facts(held, shown.preview, shown.lost);
  const drawn = effect(shown.preview, { card: null, currency: subscription.currency, zone }, facts);
  const body = html`${refusalNotice(sent, ["cancellationReason", "cancellationComment"])}
${confirmPanel(sent, {
  hidden: versionField(subscription),
  effect: html`${drawn}${simple.note === undefined ? "" : html`<p class="note">${simple.note}</p>`}`,
  fields: simple.fields?.(sent),
  label: simple.label,
  isDangerous: simple.isDangerous ?? false,
  back: held.self,
})}`;
  return besidePage(held, title, body);
}

const simplePages = (simple: Simple): Pages =>
  formPages<Held, Body, Ending | null>({
    path: `${SUBSCRIPTION}/${simple.name}`,
    permission: "subscriptions",
    load: heldOf,
    effect: (held, sent) => effectOf(simple, held, sent),
    page: (held, sent, shown) => pageOf(simple, held, sent, shown),
    read: (held, sent) => simple.body(held, sent),
    async act(held, body, sent) {
      const { id: resourceId, customerId } = held.subscription;
      const about = { operation: simple.operation, resourceId, customerId, body };
      const origin = originOf<SubscriptionView>(sent, about);
      await simple.act(held, origin, body, ({ subscription }) => requireSeen(subscription, sent));
    },
    after: (held) => afterOperation(held, simple.done),
  });

/** The forms that end a Subscription, and those that take a planned end or a planned change back. */
export const endingPages = together(...[CANCEL, UNDO, KEEP, CANCEL_NOW].map(simplePages));
