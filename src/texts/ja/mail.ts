import type { Translation } from "../translation.ts";

export const mailFrame = {
  sandbox: "これはテスト環境から送信されたメールです。実際の請求は発生していません。",
  reason: "このメールは、{seller}をご利用のお客様にお送りしています。",
  label: "{name}：",
} as const satisfies Translation["mailFrame"];

export const mailPayment = {
  failedSubject: "{product}のお支払い（{amount}）を処理できませんでした",
  failedTitle: "お支払いを処理できませんでした",
  failed: "{product}の料金{amount}を{card}に請求できませんでした。",
  due: "{product}の料金{amount}のお支払いが必要です。",
  retry: "{day}より前にお支払いがない場合は、同日にもう一度請求いたします。",
  noRetry: "この金額が自動で再度請求されることはありません。カードでお支払いください。",
  pay: "{amount}を支払う",
  dueTitle: "お支払いが必要です",
  payByCard: "カードでお支払いください。",
  heldSubject: "{product}の料金{amount}をお支払いください",
  heldTitle: "カードへの請求を行いませんでした",
  held: `{product}の料金{amount}のお支払いが必要です。このカードでの以前のお支払いが、異議申し立てによりカード会社に取り消されたため、{card}には請求していません。`,
  heldCards: "このカードでも別のカードでもお支払いいただけます。以降の料金も、お支払いに使用したカードに請求されます。",
  heldRetry: "{day}より前にお支払いがない場合は、同日に登録済みのカードに請求いたします。",
  confirmSubject: "{amount}のお支払いに本人認証が必要です",
  confirmTitle: "お支払いに本人認証が必要です",
  confirm: "カード会社による本人認証が完了し次第、{product}の料金{amount}を{card}に請求いたします。",
  confirmAny: "カード会社による本人認証が完了し次第、{product}の料金{amount}をカードに請求いたします。",
  confirmRetry: "{day}より前に本人認証もお支払いもない場合は、同日にもう一度請求いたします。",
  confirmOther: "同じページで、別のカードでもお支払いいただけます。",
  toBank: "本人認証に進む",
  expiringSubject: "末尾{last4}のカードの有効期限が近づいています",
  expiringTitle: "カードの有効期限が近づいています",
  expiring:
    "末尾{last4}の{brand}カードは{month}末で有効期限が切れます。{products}を引き続きご利用いただくため、カード情報を更新してください。",
  expiringBank: "新しいカードがすでにお手元に届いている場合は、そのカードの情報を入力してください。",
  updateCard: "カード情報を更新する",
} as const satisfies Translation["mailPayment"];

export const mailSubscription = {
  forDay: "{count, plural, other {次の#日分}}",
  forWeek: "{count, plural, other {次の#週間分}}",
  forMonth: "{count, plural, other {次の#か月分}}",
  forYear: "{count, plural, other {次の#年分}}",
  startedSubject: "{product}の無料トライアルが始まりました",
  startedTitle: "無料トライアルが始まりました",
  started: "{product}の無料トライアルは{day}までご利用いただけます。料金は請求されていません。",
  longerSubject: "{product}の無料トライアルが{day}まで延長されました",
  longerTitle: "無料トライアルが{day}まで延長されました",
  longer: "{product}の無料トライアルが延長されました。{day}までご利用いただけます。",
  trialSubject: "{product}の無料トライアルは{day}に終了します",
  trialTitle: "無料トライアルは{day}に終了します",
  trial: "{product}の無料トライアルは{day}に終了します。",
  trialCard: "その後、{span}の料金{amount}を{card}に請求いたします。継続のためのお手続きは必要ありません。",
  trialBalance: "その後、{span}の料金{amount}は残高から支払われます。継続のためのお手続きは必要ありません。",
  trialHeld: "その後、{span}の料金{amount}のお支払いが必要です。",
  trialNoCard:
    "カードが登録されていません。引き続きご利用になるには、トライアル終了日より前にカードを登録してください。" +
    "{span}の料金は{amount}です。登録されない場合は、終了日をもってご利用いただけなくなります。料金は請求されません。",
  renewalSubject: "{product}は{day}に更新されます",
  renewalTitle: "サブスクリプションは{day}に更新されます",
  renewal: "{product}は{day}に更新されます。",
  renewalCard: "{span}の料金{amount}を{card}に請求いたします。",
  renewalBalance: "{span}の料金{amount}は残高から支払われます。",
  renewalHeld: "当日、{span}の料金{amount}のお支払いが必要です。",
  renewalNoCard:
    "当日、{span}の料金{amount}のお支払いが必要ですが、カードが登録されていません。それまでにカードを登録してください。登録されない場合は、お支払いページへのリンクをメールでお送りします。",
  held: `{card}での以前のお支払いがカード会社に取り消されたため、このカードには自動で請求いたしません。それまでに別のカードを登録してください。登録されない場合は、お支払いページへのリンクをメールでお送りします。`,
  cancel: "継続を希望されない場合は、{day}より前にアカウントにログインし、解約のお手続きをお願いいたします。",
  account: "アカウントを開く",
  addCard: "カードを登録する",
  endsSubject: "{product}のサブスクリプションは{day}に終了します",
  endsTitle: "サブスクリプションは{day}に終了します",
  endsLost: "解約後に利用できなくなるもの",
  endsUndo: "解約を取り消す場合は、その日より前にアカウントにログインしてお手続きください。",
  continuesSubject: "{product}のサブスクリプションは継続されます",
  continuesTitle: "サブスクリプションは継続されます",
  continues: "{product}のサブスクリプションの解約が取り消されました。",
  droppedSubject: "{product}のプランはそのまま継続されます",
  droppedTitle: "予定されていたプラン変更は取り消されました",
  dropped:
    "{day}に予定されていたプラン変更はご利用いただけなくなったため、取り消されました。現在のプラン（{product}）がそのまま継続されます。",
  endedSubject: "{product}のサブスクリプションが終了しました",
  endedTitle: "サブスクリプションが終了しました",
  ended: "{product}のサブスクリプションは{day}に終了し、ご利用いただけなくなりました。今後更新されることはありません。",
  unpaid:
    "お支払いを処理できなかったため、{product}のサブスクリプションは{day}に終了し、ご利用いただけなくなりました。今後請求されることはありません。",
  again: "再度ご利用になりたい場合は、いつでも{seller}でご購入いただけます。",
  trialEndedSubject: "{product}の無料トライアルが終了しました",
  trialEndedTitle: "無料トライアルが終了しました",
  trialEnded: "{product}の無料トライアルは{day}に終了し、ご利用いただけなくなりました。料金は請求されていません。",
  unrecognizedSubject: "購入の覚えがないとのお申し出により、{product}を終了しました",
  unrecognizedTitle: "購入の覚えがないサブスクリプションを終了しました",
  unrecognized:
    "{product}はお客様のメールアドレスで購入されました。購入の覚えがないとのお申し出により、サブスクリプションは{day}に終了しました。お客様に請求されることはありません。",
  notYou: "このお申し出に心当たりがない場合は、{seller}にお問い合わせください。",
} as const satisfies Translation["mailSubscription"];

