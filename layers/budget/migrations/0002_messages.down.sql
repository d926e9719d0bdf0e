DROP INDEX "budget_link_undelivered";
--> statement-breakpoint
DROP INDEX "budget_clinic_pdf_pending";
--> statement-breakpoint
DROP INDEX "budget_open_since";
--> statement-breakpoint
DROP INDEX "budget_open_until";
--> statement-breakpoint
ALTER TABLE "budget_link" DROP COLUMN "message_id";
--> statement-breakpoint
ALTER TABLE "budget_link" DROP COLUMN "delivered_via";
--> statement-breakpoint
DROP TABLE "budget_reminder";
--> statement-breakpoint
DROP TABLE "budget_notice";
