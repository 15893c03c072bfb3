import type { Translation } from "../translation.ts";

export const portalLimit = {
  title: "ここではご利用いただけません",
  text: "{seller}では、この操作をアカウントページで受け付けていません。{seller}にお問い合わせください。",
} as const satisfies Translation["portalLimit"];
