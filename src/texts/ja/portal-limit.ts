import type { Translation } from "../translation.ts";

export const portalLimit = {
  title: "ここではご利用いただけません",
  text: "{seller}では、この操作をアカウントページで受け付けていません。{seller}にお問い合わせください。",
  back: "アカウントに戻る",
} as const satisfies Translation["portalLimit"];
