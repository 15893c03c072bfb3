import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { SentBefore, SentTwice } from "../../actions/team/form-origin.ts";
import type { Context } from "../../context.ts";
import { isRefusal, Refusal } from "../../domain/refusal.ts";
import type { Permission } from "../../domain/team/role.ts";
import { presentRefusal } from "../../resources/refusal.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import type { Html } from "../layout.ts";
import type { DashboardGuard } from "./guard.ts";
import { CONFIRMED, EDIT, ONCE, refusalOf, refusedOnly, type OwnWords, type Sent } from "./sent-form.ts";
import type { DashboardRequest } from "./request.ts";

/** Registers pages of the dashboard. */
export type Pages = (ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard) => void;

/**
 * A page with a form, and the change that the form makes. The form has up to three steps:
 *
 * 1. Edit: the page has fields. A button named `EDIT` shows the fields again with the typed values.
 * 2. Effect: the page says the exact effect of the change, and a button confirms it. A form with `preview` has this
 *    step after its fields. A form with `effect` begins with this step.
 * 3. Done: the change is made, and the next page is shown.
 *
 * `Data`: the page's data. `Input`: the typed values. `Effect`: the effect of the change.
 */
export type FormAction<Data, Input = undefined, Effect = null> = {
  /** The path of the page. The form is sent to the same path. */
  path: string;
  permission: Permission;
  /** Whether the page asks for the password if the password was last given more than a quarter of an hour ago. */
  asksAgain?: boolean;
  /**
   * The fields that an address may bring, with the values that they may have: ids, currencies, quantities and words,
   * which choose the subject of the page. An address never brings another value, such as an amount or an e-mail
   * address. A link of a stranger could otherwise fill in a form.
   */
  takes?: Readonly<Record<string, (value: string) => boolean>>;
  /** Reads the page's data. `fields`: those of the form or of the address. @throws HTTPException 404 */
  load(c: PageContext, request: DashboardRequest, fields: URLSearchParams): Promise<Data> | Data;
  /** Reads the typed values. @throws Refusal or AppError that the page shows */
  read?(data: Data, sent: Sent): Promise<Input> | Input;
  /**
   * Reads the effect of the typed values, for the step after the fields. @throws Refusal or AppError that the page
   * shows
   */
  preview?(data: Data, input: Input, sent: Sent): Promise<Effect> | Effect;
  /**
   * Whether the form proposes figures of its preview: the page of an empty form gets the effect, too, or the reason why
   * the change is not possible.
   */
  proposes?: boolean;
  /** As `preview`, for a form that has no fields before its effect. */
  effect?(data: Data, sent: Sent): Promise<Effect> | Effect;
  /** The page. `effect` null: the page shows the fields, or the reason why the change is not possible. */
  page(data: Data, sent: Sent, effect: Effect | null): Html;
  /**
   * Makes the change, in the transaction of `originOf(sent, …)`. Returns the path of the next page, by default `after`.
   * Returns a page instead if the page has a secret: only the answer to the form shows it.
   * @throws Refusal or AppError that the page shows
   */
  act(data: Data, input: Input, sent: Sent): Promise<string | { page: Html } | void>;
  /** The path of the next page, also for a form that was sent twice. */
  after(data: Data, request: DashboardRequest): string;
  /** Own words for errors of the action. */
  words?: OwnWords;
};

/** Random bytes of a form's key. */
const ONCE_BYTES = 16;
const ONCE_FORM = /^[\w-]{22}$/;
export const isOnce = (text: string | null): boolean => ONCE_FORM.test(text ?? "");
/** The key of one sending of a form. */
export const newOnce = () => randomBytes(ONCE_BYTES).toString("base64url");

const SENT_BEFORE =
  "This form was sent before with other values. Check the result first. To make a further change, send the form again.";
export const NO_KEY = "This form has no key. Send the form again.";

export type Refused = { status: 400 | 409 | 422; refusal: NonNullable<Sent["refusal"]> };

