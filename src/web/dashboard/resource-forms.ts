import { HTTPException } from "hono/http-exception";
import { html } from "hono/html";
import type { Origin, VersionCheck } from "../../actions/origin.ts";
import type { Context } from "../../context.ts";
import type { Permission } from "../../domain/team/role.ts";
import { AppError } from "../../errors.ts";
import { isId, type IdPrefix } from "../../ids.ts";
import type { PageContext } from "../environment.ts";
import type { Html } from "../layout.ts";
import { confirmPanel, effectPanel, type ConfirmPanel } from "./components/confirm-panel.ts";
import { formPages, type Pages } from "./form-action.ts";
import { originOf, refusalNotice, requireSeen, versionField, type Sent } from "./sent-form.ts";
import { ROOT, type DashboardRequest } from "./request.ts";

type Identified = { id: string };

/** Resources that are listed, made, edited and ended alike. */
export type Resource<Row extends Identified> = {
  /** The path of the list, below that of the Organization. */
  path: string;
  /** The name of the id in a path, and its kind. */
  param: string;
  prefix: IdPrefix;
  /** The noun of the API's operations: `createBenefit`. */
  operation: string;
  /** The noun of the buttons. */
  noun: string;
  permission: Permission;
  find(request: DashboardRequest, id: string): Promise<Row | null>;
  /** Whether no page shows the row any more. */
  isGone(row: Row): boolean;
  nameOf(row: Row): string;
  /** `head`: further elements of the head. */
  frame(request: DashboardRequest, title: string, body: Html, actions?: Html, lead?: string, head?: Html): Html;
};

/**
 * The row of the path. `alsoGone`: a row that is gone is found, too: a form that was sent twice has ended it already.
 * @throws HTTPException 404
 */
export async function rowAt<Row extends Identified>(
  { param, prefix, find, isGone }: Resource<Row>,
  c: PageContext,
  request: DashboardRequest,
  alsoGone = false,
): Promise<Row> {
  const id = c.req.param(param) ?? "";
  const row = isId(prefix, id) ? await find(request, id) : null;
  if (!row || (isGone(row) && !alsoGone)) throw new HTTPException(404);
  return row;
}

const listPath = ({ path }: { path: string }, { self }: DashboardRequest) => `${self}/${path}`;
export const rowPath = <Row extends Identified>(
  { path }: Resource<Row>,
  { self }: DashboardRequest,
  { id }: Row,
): string => `${self}/${path}/${id}`;

/** A page of a form, without its frame. */
type Drawn = { title: string; body: Html };

type NewForm<Data, Input, Made> = {
  asksAgain?: boolean;
  load(request: DashboardRequest, c: PageContext): Promise<Data> | Data;
  page(data: Data, sent: Sent): Drawn;
  /** The body of a POST. @throws AppError 422 */
  read(sent: Sent): Input;
  /** The body for the entry in the audit log, if it is not the input. */
  audited?(body: Input): object;
  create(ctx: Context, origin: Origin<Made>, body: Input, request: DashboardRequest): Promise<Made>;
  /** The path of the next page, or the only page with a secret. */
  next(request: DashboardRequest, made: Made): string | { page: Html };
  /** The word in `?done=` at the list, after a form that was sent twice. */
  again?: string;
};

/** `…/{path}/new` */
export function newForm<Row extends Identified, Data, Input, Made>(
  resource: Resource<Row>,
  { asksAgain = false, load, page, read, audited, create, next, again }: NewForm<Data, Input, Made>,
): Pages {
  const { path, permission, operation, frame } = resource;
  return formPages<Data, Input>({
    path: `${ROOT}/${path}/new`,
    permission,
    asksAgain,
    load: (c, request) => load(request, c),
    read: (_, sent) => read(sent),
    page(data, sent) {
      const { title, body } = page(data, sent);
      return frame(sent.request, title, body);
    },
    async act(_, body, sent) {
      const origin = originOf<Made>(sent, { operation: `create${operation}`, body: audited?.(body) ?? body });
      return next(sent.request, await create(sent.request.ctx, origin, body, sent.request));
    },
    after: (_, request) => `${listPath(resource, request)}${again === undefined ? "" : `?done=${again}`}`,
  });
}

const CHANGED_MEANWHILE =
  "Another person or program has made a change since you opened this form. Open the form again and repeat your change.";

