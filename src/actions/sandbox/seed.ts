import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { COMMAND } from "../../domain/team/audit.ts";
import { lockFirstOrganization } from "../../store/organizations.ts";
import { downloadsDirectory } from "../benefit/downloads.ts";
import type { OrganizationWithKeys } from "../organization/create-organization.ts";
import { foundOrganization } from "../organization/found-organization.ts";
import { DOWNLOAD, seedCatalogue } from "./seed-catalogue.ts";

async function writeDownload(ctx: Context, organizationId: string): Promise<void> {
  const path = join(downloadsDirectory(ctx, organizationId), DOWNLOAD.path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, DOWNLOAD.text);
}

/**
 * Makes the demo's Products and Benefits for an Organization, except those with an existing key. Returns the keys of
 * the new Products.
 */
export async function seed(ctx: Context, organization: Pick<Organization, "id">): Promise<string[]> {
  await writeDownload(ctx, organization.id);
  return ctx.db.tx((tx) => seedCatalogue(ctx, tx, organization.id));
}

/** Makes the sandbox "Demo" with Products, Benefits and keys; answers null if there is an Organization already. */
export async function seedDemo(ctx: Context): Promise<OrganizationWithKeys | null> {
  return ctx.db.tx(async (tx) => {
    if (!(await lockFirstOrganization(tx))) return null;
    const demo = await foundOrganization(
      tx,
      { name: "Demo", mode: "sandbox" },
      { actor: COMMAND, clientAddress: null },
    );
    await writeDownload(ctx, demo.organization.id);
    await seedCatalogue(ctx, tx, demo.organization.id);
    return demo;
  });
}
