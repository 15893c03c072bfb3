import type { Permission } from "../../domain/team/role.ts";

type Section = { name: string; path: string; label: string; permission: Permission };

/** The entries of the navigation, in their order. `path` follows the path of the Organization's dashboard. */
export const SECTIONS = [
  { name: "overview", path: "", label: "Overview", permission: "read" },
  { name: "team", path: "/team", label: "Team", permission: "team" },
  { name: "audit_log", path: "/audit-log", label: "Audit log", permission: "audit_log" },
] as const satisfies readonly Section[];

export type SectionName = (typeof SECTIONS)[number]["name"];
