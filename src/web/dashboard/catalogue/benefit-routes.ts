import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { createBenefit } from "../../../actions/catalogue/create-benefit.ts";
import { deleteBenefit } from "../../../actions/catalogue/delete-benefit.ts";
import { updateBenefit } from "../../../actions/catalogue/update-benefit.ts";
import type { Context } from "../../../context.ts";
import type {
  Benefit,
  CustomProperties,
  DownloadProperties,
  FeatureProperties,
  LicenseKeyProperties,
} from "../../../domain/model/benefit.ts";
import type { Product } from "../../../domain/model/product.ts";
import { allows } from "../../../domain/team/role.ts";
import { isId } from "../../../ids.ts";
import { benefits } from "../../../store/benefits.ts";
import { countGrants } from "../../../store/catalogue-counts.ts";
import { listProducts } from "../../../store/products.ts";
import type { PageContext, PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { id, NONE, time } from "../components/cells.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { doneNotice } from "../components/done-notice.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { dashboardPage } from "../frame.ts";
import { originOf, type Sent } from "../sent.ts";
import { requireSeen } from "../seen-version.ts";
import { ROOT, type Visit } from "../visit.ts";
import { benefitForm, benefitPicture } from "./benefit-form.ts";
import { readBenefit, readBenefitChanges } from "./benefit-typed.ts";
import { confirmPage } from "./confirm-page.ts";
import { isSent } from "./fields.ts";
import { catalogueHead } from "./head.ts";
import { writtenMetadata } from "./metadata.ts";
import { asksForPage, besides } from "./picture.ts";
import { benefitEditEffect, deletionEffect } from "./touched.ts";
import { TYPE_NAMES } from "./type-names.ts";
import { CHANGED_MEANWHILE, refuseUnchanged } from "./typed.ts";

const DONE = { created: "The Benefit is ready. Add the Benefit to a Product.", saved: "The Benefit has been saved." };

/** The Products with one Benefit that a page lists. */
const MOST_PRODUCTS = 100;

/**
 * The Benefit of the path. `deleted`: a deleted one is found, too: a form that was sent twice has deleted the Benefit
 * already.
 * @throws HTTPException 404
 */
async function benefitAt(ctx: Context, c: PageContext, { organization }: Visit, deleted = false): Promise<Benefit> {
  const given = c.req.param("benefitId") ?? "";
  const benefit = isId("bft", given) ? await benefits.find(ctx.db.read, organization.id, given) : null;
  if (!benefit || (benefit.deletedAt !== null && !deleted)) throw new HTTPException(404);
  return benefit;
}

const including = (ctx: Context, { organizationId, id: benefitId }: Benefit): Promise<Product[]> =>
  listProducts(ctx.db.read, organizationId, { benefitId, limit: MOST_PRODUCTS });

function newPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<null>(app, door, {
    path: `${ROOT}/benefits/new`,
    permission: "catalogue",
    scene: async () => null,
    page: (_, sent) => benefitForm(ctx, null, sent),
    async act(_, sent) {
      if (asksForPage(sent.fields)) return { page: benefitForm(ctx, null, sent) };
      const params = readBenefit(sent, null);
      const benefit = await createBenefit(ctx, originOf(sent, { operation: "createBenefit", body: params }), params);
      return `${sent.visit.self}/benefits/${benefit.id}?done=created`;
    },
    after: (_, { self }) => `${self}/benefits`,
  });
}

async function confirmation(ctx: Context, benefit: Benefit, sent: Sent): Promise<Html> {
  refuseUnchanged(readBenefitChanges(sent, benefit));
  requireSeen(benefit, sent);
  const grants = await countGrants(ctx.db.read, benefit.organizationId, [benefit.id]);
  return confirmPage(ctx, sent, {
    section: "benefits",
    title: `Save ${benefit.name}?`,
    effect: benefitEditEffect(grants.get(benefit.id) ?? 0),
    label: "Save the Benefit",
    back: `${sent.visit.self}/benefits/${benefit.id}`,
  });
}

function editPage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Benefit>(app, door, {
    path: `${ROOT}/benefits/:benefitId/edit`,
    permission: "catalogue",
    scene: (c, visit) => benefitAt(ctx, c, visit),
    page: (benefit, sent) => benefitForm(ctx, benefit, sent),
    async act(benefit, sent) {
      if (!isSent(sent) || asksForPage(sent.fields)) return { page: benefitForm(ctx, benefit, sent) };
      if (!sent.fields.has("confirmed")) return { page: await confirmation(ctx, benefit, sent) };
      const changes = readBenefitChanges(sent, benefit);
      const origin = originOf<Benefit>(sent, { operation: "updateBenefit", resourceId: benefit.id, body: changes });
      await updateBenefit(ctx, origin, benefit.id, changes, (row) => requireSeen(row, sent));
      return undefined;
    },
    after: (benefit, { self }) => `${self}/benefits/${benefit.id}?done=saved`,
    words: { precondition_failed: CHANGED_MEANWHILE },
  });
}

