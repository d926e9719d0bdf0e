import type { ImportColumn } from '@svc/kit'
import { LANGUAGES } from '../../../shared/contract.ts'

const NAME = [
  'name', 'treatment', 'service', 'title', 'nombre', 'tratamiento', 'servicio', 'prestación', 'nom',
  'traitement', 'acte',
  'prestation', 'libellé', 'bezeichnung', 'behandlung', 'leistung', 'nome', 'tratamento', 'serviço', 'ato',
  'designação', 'الاسم', 'العلاج', 'الخدمة'
]
const DESCRIPTION = [
  'description', 'details', 'descripción', 'detalle', 'détails', 'beschreibung', 'erläuterung', 'descrição',
  'detalhes', 'الوصف', 'التفاصيل'
]

/** `name` is in the clinic's language, `name_es` in Spanish. */
const inLanguages = (field: string, headers: string[]): ImportColumn[] => [
  { name: field, headers },
  ...LANGUAGES.map(language => ({ name: `${field}_${language}`, headers: headers.map(header => `${header} ${language}`) }))
]

/** How files of other programs call the fields, in English, Spanish, French, German, Portuguese and Arabic. */
export const columns: ImportColumn[] = [
  {
    name: 'external_id',
    headers: [
      'id', 'treatment id', 'reference', 'external id', 'id tratamiento', 'referencia', 'id traitement',
      'référence', 'behandlungs id', 'leistungs id',
      'id do tratamento', 'referência', 'المعرف', 'معرف العلاج'
    ]
  },
  {
    name: 'code',
    headers: ['code', 'treatment code', 'código', 'código de tratamiento', 'cód', 'code acte', 'code de l acte', 'kürzel', 'leistungsnummer', 'nummer', 'nr', 'código do tratamento', 'الرمز', 'الكود']
  },
  ...inLanguages('name', NAME),
  ...inLanguages('description', DESCRIPTION),
  { name: 'category', headers: ['category', 'group', 'categoría', 'grupo', 'familia', 'catégorie', 'groupe', 'famille', 'kategorie', 'gruppe', 'categoria', 'الفئة', 'المجموعة'] },
  {
    name: 'unit_price',
    headers: [
      'unit price', 'price', 'fee', 'amount', 'precio', 'precio unitario', 'tarifa', 'importe', 'pvp', 'prix',
      'prix unitaire', 'tarif', 'honoraires', 'montant',
      'preis', 'einzelpreis', 'honorar', 'betrag', 'preço', 'preço unitário', 'valor', 'السعر', 'سعر الوحدة', 'المبلغ'
    ]
  },
  {
    name: 'vat',
    headers: [
      'vat', 'vat rate', 'vat %', 'tax', 'tax rate', 'tax %', 'iva', 'iva %', '% iva', 'tipo de iva',
      'impuesto', 'tva', 'tva %', '% tva', 'taux de tva', 'taxe',
      'mwst', 'mwst %', 'ust', 'mehrwertsteuer', 'umsatzsteuer', 'steuersatz', 'taxa de iva', 'imposto',
      'الضريبة', 'ضريبة القيمة المضافة', 'نسبة الضريبة'
    ]
  },
  {
    name: 'active',
    headers: ['active', 'enabled', 'offered', 'status', 'activo', 'activa', 'estado', 'actif', 'active', 'statut', 'aktiv', 'angeboten', 'ativo', 'ativa', 'نشط', 'مفعل', 'الحالة']
  }
]
