import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { SentBefore, SentTwice } from "../../actions/team/form-origin.ts";
import type { Permission } from "../../domain/team/role.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import type { Html } from "../layout.ts";
import type { DashboardDoor } from "./door.ts";
import { ONCE, refusalOf, type Sent } from "./sent.ts";
import type { Visit } from "./visit.ts";

/** One deed of the dashboard: a page with a form, and the change that the form makes. */
export type Deed<Scene> = {
  /** The path of the page. The form is sent to the same path. */
  path: string;
  permission: Permission;
  /** Whether the page asks for the password if the password was last given more than a quarter of an hour ago. */
  asksAgain?: boolean;
  /** Reads the subject of the deed. @throws HTTPException 404 */
  scene(c: PageContext, visit: Visit): Promise<Scene>;
  /**
   * The fields that an address may bring, with the values that they may have: ids, currencies and words, which choose
   * the subject of the page. An address never brings another value, such as an amount or an e-mail address. A link of a
   * stranger could otherwise fill in a form.
   */
  takes?: Readonly<Record<string, (value: string) => boolean>>;
  /** The page with the form: empty, or again with its refusal. */
  page(scene: Scene, sent: Sent): Promise<Html> | Html;
  /**
   * A page in the place of the change: a preview, or the effect of the change with a button that confirms it. Null: the
   * change is made now.
   * @throws AppError that the page shows
   */
  before?(scene: Scene, sent: Sent): Promise<Html | null>;
  /**
   * Makes the change, in the transaction of `originOf(sent, …)`. Returns the path of the next page, by default `after`.
   * Returns a page instead if the page has a secret: only the answer to the form shows it. A page in the place of a
   * change is a preview, or says the effect of the change and has a button that confirms it.
   * @throws AppError that the page shows
   */
  act(scene: Scene, sent: Sent): Promise<string | { page: Html } | undefined>;
  /** The path of the next page, also for a form that was sent twice. */
  after(scene: Scene, visit: Visit): string;
  /**
   * The name of a button that shows the page again with the typed values, such as "Preview", and makes no change.
   */
  looks?: string;
  /** Own words for errors of the action. */
  words?: Partial<Record<ErrorCode, string>>;
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
export function refusedBy(error: unknown, words: Deed<never>["words"] = {}): Refused {
  if (error instanceof SentBefore) return { status: 409, refusal: { text: SENT_BEFORE, faults: [] } };
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  if (error.code === "not_found") throw new HTTPException(404, { cause: error });
  const status = error.status === 409 || error.status === 412 ? 409 : 422;
  return { status, refusal: refusalOf(error, words) };
}

/** Registers the page of a deed and its form. */
export function deed<Scene>(app: Hono<PageEnvironment>, door: DashboardDoor, given: Deed<Scene>): void {
  const admit = given.asksAgain ? door.confirmed : door.signedIn;
  app.get(
    given.path,
    admit(given.permission, async (c, visit) => {
      const scene = await given.scene(c, visit);
      const query = new URL(c.req.url).searchParams;
      const fields = new URLSearchParams([...query].filter(([name, value]) => given.takes?.[name]?.(value)));
      return c.html(await given.page(scene, { visit, fields, once: newOnce(), refusal: null }));
    }),
  );
  app.post(
    given.path,
    admit(given.permission, async (c, visit) => {
      const scene = await given.scene(c, visit);
      const sent: Sent = { visit, fields: visit.form, once: newOnce(), refusal: null };
      if (given.looks !== undefined && visit.form.has(given.looks)) return c.html(await given.page(scene, sent));
      const again = async ({ status, refusal }: Refused) =>
        c.html(await given.page(scene, { ...sent, refusal }), status);
      if (!isOnce(visit.form.get(ONCE))) return again({ status: 422, refusal: { text: NO_KEY, faults: [] } });
      try {
        const step = await given.before?.(scene, sent);
        if (step) return c.html(step);
        const next = await given.act(scene, sent);
        if (typeof next === "object") return c.html(next.page);
        return c.redirect(next ?? given.after(scene, visit), 303);
      } catch (error) {
        if (error instanceof SentTwice) return c.redirect(given.after(scene, visit), 303);
        return again(refusedBy(error, given.words));
      }
    }),
  );
}
