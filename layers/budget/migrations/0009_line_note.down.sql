CREATE OR REPLACE FUNCTION "budget_item_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parent record;
BEGIN
  -- The share lock holds back a sending that runs at the same time. A parent that is gone is a draft being deleted.
  FOR parent IN
    SELECT b.number, b.version, b.status, b.erased_at FROM budget b
    WHERE b.id = CASE WHEN TG_OP = 'INSERT' THEN new.budget_id ELSE old.budget_id END
       OR (TG_OP = 'UPDATE' AND b.id = new.budget_id)
    FOR SHARE
  LOOP
    -- Of an erased budget's lines the notes may go, and nothing else.
    CONTINUE WHEN TG_OP = 'UPDATE' AND parent.erased_at IS NOT NULL AND new.notes IS NULL AND to_jsonb(new) - 'notes' = to_jsonb(old) - 'notes';
    IF parent.status <> 'draft' THEN
      RAISE EXCEPTION 'budget % version % is %: its lines are immutable', parent.number, parent.version, parent.status USING ERRCODE = 'restrict_violation';
    END IF;
  END LOOP;
  IF TG_OP = 'DELETE' THEN
    RETURN old;
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
ALTER TABLE "budget_item" DROP COLUMN "note";
