/**
 * Short names of the months that programs write and `Intl` lacks, one list per month from January. Case, accents and
 * points don't matter. The full names come from `Intl`, in the languages of the product and Italian.
 */
export const MONTH_WORDS: readonly (readonly string[])[] = [
  ['jan', 'ene', 'jän', 'jänner', 'janv', 'gen', 'janner', 'كانون الثاني', 'جانفي'],
  ['feb', 'febr', 'fev', 'fév', 'févr', 'شباط', 'فيفري'],
  ['mar', 'mrz', 'mär', 'märz', 'mars', 'marz', 'آذار'],
  ['apr', 'abr', 'avr', 'نيسان', 'أفريل'],
  ['may', 'mai', 'mag', 'أيار', 'ماي'],
  ['jun', 'juin', 'giu', 'حزيران', 'جوان'],
  ['jul', 'juil', 'lug', 'تموز', 'جويلية'],
  ['aug', 'ago', 'aoû', 'aout', 'آب', 'أوت'],
  ['sep', 'sept', 'set', 'setiembre', 'أيلول'],
  ['oct', 'okt', 'out', 'ott', 'تشرين الأول'],
  ['nov', 'nove', 'تشرين الثاني'],
  ['dec', 'dez', 'dic', 'déc', 'كانون الأول', 'ديسمبر']
]

/** What programs and spreadsheets write for a missing date, without the time after it. */
export const NO_DATES: readonly string[] = [
  '0000-00-00', '00/00/0000', '00.00.0000', '00-00-0000', '0/0/0000', '00/00/00', '0000/00/00', '00000000', '0',
  '0001-01-01', '01/01/0001', '01.01.0001', '1/1/0001', '01/01/0000', '1753-01-01', '01/01/1753', '1/1/1753', '01.01.1753',
  '1899-12-30', '30/12/1899', '12/30/1899', '30.12.1899', '1899-12-31', '31/12/1899', '12/31/1899', '31.12.1899',
  '1900-01-00', '00/01/1900', '0/1/1900', '1/0/1900', '00.01.1900', '--', '- -', '-', '/', '//', '/ /', '.', '..', '. .',
  '__/__/____', '  /  /    ', 'dd/mm/aaaa', 'dd/mm/yyyy', 'tt.mm.jjjj', 'jj/mm/aaaa', 'mm/dd/yyyy', 'yyyy-mm-dd', 'null'
]
