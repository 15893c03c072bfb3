import type { Translation } from "../translation.ts";

export const portalDisown = {
  title: "{product}を購入した覚えがありませんか？",
  text: "{product}はすぐに終了し、購入の覚えがないことが{seller}に伝わります。お客様に請求されることはありません。この操作は取り消せません。",
  refunds: "これまでのお支払いは自動的には返金されません。",
  submit: "{product}を終了する",
} as const satisfies Translation["portalDisown"];
