-- A trigger before an update makes PostgreSQL work out the words of the search anew, whichever columns are set: also for each row of the access log.
DROP TRIGGER "budget_keep" ON "budget";
--> statement-breakpoint
CREATE TRIGGER "budget_keep" BEFORE DELETE ON "budget" FOR EACH ROW EXECUTE FUNCTION "budget_keep"();
--> statement-breakpoint
-- All that the function of 0003 looks at.
CREATE TRIGGER "budget_keep_changes" AFTER UPDATE OF
  "id", "clinic_id", "number", "version", "status", "patient_id", "patient_first_name", "patient_last_name", "professional_id", "professional_name",
  "currency", "locale", "time_zone", "valid_until", "expires_at", "discount_type", "discount_value", "original_total", "total", "tax_total",
  "patient_notes", "internal_notes", "created_by", "created_at", "sent_at", "revises_id", "erased_at", "erased_seal"
ON "budget" FOR EACH ROW EXECUTE FUNCTION "budget_keep"();
