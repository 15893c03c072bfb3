export interface Email {
    id: string;
    /** The kind that is sent. An `authentication_required` that comes too late is sent as a `payment_failed`. */
    kind: "receipt" | "order_confirmation" | "payment_failed" | "authentication_required" | "trial_started" | "trial_extended" | "trial_ending" | "renewal_upcoming" | "cancellation_scheduled" | "cancellation_undone" | "pause_scheduled" | "pause_undone" | "pause_begun" | "resume_upcoming" | "price_change" | "price_change_reminder" | "change_dropped" | "renewal_failed" | "canceled" | "card_expiring" | "card_request" | "portal_sign_in" | "portal_email_confirm" | "portal_email_changed" | "payments_connected" | "payments_disconnected" | "import_alarm" | "team_invitation" | "team_password" | "team_access_reset";
    /** `kept`: not sent, but readable here. `skipped`: not needed, or not any more, for the `reason`. `failed`: Billow gave up. */
    status: "queued" | "sent" | "kept" | "skipped" | "failed";
    /** The reason why the e-mail was skipped or failed, or why its last attempt failed. */
    reason: string | null;
    /** Null: the e-mail is for the seller or the team. */
    customerId: string | null;
    subscriptionId: string | null;
    invoiceId: string | null;
    paymentId: string | null;
    /** Known once the e-mail is sent or kept. Blank again once the Customer is deleted. */
    to: string | null;
    subject: string | null;
    attempts: number;
    nextAttemptAt: string | null;
    /** A page that shows the e-mail, in a sandbox. The page links to all other e-mails. */
    url: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** In real time, as are `nextAttemptAt` and `sentAt`. */
    queuedAt: string;
    sentAt: string | null;
}
export interface EmailWithBody {
    id: string;
    /** The kind that is sent. An `authentication_required` that comes too late is sent as a `payment_failed`. */
    kind: "receipt" | "order_confirmation" | "payment_failed" | "authentication_required" | "trial_started" | "trial_extended" | "trial_ending" | "renewal_upcoming" | "cancellation_scheduled" | "cancellation_undone" | "pause_scheduled" | "pause_undone" | "pause_begun" | "resume_upcoming" | "price_change" | "price_change_reminder" | "change_dropped" | "renewal_failed" | "canceled" | "card_expiring" | "card_request" | "portal_sign_in" | "portal_email_confirm" | "portal_email_changed" | "payments_connected" | "payments_disconnected" | "import_alarm" | "team_invitation" | "team_password" | "team_access_reset";
    /** `kept`: not sent, but readable here. `skipped`: not needed, or not any more, for the `reason`. `failed`: Billow gave up. */
    status: "queued" | "sent" | "kept" | "skipped" | "failed";
    /** The reason why the e-mail was skipped or failed, or why its last attempt failed. */
    reason: string | null;
    /** Null: the e-mail is for the seller or the team. */
    customerId: string | null;
    subscriptionId: string | null;
    invoiceId: string | null;
    paymentId: string | null;
    /** Known once the e-mail is sent or kept. Blank again once the Customer is deleted. */
    to: string | null;
    subject: string | null;
    attempts: number;
    nextAttemptAt: string | null;
    /** A page that shows the e-mail, in a sandbox. The page links to all other e-mails. */
    url: string | null;
    /** RFC 3339 in UTC with milliseconds. */
    createdAt: string;
    /** In real time, as are `nextAttemptAt` and `sentAt`. */
    queuedAt: string;
    sentAt: string | null;
    text: string | null;
    html: string | null;
}
export interface ListEmailsParams {
    limit?: number;
    /** The `nextCursor` of the previous page. */
    cursor?: string;
    customerId?: string;
    kind?: "receipt" | "order_confirmation" | "payment_failed" | "authentication_required" | "trial_started" | "trial_extended" | "trial_ending" | "renewal_upcoming" | "cancellation_scheduled" | "cancellation_undone" | "pause_scheduled" | "pause_undone" | "pause_begun" | "resume_upcoming" | "price_change" | "price_change_reminder" | "change_dropped" | "renewal_failed" | "canceled" | "card_expiring" | "card_request" | "portal_sign_in" | "portal_email_confirm" | "portal_email_changed" | "payments_connected" | "payments_disconnected" | "import_alarm" | "team_invitation" | "team_password" | "team_access_reset";
    status?: "queued" | "sent" | "kept" | "skipped" | "failed";
    /** `false`: without the skipped e-mails. `true`: only the skipped e-mails. */
    skipped?: boolean;
}
