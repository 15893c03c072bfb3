import { html } from "hono/html";
import { createBenefit } from "../../../actions/catalogue/create-benefit.ts";
import { deleteBenefit } from "../../../actions/catalogue/delete-benefit.ts";
import { updateBenefit } from "../../../actions/catalogue/update-benefit.ts";
import type {
  Benefit,
  CustomProperties,
  DownloadProperties,
  FeatureProperties,
  LicenseKeyProperties,
} from "../../../domain/model/benefit.ts";
import type { Product } from "../../../domain/model/product.ts";
import type { CreateBenefitParams } from "../../../resources/benefit.ts";
import { countGrants, countHolders } from "../../../store/catalogue-counts.ts";
import { listProducts } from "../../../store/products.ts";
import type { Html } from "../../layout.ts";
import { id, NONE, time } from "../components/cells.ts";
import { definitions, type Definition } from "../components/definitions.ts";
import { doneNotice } from "../components/done-notice.ts";
import { together, type Pages } from "../form-action.ts";
import { editForm, endForm, newForm, rowAt, rowPath } from "../resource-forms.ts";
import { requireSeen } from "../sent-form.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { benefitForm, benefitPicture } from "./benefit-form.ts";
import { readBenefit, readBenefitChanges } from "./benefit-values.ts";
import { shownRow } from "./frame.ts";
import { writtenMetadata } from "./metadata.ts";
import { BENEFITS } from "./resources.ts";
import { benefitEditEffect, deletionEffect } from "./edit-effects.ts";
import { TYPE_NAMES } from "./type-names.ts";

const DONE = { created: "The Benefit is ready. Add the Benefit to a Product.", saved: "The Benefit has been saved." };

/** The Products with one Benefit that a page lists. */
const MOST_PRODUCTS = 100;

const including = ({ ctx }: DashboardRequest, { organizationId, id: benefitId }: Benefit): Promise<Product[]> =>
  listProducts(ctx.db.read, organizationId, { benefitId, limit: MOST_PRODUCTS });

async function grantsOf({ ctx }: DashboardRequest, { organizationId, id: benefitId }: Benefit): Promise<number> {
  return (await countGrants(ctx.db.read, organizationId, [benefitId])).get(benefitId) ?? 0;
}

const newPage = newForm<Benefit, null, CreateBenefitParams, Benefit>(BENEFITS, {
  load: () => null,
  page: (_, sent) => benefitForm(null, sent),
  read: (sent) => readBenefit(sent, null),
  create: createBenefit,
  next: (request, made) => `${rowPath(BENEFITS, request, made)}?done=created`,
});

const editPage = editForm(BENEFITS, {
  load: (_, benefit) => benefit,
  page: benefitForm,
  read: readBenefitChanges,
  effect: async (request, benefit) => benefitEditEffect(await grantsOf(request, benefit)),
  update: updateBenefit,
  done: "saved",
});

const deletePage = endForm(BENEFITS, {
  name: "delete",
  async page(request, benefit) {
    const [products, holders] = await Promise.all([
      including(request, benefit),
      countHolders(request.ctx.db.read, benefit.organizationId, benefit.id),
    ]);
    return {
      title: `Delete ${benefit.name}?`,
      effect: deletionEffect(benefit, products, holders),
      label: "Delete the Benefit",
      isDangerous: true,
    };
  },
  end: (ctx, origin, benefit, sent) => deleteBenefit(ctx, origin, benefit.id, (row) => requireSeen(row, sent)),
  next: ({ self }) => `${self}/benefits?done=deleted`,
});

/** The properties in words, by type. */
function propertyFacts({ type, properties }: Benefit): Definition[] {
  switch (type) {
    case "feature": {
      const { feature, value, perUnit } = properties as FeatureProperties;
      const ofUnit = perUnit ? " for each unit" : "";
      return [
        ["Feature", html`<code>${feature}</code>`],
        ["Value", typeof value === "boolean" ? (value ? "Yes" : "No") : html`<bdi>${String(value)}</bdi>${ofUnit}`],
      ];
    }
    case "license_key": {
      const { prefix, activationLimit, perUnit } = properties as LicenseKeyProperties;
      const most = `${activationLimit}${perUnit ? " for each unit" : ""}`;
      return [
        ["Key prefix", prefix ?? NONE],
        ["Maximum devices of a key", activationLimit === null ? "Any number" : most],
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

function factsOf(
  { self, organization }: DashboardRequest,
  benefit: Benefit,
  products: readonly Product[],
  grants: number,
): Html {
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

const onePage: Pages = (_, app, { signedIn }) => {
  app.get(
    `${ROOT}/benefits/:benefitId`,
    signedIn("read", async (c, request) => {
      const benefit = await rowAt(BENEFITS, c, request);
      const [products, grants] = await Promise.all([including(request, benefit), grantsOf(request, benefit)]);
      const shown = {
        done: doneNotice(c, DONE),
        facts: factsOf(request, benefit, products, grants),
        drawn: benefitPicture(benefit),
        links: [
          ["edit", "Edit"],
          ["delete", "Delete"],
        ] as const,
      };
      return c.html(shownRow(BENEFITS, request, benefit, shown));
    }),
  );
};

/** `/dashboard/{organizationId}/benefits/…`: the pages of one Benefit. The list is one of the lists. */
export const benefitPages = together(newPage, editPage, deletePage, onePage);
