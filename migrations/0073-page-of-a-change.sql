-- The page of a change that could not be paid looks for that change (rule P1).
CREATE INDEX changes_page ON changes (organization_id, page_id) WHERE page_id IS NOT NULL;
