-- Of drafts, what the old texts can say. What was sent with teeth has a content that an earlier release does not know.
UPDATE budget_item i SET
  tooth = left(nullif(concat_ws(' ', nullif(array_to_string(i.teeth, ', '), ''), i.area, i.site), ''), 50),
  surfaces = nullif(array_to_string(i.tooth_surfaces, ''), '')
FROM budget b
WHERE b.id = i.budget_id AND b.status = 'draft' AND (i.teeth IS NOT NULL OR i.area IS NOT NULL OR i.site IS NOT NULL);
--> statement-breakpoint
DROP TRIGGER "budget_keep_notation" ON "budget";
--> statement-breakpoint
DROP FUNCTION "budget_keep_notation"();
--> statement-breakpoint
ALTER TABLE "budget_item" DROP COLUMN "site";--> statement-breakpoint
ALTER TABLE "budget_item" DROP COLUMN "area";--> statement-breakpoint
ALTER TABLE "budget_item" DROP COLUMN "tooth_surfaces";--> statement-breakpoint
ALTER TABLE "budget_item" DROP COLUMN "teeth";--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "deciduous";--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "tooth_notation";
