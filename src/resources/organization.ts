import * as z from "zod";
import { isTimeZone, type Instant } from "../domain/calendar.ts";
import { EMAIL_SWITCHES, SWITCHED_EMAIL_KINDS } from "../domain/model/email.ts";
import { formatMoney } from "../domain/currency.ts";
import { newPaymentsAt, SANDBOX_ENTRIES, takesPayments, type Organization } from "../domain/model/organization.ts";
import {
  MOST_PAUSE_MONTHS,
  MOST_PAUSES_A_YEAR,
  PORTAL_OPERATIONS,
  portalAllows,
  type PortalAction,
} from "../domain/model/portal-settings.ts";
import { PAUSE_ACCESS } from "../domain/model/subscription.ts";
import type { PaymentPause } from "../domain/model/payment-pause.ts";
import type { TransactionComparison } from "../domain/payment/transaction-import.ts";
import { PRORATION_BEHAVIORS } from "../domain/model/proration.ts";
import type { WebhookEndpoint } from "../domain/webhook/webhook.ts";
import type { LateRefund } from "../domain/model/refund.ts";
import { counted, valueInWords } from "../domain/words.ts";
import {
  address,
  addressParams,
  currency,
  currencyCode,
  email,
  etag,
  fault,
  id,
  issue,
  orNull,
  presentTaxId,
  taxId,
  taxIdParams,
  text,
  time,
  timestamp,
} from "./fields.ts";
import { OrganizationPaymentsResource } from "./payment-pause.ts";
import { httpsUrl, presentSellerAddresses, sellerAddresses, sellerAddressesParams } from "./seller-addresses.ts";
import type { RegionChange } from "../domain/tax/region-review.ts";
import { changedRegions, taxRate, taxRates, unclearRates } from "./tax-rates.ts";

type EmailSwitch = (typeof EMAIL_SWITCHES)[keyof typeof EMAIL_SWITCHES];
const SWITCHES = Object.values(EMAIL_SWITCHES);
const emailSwitches = z.object(
  Object.fromEntries(SWITCHES.map((name) => [name, z.boolean()])) as Record<EmailSwitch, z.ZodBoolean>,
);

const portalSwitches = z.object(
  Object.fromEntries(PORTAL_OPERATIONS.map((operation) => [operation, z.boolean()])) as Record<
    PortalAction,
    z.ZodBoolean
  >,
);

const portalPause = z.strictObject({
  longestMonths: z.int().min(1).max(MOST_PAUSE_MONTHS),
  perYear: z.int().min(1).max(MOST_PAUSES_A_YEAR),
  access: z.enum(PAUSE_ACCESS),
});
const PAUSE_DESCRIPTION =
  "The pauses that a Customer may make: the longest one in months, how many begin within 365 days, and the access " +
  "during a pause. Null: none.";

const portalProducts = z
  .array(id("prd"))
  .min(1)
  .max(100)
  .superRefine((ids, check) => {
    for (const [index, productId] of ids.entries()) {
      if (ids.indexOf(productId) < index)
        check.addIssue(issue("duplicate", "This Product is listed already.", [index]));
    }
  })
  .meta({ uniqueItems: true });

const notice = z.object({
  type: z.enum([
    "payments_paused",
    "provider_book_differs",
    "webhook_endpoint_disabled",
    "seller_country_missing",
    "tax_rates_unclear",
    "tax_regions_changed",
    "refund_failed",
  ]),
  resourceId: z.string().meta({ description: "The id of the resource that the notice is about." }),
  at: timestamp.meta({
    description:
      "In real time. For `payments_paused`: the beginning of the pause, in billing time. For `refund_failed`: the " +
      "failure, in billing time. For `seller_country_missing` and `tax_rates_unclear`: the last change of the " +
      "Organization, in billing time. For `tax_regions_changed`: the upgrade.",
  }),
  text: z.string(),
});

