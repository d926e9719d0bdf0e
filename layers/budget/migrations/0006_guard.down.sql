DROP TRIGGER "budget_keep_changes" ON "budget";
--> statement-breakpoint
DROP TRIGGER "budget_keep" ON "budget";
--> statement-breakpoint
CREATE TRIGGER "budget_keep" BEFORE DELETE OR UPDATE OF
  "id", "clinic_id", "number", "version", "status", "patient_id", "patient_first_name", "patient_last_name", "professional_id", "professional_name",
  "currency", "locale", "time_zone", "valid_until", "expires_at", "discount_type", "discount_value", "original_total", "total", "tax_total",
  "patient_notes", "internal_notes", "created_by", "created_at", "sent_at", "revises_id", "erased_at", "erased_seal"
ON "budget" FOR EACH ROW EXECUTE FUNCTION "budget_keep"();
