import type { Translation } from "../translation.ts";

export const mailCardRequest = {
  subject: "{product}：{day}より前にカードを登録してください",
  title: "{day}より前にカードを登録してください",
  moved:
    "{seller}は、{product}のサブスクリプションの請求を新しいシステムに移行しました。お客様のカードは引き継がれていません。",
} as const satisfies Translation["mailCardRequest"];
