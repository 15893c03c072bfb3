import { together } from "../form-action.ts";
import { deliveryPage } from "./delivery-page.ts";
import { endpointForms } from "./endpoint-forms.ts";
import { endpointPages } from "./endpoints.ts";
import { eventPage } from "./event-page.ts";
import { keyForms } from "./key-forms.ts";
import { keyPages } from "./keys.ts";
import { redeliveryForms } from "./redelivery-forms.ts";
import { requestPage } from "./request-page.ts";

/**
 * `/dashboard/{organizationId}/developers/…`: keys, webhooks, and the pages of an event and of a request. The paths
 * with `new` come before those with an id.
 */
export const developerPages = together(
  keyForms,
  keyPages,
  endpointForms,
  endpointPages,
  redeliveryForms,
  deliveryPage,
  eventPage,
  requestPage,
);
