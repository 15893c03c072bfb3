import type { Translation } from "../translation.ts";

export const portalPrice = {
  title: "{product}の新しい料金",
  before: "それまで",
  asked:
    "この料金での継続には、お客様の同意が必要です。同意いただけない場合、サブスクリプションは{day}に終了し、以後の請求はありません。",
  agree: "新しい料金に同意する",
  keep: "今はしない",
  missing: "{product}は新しい料金への同意がない場合、{day}に終了します",
  missingText: "新しい料金は{price}です。",
  see: "新しい料金を確認する",
  ends: "新しい料金への同意がない場合、{day}に終了します。",
  agreedOn: "{day}に新しい料金に同意されました。",
  changed: "料金が変更されました。もう一度ご確認ください。",
} as const satisfies Translation["portalPrice"];
