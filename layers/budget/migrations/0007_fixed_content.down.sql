ALTER TABLE "budget_signature" DROP COLUMN "author_id";
--> statement-breakpoint
ALTER TABLE "budget_signature" DROP COLUMN "patient_id";
--> statement-breakpoint
ALTER TABLE "budget_number" DROP COLUMN "seal";
--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "sent_seal";
--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "clinic_name";
--> statement-breakpoint
DROP TABLE "budget_verify_mark";
--> statement-breakpoint
DROP TABLE "budget_removed_draft";
