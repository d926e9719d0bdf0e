-- Sessions that were handed over end: without the column they would count as opened by the patient's code.
DELETE FROM "budget_session" WHERE "handed_by" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "budget_session" DROP COLUMN "handed_by";
--> statement-breakpoint
DROP TABLE "budget_hand_over";
