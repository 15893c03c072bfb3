import { together } from "../form-action.ts";
import { brandingPages } from "./branding.ts";
import { dunningPages } from "./dunning.ts";
import { emailPages } from "./emails.ts";
import { generalPages } from "./general.ts";
import { paymentPages } from "./payments.ts";
import { portalSettingsPages } from "./portal.ts";
import { taxPages } from "./taxes.ts";

/** `/dashboard/{organizationId}/settings`: the settings of the Organization, on tabs. */
export const settingsPages = together(
  generalPages,
  brandingPages,
  emailPages,
  taxPages,
  dunningPages,
  portalSettingsPages,
  paymentPages,
);
