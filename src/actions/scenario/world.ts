import type { Context } from "../../context.ts";
import { ownOrigin, type Origin } from "../origin.ts";

/** The ids of all resources that a trigger has made so far, by the names of their fields, such as `customerId`. */
export type Made = Record<string, string>;
export type World = { ctx: Context; organizationId: string; made: Made };
/** Causes an event once. Related events may be caused as well. */
export type Recipe = (world: World) => Promise<unknown>;

export const own = <Row>({ organizationId }: World): Origin<Row> => ownOrigin<Row>(organizationId);