type EditForm<Row, Data, Changes> = {
  load(request: DashboardRequest, row: Row): Promise<Data> | Data;
  page(data: Data, sent: Sent): Drawn;
  /** The body of a PATCH. @throws AppError 422 */
  read(sent: Sent, row: Row): Changes;
  /** The effect of the changes, before a person confirms them. Left out: the form makes the changes at once. */
  effect?(request: DashboardRequest, row: Row, changes: Changes): Promise<Html> | Html;
  update(ctx: Context, origin: Origin<Row>, id: string, body: Changes, check?: VersionCheck<Row>): Promise<unknown>;
  /** The word in `?done=` at the row. */
  done: string;
};

/** `…/{path}/{id}/edit` */
export function editForm<Row extends Identified & { version: number }, Data, Changes extends object>(
  resource: Resource<Row>,
  { load, page, read, effect, update, done }: EditForm<Row, Data, Changes>,
): Pages {
  const { path, param, permission, operation, noun, frame, nameOf } = resource;
  type Loaded = { row: Row; data: Data };
  const seen = (sent: Sent) => (row: Row) => requireSeen(row, sent);
  return formPages<Loaded, Changes, Html>({
    path: `${ROOT}/${path}/:${param}/edit`,
    permission,
    async load(c, request) {
      const row = await rowAt(resource, c, request);
      return { row, data: await load(request, row) };
    },
    read: ({ row }, sent) => read(sent, row),
    ...(effect && {
      preview({ row }: Loaded, changes: Changes, sent: Sent) {
        if (Object.keys(changes).length === 0)
          throw new AppError("validation_failed", { detail: "No field was changed. Change a field, then continue." });
        requireSeen(row, sent);
        return effect(sent.request, row, changes);
      },
    }),
    page({ row, data }, sent, shown) {
      const { request } = sent;
      if (shown === null) {
        const { title, body } = page(data, sent);
        return frame(request, title, body);
      }
      const panel = { effect: shown, label: `Save the ${noun}`, back: rowPath(resource, request, row) };
      return frame(request, `Save ${nameOf(row)}?`, html`${refusalNotice(sent)}${effectPanel(sent, panel)}`);
    },
    async act({ row: { id } }, body, sent) {
      const origin = originOf<Row>(sent, { operation: `update${operation}`, resourceId: id, body });
      await update(sent.request.ctx, origin, id, body, effect && seen(sent));
    },
    after: ({ row }, request) => `${rowPath(resource, request, row)}?done=${done}`,
    words: { precondition_failed: CHANGED_MEANWHILE },
  });
}

type EndForm<Row, Result> = {
  name: string;
  /** Of the API, if it is not `delete…`. */
  operation?: string;
  body?(sent: Sent): object;
  page(request: DashboardRequest, row: Row): Promise<Ending> | Ending;
  end(ctx: Context, origin: Origin<Result>, row: Row, sent: Sent): Promise<unknown>;
  /** The path of the next page. `sent` null: the form was sent twice. */
  next(request: DashboardRequest, row: Row, sent: Sent | null): string;
};
type Ending = { title: string } & Pick<ConfirmPanel, "effect" | "label" | "isDangerous" | "hidden">;

/** `…/{path}/{id}/{name}`: the effect, and the button that ends the row. */
export function endForm<Row extends Identified & { version?: number }, Result = void>(
  resource: Resource<Row>,
  { name, operation, body, page, end, next }: EndForm<Row, Result>,
): Pages {
  const { path, param, permission, frame } = resource;
  return formPages<Row, undefined, Ending>({
    path: `${ROOT}/${path}/:${param}/${name}`,
    permission,
    load: (c, request) => rowAt(resource, c, request, c.req.method === "POST"),
    effect: (row, { request }) => page(request, row),
    page(row, sent, ending) {
      if (ending === null) return frame(sent.request, resource.nameOf(row), refusalNotice(sent) || html``);
      const { title, hidden, ...panel } = ending;
      const version = row.version === undefined ? "" : versionField({ version: row.version });
      const confirm = { ...panel, hidden: html`${version}${hidden ?? ""}`, back: rowPath(resource, sent.request, row) };
      return frame(sent.request, title, html`${refusalNotice(sent)}${confirmPanel(sent, confirm)}`);
    },
    async act(row, _, sent) {
      const audited = { operation: operation ?? `delete${resource.operation}`, resourceId: row.id };
      const origin = originOf<Result>(sent, body ? { ...audited, body: body(sent) } : audited);
      await end(sent.request.ctx, origin, row, sent);
      return next(sent.request, row, sent);
    },
    after: (row, request) => next(request, row, null),
    words: { precondition_failed: CHANGED_MEANWHILE },
  });
}