export const OrganizationResource = z
  .object({
    id: id("org"),
    name: z.string(),
    mode: z.enum(["live", "sandbox"]),
    timeZone: z.string().meta({ description: "IANA time zone of new Subscriptions." }),
    defaultCurrency: currencyCode,
    defaultProration: z.enum(PRORATION_BEHAVIORS).meta({ description: "The default of a change of the Product." }),
    quantityRise: z.enum(PRORATION_BEHAVIORS).meta({ description: "The default of a rise of the quantity alone." }),
    quantityFall: z.enum(PRORATION_BEHAVIORS).meta({ description: "The default of a fall of the quantity alone." }),
    dunning: z
      .object({ retryDays: z.array(z.int()), graceDays: z.int() })
      .meta({ description: "Days after a first failed charge." }),
    taxRates: z
      .array(taxRate)
      .meta({ description: "The rate for a buyer is that of their region, else of their country." }),
    branding: z.object({
      displayName: z.string().nullable(),
      accentColor: z.string().nullable(),
      logoUrl: z.string().nullable(),
    }),
    emails: emailSwitches.meta({ description: "The e-mails that buyers get." }),
    portal: z
      .object({
        ...portalSwitches.shape,
        products: z.array(id("prd")).nullable().meta({
          description: "The Products that a Customer may change to. Null: every Product of the group.",
        }),
        pause: portalPause.nullable().meta({ description: PAUSE_DESCRIPTION }),
      })
      .meta({ description: "The actions that the portal allows a Customer." }),
    portalUrl: z
      .string()
      .meta({ description: "The address of the portal. Customers sign in there by e-mail and see their purchases." }),
    invoicePrefix: z.string(),
    legalName: z.string().nullable(),
    address: address.nullable(),
    taxId: taxId.nullable(),
    contactEmail: z.string().nullable().meta({
      description:
        "The seller's own address. Billow writes to it when an account for payments is connected or disconnected.",
    }),
    ...sellerAddresses,
    sandboxEntry: z.enum(SANDBOX_ENTRIES).nullable().meta({
      description: "Where a sandbox's buyers give their cards: on Billow's page or on the provider's. Null if live.",
    }),
    payments: OrganizationPaymentsResource,
    notices: z.array(notice).meta({
      description: "The problems that need an operator, newest first. A notice disappears once its problem is solved.",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Organization" });
export type OrganizationResource = z.infer<typeof OrganizationResource>;

const days = z.int().min(1).max(365);
const isAscending = (list: number[]) => list.every((day, n) => n === 0 || day > list[n - 1]!);

const dunning = z.strictObject({
  retryDays: z
    .array(days)
    .min(1)
    .max(10)
    .refine(isAscending, fault("not_ascending", "Each day must be later than the one before.")),
  graceDays: z.int().min(0).max(365),
});

const branding = z.strictObject({
  displayName: orNull(text(64)),
  accentColor: orNull(
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^#[0-9a-f]{6}$/, "Write the colour as #rrggbb."),
  ),
  logoUrl: orNull(httpsUrl),
});

const timeZone = z.string().trim().refine(isTimeZone, fault("invalid_time_zone", "This is not an IANA time zone."));

/** A new Organization, as the form of the dashboard has it. The management API makes none. */
export const CreateOrganizationParams = z.strictObject({
  name: text(128),
  mode: z.enum(["live", "sandbox"], "Choose live or sandbox."),
  timeZone,
});

/** An object within the settings is replaced as a whole, except the switches of `emails` and `portal`. */
export const UpdateOrganizationParams = z
  .strictObject({
    name: text(128).exactOptional(),
    timeZone: timeZone.exactOptional(),
    defaultCurrency: currency.exactOptional(),
    defaultProration: z.enum(PRORATION_BEHAVIORS).exactOptional(),
    quantityRise: z.enum(PRORATION_BEHAVIORS).exactOptional(),
    quantityFall: z.enum(PRORATION_BEHAVIORS).exactOptional(),
    dunning: dunning.exactOptional(),
    taxRates: taxRates.exactOptional(),
    branding: branding.exactOptional(),
    emails: z
      .strictObject(emailSwitches.partial().shape)
      .meta({
        description: "Fields that are left out stay as they are.",
      })
      .exactOptional(),
    portal: z
      .strictObject({
        ...portalSwitches.partial().shape,
        products: portalProducts.nullable().exactOptional().meta({
          description: "The Products that a Customer may change to. Null: every Product of the group.",
        }),
        pause: portalPause.nullable().exactOptional().meta({ description: PAUSE_DESCRIPTION }),
      })
      .meta({ description: "Fields that are left out stay as they are." })
      .exactOptional(),
    invoicePrefix: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{1,12}$/, "A prefix is 1 to 12 letters and digits.")
      .exactOptional(),
    legalName: text(256).nullable().exactOptional(),
    address: addressParams.nullable().exactOptional(),
    taxId: taxIdParams.nullable().exactOptional(),
    contactEmail: email.nullable().exactOptional(),
    ...sellerAddressesParams,
    sandboxEntry: z.enum(SANDBOX_ENTRIES).exactOptional(),
  })
  .meta({ id: "UpdateOrganizationParams" });
export type UpdateOrganizationParams = z.infer<typeof UpdateOrganizationParams>;

function presentNotice({
  id: resourceId,
  url,
  disabledReason,
  disabledAt,
  updatedAt,
}: WebhookEndpoint): z.infer<typeof notice> {
  const cause = disabledReason === "gone" ? "answered that it is gone (410)" : "failed at every attempt for five days";
  return {
    type: "webhook_endpoint_disabled",
    resourceId,
    at: time(disabledAt ?? updatedAt),
    text: `${url} ${cause}. No delivery is sent to the endpoint until you enable it again.`,
  };
}

/** A seller with reverse charge, but without a country of its own, charges tax to every business (rule X3). */
function countryNotices({
  id: resourceId,
  taxRates: rates,
  address: own,
  updatedAt,
}: Organization): z.infer<typeof notice>[] {
  if (own !== null || !rates.some(({ reverseCharge }) => reverseCharge)) return [];
  const said =
    "Tax rates have reverse charge, but the Organization has no address. Set its country. " +
    "Without it, every business pays tax.";
  return [{ type: "seller_country_missing", resourceId, at: time(updatedAt), text: said }];
}

/** The problems of tax rates, and the Customers with a changed tax with an upgrade (rule X3b). */
function rateNotices(
  { id: resourceId, taxRates: rates, updatedAt }: Organization,
  { taxRegions }: Problems,
): z.infer<typeof notice>[] {
  const unclear = unclearRates(rates);
  return [
    ...(taxRegions
      ? [
          {
            type: "tax_regions_changed" as const,
            resourceId,
            at: time(taxRegions.reviewedAt),
            text: changedRegions(taxRegions.changes),
          },
        ]
      : []),
    ...(unclear === null
      ? []
      : [{ type: "tax_rates_unclear" as const, resourceId, at: time(updatedAt), text: unclear }]),
  ];
}

/** A refund that failed late leaves credit that can't go to its card, so an operator decides about it (rule I8). */
function refundNotice({ id: resourceId, failedAt, ...left }: LateRefund): z.infer<typeof notice> {
  const amount = formatMoney(left.remaining, left.currency);
  const said =
    `A refund failed after it had succeeded. ${amount} of it is on the Customer's balance. ` +
    "If you pay this amount by other means, take it off the balance.";
  return { type: "refund_failed", resourceId, at: time(failedAt), text: said };
}

/** The Organization's problems that need an operator. */
export type Problems = {
  /** Webhook endpoints that Billow disabled because of their receivers, latest first. */
  givenUp: readonly WebhookEndpoint[];
  /** Accounts at payment providers that refuse all charges, the longest first. */
  pauses: readonly PaymentPause[];
  /** Refunds that failed late and left credit, latest first. */
  lateRefunds: readonly LateRefund[];
  /** The last comparison with the books of the Organization's payment providers; null: there was none. */
  comparison: TransactionComparison | null;
  /**
   * The Customers with a changed tax with an upgrade (rule X3b); null: there is none, or the rates were saved since.
   */
  taxRegions: { reviewedAt: Instant; changes: readonly RegionChange[] } | null;
};

function pauseNotice({ id: resourceId, provider, reason, createdAt }: PaymentPause): z.infer<typeof notice> {
  const said =
    `The payment provider ${provider} refuses all charges (${valueInWords(reason)}). Charges wait until the provider ` +
    "takes them again.";
  return { type: "payments_paused", resourceId, at: time(createdAt), text: said };
}

/** The provider of new payments, and its pause. */
export function presentPayments(organization: Organization, { pauses }: Problems): OrganizationPaymentsResource {
  if (!takesPayments(organization)) return { provider: null, paused: null };
  const { provider, providerAccount } = newPaymentsAt(organization);
  const pause = pauses.find((each) => each.provider === provider && each.providerAccount === providerAccount);
  return { provider, paused: pause ? { reason: pause.reason, since: time(pause.createdAt) } : null };
}

function comparisonNotices(comparison: TransactionComparison | null): z.infer<typeof notice>[] {
  if (comparison === null || comparison.differsSince === null) return [];
  const { organizationId: resourceId, differences, unknownCharges, differsSince } = comparison;
  const copied =
    unknownCharges === 0
      ? ""
      : ` Charges with keys of Billow that are unknown here: ${unknownCharges}. ` +
        "A copy of the database may be charging, or the database was restored from a backup.";
  const said =
    `The payment provider's book and Billow's book have ${counted(differences, "difference")}. ` +
    `Run node bin/billow.mjs verify.${copied}`;
  return [{ type: "provider_book_differs", resourceId, at: time(differsSince), text: said }];
}

/** `portalUrl`: the URL of the Organization's portal. */
export function presentOrganization(
  organization: Organization,
  portalUrl: string,
  problems: Problems,
): OrganizationResource {
  const { givenUp, pauses, lateRefunds, comparison } = problems;
  return {
    id: organization.id,
    name: organization.name,
    mode: organization.mode,
    timeZone: organization.timeZone,
    defaultCurrency: organization.defaultCurrency,
    defaultProration: organization.defaultProration,
    quantityRise: organization.quantityRise,
    quantityFall: organization.quantityFall,
    dunning: { retryDays: organization.retryDays, graceDays: organization.graceDays },
    taxRates: organization.taxRates,
    branding: organization.branding,
    emails: Object.fromEntries(
      SWITCHED_EMAIL_KINDS.map((kind) => [EMAIL_SWITCHES[kind], !organization.emailsOff.includes(kind)]),
    ) as OrganizationResource["emails"],
    portal: {
      ...(Object.fromEntries(
        PORTAL_OPERATIONS.map((operation) => [operation, portalAllows(organization, operation)]),
      ) as Record<PortalAction, boolean>),
      products: organization.portalProducts,
      pause: organization.portalPause,
    },
    portalUrl,
    invoicePrefix: organization.invoicePrefix,
    legalName: organization.legalName,
    address: organization.address,
    contactEmail: organization.contactEmail,
    ...presentSellerAddresses(organization),
    taxId: presentTaxId(organization.taxId),
    sandboxEntry: organization.mode === "sandbox" ? organization.sandboxEntry : null,
    payments: presentPayments(organization, problems),
    notices: [
      ...pauses.map(pauseNotice),
      ...comparisonNotices(comparison),
      ...givenUp.map(presentNotice),
      ...lateRefunds.map(refundNotice),
      ...countryNotices(organization),
      ...rateNotices(organization, problems),
    ],
    createdAt: time(organization.createdAt),
    updatedAt: time(organization.updatedAt),
  };
}

export function organizationETag({ version }: Organization, problems: Problems): string {
  const { givenUp, pauses, lateRefunds, comparison } = problems;
  const paused = pauses.length > 0 && `paused-${pauses.map(({ id: pauseId }) => pauseId).join("-")}`;
  const differs =
    comparison !== null &&
    comparison.differsSince !== null &&
    `book-${comparison.differences}-${comparison.unknownCharges}-${comparison.differsSince}`;
  const endpoints = givenUp.length > 0 && `notices-${givenUp.length}-${givenUp[0]!.disabledAt}`;
  const left = lateRefunds.reduce((sum, { remaining }) => sum + remaining, 0);
  return etag(version, paused, differs, endpoints, lateRefunds.length > 0 && `refunds-${lateRefunds.length}-${left}`);
}
