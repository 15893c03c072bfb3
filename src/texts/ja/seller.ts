import type { Translation } from "../translation.ts";

export const seller = {
  links: "販売者について",
  contact: "{seller}に問い合わせる",
  terms: "利用規約",
  privacy: "プライバシーポリシー",
  agree: "確定すると、{seller}の{terms}に同意したことになります。",
  agreeBoth: "確定すると、{seller}の{terms}と{privacy}に同意したことになります。",
  startsAtOnce: "ご注文の確定後すぐにご利用いただけます。",
  cancelAnytime:
    "解約はアカウントページからいつでもお手続きいただけます。解約後も、現在の期間の終了日まではご利用いただけます。",
  cancelBySeller: "解約をご希望の場合は、{seller}までお問い合わせください。",
  agreeTerms: "利用規約",
  agreePrivacy: "プライバシーポリシー",
} as const satisfies Translation["seller"];
