import type { Labels } from './labels.ts'
import { rules } from './rules.ts'

/** Arabic names of currencies already end with a dot. */
const sentence = (text: string): string => /\.\u200F?$/.test(text) ? text : `${text}.`

export const ar: Labels = {
  title: 'عرض سعر العلاج',
  version: 'الإصدار',
  page: 'صفحة {page} من {pages}',
  patient: 'المريض',
  professional: 'الطبيب المعالج',
  license: number => `رقم الترخيص ${number}`,
  unassigned: 'لم يُحدَّد بعد',
  date: 'التاريخ',
  valid: 'الصلاحية',
  until: date => `حتى نهاية يوم\n${date}`,
  treatment: 'العلاج',
  tooth: 'السن',
  quantity: 'الكمية',
  original_price: 'السعر الأصلي',
  price: 'السعر',
  original_total: 'قبل الخصم',
  discount: 'الخصم',
  global_discount: 'خصم على المجموع',
  total: 'المجموع',
  tax_included: amount => sentence(`يشمل ضريبة قدرها ${amount}`),
  no_tax: 'لا تُطبّق أي ضريبة.',
  base: 'مشمول دائمًا',
  rule: rules(
    'اختاروا خيارًا واحدًا.',
    'اختاروا خيارًا واحدًا أو لا شيء.',
    'اختياري: ضعوا علامة إن رغبتم فيه.'
  ),
  recommended: 'توصي به عيادتكم',
  range: (from, to) => `من ${from} إلى ${to}`,
  depends: 'يتوقف المجموع على ما تختارونه.',
  none: 'لا شيء',
  not_chosen: 'عُرض ولم يُختر',
  notes: 'ملاحظات العيادة',
  status: {
    draft: 'مسودة',
    sent: 'مفتوح',
    accepted: 'مقبول',
    rejected: 'مرفوض',
    expired: 'منتهي الصلاحية',
    cancelled: 'ملغى',
    superseded: 'مستبدل'
  },
  decision: 'القبول',
  statement: (number, version, total) => sentence(`قُبل العرض ${number}، الإصدار ${version}، بمبلغ إجمالي قدره ${total}`),
  consent: (clinic, total) => sentence(`قرأتُ هذا العرض من ${clinic} وأقبله بمبلغ ${total}`),
  signer: 'الموقّع',
  relationship: 'صفة الموقّع',
  relationships: { patient: 'المريض', guardian: 'أحد الوالدين أو الوصي', representative: 'ممثل عن المريض' },
  signature: 'التوقيع',
  click_statement: 'قُبل بنقرة، مع الموافقة المعطاة في النموذج.',
  decided_at: 'التاريخ والوقت',
  method: 'طريقة التوقيع',
  methods: { click: 'بنقرة', typed: 'بالكتابة', drawn: 'بالرسم' },
  via: { remote_link: 'عبر الرابط المفتوح برمزه', in_clinic: 'في العيادة' },
  content_digest: 'بصمة المحتوى (SHA-256)',
  check: 'التحقق من هذا الملف',
  check_hint: 'امسحوا الرمز ضوئيًا أو افتحوا العنوان: يمكن لأي شخص أن يتحقق هناك من أن هذا الملف هو الملف الموقّع نفسه.'
}
