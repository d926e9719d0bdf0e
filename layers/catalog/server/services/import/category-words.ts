/** Category → what other programs call it besides its own name, in the languages of the product. */
export const CATEGORY_WORDS: Record<string, readonly string[]> = {
  diagnosis: [
    'diagnostics', 'imaging', 'radiology', 'x rays', 'examination', 'consultation', 'diagnóstico',
    'radiología', 'radiografías', 'primera visita', 'exploración', 'diagnostic', 'imagerie', 'radiologie',
    'consultations', 'diagnostik', 'bildgebung', 'röntgen', 'untersuchung', 'radiologia', 'imagiologia', 'consulta',
    'التشخيص', 'الأشعة', 'المعاينة'
  ],
  prevention: [
    'preventive', 'preventive dentistry', 'hygiene', 'prophylaxis', 'cleaning', 'preventiva',
    'odontología preventiva', 'higiene', 'profilaxis', 'limpieza', 'prophylaxie', 'hygiène', 'détartrage',
    'prophylaxe', 'prävention', 'zahnreinigung', 'higiene oral', 'profilaxia', 'destartarização',
    'طب الأسنان الوقائي', 'تنظيف الأسنان'
  ],
  restoration: [
    'restorative', 'restorative dentistry', 'restorations', 'conservative', 'conservative dentistry',
    'operative dentistry', 'conservadora', 'odontología conservadora', 'restauradora', 'empastes', 'operatoria',
    'operatoria dental', 'odontologie conservatrice', 'restaurations', 'obturations', 'konservierend',
    'konservierende zahnheilkunde', 'zahnerhaltung', 'kons', 'füllungstherapie', 'dentisteria', 'dentística',
    'obturações', 'حشوات الأسنان', 'ترميم الأسنان'
  ],
  endodontics: [
    'endodontic', 'endo', 'root canal', 'endodoncias', 'endodontie', 'endodontologie',
    'wurzelkanalbehandlung', 'desvitalização', 'المعالجة اللبية', 'علاج العصب'
  ],
  periodontics: [
    'periodontology', 'periodontal', 'perio', 'encías', 'parodontologie',
    'paro', 'parodontalbehandlung', 'pa', 'par', 'parodontitistherapie', 'periodontia', 'أمراض اللثة'
  ],
  surgery: [
    'oral surgery', 'extractions', 'cirugía oral', 'extracciones', 'exodoncia', 'chirurgie orale',
    'chirurgie buccale', 'oralchirurgie', 'extraktionen', 'cirurgia oral', 'extrações', 'exodontia',
    'جراحة الفم', 'القلع', 'الخلع'
  ],
  implants: [
    'implantology', 'implant', 'implantología', 'implantologie', 'implantologia', 'زراعة الأسنان', 'زرعات الأسنان'
  ],
  prosthetics: [
    'prosthodontics', 'prosthesis', 'crowns', 'crowns and bridges', 'dentures', 'prostodoncia',
    'coronas', 'coronas y puentes', 'prótesis fija', 'prótesis removible', 'prothèse', 'couronnes',
    'couronnes et bridges', 'prothèse fixe', 'prothèse amovible', 'prothetik', 'kronen und brücken', 'prothesen',
    'prótese', 'prótese fixa', 'prótese removível', 'prostodontia', 'coroas', 'coroas e pontes', 'تعويضات الأسنان', 'التيجان والجسور'
  ],
  orthodontics: [
    'ortho', 'braces', 'aligners', 'alineadores', 'orthodontie', 'odf', 'orthopédie dento faciale', 'kfo',
    'alinhadores', 'التقويم'
  ],
  aesthetics: [
    'aesthetic', 'aesthetic dentistry', 'esthetics', 'cosmetic', 'cosmetic dentistry', 'whitening',
    'odontología estética', 'blanqueamiento', 'dentisterie esthétique', 'blanchiment', 'ästhetische zahnheilkunde',
    'bleaching', 'odontologia estética', 'branqueamento', 'تبييض الأسنان', 'تجميل الأسنان'
  ]
}
