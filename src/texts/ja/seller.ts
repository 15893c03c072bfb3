import type { Translation } from "../translation.ts";

export const seller = {
  links: "販売者について",
  contact: "{seller}に問い合わせる",
  terms: "利用規約",
  privacy: "プライバシー",
  agree: "確定すると、{seller}の{terms}に同意したことになります。",
  agreeBoth: "確定すると、{seller}の{terms}と{privacy}に同意したことになります。",
  agreeTerms: "利用規約",
  agreePrivacy: "プライバシーポリシー",
} as const satisfies Translation["seller"];
