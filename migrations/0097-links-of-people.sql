-- The links of e-mails to people of the dashboard, and those of the portal of a live Organization, were stored with the
-- text of the e-mail. A reader of the stored text could use the link in the place of the recipient.
UPDATE emails SET text = NULL, html = NULL, file_at = NULL
 WHERE kind IN ('team_invitation', 'team_password') AND html IS NOT NULL;
UPDATE emails e SET text = NULL, html = NULL, file_at = NULL
 FROM organizations o
 WHERE o.id = e.organization_id AND o.mode = 'live' AND e.html IS NOT NULL
   AND e.kind IN ('portal_sign_in', 'portal_email_confirm', 'portal_email_changed');

-- The last time at which the person proved, by a link in an e-mail or through the OpenID provider, that the mailbox of
-- the e-mail address is the person's own; null: never.
ALTER TABLE users ADD COLUMN email_proven_at timestamptz;

-- The verified e-mail address of the account at the provider when it was connected; null: there was none, or an earlier
-- release connected the account.
ALTER TABLE user_identities ADD COLUMN email text;
