import type { Hono } from "hono";
import { html } from "hono/html";
import { cancelNow } from "../../../actions/subscription/cancel-now.ts";
import { updateSubscription } from "../../../actions/subscription/change.ts";
import { previewCancelNow, previewChange } from "../../../actions/subscription/preview.ts";
import type { Origin, VersionCheck } from "../../../actions/origin.ts";
import type { ShownSubscription } from "../../../actions/shown.ts";
import type { Context } from "../../../context.ts";
import { lostWith } from "../../../domain/benefit/lost.ts";
import type { ChangePreview } from "../../../domain/model/plan-change.ts";
import { CANCELLATION_REASONS } from "../../../domain/model/subscription.ts";
import { AppError } from "../../../errors.ts";
import { CancelSubscriptionParams, UpdateSubscriptionParams } from "../../../resources/subscription.ts";
import { listGrants } from "../../../store/benefit-grants.ts";
import { ENGLISH } from "../../../texts/words.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import type { Definition } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { deedPage } from "../customer/money/deed-page.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { selectField, textField } from "../fields.ts";
import { requireSeen, versionField } from "../seen-version.ts";
import { hiddenFields, originOf, parsed, refusalNotice, refusalOf, typed, type Sent } from "../sent.ts";
import { effect } from "./effect.ts";
import { afterDeed, heldOf, SUBSCRIPTION, WORDS, type Held } from "./scene.ts";

type Body = Record<string, unknown>;

/** A deed on a Subscription that has one button. `operation`: of the API. `body`: the body of its request. */
type Simple = {
  name: string;
  title: string;
  operation: string;
  /** The reason why the page offers no button; null: the deed is possible. */
  needless?(held: Held): string | null;
  body(held: Held, sent: Sent): Body;
  preview(held: Held, body: Body): Promise<ChangePreview>;
  facts(held: Held, preview: ChangePreview): Promise<Definition[]> | Definition[];
  fields?(sent: Sent): Html;
  note?: string;
  label: string;
  isDangerous?: boolean;
  act(held: Held, origin: Origin<ShownSubscription>, body: Body, check: Check): Promise<unknown>;
  /** A word of `customer/done.ts`. */
  done: string;
};
type Check = VersionCheck<ShownSubscription>;

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

async function lossFacts({ ctx, customer, subscription }: Held, at: Html | string): Promise<Definition[]> {
  const query = { customerId: customer.id, status: "active", limit: MOST_GRANTS } as const;
  const grants = await listGrants(ctx.db.read, customer.organizationId, query);
  const names = lostWith(subscription.id, grants).map(({ benefit }) => benefit.name);
  const list = html`<ul>${names.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`;
  return [
    ["Ends", at],
    ["Access that is lost", names.length === 0 ? "None" : list],
  ];
}

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
  none: "No reason given",
  options: CANCELLATION_REASONS.map((reason) => [reason, ENGLISH.portalCancel[reason]] as const),
})}
${textField(sent, "cancellationComment", { label: "Comment", maxlength: 1000 })}`;

const isEnding = ({ subscription }: Held) => subscription.cancelAtPeriodEnd;

const CANCEL: Simple = {
  ...patch,
  name: "cancel",
  title: "Cancel at period end",
  needless: (held) => (isEnding(held) ? "The Subscription ends with its period already." : null),
  body: (_, sent) => ({ cancelAtPeriodEnd: true, ...reasonOf(sent) }),
  facts: (held, { effectiveAt }) => lossFacts(held, time(effectiveAt, held.zone)),
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
    ["Canceled change", html`<bdi>${pendingChange!.productName}</bdi>, ${time(pendingChange!.effectiveAt, zone)}`],
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
  facts: (held) => lossFacts(held, "Now"),
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

/** The effect of the deed, or the reason why the deed is not possible now. */
async function previewOf(simple: Simple, held: Held, sent: Sent): Promise<ChangePreview | string> {
  // A faulty reason has its own fault, so the preview leaves the reason out.
  const body = simple.body(held, { ...sent, fields: new URLSearchParams() });
  try {
    return await simple.preview(held, body);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return refusalOf(error, WORDS).text ?? error.message;
  }
}

async function pageOf(simple: Simple, held: Held, sent: Sent): Promise<Html> {
  const { product, subscription, zone } = held;
  const title = `${simple.title}: ${product.name}`;
  const needless = simple.needless?.(held) ?? null;
  if (needless !== null) return deedPage(held, title, html`${refusalNotice(sent)}${notice("hint", needless)}`);
  const preview = await previewOf(simple, held, sent);
  if (typeof preview === "string") return deedPage(held, title, notice("warning", preview));
  const facts = await simple.facts(held, preview);
  const shown = effect(preview, { card: null, currency: subscription.currency, zone }, facts);
  const body = html`${refusalNotice(sent, ["cancellationReason", "cancellationComment"])}
${confirmPanel({
  hidden: html`${hiddenFields(sent)}${versionField(subscription)}`,
  effect: html`${shown}${simple.note === undefined ? "" : html`<p class="note">${simple.note}</p>`}`,
  fields: simple.fields?.(sent),
  label: simple.label,
  isDangerous: simple.isDangerous ?? false,
  back: held.self,
})}`;
  return deedPage(held, title, body);
}

async function actOn(simple: Simple, held: Held, sent: Sent): Promise<string> {
  const { id, customerId } = held.subscription;
  const body = simple.body(held, sent);
  const origin = originOf<ShownSubscription>(sent, {
    operation: simple.operation,
    resourceId: id,
    customerId,
    body,
  });
  await simple.act(held, origin, body, ({ subscription }) => requireSeen(subscription, sent));
  return afterDeed(held, simple.done);
}

/** The deeds that end a Subscription, and those that take a planned end or a planned change back. */
export function endingPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  for (const simple of [CANCEL, UNDO, KEEP, CANCEL_NOW])
    deed<Held>(app, door, {
      path: `${SUBSCRIPTION}/${simple.name}`,
      permission: "subscriptions",
      scene: (c, visit) => heldOf(ctx, c, visit),
      page: (held, sent) => pageOf(simple, held, sent),
      act: (held, sent) => actOn(simple, held, sent),
      after: (held) => afterDeed(held, simple.done),
      words: WORDS,
    });
}
