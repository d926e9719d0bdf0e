/**
 * How files of other programs call the fields of a treatment, by language. Case, accents, blanks and punctuation don’t
 * matter.
 */
type Headers = Readonly<Record<'en' | 'es' | 'fr' | 'de' | 'pt' | 'it' | 'ar', readonly string[]>>

export const EXTERNAL_ID: Headers = {
  en: ['id', 'treatment id', 'reference', 'external id', 'procnum', 'procedure id'],
  es: ['id tratamiento', 'referencia', 'idtratamiento', 'id prestación'],
  fr: ['id traitement', 'référence', 'id acte'],
  de: ['behandlungs id', 'leistungs id', 'leistungsid'],
  pt: ['id do tratamento', 'referência', 'id do ato'],
  it: ['id prestazione', 'id trattamento', 'riferimento'],
  ar: ['المعرف', 'معرف العلاج']
}
export const CODE: Headers = {
  en: ['code', 'treatment code', 'proc code', 'proccode', 'procedure code', 'ada code', 'cdt code'],
  es: ['código', 'código de tratamiento', 'cód', 'código tratamiento', 'cód tratamiento', 'codtra', 'código prestación', 'clave'],
  fr: ['code', 'code acte', 'code de l acte', 'code ccam', 'ccam', 'cotation'],
  de: ['kürzel', 'leistungsnummer', 'nummer', 'nr', 'ziffer', 'gebührennummer', 'geb nr', 'geb ziffer', 'code', 'position'],
  pt: ['código do tratamento', 'código', 'código do ato', 'cód ato'],
  it: ['codice', 'codice prestazione', 'cod', 'cod prestazione', 'codice trattamento'],
  ar: ['الرمز', 'الكود', 'رمز العلاج']
}
export const NAME: Headers = {
  en: ['name', 'treatment', 'service', 'title', 'procedure', 'treatment name', 'procedure name', 'item'],
  es: ['nombre', 'tratamiento', 'servicio', 'prestación', 'nombre tratamiento', 'acto', 'concepto', 'denominación'],
  fr: ['nom', 'traitement', 'acte', 'prestation', 'libellé', 'désignation', 'intitulé', 'libellé de l acte'],
  de: ['bezeichnung', 'behandlung', 'leistung', 'leistungsbezeichnung', 'leistungstext', 'kurztext', 'titel'],
  pt: ['nome', 'tratamento', 'serviço', 'ato', 'acto', 'designação', 'ato médico'],
  it: ['nome', 'prestazione', 'trattamento', 'servizio', 'denominazione', 'voce'],
  ar: ['الاسم', 'العلاج', 'الخدمة']
}
export const DESCRIPTION: Headers = {
  en: ['description', 'details', 'descript', 'desc', 'long description', 'abbrdesc'],
  es: ['descripción', 'detalle', 'descrip', 'desc', 'descripción tratamiento', 'descripción larga'],
  fr: ['description', 'détails', 'descriptif', 'détail'],
  de: ['beschreibung', 'erläuterung', 'langtext', 'leistungsbeschreibung'],
  pt: ['descrição', 'detalhes', 'descritivo'],
  it: ['descrizione', 'dettagli', 'descrizione prestazione'],
  ar: ['الوصف', 'التفاصيل']
}
export const CATEGORY: Headers = {
  en: ['category', 'group', 'proc category', 'speciality', 'specialty', 'department'],
  es: ['categoría', 'grupo', 'familia', 'especialidad', 'apartado', 'subfamilia'],
  fr: ['catégorie', 'groupe', 'famille', 'spécialité'],
  de: ['kategorie', 'gruppe', 'leistungsgruppe', 'bereich', 'fachbereich'],
  pt: ['categoria', 'grupo', 'família', 'especialidade'],
  it: ['categoria', 'gruppo', 'famiglia', 'branca', 'specialità'],
  ar: ['الفئة', 'المجموعة', 'التخصص']
}
export const UNIT_PRICE: Headers = {
  en: ['unit price', 'price', 'fee', 'amount', 'standard fee', 'cost', 'unit fee'],
  es: ['precio', 'precio unitario', 'tarifa', 'importe', 'pvp', 'precio venta', 'pvp iva', 'precio tarifa', 'honorarios'],
  fr: ['prix', 'prix unitaire', 'tarif', 'honoraires', 'montant', 'prix ttc', 'prix ht', 'tarif ttc'],
  de: ['preis', 'einzelpreis', 'honorar', 'betrag', 'gebühr', 'preis eur', 'preis brutto', 'preis netto'],
  pt: ['preço', 'preço unitário', 'valor', 'honorário', 'preço venda', 'custo'],
  it: ['prezzo', 'prezzo unitario', 'tariffa', 'importo', 'onorario', 'costo'],
  ar: ['السعر', 'سعر الوحدة', 'المبلغ', 'التكلفة']
}
export const VAT: Headers = {
  en: ['vat', 'vat rate', 'vat %', 'tax', 'tax rate', 'tax %'],
  es: ['iva', 'iva %', '% iva', 'tipo de iva', 'impuesto', 'tipo iva', 'igic', '% impuesto'],
  fr: ['tva', 'tva %', '% tva', 'taux de tva', 'taxe', 'taux tva'],
  de: ['mwst', 'mwst %', 'ust', 'mehrwertsteuer', 'umsatzsteuer', 'steuersatz', 'mwst satz', 'steuer %'],
  pt: ['taxa de iva', 'imposto', 'iva', 'taxa iva', '% iva'],
  it: ['iva', 'aliquota', 'aliquota iva', '% iva', 'iva %'],
  ar: ['الضريبة', 'ضريبة القيمة المضافة', 'نسبة الضريبة']
}
export const ACTIVE: Headers = {
  en: ['active', 'enabled', 'offered', 'status'],
  es: ['activo', 'activa', 'estado', 'vigente', 'habilitado'],
  fr: ['actif', 'active', 'statut'],
  de: ['aktiv', 'angeboten', 'status'],
  pt: ['ativo', 'ativa', 'estado', 'activo'],
  it: ['attivo', 'attiva', 'stato'],
  ar: ['نشط', 'مفعل', 'الحالة']
}

export const COUNTS: Headers = {
  en: ['counts', 'counted per', 'counts per', 'unit', 'billing unit'],
  es: ['se cuenta', 'se cuenta por', 'unidad', 'cuenta por', 'aplicación'],
  fr: ['compté', 'compté par', 'unité', 'unité de facturation'],
  de: ['zählt', 'gezählt', 'zählt je', 'einheit', 'berechnungseinheit'],
  pt: ['conta se', 'contado por', 'unidade', 'conta por'],
  it: ['conteggio', 'contato per', 'unità', 'unità di conteggio'],
  ar: ['العد', 'يحسب لكل', 'الوحدة']
}
export const SURFACES: Headers = {
  en: ['surfaces', 'number of surfaces', 'no of surfaces'],
  es: ['superficies', 'número de superficies', 'caras', 'número de caras'],
  fr: ['faces', 'nombre de faces'],
  de: ['flächen', 'anzahl flächen', 'flächenzahl'],
  pt: ['faces', 'número de faces', 'superfícies'],
  it: ['superfici', 'numero di superfici'],
  ar: ['الأسطح', 'عدد الأسطح']
}

export const allOf = (headers: Headers): string[] => [...new Set(Object.values(headers).flat())]
