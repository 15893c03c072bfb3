import {
  activationLimitOf,
  valueOf,
  type CustomProperties,
  type DownloadProperties,
  type FeatureProperties,
  type LicenseKeyProperties,
} from "../../domain/model/benefit.ts";
import type { Deliverables } from "../../mail/deliverables.ts";
import { listGrants, type ReadGrant } from "../../store/benefit-grants.ts";
import { benefitName } from "../../texts/phrases.ts";
import type { Words } from "../../texts/words.ts";
import type { EmailContext } from "./email-context.ts";

/** An e-mail lists this many Benefits at most. The portal shows all. */
const MOST = 50;

/** A feature with its value for the quantity (rule B5), for the name of the Benefit. */
const shownValue = ({ type, properties }: ReadGrant["benefit"], quantity: number): object =>
  type === "feature" ? { value: valueOf(properties as FeatureProperties, quantity) } : properties;

function put(words: Words, deliverables: Deliverables, { benefit, properties, quantity }: ReadGrant): void {
  const { name, type } = benefit;
  const { files } = benefit.properties as DownloadProperties;
  const { note } = benefit.properties as CustomProperties;
  if (type === "license_key" && "key" in properties) {
    const devices = activationLimitOf(benefit.properties as LicenseKeyProperties, quantity);
    deliverables.keys.push({ benefit: name, key: properties.key, devices });
  } else if (type === "download") deliverables.files.push({ benefit: name, names: files.map((file) => file.name) });
  else if (type === "custom" && note !== null) deliverables.notes.push({ benefit: name, note });
  else deliverables.others.push(benefitName(words, { name, properties: shownValue(benefit, quantity) }));
}

/** The deliverables of a Subscription or of a one-time purchase that give access now, in the order of their grants. */
export async function readDeliverables(
  { ctx, organization, words, now }: EmailContext,
  source: { subscriptionId: string } | { invoiceId: string },
): Promise<Deliverables> {
  const deliverables: Deliverables = { keys: [], files: [], notes: [], others: [] };
  const grants = await listGrants(ctx.db.read, organization.id, { ...source, status: "active", limit: MOST });
  const granted = grants.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  for (const grant of granted.slice(0, MOST).reverse()) put(words, deliverables, grant);
  return deliverables;
}

/** Whether there are deliverables that the buyer may look for again: license keys, files or notes. */
export const hasLasting = ({ keys, files, notes }: Deliverables): boolean =>
  keys.length + files.length + notes.length > 0;
