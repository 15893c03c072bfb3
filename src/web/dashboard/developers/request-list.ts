import { html } from "hono/html";
import * as z from "zod";
import { idPattern } from "../../../ids.ts";
import { text } from "../../../resources/fields.ts";
import { pageQuery } from "../../../resources/page.ts";
import { listRequests, type ApiRequest } from "../../../store/api-requests.ts";
import { badge } from "../components/badge.ts";
import { timeColumn } from "../lists/columns.ts";
import { defineList } from "../lists/list.ts";
import { requestPath } from "./paths.ts";

const RequestLogQuery = z.strictObject({
  ...pageQuery("req"),
  outcome: z.enum(["refused", "done"]).optional(),
  status: z
    .string()
    .regex(/^[1-5]\d\d$/, "Enter a status such as 422.")
    .transform(Number)
    .optional(),
  path: text(200).optional(),
  keyId: z
    .string()
    .regex(new RegExp(idPattern("key")), "Enter the id of an API key: key_…")
    .optional(),
});

/** The status of an answer. */
export const requestBadge = ({ status }: ApiRequest) =>
  badge(status < 400 ? "good" : status < 500 ? "warn" : "bad", String(status));

/** A path that breaks at its slashes. */
const breakable = (path: string) => path.split("/").map((part, n) => (n === 0 ? part : html`/<wbr>${part}`));

/** The log of requests, newest first. */
export const requestList = defineList<ApiRequest, typeof RequestLogQuery>({
  section: "requests",
  prefix: "req",
  schema: RequestLogQuery,
  filters: ["outcome", "status", "path", "keyId"],
  words: { outcome: { refused: "Refused", done: "Succeeded" } },
  read: (ctx, organizationId, query) => listRequests(ctx.db.stale, organizationId, query),
  columns: [
    {
      label: "Request",
      show: ({ id, method, path }, { self }) =>
        html`<a class="url" href="${requestPath(self, id)}">${method} ${breakable(path)}</a>`,
    },
    { label: "Status", show: requestBadge },
    {
      label: "Error",
      isWide: true,
      show: ({ errorCode }) => (errorCode === null ? "" : html`<code>${errorCode}</code>`),
    },
    { label: "Duration", isNumber: true, isWide: true, show: ({ durationMs }) => `${durationMs} ms` },
    { label: "Client address", isWide: true, show: ({ clientAddress }) => clientAddress },
    timeColumn("Time", ({ at }) => at, false),
  ],
  csv: null,
  empty: "Changes and refused requests with your API keys appear here.",
  next: { path: "/docs/guides/quickstart-curl", label: "The first request" },
});
