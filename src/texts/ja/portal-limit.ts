import type { Translation } from "../translation.ts";

export const portalLimit = {
  title: "ここではご利用いただけません",
  text: "この操作はアカウントページではご利用いただけません。{seller}にお問い合わせください。",
} as const satisfies Translation["portalLimit"];
