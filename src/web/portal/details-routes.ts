import type { Hono } from "hono";
import { updateCustomer } from "../../actions/customer/update-customer.ts";
import { ownOrigin } from "../../actions/origin.ts";
import type { Context } from "../../context.ts";
import type { Customer } from "../../domain/model/customer.ts";
import type { Billing } from "../../domain/tax/tax.ts";
import { text } from "../../resources/fields.ts";
import { LANGUAGES } from "../../domain/locale.ts";
import type { Words } from "../../texts/words.ts";
import { LIKE_A_CARD } from "../components/card-number-pattern.ts";
import { shownAgain } from "../components/field.ts";
import { fieldsOfBilling, readBilling, typedBilling } from "../components/read-billing.ts";
import { withUnasked } from "../components/retained-address.ts";
import type { PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import { claimedByDetails, readCardUse } from "./card-use.ts";
import { chosenLanguage, detailsPage, type DetailsFaults, type DetailsTyped } from "./details.ts";
import { allowing } from "./limit.ts";
import { noteOperation } from "./notice.ts";
import { ROOT, type PortalGuard, type PortalRequest } from "./request.ts";

function typedDetails(form: URLSearchParams, customer: Customer): DetailsTyped {
  const { name, locale, billingAddress: address, taxId, companyName } = customer;
  const typedName = shownAgain(form.get("name") ?? name ?? "");
  return {
    ...typedBilling(form, fieldsOfBilling({ address, taxId, companyName })),
    name: LIKE_A_CARD.test(typedName) ? "" : typedName,
    language: form.get("language") ?? chosenLanguage(locale),
  };
}

function readName({ fault }: Words, form: URLSearchParams): { name: string | null; fault: string | null } {
  const typed = (form.get("name") ?? "").trim();
  if (typed === "") return { name: null, fault: null };
  if (LIKE_A_CARD.test(typed)) return { name: null, fault: fault.nameCard };
  const name = text(256).safeParse(typed);
  return name.success ? { name: name.data, fault: null } : { name: null, fault: fault.nameLong };
}

/** A choice that is the present language keeps its region: a reader of `de-AT` stays one. */
function readLocale(form: URLSearchParams, { locale }: Customer): Customer["locale"] {
  const typed = form.get("language") ?? "";
  if (typed === chosenLanguage(locale)) return locale;
  return LANGUAGES.find((language) => language === typed) ?? null;
}

function save(
  ctx: Context,
  request: PortalRequest,
  form: URLSearchParams,
  name: string | null,
  billing: Billing | null,
) {
  const { customer } = request.visitor;
  const address = billing?.address ?? null;
  return updateCustomer(ctx, ownOrigin(request.organization.id), customer.id, {
    name,
    companyName: billing?.companyName ?? null,
    billingAddress:
      address && withUnasked(request.words, request.organization.taxRates, customer.billingAddress, address),
    taxId: billing?.taxId ?? null,
    locale: readLocale(form, customer),
  });
}

/** The page on which a signed-in Customer edits their own details (rule I12). */
export function detailsPages(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: PortalGuard): void {
  const submissions = new RequestLimit();
  app.on(
    ["GET", "POST"],
    `${ROOT}/details`,
    signedIn(
      allowing(ctx, "editDetails", async (c, request) => {
        const { words, organization, visitor, self } = request;
        const isSent = c.req.method === "POST";
        if (isSent) submissions.count(c.env.client);
        const form = isSent ? await readForm(c) : new URLSearchParams();
        const typed = typedDetails(form, visitor.customer);
        const unclaimed = claimedByDetails(await readCardUse(ctx, request));
        if (!isSent || form.get("action") === "update")
          return c.html(detailsPage(ctx, request, { typed, faults: {}, unclaimed }));
        const { taxRates: rates } = organization;
        const demand = { rates, required: rates.length > 0, known: visitor.customer.taxId };
        const { taxFaults, otherFaults, billing } = readBilling(words, form, demand);
        const { name, fault } = readName(words, form);
        const faults: DetailsFaults = { ...(fault === null ? {} : { name: fault }), ...otherFaults, ...taxFaults };
        if (Object.keys(faults).length > 0) return c.html(detailsPage(ctx, request, { typed, faults, unclaimed }), 422);
        await save(ctx, request, form, name, billing);
        noteOperation(ctx, c, self, "details");
        return c.redirect(self, 303);
      }),
    ),
  );
}