/** The refusal that the page shows. @throws the error, unless a person can do something about it */
export function refusedBy(error: unknown, words: OwnWords = {}): Refused {
  if (error instanceof SentBefore) return { status: 409, refusal: { text: SENT_BEFORE, faults: [] } };
  if (isRefusal(error, "not_found")) throw new HTTPException(404, { cause: error });
  const refused = refusedOnly(error);
  const { status } = refused instanceof Refusal ? presentRefusal(refused) : refused;
  return { status: status === 409 || status === 412 ? 409 : 422, refusal: refusalOf(refused, words) };
}

/** Runs a preview. A refusal is shown as that of a sent form would be, unless the form was refused before. */
export async function previewed<T>(
  sent: Sent,
  words: OwnWords | undefined,
  run: () => Promise<T> | T,
): Promise<{ sent: Sent; effect: T | null }> {
  try {
    return { sent, effect: await run() };
  } catch (error) {
    const { refusal } = refusedBy(error, words);
    return { sent: sent.refusal === null ? { ...sent, refusal } : sent, effect: null };
  }
}

/** The step that a page shows first, and again after a refusal. */
async function shownPage<Data, Input, Effect>(action: FormAction<Data, Input, Effect>, data: Data, given: Sent) {
  const { effect, preview, words } = action;
  // A refused field is mended among the fields. Another refusal stands above the effect.
  const isConfirming = given.fields.has(CONFIRMED) && given.refusal?.faults.length === 0;
  const isProposing = action.proposes && !given.isSent;
  const run = effect
    ? () => effect(data, given)
    : preview && (isConfirming || isProposing)
      ? async () => preview(data, (await action.read?.(data, given)) as Input, given)
      : () => null;
  const { sent, effect: shown } = await previewed(given, words, run);
  return action.page(data, sent, shown);
}

/** The pages of a form: its page, and the answer to the form. */
export function formPages<Data, Input = undefined, Effect = null>(given: FormAction<Data, Input, Effect>): Pages {
  return (_, app, guard) => {
    const admit = given.asksAgain ? guard.confirmed : guard.signedIn;
    app.get(
      given.path,
      admit(given.permission, async (c, request) => {
        const query = new URL(c.req.url).searchParams;
        const fields = new URLSearchParams([...query].filter(([name, value]) => given.takes?.[name]?.(value)));
        const data = await given.load(c, request, fields);
        const sent: Sent = { request, fields, once: newOnce(), refusal: null, isSent: false };
        return c.html(await shownPage(given, data, sent));
      }),
    );
    app.post(
      given.path,
      admit(given.permission, async (c, request) => {
        const { form: fields } = request;
        const data = await given.load(c, request, fields);
        const sent: Sent = { request, fields, once: newOnce(), refusal: null, isSent: true };
        const again = async ({ status, refusal }: Refused) =>
          c.html(await shownPage(given, data, { ...sent, refusal }), status);
        if (fields.has(EDIT)) return c.html(await shownPage(given, data, sent));
        const isPreview = given.preview !== undefined && !fields.has(CONFIRMED);
        if (!isPreview && !isOnce(fields.get(ONCE)))
          return again({ status: 422, refusal: { text: NO_KEY, faults: [] } });
        try {
          const input = (await given.read?.(data, sent)) as Input;
          if (isPreview) return c.html(given.page(data, sent, await given.preview!(data, input, sent)));
          const next = await given.act(data, input, sent);
          return typeof next === "object" ? c.html(next.page) : c.redirect(next ?? given.after(data, request), 303);
        } catch (error) {
          if (error instanceof SentTwice) return c.redirect(given.after(data, request), 303);
          return again(refusedBy(error, given.words));
        }
      }),
    );
  };
}

/** The pages of several forms, in the order in which their paths are compared. */
export const together =
  (...all: readonly Pages[]): Pages =>
  (ctx, app, guard) => {
    for (const pages of all) pages(ctx, app, guard);
  };
