import type { Context } from "../../context.ts";
import type { Benefit } from "../../domain/model/benefit.ts";
import { newId } from "../../ids.ts";
import type { CreateBenefitParams } from "../../resources/benefit.ts";
import { benefits, findHolderOfKey } from "../../store/benefits.ts";
import { billingNow } from "../../store/organizations.ts";
import type { Origin } from "../origin.ts";
import { setUp } from "./benefit-properties.ts";
import { refuseTaken } from "./key-conflict.ts";

/** @throws Refusal `validation_failed`, `key_taken`. */
export async function createBenefit(
  ctx: Context,
  origin: Origin<Benefit>,
  params: CreateBenefitParams,
): Promise<Benefit> {
  const { organizationId } = origin;
  const create = origin.transaction(ctx, async (tx) => {
    const now = await billingNow(tx, organizationId);
    const properties = await setUp(ctx, organizationId, params);
    const times = { deletedAt: null, syncAt: null, syncCursor: null, createdAt: now, updatedAt: now };
    const benefit: Benefit = {
      ...params,
      ...times,
      organizationId,
      id: newId("bft"),
      properties,
      shownVersion: 1,
      version: 1,
    };
    benefits.insert(tx, benefit);
    return benefit;
  });
  return create.catch((error: unknown) =>
    refuseTaken(error, {
      index: "benefits_organization_id_key_key",
      value: params.key!,
      noun: "Benefit",
      findHolder: () => findHolderOfKey(ctx.db.read, organizationId, params.key!),
    }),
  );
}
