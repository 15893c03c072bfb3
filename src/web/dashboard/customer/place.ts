import { isId } from "../../../ids.ts";
import { creditNotes } from "../../../store/credit-notes.ts";
import { disputes } from "../../../store/disputes.ts";
import { refunds } from "../../../store/refunds.ts";
import type { ListOf, Scene } from "./part.ts";

/** The row in whose entry a resource stands: refunds, credit notes and disputes stand with their invoice. */
async function rowOf({ ctx, visit }: Scene, id: string): Promise<string | null> {
  const { read } = ctx.db;
  const { id: organizationId } = visit.organization;
  if (isId("rfd", id)) return (await refunds.find(read, organizationId, id))?.invoiceId ?? null;
  if (isId("crn", id)) return (await creditNotes.find(read, organizationId, id))?.invoiceId ?? null;
  if (isId("dsp", id)) return (await disputes.find(read, organizationId, id))?.invoiceId ?? null;
  return id;
}

/**
 * The page of a list on which a resource of the Customer stands; null: the resource stands on the Customer's own page,
 * or is unknown.
 */
export async function placeOf(scene: Scene, lists: readonly ListOf[], id: string | undefined): Promise<string | null> {
  const row = id === undefined ? null : await rowOf(scene, id);
  const list = lists.find(({ cursor }) => row !== null && isId(cursor, row));
  if (row === null || list === undefined) return null;
  const { ids } = await list.read(scene, { cursor: undefined, limit: list.few });
  return ids.includes(row) ? null : `${scene.self}/${list.name}?at=${row}#${id}`;
}
