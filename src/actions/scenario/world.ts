import type { Context } from "../../context.ts";
import { ownOrigin, type Origin } from "../origin.ts";

/** The sandbox in which a scenario happens. */
export type Sandbox = { ctx: Context; organizationId: string };
/** The ids of all resources that a recipe has made so far, by the names of their fields, such as `customerId`. */
export type Made = Record<string, string>;
export type World = Sandbox & { made: Made };
/** Causes an event once. Related events may be caused as well. */
export type Recipe = (world: World) => Promise<unknown>;

export const own = <Row>({ organizationId }: Sandbox): Origin<Row> => ownOrigin<Row>(organizationId);
