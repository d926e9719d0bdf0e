ALTER TABLE "catalog_treatment" ADD COLUMN "counts" text DEFAULT 'tooth' NOT NULL;
--> statement-breakpoint
ALTER TABLE "catalog_treatment" ADD COLUMN "surfaces" integer;
--> statement-breakpoint
ALTER TABLE "catalog_treatment" ADD CONSTRAINT "catalog_treatment_counting" CHECK (counts in ('tooth', 'piece', 'once') and surfaces between 1 and 5);
--> statement-breakpoint
-- Treatments of the starter catalogue that still have its code and name.
UPDATE "catalog_treatment" AS stored SET counts = known.counts, surfaces = known.surfaces
FROM (VALUES
  ('DIA-01', 'once', NULL::integer, ARRAY['First visit and examination', 'Primera visita y exploración', 'Première consultation et examen', 'Erstuntersuchung', 'Primeira consulta e exame', 'الزيارة الأولى والفحص']),
  ('DIA-02', 'once', NULL, ARRAY['Check-up', 'Revisión', 'Consultation de contrôle', 'Kontrolluntersuchung', 'Consulta de revisão', 'فحص دوري']),
  ('DIA-03', 'once', NULL, ARRAY['Emergency visit', 'Visita de urgencia', 'Consultation d’urgence', 'Notfallbehandlung', 'Consulta de urgência', 'زيارة طارئة']),
  ('DIA-04', 'piece', NULL, ARRAY['Periapical X-ray', 'Radiografía periapical', 'Radiographie rétro-alvéolaire', 'Einzelröntgenaufnahme', 'Radiografia periapical', 'صورة أشعة حول ذروية']),
  ('DIA-05', 'once', NULL, ARRAY['Panoramic X-ray', 'Radiografía panorámica', 'Radiographie panoramique', 'Panoramaschichtaufnahme', 'Radiografia panorâmica', 'صورة أشعة بانورامية']),
  ('DIA-06', 'once', NULL, ARRAY['Cone beam CT', 'TAC dental (CBCT)', 'Scanner cone beam (CBCT)', 'Digitale Volumentomographie (DVT)', 'Tomografia computorizada (CBCT)', 'تصوير مقطعي مخروطي (CBCT)']),
  ('PRE-01', 'once', NULL, ARRAY['Professional cleaning', 'Limpieza dental profesional', 'Détartrage et polissage', 'Professionelle Zahnreinigung', 'Limpeza dentária (destartarização)', 'تنظيف الأسنان']),
  ('PRE-02', 'once', NULL, ARRAY['Fluoride varnish', 'Barniz de flúor', 'Vernis fluoré', 'Fluoridlack', 'Verniz de flúor', 'ورنيش الفلورايد']),
  ('PRE-04', 'once', NULL, ARRAY['Oral hygiene instruction', 'Instrucciones de higiene oral', 'Enseignement à l’hygiène bucco-dentaire', 'Mundhygieneunterweisung', 'Instrução de higiene oral', 'إرشادات نظافة الفم']),
  ('RES-01', 'tooth', 1, ARRAY['Composite filling, one surface', 'Obturación de composite, una superficie', 'Composite, une face', 'Kompositfüllung, einflächig', 'Restauração em compósito, uma face', 'حشوة كومبوزيت، سطح واحد']),
  ('RES-02', 'tooth', 2, ARRAY['Composite filling, two surfaces', 'Obturación de composite, dos superficies', 'Composite, deux faces', 'Kompositfüllung, zweiflächig', 'Restauração em compósito, duas faces', 'حشوة كومبوزيت، سطحان']),
  ('RES-03', 'tooth', 3, ARRAY['Composite filling, three or more surfaces', 'Obturación de composite, tres o más superficies', 'Composite, trois faces ou plus', 'Kompositfüllung, drei- oder mehrflächig', 'Restauração em compósito, três ou mais faces', 'حشوة كومبوزيت، ثلاثة أسطح أو أكثر']),
  ('PER-01', 'once', NULL, ARRAY['Periodontal chart', 'Periodontograma', 'Bilan parodontal', 'Parodontalstatus', 'مخطط اللثة']),
  ('PER-02', 'piece', NULL, ARRAY['Scaling and root planing, per quadrant', 'Raspado y alisado radicular, por cuadrante', 'Surfaçage radiculaire, par quadrant', 'Subgingivale Instrumentierung, je Quadrant', 'Raspagem e alisamento radicular, por quadrante', 'تقليح وتسوية الجذور، لكل ربع']),
  ('PER-03', 'once', NULL, ARRAY['Periodontal maintenance', 'Mantenimiento periodontal', 'Maintenance parodontale', 'Unterstützende Parodontitistherapie', 'Manutenção periodontal', 'صيانة اللثة']),
  ('PER-04', 'piece', NULL, ARRAY['Gingival graft', 'Injerto de encía', 'Greffe gingivale', 'Zahnfleischtransplantat', 'Enxerto gengival', 'طعم لثوي']),
  ('SUR-04', 'piece', NULL, ARRAY['Bone graft', 'Injerto óseo', 'Greffe osseuse', 'Knochenaufbau', 'Enxerto ósseo', 'طعم عظمي']),
  ('SUR-05', 'piece', NULL, ARRAY['Sinus lift', 'Elevación de seno', 'Élévation du sinus (sinus lift)', 'Sinuslift', 'Elevação do seio maxilar', 'رفع الجيب الفكي']),
  ('IMP-03', 'piece', NULL, ARRAY['Implant maintenance', 'Mantenimiento de implantes', 'Maintenance d’implants', 'Implantatpflege', 'Manutenção de implantes', 'صيانة الزرعات']),
  ('PRO-04', 'piece', NULL, ARRAY['Removable partial denture', 'Prótesis parcial removible', 'Prothèse amovible partielle', 'Herausnehmbare Teilprothese', 'Prótese parcial removível', 'طقم جزئي متحرك']),
  ('PRO-05', 'piece', NULL, ARRAY['Complete denture', 'Prótesis completa', 'Prothèse amovible complète', 'Vollprothese', 'Prótese total', 'طقم أسنان كامل']),
  ('PRO-06', 'piece', NULL, ARRAY['Night guard', 'Férula de descarga', 'Gouttière occlusale', 'Aufbissschiene', 'Goteira de relaxamento', 'واقٍ ليلي']),
  ('ORT-01', 'once', NULL, ARRAY['Orthodontic study', 'Estudio de ortodoncia', 'Bilan orthodontique', 'Kieferorthopädische Diagnostik', 'Estudo ortodôntico', 'دراسة تقويمية']),
  ('ORT-02', 'once', NULL, ARRAY['Fixed braces, both arches', 'Brackets, ambas arcadas', 'Appareil multi-attaches, deux arcades', 'Feste Zahnspange, beide Kiefer', 'Aparelho fixo, ambas as arcadas', 'تقويم ثابت، الفكان']),
  ('ORT-03', 'once', NULL, ARRAY['Clear aligners, both arches', 'Alineadores transparentes, ambas arcadas', 'Aligneurs transparents, deux arcades', 'Transparente Aligner, beide Kiefer', 'Alinhadores transparentes, ambas as arcadas', 'قوالب تقويم شفافة، الفكان']),
  ('ORT-04', 'piece', NULL, ARRAY['Retainer, per arch', 'Retenedor, por arcada', 'Contention, par arcade', 'Retainer, je Kiefer', 'Contenção, por arcada', 'مثبّت، لكل فك']),
  ('AES-01', 'once', NULL, ARRAY['Whitening in the clinic', 'Blanqueamiento en clínica', 'Blanchiment au cabinet', 'Bleaching in der Praxis', 'Branqueamento no consultório', 'تبييض في العيادة']),
  ('AES-02', 'once', NULL, ARRAY['Whitening at home', 'Blanqueamiento en casa', 'Blanchiment à domicile', 'Bleaching zu Hause', 'Branqueamento em casa', 'تبييض في المنزل'])
) AS known (code, counts, surfaces, names)
WHERE stored.code = known.code
  AND EXISTS (SELECT FROM jsonb_each_text(stored.name) AS named WHERE named.value = ANY (known.names));
