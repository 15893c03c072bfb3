import { hostOf, isLoopback } from "../../cidr.ts";
import type { Context } from "../../context.ts";
import type { Product } from "../../domain/model/product.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { listOrganizations } from "../../store/organizations.ts";
import { findOldestForSale, findProductByKey } from "../../store/products.ts";
import { emailsUrl, tryUrl } from "../links.ts";
import { DEMO_PRODUCT } from "./seed-catalogue.ts";

/** The URLs of a sandbox that open without a key. `checkout` is null without a Product for sale. */
export type TryLinks = { checkout: string | null; emails: string; portal: string };
export type TrySandbox = { organization: Organization; links: TryLinks };

/** The Product that newcomers buy first: that of the demo, else the oldest one for sale. Null without any. */
export async function findProductToTry(ctx: Context, organizationId: string): Promise<Product | null> {
  const demo = await findProductByKey(ctx.db.read, organizationId, DEMO_PRODUCT);
  return demo?.archived === false ? demo : findOldestForSale(ctx.db.read, organizationId);
}

export async function tryLinksOf(ctx: Context, { id }: Organization): Promise<TryLinks> {
  const checkout = (await findProductToTry(ctx, id)) ? tryUrl(ctx, "checkout", id) : null;
  return { checkout, emails: emailsUrl(ctx, id), portal: tryUrl(ctx, "portal", id) };
}

function trySandboxes(ctx: Context, organizations: readonly Organization[]): Promise<TrySandbox[]> {
  const sandboxes = organizations.filter(({ mode }) => mode === "sandbox");
  return Promise.all(
    sandboxes.map(async (organization) => ({ organization, links: await tryLinksOf(ctx, organization) })),
  );
}

/** The sandboxes of an embedded database, oldest first, with their links. Returns no sandbox of another database. */
export async function listSandboxes(ctx: Context): Promise<TrySandbox[]> {
  return ctx.config.databaseUrl === null ? trySandboxes(ctx, await listOrganizations(ctx.db.read)) : [];
}

/**
 * As `listSandboxes`, for a reader that only comes from this machine. Returns no sandbox if the installation serves
 * other machines or has a live Organization ([why](../../../docs/decisions/0046-a-first-page-with-links.md)).
 */
export async function listSandboxesForAll(ctx: Context): Promise<TrySandbox[]> {
  const { databaseUrl, publicOrigin } = ctx.config;
  if (databaseUrl !== null || !isLoopback(hostOf(new URL(publicOrigin)))) return [];
  const organizations = await listOrganizations(ctx.db.read);
  return organizations.some(({ mode }) => mode === "live") ? [] : trySandboxes(ctx, organizations);
}
