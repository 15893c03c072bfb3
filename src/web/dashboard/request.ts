import type { Context } from "../../context.ts";
import type { By } from "../../actions/team/audit.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { Role } from "../../domain/team/role.ts";
import type { Membership, User } from "../../domain/team/user.ts";

/** The path of the dashboard of one Organization. Its pages are below this path. */
export const ROOT = "/dashboard/:organizationId";

/** A request of a signed-in person. */
export type UserRequest = {
  /** `db.stale` may read from the replica, unless the person has just made a change. */
  ctx: Context;
  /** Milliseconds since the oldest state that `ctx.db.stale` has read; null: all rows are current. */
  age(): number | null;
  user: User;
  /** The secret of the session. Only for actions on this very session. */
  secret: string;
  /** The Organizations to which the person belongs. */
  memberships: readonly Membership[];
  /** Whether the person is an owner of the installation, who may make an Organization. */
  ownsInstallation: boolean;
  /** The person and the address of the browser, for the audit log. */
  by: By;
  /** The hidden token of every form on the page. */
  token: string;
  /** The fields of the form that was sent; empty for a GET. The token has been checked. */
  form: URLSearchParams;
  /** Whether the password was given within the last quarter of an hour. */
  isConfirmed: boolean;
  /** The path of the dashboard in a browser, with the prefix of PUBLIC_ORIGIN. */
  base: string;
};

/** A request of a person to the dashboard of one of the person's Organizations. */
export type DashboardRequest = UserRequest & {
  organization: Organization;
  role: Role;
  /** The path of this Organization's dashboard in a browser. */
  self: string;
};
