import { html } from "hono/html";
import type { Context } from "../../context.ts";
import type { Instant } from "../../domain/calendar.ts";
import { activationLimitOf, type LicenseKeyProperties } from "../../domain/model/benefit.ts";
import { isGranted, type LicenseActivation } from "../../domain/model/license-key.ts";
import { displayName } from "../../domain/model/organization.ts";
import type { License } from "../../resources/license.ts";
import { portalStylesPath } from "../assets.ts";
import { copyButton } from "../components/copy.ts";
import { messagePage } from "../components/message.ts";
import { layout, merchantName, stylesheet, type Html } from "../layout.ts";
import type { PortalRequest } from "./request.ts";

/** A license key of the visitor, with a page of its devices. `more`: the cursor of the next page. */
export type LicenseView = PortalRequest & { license: License; activations: LicenseActivation[]; more: string | null };

export const licensePath = ({ self }: Pick<PortalRequest, "self">, grantId: string) => `${self}/licences/${grantId}`;

const isActive = ({ license }: Pick<LicenseView, "license">) => isGranted(license, license.expiresAt, license.now);

const nameOf = ({ words }: PortalRequest, { label }: LicenseActivation): Html | string =>
  label === null ? words.licenses.unnamed : html`<bdi>${label}</bdi>`;

/** The number of devices, out of the number that the key allows. */
export function usageText({ licenses }: PortalRequest["words"], used: number, limit: number | null): string {
  if (limit !== null) return licenses.usedOf({ used, limit });
  return used === 0 ? licenses.unused : licenses.used({ used });
}

function deviceEntry(view: LicenseView, activation: LicenseActivation): Html {
  const { words, organization, license } = view;
  const { licenses } = words;
  const { createdAt, lastSeenAt } = activation;
  const on = (at: Instant) => ({ day: words.day(at, organization.timeZone) });
  const removal = `${licensePath(view, license.id)}/devices/${activation.id}`;
  const which = html`<span class="unseen">: ${nameOf(view, activation)}</span>`;
  return html`<li>
<h3>${nameOf(view, activation)}</h3>
<p class="note">${licenses.since(on(createdAt))}</p>
${lastSeenAt === null ? "" : html`<p class="note">${licenses.seen(on(lastSeenAt))}</p>`}
<a class="button other small" href="${removal}">${licenses.remove}${which}</a>
</li>`;
}

/** A license key, and the devices that use the key (rule B4). */
export function licensePage(ctx: Context, view: LicenseView): Html {
  const { words, organization, self, license, activations, more } = view;
  const { licenses, plan, day } = words;
  const { key } = license.properties as { key: string };
  const limit = activationLimitOf(license.benefit.properties as LicenseKeyProperties, license.quantity);
  const isFull = limit !== null && license.activations >= limit;
  const until = license.expiresAt && licenses.validUntil({ day: day(license.expiresAt, organization.timeZone) });
  const state = isActive(view) ? until : licenses.ended;
  const body = html`<main class="document portal">
<p class="back"><a href="${self}">${plan.back}</a></p>
<header>
${merchantName(organization)}
<h1><bdi>${license.benefit.name}</bdi></h1>
</header>
<section class="paper" aria-labelledby="key">
<h2 id="key">${licenses.key}</h2>
<p><code>${key}</code></p>
${copyButton(words, key, license.benefit.name)}
${state === null ? "" : html`<p>${state}</p>`}
</section>
<section class="paper" aria-labelledby="devices">
<h2 id="devices">${licenses.devices}</h2>
<p>${usageText(words, license.activations, limit)}</p>
${isFull && isActive(view) ? html`<p>${licenses.full}</p>` : ""}
${activations.length === 0 ? "" : html`<ul class="entries">${activations.map((each) => deviceEntry(view, each))}</ul>`}
${more === null ? "" : html`<p class="aside"><a href="?cursor=${more}">${licenses.more}</a></p>`}
</section>
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words, organization, title: license.benefit.name, head, body });
}

/** Asks before a device is removed, so that the removal works without a script. */
export function removalPage(ctx: Context, view: LicenseView, activation: LicenseActivation): Html {
  const { words, organization, license } = view;
  const { licenses } = words;
  const { label } = activation;
  const [title, heading] =
    label === null
      ? [licenses.removeUnnamedTitle, licenses.removeUnnamedTitle]
      : [licenses.removeTitle({ device: label }), licenses.removeTitle.markup({ device: html`<bdi>${label}</bdi>` })];
  const body = html`<main class="message portal">
<div class="panel">
${merchantName(organization)}
<h1>${heading}</h1>
<p>${isActive(view) ? licenses.removeText : licenses.removeEnded}</p>
<form method="post" data-once><button class="button" type="submit">${licenses.confirmRemove}</button></form>
<a class="button other" href="${licensePath(view, license.id)}">${licenses.keepDevice}</a>
</div>
</main>`;
  const head = stylesheet(portalStylesPath(ctx));
  return layout(ctx, { words, organization, title, head, body });
}

/** A file that can't be handed out. `file` null: the access has ended. */
export function noFilePage(ctx: Context, { words, organization, self }: PortalRequest, file: string | null): Html {
  const { licenses, plan } = words;
  const names = { file: html`<bdi>${file ?? ""}</bdi>`, seller: html`<bdi>${displayName(organization)}</bdi>` };
  return messagePage(ctx, {
    words,
    organization,
    icon: "late",
    title: file === null ? licenses.overTitle : licenses.goneTitle,
    text: file === null ? licenses.over : licenses.gone.markup(names),
    more: html`<a class="button" href="${self}">${plan.back}</a>`,
  });
}
