-- Letters that Unicode does not take apart, and what is behind an apostrophe, as `searchable` of the kit folds them now.
UPDATE "clinical_patient" AS stored
SET search = replace(translate(search, 'đðıħŧŋĸ', 'ddihtnk'), 'þ', 'th') || coalesce((
  SELECT string_agg(' ' || translate(
    replace(replace(replace(replace(
      lower(regexp_replace(normalize(found.parts[1], NFKD), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae'), 'þ', 'th'),
    'øłđðıħŧŋĸØŁĐÐ', 'olddihtnkoldd'), '' ORDER BY found.place)
  FROM regexp_matches(concat_ws(' ', stored.last_name, stored.first_name, stored.email), $re$(?<=[^\s'’ʼ`´])['’ʼ`´]([^\s'’ʼ`´@.,;:()/&-]{2,})$re$, 'g') WITH ORDINALITY AS found (parts, place)
), '')
WHERE search ~ '[đðþıħŧŋĸ]' OR concat_ws(' ', stored.last_name, stored.first_name, stored.email) ~ $re$['’ʼ`´]$re$;
--> statement-breakpoint
UPDATE "clinical_professional" AS stored
SET search = replace(translate(search, 'đðıħŧŋĸ', 'ddihtnk'), 'þ', 'th') || coalesce((
  SELECT string_agg(' ' || translate(
    replace(replace(replace(replace(
      lower(regexp_replace(normalize(found.parts[1], NFKD), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), 'œ', 'oe'), 'æ', 'ae'), 'þ', 'th'),
    'øłđðıħŧŋĸØŁĐÐ', 'olddihtnkoldd'), '' ORDER BY found.place)
  FROM regexp_matches(stored.name, $re$(?<=[^\s'’ʼ`´])['’ʼ`´]([^\s'’ʼ`´@.,;:()/&-]{2,})$re$, 'g') WITH ORDINALITY AS found (parts, place)
), '')
WHERE search ~ '[đðþıħŧŋĸ]' OR stored.name ~ $re$['’ʼ`´]$re$;
