import type { Translation } from "../translation.ts";

export const portalExport = {
  title: "お客様のデータ",
  about: "{seller}でのお客様のアカウントのデータを、1つのファイルでダウンロードできます。",
  holds:
    "ファイルには、お客様情報、カード(番号を除く)、サブスクリプション、注文、請求書、お支払い、ご利用権、メール、変更の記録が含まれます。",
  format: "ファイルはほかのプログラムで読み取れる形式(JSON)です。請求書のPDFはアカウントページにあります。",
  secret:
    "ファイルは他の人に渡さないでください。ファイル内のリンクから請求書を開くことができ、購入したキーが含まれることがあります。",
  download: "データをダウンロード",
} as const satisfies Translation["portalExport"];
