import { html } from "hono/html";
import type { Context } from "../../context.ts";
import { MOST_PASSWORD_CHARACTERS } from "../../domain/team/user.ts";
import { basePath } from "../assets.ts";
import { field, shownAgain } from "../components/field.ts";
import type { Html } from "../layout.ts";
import { guideLink } from "./components/guide-link.ts";
import { panelPage } from "./frame.ts";
import { openIdLink, openIdPath } from "./open-id.ts";

/** The fields of a new person as they were typed. */
export type TypedUser = { name: string; email: string };
export type UserFaults = Partial<Record<"name" | "email" | "password", string>>;

/** The fields of a new person. `email` null: the address is fixed. */
export function userFields({ name, email }: TypedUser, faults: UserFaults, withEmail = true): Html {
  const own = field({
    name: "name",
    label: "Your name",
    inputmode: "text",
    autocomplete: "name",
    required: true,
    maxlength: 128,
    value: shownAgain(name),
    fault: faults.name,
  });
  const address = field({
    name: "email",
    label: "E-mail",
    type: "email",
    inputmode: "email",
    autocomplete: "username",
    required: true,
    maxlength: 320,
    value: shownAgain(email),
    fault: faults.email,
  });
  const password = field({
    name: "password",
    label: "Password",
    type: "password",
    inputmode: "text",
    autocomplete: "new-password",
    required: true,
    maxlength: MOST_PASSWORD_CHARACTERS,
    hint: "At least 12 characters. Four random words make a good password.",
    fault: faults.password,
  });
  return html`${own}${withEmail ? address : ""}${password}`;
}

/** The page of the first-run link. `secret`: of the link. */
export function setUpPage(
  ctx: Context,
  secret: string,
  typed: TypedUser = { name: "", email: "" },
  faults: UserFaults = {},
): Html {
  const body = html`<p>You are the first user. You become an owner of every Organization that this installation has
now, and you can invite others afterwards.</p>
<form method="post" data-once novalidate>
${userFields(typed, faults)}
<button class="button" type="submit">Set up the dashboard</button>
</form>
${openIdLink(ctx, "Set up the dashboard", openIdPath(ctx, `/set-up/${secret}`))}`;
  return panelPage(ctx, "Set up the dashboard", body);
}

const GONE = {
  "set-up": "A set-up link works once, within an hour, and only while the dashboard has no user.",
  password: "A link for a new password works once, within an hour.",
} as const;

const GUIDES = {
  "set-up": "operating/team#the-first-user",
  password: "operating/team#sessions-and-passwords",
} as const;

/** The page in place of a link that is used, too old or unknown. */
export function goneLinkPage(ctx: Context, kind: keyof typeof GONE): Html {
  const forgotten = html`<p><a href="${basePath(ctx)}/dashboard/forgotten-password">Send me a new link</a></p>`;
  const body = html`<p>${GONE[kind]} The operator of this server can
${guideLink(ctx, GUIDES[kind], "make a new link")}.</p>
${kind === "password" ? forgotten : ""}`;
  return panelPage(ctx, "This link no longer works", body);
}

/** The sign-in of an installation without users. */
export function noUserPage(ctx: Context): Html {
  const body = html`<p>The dashboard has no user yet. The operator of this server can
${guideLink(ctx, GUIDES["set-up"], "make a link for the first user")}.</p>`;
  return panelPage(ctx, "Set up the dashboard", body);
}
