-- The older version reads one column of a field and a header in the first line. It would read other files wrongly.
DELETE FROM "core_import"
WHERE "state" IN ('uploaded', 'checked', 'running') AND (
  "form" <> '{}'::jsonb OR "options" <> '{}'::jsonb OR "encoding" NOT IN ('utf-8', 'utf-16le', 'utf-16be', 'windows-1252')
  OR EXISTS (SELECT 1 FROM jsonb_each("mapping") WHERE jsonb_typeof("value") <> 'number')
);
--> statement-breakpoint
-- Of ended imports only their counts and wrong rows are read.
UPDATE "core_import" SET "mapping" = (
  SELECT coalesce(jsonb_object_agg("key", CASE jsonb_typeof("value") WHEN 'array' THEN "value" -> 0 ELSE "value" END), '{}')
  FROM jsonb_each("mapping")
);
--> statement-breakpoint
