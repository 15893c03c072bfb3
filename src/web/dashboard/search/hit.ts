import type { Context } from "../../../context.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import type { Role } from "../../../domain/team/role.ts";

/** `path`: the page of the hit. `kind`: the heading below which the hit stands. `text`: a few words beside the label. */
export type Hit = { kind: string; label: string; text: string; path: string };

/**
 * One look for resources. `self`: the path of the Organization's dashboard. `role`: the role of the person, since a hit
 * has to lead to a page that the person may see. `typed`: the text without white space around it.
 */
export type Look = { ctx: Context; organizationId: string; self: string; role: Role; typed: string };

/** A search on any page. `base`: the path above all dashboards. `mode`: some pages are of sandboxes alone. */
export type Search = Look & { base: string; mode: Organization["mode"] };