async function deletePage(ctx: Context, benefit: Benefit, sent: Sent): Promise<Html> {
  return confirmPage(ctx, sent, {
    section: "benefits",
    title: `Delete ${benefit.name}?`,
    effect: await deletionEffect(ctx, benefit, await including(ctx, benefit)),
    label: "Delete the Benefit",
    isDangerous: true,
    back: `${sent.visit.self}/benefits/${benefit.id}`,
    own: { version: String(benefit.version) },
  });
}

function deleteDeed(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Benefit>(app, door, {
    path: `${ROOT}/benefits/:benefitId/delete`,
    permission: "catalogue",
    scene: (c, visit) => benefitAt(ctx, c, visit, c.req.method === "POST"),
    page: (benefit, sent) => deletePage(ctx, benefit, sent),
    async act(benefit, sent) {
      const origin = originOf<void>(sent, { operation: "deleteBenefit", resourceId: benefit.id });
      await deleteBenefit(ctx, origin, benefit.id, (row) => requireSeen(row, sent));
      return undefined;
    },
    after: (_, { self }) => `${self}/benefits?done=deleted`,
    words: { precondition_failed: CHANGED_MEANWHILE },
  });
}

/** The properties in words, by type. */
function propertyFacts({ type, properties }: Benefit): Definition[] {
  switch (type) {
    case "feature": {
      const { feature, value } = properties as FeatureProperties;
      return [
        ["Feature", html`<code>${feature}</code>`],
        ["Value", typeof value === "boolean" ? (value ? "Yes" : "No") : html`<bdi>${String(value)}</bdi>`],
      ];
    }
    case "license_key": {
      const { prefix, activationLimit } = properties as LicenseKeyProperties;
      return [
        ["Key prefix", prefix ?? NONE],
        ["Maximum devices of a key", activationLimit === null ? "Any number" : String(activationLimit)],
      ];
    }
    case "download": {
      const file = ({ name, path }: DownloadProperties["files"][number]) =>
        html`<li><bdi>${name}</bdi> <code>${path}</code></li>`;
      return [["Files", html`<ul>${(properties as DownloadProperties).files.map(file)}</ul>`]];
    }
    case "custom":
      return [["Note", (properties as CustomProperties).note ?? NONE]];
  }
}

function factsOf({ self, organization }: Visit, benefit: Benefit, products: readonly Product[], grants: number): Html {
  const { type, key, metadata, createdAt } = benefit;
  const product = ({ id: productId, name }: Product) =>
    html`<li><a href="${self}/products/${productId}"><bdi>${name}</bdi></a></li>`;
  return definitions([
    ["Type", TYPE_NAMES[type]],
    ["Key", key === null ? NONE : html`<code>${key}</code>`],
    ...propertyFacts(benefit),
    ["Products", products.length === 0 ? NONE : html`<ul>${products.map(product)}</ul>`],
    ["Active grants", String(grants)],
    ["Metadata", Object.keys(metadata).length === 0 ? NONE : html`<pre>${writtenMetadata(metadata)}</pre>`],
    ["Created", time(createdAt, organization.timeZone)],
    ["Id", id(benefit.id)],
  ]);
}

function onePage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: DashboardDoor): void {
  app.get(
    `${ROOT}/benefits/:benefitId`,
    signedIn("read", async (c, visit) => {
      const benefit = await benefitAt(ctx, c, visit);
      const [products, grants] = await Promise.all([
        including(ctx, benefit),
        countGrants(ctx.db.read, benefit.organizationId, [benefit.id]),
      ]);
      const facts = factsOf(visit, benefit, products, grants.get(benefit.id) ?? 0);
      const body = html`${doneNotice(c, DONE)}${besides(facts, "What the buyer sees", benefitPicture(benefit))}`;
      const path = `${visit.self}/benefits/${benefit.id}`;
      const actions = allows(visit.role, "catalogue")
        ? html`<a class="button small" href="${path}/edit">Edit</a>
<a class="button small danger" href="${path}/delete">Delete</a>`
        : undefined;
      const title = benefit.name;
      return c.html(dashboardPage(ctx, visit, { section: "benefits", title, body, actions, head: catalogueHead(ctx) }));
    }),
  );
}

/** `/dashboard/{organizationId}/benefits/…`: the pages of one Benefit. The list is one of the lists. */
export function benefitPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  newPage(ctx, app, door);
  editPage(ctx, app, door);
  deleteDeed(ctx, app, door);
  onePage(ctx, app, door);
}
