import type { Hono } from "hono";
import { askForEmail, confirmEmail, undoEmail } from "../../actions/customer/change-email.ts";
import { withdrawEmail } from "../../actions/customer/waiting-email-change.ts";
import { openEmailChangeUrl, type EmailChangeStep } from "../../actions/links.ts";
import type { Context } from "../../context.ts";
import { emailKey } from "../../domain/model/customer.ts";
import type { EmailChange } from "../../domain/model/email-change.ts";
import { portalAllows } from "../../domain/model/portal-settings.ts";
import { email as emailSchema } from "../../resources/fields.ts";
import { customers } from "../../store/customers.ts";
import { findOpenChange } from "../../store/email-changes.ts";
import { shownAgain } from "../components/field.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import { wordsOf } from "../language.ts";
import * as pages from "./email.ts";
import { allowing, limitPage } from "./limit.ts";
import { noteOperation } from "./notice.ts";
import { openPortal, ROOT, type PortalGuard, type Portal } from "./request.ts";

/** The most requests a minute for one e-mail address by one client, as for a sign-in link. */
const MOST_REQUESTS_AN_ADDRESS = 5;

/** The page on which a signed-in Customer asks for another e-mail address (rule I11). */
function askPages(
  ctx: Context,
  app: Hono<PageEnvironment>,
  { session, signedIn }: PortalGuard,
  byClient: RequestLimit,
): void {
  const byBoth = new RequestLimit(MOST_REQUESTS_AN_ADDRESS);
  const path = `${ROOT}/email`;
  app.get(path, signedIn(allowing(ctx, "changeEmail", async (c, request) => c.html(pages.emailPage(ctx, request)))));
  app.post(
    path,
    signedIn(
      allowing(ctx, "changeEmail", async (c, request) => {
        const { client } = c.env;
        byClient.count(client);
        const { organization, self, words } = request;
        const typed = (await readForm(c)).get("email") ?? "";
        const again = (fault: string) =>
          c.html(pages.emailPage(ctx, request, { typed: shownAgain(typed), fault }), 422);
        const read = emailSchema.safeParse(typed);
        if (!read.success) return again(typed.trim() === "" ? words.fault.emailMissing : words.fault.emailWrong);
        byBoth.count(`${client} ${organization.id} ${emailKey(read.data)}`);
        const asked = await askForEmail(ctx, organization.id, session.read(c) ?? "", read.data);
        if (asked === "signed_out") return c.redirect(self, 303);
        if (asked === "same") return again(words.portalEmail.same);
        if (asked === "too_many") return c.html(pages.tooManyPage(ctx, request), 429);
        return c.html(pages.emailSentPage(ctx, c, request, read.data));
      }),
    ),
  );
}

/** Withdraws the request for another address (rule I11i). */
function withdrawPage(ctx: Context, app: Hono<PageEnvironment>, { signedIn }: PortalGuard): void {
  app.post(
    `${ROOT}/email/withdraw`,
    signedIn(
      allowing(ctx, "changeEmail", async (c, { visitor, self }) => {
        await withdrawEmail(ctx, visitor.customer);
        noteOperation(ctx, c, self, "withdrawEmail");
        return c.redirect(self, 303);
      }),
    ),
  );
}

/** The change that a link names, while the link works, and the portal in the language of the Customer. */
type Opened = { portal: Portal; change: EmailChange | null };

/** @throws HTTPException 404 for an Organization that does not exist */
async function openChange(ctx: Context, c: PageContext, step: EmailChangeStep): Promise<Opened> {
  const portal = await openPortal(ctx, c);
  const { id: organizationId } = portal.organization;
  const id = openEmailChangeUrl(ctx, step, organizationId, c.req.param("secret") ?? "");
  const change = id === null ? null : await findOpenChange(ctx.db.read, organizationId, id);
  const customer = change && (await customers.find(ctx.db.read, organizationId, change.customerId));
  return { portal: { ...portal, words: wordsOf(c, customer?.locale ?? null) }, change };
}

/** The pages behind the link to the new address. */
function confirmPages(ctx: Context, app: Hono<PageEnvironment>, byClient: RequestLimit): void {
  const path = `${ROOT}/email/confirm/:secret`;
  /** Answers null if there is an address to confirm. */
  const finished = (c: PageContext, { portal, change }: Opened) => {
    if (!change) return c.html(pages.confirmGonePage(ctx, portal), 410);
    if (change.status === "changed") return c.html(pages.emailChangedPage(ctx, portal));
    return portalAllows(portal.organization, "changeEmail") ? null : c.html(limitPage(ctx, portal), 403);
  };
  app.get(path, async (c) => {
    const opened = await openChange(ctx, c, "confirm");
    return finished(c, opened) ?? c.html(pages.confirmEmailPage(ctx, opened.portal, opened.change!));
  });
  app.post(path, async (c) => {
    byClient.count(c.env.client);
    const opened = await openChange(ctx, c, "confirm");
    const { portal, change } = opened;
    const over = finished(c, opened);
    if (over) return over;
    const outcome = await confirmEmail(ctx, change!.organizationId, change!.id);
    if (outcome === "taken") return c.html(pages.emailTakenPage(ctx, portal), 409);
    if (outcome === "gone") return c.html(pages.confirmGonePage(ctx, portal), 410);
    return c.html(pages.emailChangedPage(ctx, portal));
  });
}

/** The pages behind the link to the old address. The seller's settings do not concern them. */
function undoPages(ctx: Context, app: Hono<PageEnvironment>, byClient: RequestLimit): void {
  const path = `${ROOT}/email/undo/:secret`;
  app.get(path, async (c) => {
    const { portal, change } = await openChange(ctx, c, "undo");
    if (change?.status !== "changed") return c.html(pages.undoGonePage(ctx, portal), 410);
    return c.html(pages.undoEmailPage(ctx, portal, change));
  });
  app.post(path, async (c) => {
    byClient.count(c.env.client);
    const { portal, change } = await openChange(ctx, c, "undo");
    const outcome = change ? await undoEmail(ctx, change.organizationId, change.id) : "gone";
    if (outcome === "taken") return c.html(pages.emailTakenPage(ctx, portal), 409);
    if (outcome === "gone") return c.html(pages.undoGonePage(ctx, portal), 410);
    return c.html(pages.emailUndonePage(ctx, portal));
  });
}

/** The pages that change a Customer's e-mail address, and those behind the links of the e-mails (rule I11). */
export function emailPages(ctx: Context, app: Hono<PageEnvironment>, guard: PortalGuard): void {
  const byClient = new RequestLimit();
  askPages(ctx, app, guard, byClient);
  withdrawPage(ctx, app, guard);
  confirmPages(ctx, app, byClient);
  undoPages(ctx, app, byClient);
}