export const mailPause = {
  subject: "{product}のサブスクリプションは{day}から一時停止されます",
  title: "サブスクリプションは{day}から一時停止されます",
  until: "{product}は{day}から一時停止され、{until}に再開されます。一時停止中に料金が請求されることはありません。",
  open: "{product}は{day}から一時停止されます。一時停止中に料金が請求されることはありません。アカウントで再開のお手続きをされると、サブスクリプションが再開されます。",
  begunSubject: "{product}のサブスクリプションは一時停止中です",
  begunTitle: "サブスクリプションは一時停止中です",
  begunUntil:
    "{product}は{day}から一時停止されており、{until}に再開されます。一時停止中に料金が請求されることはありません。",
  begunOpen:
    "{product}は{day}から一時停止されています。一時停止中に料金が請求されることはありません。アカウントで再開のお手続きをされると、サブスクリプションが再開されます。",
  accessOff:
    "一時停止中はご利用いただけません。サブスクリプションが再開され、お支払いが完了すると、再びご利用いただけます。",
  accessStays: "一時停止中も引き続きご利用いただけます。",
  change: "一時停止を取り消す場合や終了する場合は、いつでもアカウントにログインしてお手続きください。",
  end: "一時停止を終了する場合は、いつでもアカウントにログインしてお手続きください。",
  undone: "{product}のサブスクリプションに予定されていた一時停止が取り消されました。",
  resumeSubject: "{product}は{day}に再開されます",
  resumeTitle: "サブスクリプションは{day}に再開されます",
  resume: "{product}の一時停止は{day}に終了します。",
} as const satisfies Translation["mailPause"];

export const mailReceipt = {
  noted: "{name}（{notes}）",
  subject: "{seller}の領収書（{total}）",
  title: "お支払いありがとうございます",
  orderSubject: "{seller}：ご注文完了のお知らせ",
  orderTitle: "ご注文ありがとうございます",
  order: "{product}のご注文が完了しました。料金は請求されていません。",
  paid: "請求書{number}（{status}）をPDFで添付しています。",
  deliverables: "ご購入内容",
  licenseKey: "ライセンスキー",
  devices: "{count, plural, other {デバイス#台まで}}",
  signIn: "メールアドレスでログインしてダウンロードしてください。",
  download: "ファイルをダウンロードする",
  included: "含まれるもの",
  deliverablesInAccount: "ライセンスキーとダウンロードファイルは、アカウントでご確認いただけます。",
  noFurtherCharge: "{product}のサブスクリプションは終了しました。今後の請求はありません。",
  invoice: "請求書を見る",
  pdf: "請求書（PDF）",
  account: "アカウントを開く",
  site: "{seller}に戻る",
} as const satisfies Translation["mailReceipt"];

export const mailSignIn = {
  subject: "{seller}へのログイン",
  one: `このリンクからログインすると、サブスクリプションと請求書をご確認いただけます。リンクは{minutes, plural, other {#分}}以内に1回だけ使用できます。`,
  several: `{seller}には、このメールアドレスのアカウントが複数あります。アカウントごとのリンクをお送りします。各リンクは{minutes, plural, other {#分}}以内に1回だけ使用できます。`,
  signIn: "ログイン",
  signInAs: "{account}としてログイン",
  ignore:
    "このメールにお心当たりがない場合は、無視していただいてかまいません。このメールがなければログインできません。",
} as const satisfies Translation["mailSignIn"];
