import type { Hono } from "hono";
import {
  confirmPassword,
  endSession,
  findAwaited,
  signInByCode,
  signInByPassword,
} from "../../actions/team/sign-in.ts";
import { hasUnreadableFactor } from "../../actions/team/second-factor.ts";
import type { Context } from "../../context.ts";
import { identityOfUser } from "../../store/user-identities.ts";
import { hasUser } from "../../store/users.ts";
import { basePath } from "../assets.ts";
import { shownAgain } from "../components/field.ts";
import type { PageEnvironment } from "../environment.ts";
import { readForm, RequestLimit } from "../guards.ts";
import type { DashboardGuard } from "./guard.ts";
import { SAID, STATUS } from "./refusal-texts.ts";
import { returnPath } from "./return-path.ts";
import { noUserPage } from "./set-up.ts";
import { codePage, confirmPage, signInPage, unreadableFactorPage } from "./sign-in.ts";

/** Sign-in by e-mail and password, and sign-out. */
export function signInPages(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard): void {
  const byClient = new RequestLimit();
  const prefix = basePath(ctx);
  app.get("/dashboard/sign-in", async (c) => {
    const next = returnPath(c.req.query("next"));
    if (await guard.requestOf(c)) return c.redirect(prefix + next, 303);
    if (!(await hasUser(ctx.db.read))) return c.html(noUserPage(ctx));
    return c.html(signInPage(ctx, { next }));
  });
  app.post("/dashboard/sign-in", async (c) => {
    byClient.count(c.env.client);
    const form = await readForm(c);
    const next = returnPath(form.get("next"));
    const [email, password] = [(form.get("email") ?? "").trim(), form.get("password") ?? ""];
    const guess = { email: email.slice(0, 320), client: c.env.client };
    const answer = await signInByPassword(ctx, guess, password, guard.cookie.read(c));
    if ("refused" in answer) {
      const { refused } = answer;
      return c.html(signInPage(ctx, { next, email: shownAgain(email), fault: SAID[refused] }), STATUS[refused]);
    }
    guard.cookie.write(c, answer.secret);
    const code = `/dashboard/sign-in/code?${new URLSearchParams({ next })}`;
    return c.redirect(prefix + (answer.awaitsCode ? code : next), 303);
  });
  app.post("/dashboard/sign-out", async (c) => {
    const person = await guard.requestOf(c);
    if (person) await endSession(ctx, person.secret);
    guard.cookie.clear(c);
    return c.redirect(`${prefix}/dashboard/sign-in`, 303);
  });
}

/** The page that asks for the password again. */
export function confirmPages(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard): void {
  app.get(
    "/dashboard/confirm",
    guard.known(async (c, request) => {
      const isConnected = (await identityOfUser(ctx.db.read, request.user.id)) !== null;
      return c.html(confirmPage(ctx, request, { next: returnPath(c.req.query("next")), isConnected }));
    }),
  );
  app.post(
    "/dashboard/confirm",
    guard.known(async (c, request) => {
      const { user, secret, form } = request;
      const next = returnPath(form.get("next"));
      const by = { user, secret, client: c.env.client };
      const refused = await confirmPassword(ctx, by, form.get("password") ?? "");
      if (refused === null) return c.redirect(basePath(ctx) + next, 303);
      const fault = refused === "wrong" ? "This is not your password." : SAID[refused];
      const isConnected = (await identityOfUser(ctx.db.read, user.id)) !== null;
      return c.html(confirmPage(ctx, request, { next, isConnected, fault }), STATUS[refused]);
    }),
  );
}

/** The page that asks for the code of the second factor. Only a browser that has given the password gets there. */
export function codePages(ctx: Context, app: Hono<PageEnvironment>, { cookie }: DashboardGuard): void {
  const byClient = new RequestLimit();
  const path = "/dashboard/sign-in/code";
  const start = (next: string) => `${basePath(ctx)}/dashboard/sign-in?${new URLSearchParams({ next })}`;
  app.get(path, async (c) => {
    const [secret, next] = [cookie.read(c), returnPath(c.req.query("next"))];
    const awaited = secret === null ? null : await findAwaited(ctx, secret);
    if (!awaited) return c.redirect(start(next), 303);
    return hasUnreadableFactor(ctx, awaited.user)
      ? c.html(unreadableFactorPage(ctx, awaited.user.email), 409)
      : c.html(codePage(ctx, { next }));
  });
  app.post(path, async (c) => {
    byClient.count(c.env.client);
    const form = await readForm(c);
    const [secret, next] = [cookie.read(c) ?? "", returnPath(form.get("next"))];
    const answer = await signInByCode(ctx, { secret, client: c.env.client }, form.get("code") ?? "");
    if ("secret" in answer) {
      cookie.write(c, answer.secret);
      return c.redirect(basePath(ctx) + next, 303);
    }
    const { refused } = answer;
    // The page of the GET has the reason.
    if (refused === "unreadable") return c.redirect(basePath(ctx) + path, 303);
    if (refused === "gone") return c.redirect(start(next), 303);
    const fault =
      refused === "wrong" ? "This code is wrong, or it was used before. Enter the next code." : SAID[refused];
    return c.html(codePage(ctx, { next, fault }), STATUS[refused]);
  });
}
