import type { BenefitType } from "../../../domain/model/benefit.ts";

export const TYPE_NAMES: Record<BenefitType, string> = {
  feature: "Feature",
  license_key: "License key",
  download: "Download",
  custom: "Note",
};
