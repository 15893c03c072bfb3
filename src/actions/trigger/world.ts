import type { Context } from "../../context.ts";
import { ownOrigin, type Origin } from "../origin.ts";

/** The ids of all resources that a trigger has made so far, by the names of their fields, such as `customerId`. */
export type Made = Record<string, string>;
export type World = { ctx: Context; organizationId: string; made: Made };
/** Brings an event about, once. Events that belong to it come along. */
export type Recipe = (world: World) => Promise<unknown>;

export const own = <Row>({ organizationId }: World): Origin<Row> => ownOrigin<Row>(organizationId);
