import type { Translation } from "../translation.ts";

export const mailPrice = {
  subject: "{product}の料金は{day}から変更されます",
  title: "サブスクリプションの料金が変更されます",
  notice: "{product}の料金は{day}から変更されます。それまでは現在の料金が適用されます。",
  before: "それまで",
  inUnits: "{price}（{units}）",
  goesOn: "継続をご希望の場合、お手続きは必要ありません。",
  consent:
    "この料金での継続には、お客様の同意が必要です。同意いただけない場合、サブスクリプションは{day}に終了し、以後の請求はありません。",
  agree: "新しい料金を確認する",
  reminderSubject: "{product}は新しい料金への同意がない場合、{day}に終了します",
  reminderTitle: "新しい料金への同意がない場合、サブスクリプションは{day}に終了します",
  reminder: "{product}には{day}から新しい料金が適用されますが、まだ同意いただいておりません。",
  ended:
    "新しい料金に同意いただけなかったため、{product}のサブスクリプションは{day}に終了し、ご利用いただけなくなりました。",
} as const satisfies Translation["mailPrice"];
