/**
 * Letters beyond a to z in the texts of a language, in lower case. The clinic's own language counts most; the others
 * show which letters occur in names at all.
 */
export const LETTERS: Record<string, string> = {
  es: 'áéíóúüñçàèòï',
  fr: 'àâæçéèêëîïôœùûüÿ',
  de: 'äöüßé',
  pt: 'áâãàçéêíóôõúü',
  it: 'àèéìòù',
  ca: 'àçéèíïóòúü',
  en: 'éèçñöü',
  nl: 'ëïéèöü',
  pl: 'ąćęłńóśźż',
  cs: 'áčďéěíňóřšťúůýž',
  sk: 'áäčďéíĺľňóôŕšťúýž',
  hu: 'áéíóöőúüű',
  ro: 'ăâîșțşţ',
  hr: 'čćđšž',
  tr: 'çğıöşüâ',
  sv: 'åäöé',
  da: 'æøåé',
  lt: 'ąčęėįšųūž',
  lv: 'āčēģīķļņšūž'
}

/** The letters that make up most of any Arabic, Russian or Greek text. */
export const FREQUENT = 'اليمونترةبعدسحفكأ' + 'оеаинтсрвлкмдпу' + 'αοιετσνηυρκλ'
