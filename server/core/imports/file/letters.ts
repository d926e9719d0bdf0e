/**
 * Letters beyond a to z that texts of a language have, in lower case. The clinic's own language counts most, and the
 * others say which letters belong to names at all.
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

/** Those that make up most of any Arabic, Russian or Greek text. */
export const FREQUENT = 'اليمونترةبعدسحفكأ' + 'оеаинтсрвлкмдпу' + 'αοιετσνηυρκλ'
