-- Changes of a Customer's e-mail address in the portal (rule I11). All instants are real time. The links of a change
-- are signatures of its id, so no secret of a link is stored.
CREATE TABLE email_changes (
  organization_id  text COLLATE "C" NOT NULL,
  id               text COLLATE "C" NOT NULL,
  customer_id      text COLLATE "C" NOT NULL,
  -- 'asked': waits for the confirmation. 'changed': the former address can undo the change. 'ended': neither any more.
  status           text NOT NULL,
  -- The addresses and their keys. Blank once the change has ended; the key of an address that was only asked for stays,
  -- because such requests are counted.
  old_email        text NOT NULL,
  old_key          text COLLATE "C" NOT NULL,
  new_email        text NOT NULL,
  new_key          text COLLATE "C" NOT NULL,
  -- The e-mails with the links. No reference, because e-mails are deleted on their own.
  confirm_email_id text COLLATE "C" NOT NULL,
  undo_email_id    text COLLATE "C",
  asked_at         timestamptz NOT NULL,
  changed_at       timestamptz,
  -- The end of the present link. The row is deleted soon after this instant.
  expires_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  CONSTRAINT email_changes_status CHECK (status IN ('asked', 'changed', 'ended')),
  CONSTRAINT email_changes_changed CHECK (CASE status
    WHEN 'asked' THEN changed_at IS NULL
    WHEN 'changed' THEN changed_at IS NOT NULL
    ELSE true
  END),
  CONSTRAINT email_changes_undo CHECK ((changed_at IS NULL) = (undo_email_id IS NULL)),
  CONSTRAINT email_changes_blank CHECK (status <> 'ended'
    OR (old_email = '' AND old_key = '' AND new_email = '' AND (changed_at IS NULL OR new_key = '')))
);
CREATE INDEX email_changes_customer ON email_changes (organization_id, customer_id);
-- The addresses that a Customer may get back: no other Customer can take them meanwhile.
CREATE INDEX email_changes_kept ON email_changes (organization_id, old_key) WHERE status = 'changed';
CREATE INDEX email_changes_asked ON email_changes (organization_id, new_key) WHERE changed_at IS NULL;
CREATE INDEX email_changes_expired ON email_changes (expires_at);
